"""Where two answers differ whose beginnings, which is all that is shown, are the same.

Not here: whether they are equal (`se_agent.wire.same`), nor how a value is shown (`shown`).
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any  # values of any type that may cross the wire

from evaluators.shown import cut, shown
from se_agent import wire
from se_agent.wire.records import Named, Record, parts

_ROWS = (list, tuple, deque)
_MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
_NOTHING = object()  # stands where one of them has come to its end
_DEEPEST = 30


def apart(right: Any, given: Any) -> tuple[str, str]:
    """Return both values as people see them: whole, or at the first place where they differ."""
    whole = shown(right), shown(given)
    if whole[0] != whole[1]:
        return whole
    place = ""
    for _ in range(_DEEPEST):
        found = next(_differing(right, given), None)
        if found is None:
            break
        step, right, given = found
        place += step
    if not place:
        return whole
    told = ("nothing" if one is _NOTHING else shown(one) for one in (right, given))
    first, second = (cut(f"at {place}: {one}") for one in told)
    return first, second


def _differing(right: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the parts that differ, each with the step that leads to it."""
    for step, one, other in _pairs(right, given):
        if one is _NOTHING or other is _NOTHING or not wire.same(one, other):
            yield step, one, other


def _pairs(right: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    kind = type(right)
    if kind is not type(given):
        return
    if kind in _ROWS:
        both = zip_longest(right, given, fillvalue=_NOTHING)
        yield from ((f"[{n}]", one, other) for n, (one, other) in enumerate(both))
    elif kind is str:
        lines = zip_longest(right.split("\n"), given.split("\n"), fillvalue=_NOTHING)
        if "\n" in right or "\n" in given:
            yield from ((f"line {n}", *both) for n, both in enumerate(lines, start=1))
    elif kind in _MAPPINGS:
        for key in (*right, *(key for key in given if key not in right)):
            yield f"[{shown(key)}]", right.get(key, _NOTHING), given.get(key, _NOTHING)
    elif kind in (Record, Named) and parts(right)[1:3] == parts(given)[1:3]:
        _, _, fields, values = parts(right)
        for field, one, other in zip(fields, values, parts(given)[3], strict=True):
            yield f".{field}", one, other
