"""When two values are the same answer: equal, and of exactly the same types.

`True` is not `1`, `1.0` is neither `1` nor `numpy.float64(1.0)`, a list is not a tuple. NaN
equals NaN, an infinity only itself, and `-0.0` is `0.0`; of a complex number this holds for
either part. A tolerance is for finite floats and complex numbers of one type, wherever they
stand but in keys. Not here: a problem's own notion of a right answer, which is its checker,
and where two values differ (`evaluators.running.disagreement`).
"""

from __future__ import annotations

import math
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, timedelta
from datetime import time as clock
from decimal import Decimal
from itertools import chain
from types import NoneType
from typing import Any  # values of any type that may cross the wire

from se_agent.wire.records import Named, RecordMember, WireRecord, parts
from se_agent.wire.tolerance import EXACT, Tolerance

_LEAVES = frozenset(
    {NoneType, bool, int, str, bytes, bytearray, range, date, timedelta, RecordMember}
)
_SPELLED = frozenset({datetime, clock, Decimal})  # equal where they do not look the same
_SEQUENCES = frozenset({list, tuple, deque})
_MAPPINGS = frozenset({dict, Counter, OrderedDict, defaultdict})


def same(a: Any, b: Any, *, tolerance: Tolerance = EXACT) -> bool:
    """Say whether two values that crossed the wire are the same.

    The order of a dict does not matter, that of an `OrderedDict` does; nor do the factory
    of a `defaultdict` and the sign of a zero. Decimals have the same digits, times the same
    zone; records are of classes of one name, wherever defined. Numpy arrays are compared by
    dtype, shape and values. Keys of a dict and elements of a set are matched exactly, except
    sets of floats, which are compared in ascending order.

    Args:
        a: One value.
        b: The other.
        tolerance: What two finite floats (or complex numbers) may differ by.
    """
    if type(a) is not type(b):
        return False
    kind = type(a)
    if kind in _LEAVES:
        return bool(a == b)
    if kind is float or kind is complex:
        return _close(a, b, tolerance)
    if kind in _SPELLED:
        return _spelled(a) == _spelled(b)
    if kind is WireRecord or kind is Named:
        return _same_records(a, b, tolerance)
    if kind in _SEQUENCES:
        if kind is deque and a.maxlen != b.maxlen:
            return False
        return len(a) == len(b) and _same_items(list(a), list(b), tolerance)
    if kind in _MAPPINGS:
        return _same_mappings(a, b, tolerance)
    if kind is set or kind is frozenset:
        return _same_sets(a, b, tolerance)
    return _same_numpy(a, b, tolerance)


def _close(a: complex, b: complex, tolerance: Tolerance) -> bool:
    if a == b:
        return True
    if isinstance(a, complex):
        if _close(a.real, b.real, EXACT) and _close(a.imag, b.imag, EXACT):
            return True
        return tolerance.allows(_size(a - b), max(_size(a), _size(b)))
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return tolerance.allows(abs(a - b), max(abs(a), abs(b)))


def _size(a: complex) -> float:
    return math.hypot(a.real, a.imag)  # unlike `abs`, it does not overflow


def _same_items(a: list[Any], b: list[Any], tolerance: Tolerance) -> bool:
    """Compare two lists of equal length; level by level, so that rows cost no calls."""
    while list(map(type, a)) == list(map(type, b)):
        kinds = set(map(type, a))
        if kinds <= _LEAVES:
            return a == b
        if kinds == {float}:
            return a == b or all(map(_close, a, b, [tolerance] * len(a)))
        if not kinds <= {list, tuple}:
            return all(same(x, y, tolerance=tolerance) for x, y in zip(a, b, strict=True))
        if list(map(len, a)) != list(map(len, b)):
            return False
        a, b = list(chain.from_iterable(a)), list(chain.from_iterable(b))
    return False


def _same_mappings(a: dict[Any, Any], b: dict[Any, Any], tolerance: Tolerance) -> bool:
    ours, theirs = list(a), list(b)
    if len(ours) != len(theirs):
        return False
    if type(a) is not OrderedDict:
        places = {key: i for i, key in enumerate(map(_exact, theirs))}
        order = [places.get(key, -1) for key in map(_exact, ours)]
        if -1 in order:
            return False
        theirs = [theirs[i] for i in order]
    elif list(map(_exact, ours)) != list(map(_exact, theirs)):
        return False
    return _same_items(list(a.values()), [b[key] for key in theirs], tolerance)


def _spelled(x: Any) -> tuple[str, int]:
    return str(x), getattr(x, "fold", 0)


def _same_records(a: WireRecord, b: WireRecord, tolerance: Tolerance) -> bool:
    (_, *ours, held), (_, *theirs, other) = parts(a), parts(b)
    return ours == theirs and _same_items(list(held), list(other), tolerance)


def _same_sets(a: frozenset[Any], b: frozenset[Any], tolerance: Tolerance) -> bool:
    if len(a) != len(b):
        return False
    if tolerance and set(map(type, a)) == {float} == set(map(type, b)):
        return _same_items(_by_size(a), _by_size(b), tolerance)
    return set(map(_exact, a)) == set(map(_exact, b))


def _by_size(numbers: frozenset[float]) -> list[float]:
    """Return the numbers in ascending order, those that are none last."""
    return sorted(numbers, key=lambda x: (math.isnan(x), 0.0 if math.isnan(x) else x, x))


def _exact(x: Any) -> Any:
    """Return a key that is equal exactly for the same hashable values."""
    kind = type(x)
    if kind is str or kind is bytes:
        return x
    if kind is tuple:
        return (tuple, *map(_exact, x))
    if kind is frozenset:
        return (frozenset, frozenset(map(_exact, x)))
    if kind in _SPELLED:
        return (kind, _spelled(x))
    if kind is WireRecord or kind is Named:
        _, name, fields, values = parts(x)
        return (kind, name, fields, *map(_exact, values))
    if x != x:
        return (kind, repr(x))
    return (kind, x)


def _same_numpy(a: Any, b: Any, tolerance: Tolerance) -> bool:
    if "numpy" not in sys.modules:
        return bool(a == b)
    import numpy

    if not isinstance(a, numpy.ndarray | numpy.generic):
        return bool(a == b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "Mm":  # what is no time equals nothing, but as a number
        a, b = (numpy.asarray(one).view("i8") for one in (a, b))
    if a.dtype.kind not in "fc":
        return bool(numpy.array_equal(a, b))
    equal = _equal(a, b)
    if tolerance:
        with numpy.errstate(all="ignore"):
            a, b = _wide(a), _wide(b)
            gap, scale = numpy.abs(a - b), numpy.maximum(numpy.abs(a), numpy.abs(b))
            near = gap <= numpy.maximum(tolerance.abs, tolerance.rel * scale)
            equal |= numpy.isfinite(gap) & numpy.isfinite(scale) & near
    return bool(numpy.all(equal))


def _equal(a: Any, b: Any) -> Any:
    """Return which elements are equal; NaN equals NaN, in either part of a complex number."""
    import numpy

    if a.dtype.kind == "c":
        return _equal(a.real, b.real) & _equal(a.imag, b.imag)
    return (a == b) | (numpy.isnan(a) & numpy.isnan(b))


def _wide(a: Any) -> Any:
    """Return floats with room for a difference: those of two bytes end at 65,504."""
    wide = {"f": "f8", "c": "c16"}[a.dtype.kind]
    return a.astype(wide) if a.dtype.itemsize < int(wide[1:]) else a
