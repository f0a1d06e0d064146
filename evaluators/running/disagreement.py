"""Where two answers differ and by how much, in words; they never look alike.

Not here: whether they are equal (`se_agent.wire.same`, which is asked about every part), nor
how a value is shown (`shown`).
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any  # values of any type that may cross the wire

from evaluators.running.shown import SHOWN, cut, shown
from se_agent import wire
from se_agent.wire import EXACT, Tolerance
from se_agent.wire.records import Named, WireRecord, parts
from se_agent.wording import counted

_ROWS = (list, tuple, deque)
_MAPPINGS = (dict, OrderedDict, Counter, defaultdict)
_NOTHING = object()  # stands where one of them has come to its end
_DEEPEST = 30
_MOST = 64  # places that are told
_SCANNED = 100_000  # elements of an array that are looked at
_SETS = (set, frozenset)
_KINDS: dict[type, str] = {WireRecord: "data class", Named: "named tuple"}


@dataclass(frozen=True)
class AnswerDifference:
    """Two answers as people see them.

    Attributes:
        expected: The right one, whole or where they differ.
        got: The other.
        how: What tells them apart where that is hard to see: how far floats lie apart, another
            type; empty elsewhere.
        relative: The largest relative difference, where nothing but floats differs.
    """

    expected: str
    got: str
    how: str = ""
    relative: float | None = None

    @property
    def told(self) -> str:
        """The other one, and how it differs."""
        if not self.how:
            return self.got
        room = SHOWN - len(self.how) - 3
        got = self.got if len(self.got) <= room else f"{self.got[: max(room - 4, 0)]} ..."
        return f"{got} ({self.how})"


@dataclass(frozen=True)
class _Place:
    """Two parts that differ, and where."""

    at: str
    right: Any
    given: Any


def apart(right: Any, given: Any, tolerance: Tolerance = EXACT) -> AnswerDifference:
    """Return how two values differ that are not the same.

    Args:
        right: What was expected.
        given: What was answered.
        tolerance: What floats may differ by.
    """
    places = [*islice(_places(_Place("", right, given), tolerance, 0), _MOST)]
    first = places[0] if places else _Place("", right, given)
    how, relative = _how(first, places)
    whole = shown(right), shown(given)
    if whole[0] != whole[1]:
        return AnswerDifference(whole[0], whole[1], how, relative)
    told = _told(first.at, first.right), _told(first.at, first.given)
    if told[0] != told[1]:
        return AnswerDifference(told[0], told[1], how, relative)
    unseen = _type(first.right, first.given) or "they differ in what is not shown"
    return AnswerDifference(whole[0], whole[1], how or unseen, relative)


def relative_gap(right: Any, given: Any) -> float | None:
    """Return how far two numbers lie apart, as a share of the larger; None for no numbers."""
    if not all(map(_is_number, (right, given))):
        return None
    try:
        ours, theirs = complex(right), complex(given)
        if ours == theirs:
            return 0.0
        gap = ours - theirs
        scale = max(math.hypot(x.real, x.imag) for x in (ours, theirs))
        found = math.hypot(gap.real, gap.imag) / scale
    except (ArithmeticError, TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def _is_number(value: Any) -> bool:
    return hasattr(value, "imag") and not getattr(value, "ndim", 0)


def by(gap: float) -> str:
    """Return a relative difference in words."""
    return f"{gap:.2g} relative"


def _told(at: str, part: Any) -> str:
    text = "nothing" if part is _NOTHING else shown(part)
    return cut(f"at {at}: {text}" if at else text)


def _how(first: _Place, places: list[_Place]) -> tuple[str, float | None]:
    """Return what tells values apart, and how far floats do where nothing else differs."""
    where = f", at {first.at}" if first.at else ""
    if first.right is _NOTHING or first.given is _NOTHING:
        return "", None
    if type(first.right) is not type(first.given) or hasattr(first.right, "dtype"):
        other = _type(first.right, first.given)
        if other and _hard_to_see(first.right, first.given):
            return f"{other}{where}", None
    gaps = [_float_gap(place) for place in places]
    if gaps[:1] in ([], [None]):
        return "", None
    known = [gap for gap in gaps if gap is not None]
    told = f"differ by {by(known[0])}{where}"
    if len(known) > 1:
        least = "" if len(places) < _MOST else "at least "
        number = counted(len(known) - 1, "other place")
        told += f"; {least}{number}, by up to {by(max(known[1:]))}"
    return told, max(known) if len(known) == len(places) < _MOST else None


def _float_gap(place: _Place) -> float | None:
    kind = getattr(getattr(place.right, "dtype", None), "kind", "")
    if type(place.right) in (float, complex) or kind in ("f", "c"):
        return relative_gap(place.right, place.given) or None
    return None


def _type(right: Any, given: Any) -> str:
    """Return which other type one of them has; empty where they have the same."""
    ours, theirs = _kind(right), _kind(given)
    if ours != theirs:
        equal = ", equal in value" if relative_gap(right, given) == 0 else ""
        return f"{theirs} instead of {ours}{equal}"
    for name in ("dtype", "shape", "maxlen"):
        one, other = getattr(right, name, None), getattr(given, name, None)
        if one != other:
            return f"{name} {other} instead of {one}"
    return ""


def _hard_to_see(right: Any, given: Any) -> bool:
    """Say whether another type is easily overlooked: of numbers, and of numpy's values."""
    both = right, given
    return all(map(_is_number, both)) or any(hasattr(one, "dtype") for one in both)


def _kind(value: Any) -> str:
    """Return the type of a value as people call it."""
    kind = type(value)
    numpy = "numpy." if hasattr(value, "dtype") else ""
    return _KINDS.get(kind, f"{numpy}{kind.__name__}")


def _places(place: _Place, tolerance: Tolerance, depth: int) -> Iterator[_Place]:
    """Yield the smallest parts that differ."""
    inner = _inner(place.right, place.given) if depth < _DEEPEST else iter(())
    alone = True
    for step, one, other in inner:
        if one is _NOTHING or other is _NOTHING:
            alone = False
            yield _Place(f"{place.at}{step}", one, other)
        elif not wire.same(one, other, tolerance=tolerance):
            alone = False
            yield from _places(_Place(f"{place.at}{step}", one, other), tolerance, depth + 1)
    if alone and depth:
        yield place
    elif alone:
        yield _Place("", place.right, place.given)


def _inner(right: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield parts of two values of one type, each with the step that leads to it."""
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
    elif kind in (WireRecord, Named) and parts(right)[1:3] == parts(given)[1:3]:
        _, _, fields, values = parts(right)
        for field, one, other in zip(fields, values, parts(given)[3], strict=True):
            yield f".{field}", one, other
    elif kind.__name__ == "ndarray" and right.ndim and not _type(right, given):
        yield from _elements(right, given)
    elif kind in _SETS and {*map(type, (*right, *given))} == {float}:
        ours, theirs = (sorted(x - y) for x, y in ((right, given), (given, right)))
        pairs = zip_longest(ours, theirs, fillvalue=_NOTHING)
        yield from ((f"{{{shown(one)}}}", one, other) for one, other in pairs)


def _elements(right: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the elements of two arrays of one shape that are not equal."""
    import numpy

    ranks = [rank[:_SCANNED].tolist() for rank in numpy.nonzero(right != given)]
    for place in zip(*ranks, strict=True):
        step = "".join(f"[{index}]" for index in place)
        yield step, right[place], given[place]
