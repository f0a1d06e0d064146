"""The tables of the run file, as classes and as values: which keys there are, at every depth.

Each function goes from a table to the tables in it, whatever they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo

from se_agent.config.marks import Mark
from se_agent.config.section import Section, fields_of

NAME = "NAME"
"""Stands for a name of the user's choice, such as that of a model."""


class TablePlace(NamedTuple):
    """A place in the run file.

    Attributes:
        section: The class of the table that is here, or of the tables with names of the user's
            choice; None: a value is here.
        field: Field that is here; None: the run file itself, or a table with such a name.
        named: Whether the keys here are names of the user's choice.
    """

    section: type[Section] | None
    field: FieldInfo | None = None
    named: bool = False

    def below(self, key: str) -> TablePlace | None:
        """Return the place of a key in this table; None: it is not known."""
        if self.named:
            return TablePlace(self.section)
        field = fields_of(self.section).get(key) if self.section else None
        return place_of(field) if field else None


def place_of(field: FieldInfo) -> TablePlace:
    """Return what is in the place of a field."""
    section = _section_in(field.annotation)
    return TablePlace(section, field, bool(section) and get_origin(field.annotation) is dict)


def places(root: type[Section], path: Sequence[str]) -> list[TablePlace]:
    """Return the places on the way to a key, the root first, as far as the way is known."""
    found = [TablePlace(root)]
    for key in path:
        below = found[-1].below(key)
        if below is None:
            break
        found.append(below)
    return found


def is_known(root: type[Section], path: Sequence[str]) -> bool:
    """Say whether there is a key, or a value that may hold it."""
    found = places(root, path)
    return len(found) > len(path) or found[-1].section is None


def has_mark(root: type[Section], path: Sequence[str], mark: Mark) -> bool:
    """Say whether a key, or a table above it, has a mark."""
    fields = (place.field for place in places(root, path))
    return any(field is not None and mark in field.metadata for field in fields)


def keys(root: type[Section], *above: str) -> Iterator[tuple[tuple[str, ...], FieldInfo]]:
    """Yield all keys below a table, and the tables themselves, each before what is in it."""
    yield from _keys(root, above, (root,))


def _keys(
    section: type[Section], above: tuple[str, ...], within: tuple[type[Section], ...]
) -> Iterator[tuple[tuple[str, ...], FieldInfo]]:
    for key, field in fields_of(section).items():
        path, inner = (*above, key), place_of(field)
        yield path, field
        if inner.section and inner.section not in within:  # a table may hold its like
            path = (*path, NAME) if inner.named else path
            yield from _keys(inner.section, path, (*within, inner.section))


def tables(section: Section, *path: str) -> Iterator[tuple[tuple[str, ...], Section]]:
    """Yield a table and all tables in it with their paths, each before those in it."""
    yield path, section
    for key, value in section:
        if isinstance(value, Section):
            yield from tables(value, *path, key)
        elif isinstance(value, dict):
            for name, each in value.items():
                if isinstance(each, Section):
                    yield from tables(each, *path, key, name)


def is_table(section: type[Section], key: str) -> bool:
    """Say whether a key holds a table, or tables with names of the user's choice."""
    found = TablePlace(section).below(key)
    return found is not None and found.section is not None


def _section_in(annotation: Any) -> type[Section] | None:  # any type of a field
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    return next(filter(None, map(_section_in, get_args(annotation))), None)
