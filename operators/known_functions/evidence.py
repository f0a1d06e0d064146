"""How much it tells that a known function gives the results of some calls, in bits.

A thousand known functions, passed their arguments in dozens of ways, are as many guesses: one
of them gives any few results by chance. So a result counts for what it surprises someone who
knows the arguments and the other calls, and no function. That an answer is the argument itself,
or lies between its neighbours, surprises nobody. Where all results together are worth fewer
bits than the choice among the guesses, agreement is no evidence.

The figures are low estimates: each result is described in the cheapest of a few ways. The idea
is that of minimum description length (Rissanen, 1978).
Not here: which calls agree (`matching`).
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any  # arguments and results are plain data of any type

from operators.known_functions.seen import Seen

Point = tuple[int, int, float]  # an argument, the result, and what that is worth by itself

MARGIN = 10.0
"""Bits beyond the choice: one guess in a thousand such searches agrees by chance."""

GUARD = 8.0
"""Bits of a guard that was chosen among some two hundred so that it leaves out what differs."""

_VALUE = 16.0  # bits that a number or a letter is worth at most
_RESULT = 64.0  # bits that a result is worth at most
_DEPTH = 6  # levels of a value that are looked into
_NESTS = (list, tuple, set, frozenset, dict)
_PLAIN = (bool, int, float, complex, str, bytes)


def needed_bits(guesses: int) -> float:
    """Return the bits that the results must be worth where so many guesses were compared."""
    return math.log2(max(guesses, 1)) + MARGIN


def evidence(calls: Sequence[Seen], *, curve: bool = False) -> float:
    """Return the bits that results are worth to someone who has the arguments of the calls.

    Args:
        calls: Distinct calls of one function, all of which a known function agrees with.
        curve: Whether the known function was solved from the calls. That results are off the
            line in the same way again and again is then what it says, and explained by no less.
    """
    results = [call.wanted for call in calls]
    own = [_described(call.wanted, call.arguments) for call in calls]
    naive = (_told_by(column, results, own) for column in _columns(calls))
    return min(
        _repeated(results, own), _between_neighbours(calls, own, curve), *naive, sum(own)
    )


def constant_bits(value: object) -> float:
    """Return the bits of a constant that was learned from the calls: they agree by choice."""
    return _described(value, ())


def _repeated(results: Sequence[Any], own: Sequence[float]) -> float:
    """Return the bits of results of which each was likely as often as it came before."""
    counts, bits = Counter[str](), 0.0
    for number, (result, cost) in enumerate(zip(map(repr, results), own, strict=True), 1):
        bits += (
            math.log2(number / counts[result]) if counts[result] else math.log2(number) + cost
        )
        counts[result] += 1
    return bits


def _told_by(column: Sequence[Any], results: Sequence[Any], own: Sequence[float]) -> float:
    """Return the bits of results that are most often the values of a column."""
    hits, bits = 0, 0.0
    for number, (value, result, cost) in enumerate(zip(column, results, own, strict=True)):
        hit = flat(value) == flat(result)
        likely = ((hits if hit else number - hits) + 0.5) / (number + 1)
        bits += -math.log2(likely) + (0.0 if hit else cost)
        hits += hit
    return bits


def _columns(calls: Sequence[Seen]) -> Iterator[list[Any]]:
    """Yield what anyone would guess: an argument, its ends, how long it is, nothing of it."""
    for place in range(len(calls[0].arguments)):
        column = [call.arguments[place] for call in calls]
        guesses: tuple[Callable[[Any], Any], ...] = (lambda value: value,)
        if all(isinstance(value, (*_NESTS, str)) for value in column):
            guesses += (len, lambda value: type(value)())
        if all(isinstance(value, list | tuple | str) for value in column):
            guesses += (lambda value: value[0] if value else None,)
            guesses += (lambda value: value[-1] if value else None,)
        yield from ([guess(value) for value in column] for guess in guesses)


def _between_neighbours(calls: Sequence[Seen], own: Sequence[float], curve: bool) -> float:
    """Return the bits of numbers that lie near the line between their neighbours' results."""
    points = [
        (call.arguments[0], call.wanted, cost)
        for call, cost in zip(calls, own, strict=True)
        if len(call.arguments) == 1 and type(call.arguments[0]) is type(call.wanted) is int
    ]
    if len(points) < len(calls):
        return math.inf
    points.sort(key=lambda point: point[0])
    ends = {id(points[0]): points[0][2], id(points[-1]): points[-1][2]}
    near = [*zip(points, points[1:], points[2:], strict=False)]
    off = [value - _on_the_line(left, at, right) for left, (at, value, _), right in near]
    costs = [min(_number(gap), point[2]) for gap, point in zip(off, points[1:], strict=False)]
    if curve:
        bent = (_is_bent(*three) for three in near)
        return sum(ends.values()) + sum(
            cost for is_bent, cost in zip(bent, costs, strict=True) if is_bent
        )
    return sum(ends.values()) + min(sum(costs), _repeated(off, costs))


def _on_the_line(left: Point, at: int, right: Point) -> int:
    (start, low, _), (end, high, _) = left, right
    return low + (high - low) * (at - start) // max(end - start, 1)


def _is_bent(left: Point, middle: Point, right: Point) -> bool:
    """Say whether a result lies off the line, be it by a half."""
    (start, low, _), (at, value, _), (end, high, _) = left, middle, right
    return (value - low) * (end - start) != (high - low) * (at - start)


def _described(value: Any, arguments: tuple[Any, ...]) -> float:
    """Return the bits of a value to someone who has the arguments; a low estimate."""
    parts = [*arguments, *(one for one in arguments if isinstance(one, _NESTS))]
    ways = [_alone(value, _vocabulary(arguments), 0)]
    if isinstance(value, list | tuple | str):
        ways += [_copied(value, one) for one in parts if isinstance(one, list | tuple | str)]
    return min(*ways, _RESULT)


def _copied(value: Sequence[Any], source: Sequence[Any]) -> float:
    """Return the bits of a sequence that is another one with a few changes; else infinity."""
    ours, theirs = [*map(flat, value)], [*map(flat, source)]
    if len(ours) == len(theirs):
        missed = [*map(operator.ne, ours, theirs)].count(True)
        return _chosen(len(ours), missed) + missed * _VALUE
    rest = iter(theirs)
    if len(ours) < len(theirs) and all(part in rest for part in ours):
        return _chosen(len(theirs), len(ours))
    return math.inf


def _chosen(of: int, some: int) -> float:
    """Return the bits that tell which ones, and how many, of so many were chosen."""
    return math.log2(of + 1) + math.log2(math.comb(of, some))


def _alone(value: Any, words: frozenset[Any], depth: int) -> float:
    if value is None or isinstance(value, bool):
        return 1.0
    if isinstance(value, int):
        near = min((abs(value - word) for word in words if type(word) is int), default=math.inf)
        return min(_number(value), 1.0 + (_number(near) if near < math.inf else math.inf))
    if isinstance(value, float):
        return _float(value, words)
    if depth > _DEPTH:
        return 0.0
    if isinstance(value, str):
        return _length(value) + len(value) * _letter(words)
    if isinstance(value, dict):
        value = [*chain.from_iterable(value.items())]
    if isinstance(value, _NESTS):
        among = math.log2(len(words) + 1)
        return _length(value) + sum(
            min(among if _word(part) in words else math.inf, _alone(part, words, depth + 1))
            for part in value
        )
    return 0.0


def _number(value: float) -> float:
    """Return the bits of a whole number: one, and those of its size."""
    size = min(abs(value), 2.0**_VALUE)
    return 1.0 + math.log2(size + 1)


def _float(value: float, words: frozenset[Any]) -> float:
    if not math.isfinite(value):
        return 1.0
    if value.is_integer():
        return _number(value)
    return 2.0 if value in words else min(_VALUE, 3.3 * len(repr(value)))


def _length(value: Any) -> float:
    return math.log2(len(value) + 1)


def _letter(words: frozenset[Any]) -> float:
    letters = {letter for word in words if isinstance(word, str) for letter in word}
    return math.log2(len(letters) + 2)


def _vocabulary(arguments: tuple[Any, ...]) -> frozenset[Any]:
    """Return the plain values that stand in some arguments, and how long their parts are."""
    found, todo = set[Any](), [(one, 0) for one in arguments]
    while todo:
        value, depth = todo.pop()
        if isinstance(value, _NESTS):
            found.add(len(value))
            inner = chain.from_iterable(value.items()) if isinstance(value, dict) else value
            todo += [(part, depth + 1) for part in inner] if depth < _DEPTH else []
        else:
            if isinstance(value, str):
                found.add(len(value))
            found.add(_word(value))
    return frozenset(found)


def _word(value: Any) -> Any:
    """Return a plain value itself; None for all others, some of which have no hash."""
    return value if isinstance(value, _PLAIN) else None


def flat(value: Any, depth: int = 0) -> Any:
    """Return a value in which the kinds of sequences are one: their content is what tells."""
    if depth > _DEPTH or not isinstance(value, _NESTS):
        return (type(value) is bool, value) if isinstance(value, int | float) else repr(value)
    if isinstance(value, dict):
        return repr(value)
    parts = [repr(flat(part, depth + 1)) for part in value]
    return repr(sorted(parts) if isinstance(value, set | frozenset) else parts)
