"""The parts of a program that may change, as `Problem.editable` names them in a line. Pure.

A name is that of a function, a method or a class, such as `solve` or `Reader.next`; what is
inside may change with it. Where a program has several files, `pkg/mod.py:solve` is one in that
file, and `pkg/mod.py:` all of it. Names stand apart by a blank, which none of them has. An
empty text: all may change.

Not here: whether a change keeps to it (`program.features.changed_outside`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence


def joined_names(names: Iterable[str]) -> str:
    """Return names as one text."""
    return " ".join(names)


def editable_parts(names: Mapping[str, Sequence[str]]) -> str:
    """Return what may change of some files: names in each of them, or all where there is none.

    Args:
        names: By path of the file.
    """
    parts = [(path, name) for path, own in names.items() for name in own or ("",)]
    if len(names) == 1:
        return joined_names(name for _, name in parts)
    return joined_names(f"{path}:{name}" for path, name in parts)


def names_of(editable: str) -> tuple[str, ...]:
    """Return the names of a text; none where all may change."""
    return tuple(editable.split())


def in_file(editable: str, path: str) -> str | None:
    """Return what may change in one file of a program; None: nothing may.

    Args:
        editable: The text for the program; names without a file are those of every file.
        path: Relative path of the file.
    """
    if not editable:
        return ""
    split = [name.rpartition(":") for name in names_of(editable)]
    found = [name for file, _, name in split if file in ("", path)]
    if "" in found:  # the whole file
        return ""
    return joined_names(found) if found else None


def may_change(name: str, editable: str) -> bool:
    """Say whether a function may change: all may, or those that are named, with what is inside.

    Args:
        name: Qualified; empty for the module level.
        editable: The text for its file.
    """
    return not editable or bool(holder(name, editable))


def holder(name: str, editable: str) -> str:
    """Return which of the names a function belongs to; empty: none of them."""
    known = names_of(editable)
    return next((one for one in known if name == one or name.startswith(_inner(one))), "")


def _inner(name: str) -> str:
    """Return what names inside begin with: of a function, a class, or all of a file."""
    return name if name.endswith(":") else f"{name}."


def prefix_of(name: str) -> str:
    """Return what names of a file begin with, where a program has several: `pkg/mod.py:`."""
    return name[: name.rfind(":") + 1]


def prefix_in(files: Collection[str], path: str) -> str:
    """Return what names of one file of a program begin with; nothing where it has no other."""
    return f"{path}:" if len(files) > 1 else ""


def in_words(editable: str) -> str:
    """Return the names as prompts and messages tell them: `a`, `b`."""
    return ", ".join(f"`{name.removesuffix(':')}`" for name in names_of(editable))
