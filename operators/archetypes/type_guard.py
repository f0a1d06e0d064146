"""A guard that leaves values of types that were not seen to the old body.

Agreement on ints says nothing about floats: `a + b == total` and `b == total - a` are not the
same for tenths, and 1, 1.0 and True are ties. So each call is asked for the types of what
agreed, items included. Not here: which calls agree (`matching`), other edges (`edges`).
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from itertools import chain
from types import NoneType
from typing import Any  # arguments are plain data of any type

_ITEMS = ("x", "y", "z")  # items, items of items: what is nested deeper is not asked
_NESTS = (list, tuple, set, frozenset)


def type_guard(rows: Sequence[tuple[Any, ...]], *, items: bool = True) -> str | None:
    """Return the guard that holds for values of the types in these rows, and for no others.

    None where a type is no builtin: its name may mean nothing where the guard stands.

    Args:
        rows: Arguments of the calls that agree.
        items: Whether the items of lists and tables are asked for, too.
    """
    found = list[str]()
    for place, column in enumerate(zip(*rows, strict=True)):
        kinds = {type(value) for value in column}
        found.append(f"type(a{place}) {_among(kinds)}")
        for code, values in _inside(f"a{place}", column) if items else ():
            kinds |= {type(value) for value in values}
            found.append(f"{code} <= {_set_of({type(value) for value in values})}")
        if any(getattr(builtins, kind.__name__, NoneType) is not kind for kind in kinds):
            return None
    return " and ".join(found)


def _inside(name: str, values: Sequence[Any]) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield code for the types of items, level by level, with the items that were seen."""
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
            yield f"{{*map(type, {around})}}", values
        else:
            yield f"{{type({item}){clauses}}}", values
        around = item


def _among(kinds: set[type]) -> str:
    names = _names(kinds)
    return f"is {names[0]}" if len(names) == 1 else f"in ({', '.join(names)})"


def _set_of(kinds: set[type]) -> str:
    return f"{{{', '.join(_names(kinds))}}}" if kinds else "set()"


def _names(kinds: set[type]) -> list[str]:
    return sorted("type(None)" if kind is NoneType else kind.__name__ for kind in kinds)
