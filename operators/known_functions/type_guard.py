"""A guard that leaves to the old body what was not seen: values of other types, smaller ones.

Agreement on ints says nothing about floats: `a + b == total` and `b == total - a` are not the
same for tenths, and 1, 1.0 and True are ties. Nor does agreement on what is zero or more say
anything of less. So each call is asked for the types of what agreed and for the sign, items
included. Larger and longer values are let through: it is for them that a known function is
faster. Not here: which calls agree (`matching`), other edges (`edges`).
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from itertools import chain
from types import NoneType
from typing import Any, NamedTuple  # arguments are plain data of any type

_ITEMS = ("x", "y", "z")  # items, items of items: what is nested deeper is not asked
_NESTS = (list, tuple, set, frozenset)
_SIZED = (*_NESTS, dict, str)
_NUMBERS = {int, float}


def type_guard(rows: Sequence[tuple[Any, ...]], *, items: bool = True) -> str | None:
    """Return the guard that holds for values like those in these rows, and for no others.

    None where a type is no builtin: its name may mean nothing where the guard stands.

    Args:
        rows: Arguments of the calls that agree.
        items: Whether the items of lists and tables are asked for, too.
    """
    found = list[str]()
    for place, column in enumerate(zip(*rows, strict=True)):
        name, kinds = f"a{place}", {type(value) for value in column}
        found.append(f"type({name}) {_among(kinds)}")
        found += _least(name, column)
        for level in _inside(name, column) if items else ():
            inner = {type(value) for value in level.values}
            kinds |= inner
            found.append(f"{level.types} <= {_set_of(inner)}")
            if inner and inner <= _NUMBERS and min(level.values) >= 0:
                found.append(f"min({level.items}, default=0) >= 0")
        if any(getattr(builtins, kind.__name__, NoneType) is not kind for kind in kinds):
            return None
    return " and ".join(found)


def _least(name: str, column: Sequence[Any]) -> Iterator[str]:
    """Yield the least number where none is negative, the least length where none is empty."""
    kinds = {type(value) for value in column}
    if kinds <= _NUMBERS and min(column) >= 0:
        yield f"{name} >= {min(column)!r}"
    elif kinds <= {*_SIZED} and (shortest := min(map(len, column))) > 0:
        yield f"len({name}) >= {shortest}"


class _Level(NamedTuple):
    """What stands inside of an argument at one depth.

    Attributes:
        types: Code for the set of its types.
        items: Code that goes through it.
        values: What was seen there.
    """

    types: str
    items: str
    values: Sequence[Any]


def _inside(name: str, values: Sequence[Any]) -> Iterator[_Level]:
    """Yield the levels of an argument."""
    around, clauses = name, ""
    if {*map(type, values)} == {dict}:
        around, values = f"{name}.items()", [[*value.items()] for value in values]
    for item in _ITEMS:
        nests = [value for value in values if isinstance(value, _NESTS)]
        if not nests:
            return
        if len(nests) < len(values):
            around = (
                f"({around} if isinstance({around}, (list, tuple, set, frozenset)) else ())"
            )
        clauses += f" for {item} in {around}"
        values = [*chain.from_iterable(nests)]
        if item == _ITEMS[0]:
            yield _Level(f"{{*map(type, {around})}}", around, values)
        else:
            yield _Level(f"{{type({item}){clauses}}}", f"({item}{clauses})", values)
        around = item


def _among(kinds: set[type]) -> str:
    names = _names(kinds)
    return f"is {names[0]}" if len(names) == 1 else f"in ({', '.join(names)})"


def _set_of(kinds: set[type]) -> str:
    return f"{{{', '.join(_names(kinds))}}}" if kinds else "set()"


def _names(kinds: set[type]) -> list[str]:
    return sorted("type(None)" if kind is NoneType else kind.__name__ for kind in kinds)
