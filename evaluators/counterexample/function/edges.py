"""Inputs at the edge of what was seen, whatever the generator draws: nothing in them is random.

Seen inputs with one number in another's place: zero, one, the ends of the range that was seen,
one beyond each, and the numbers that stand in the program, which are where its branches part.
Seen inputs with an empty container, with a single element, and with as many as a number of the
program says; with a text of the program in another's place, and with another letter in front of
a text: of the other case, or of another kind. Whether such an input counts is
decided later. Not here: what is drawn (`strategies`).
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.function.shape import MAPPINGS, SEQUENCES, SETS, Shape
from evaluators.counterexample.function.values import (
    Path,
    like,
    parts,
    put,
    shape_at,
    weight,
    without,
)
from se_agent.program.parsing import tree_of

Arguments = tuple[Any, ...]

MOST = 128
"""Inputs at most, but for those of a small range, of which all are asked."""

_BEYOND = 4  # times the largest number of a small range, up to which all are asked
_SPAN = 256  # of a range of which all numbers are asked, where nothing else is given

_BASES = 2  # seen inputs that are changed: the smallest of all, and one of the middle
_SMALL = (0, 1, -1, 2, 3, 4, 5)
_CONSTANTS = 24  # numbers of the program that are tried
_LETTERS = ("A", "z", "0", " ", "-", "\xe9")
_LARGEST = 10**5  # of these: larger ones would only take long
_PLACES = 8  # places of numbers and texts in one input
_TEXTS = 8  # texts of the program that are tried
_WORD = 40  # letters of such a text, at most
_LENGTHS = 6  # numbers of the program that are tried as lengths
_LONGEST = 1 << 10  # of these: larger inputs would only take long
_LONG = (list, tuple, deque, str)  # what may be made longer


def edges(seen: Sequence[Arguments], shape: Shape, program: str) -> Iterator[Arguments]:
    """Yield inputs at the edge of those seen, the plainest first, each once.

    Args:
        seen: Inputs that were seen.
        shape: Shape of the tuple of arguments.
        program: Text of the initial program.
    """
    made = (one for base in _bases(seen) for one in _around(base, shape, program))
    distinct = {repr(one): one for one in islice(made, 2 * MOST)}
    found = dict(islice(distinct.items(), MOST))
    yield from found.values()
    if seen and len(seen[0]) == 1:
        yield from ((n,) for n in _between(seen[0], shape) if repr((n,)) not in found)


def constants(program: str) -> tuple[int, ...]:
    """Return the whole numbers that stand in a program, each once, the smallest first.

    Small ones are left out: they are tried anyway.
    """
    found = {
        value
        for value in _standing(program)
        if type(value) is int and max(_SMALL) < value <= _LARGEST
    }
    return tuple(sorted(found)[:_CONSTANTS])


def words(program: str) -> tuple[str, ...]:
    """Return the short texts that stand in a program, each once; docstrings are too long."""
    texts = (v for v in _standing(program) if type(v) is str and 0 < len(v) <= _WORD)
    return tuple(islice(dict.fromkeys(texts), _TEXTS))


def _standing(program: str) -> list[object]:
    """Return the constants that stand in a program; nothing for what is no Python."""
    try:
        nodes = [*ast.walk(tree_of(program))]
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node.value for node in nodes if isinstance(node, ast.Constant)]


def _bases(seen: Sequence[Arguments]) -> list[Arguments]:
    ordered = sorted(seen, key=weight)
    return [ordered[i * len(ordered) // _BASES] for i in range(_BASES)] if ordered else []


def _around(base: Arguments, shape: Shape, program: str) -> Iterator[Arguments]:
    numbers = constants(program)
    for path, value in parts(base):
        if path and type(value) in (*SEQUENCES, *SETS, *MAPPINGS, str) and len(value):
            for kept in (0, 1):
                yield put(base, path, without(value, [i < kept for i in range(len(value))]))
    yield from _longer(base, numbers)
    yield from _worded(base, words(program))
    tried = []
    for path, value in islice(_places(base), _PLACES):
        number = type(value) is int
        others = near(shape_at(shape, base, path), numbers) if number else _respelled(value)
        tried.append([put(base, path, one) for one in others])
    for turn in range(max(map(len, tried), default=0)):
        yield from (row[turn] for row in tried if turn < len(row))


def _longer(base: Arguments, numbers: Sequence[int]) -> Iterator[Arguments]:
    """Yield inputs as long as a number says, and by one longer: what is there goes on."""
    lengths = [number for number in numbers if number <= _LONGEST][-_LENGTHS:]
    for place, value in enumerate(base):
        if type(value) not in _LONG or not len(value):
            continue
        for length in (more for number in lengths for more in (number, number + 1)):
            if length > len(value):
                items = [*islice(_going_on(value), length)]
                yield put(base, (place,), like(value, items))


def _going_on(value: Sequence[Any]) -> Iterator[Any]:
    """Yield what stands in a sequence, and more of it: numbers that grow, or the same again."""
    yield from value
    numbers = type(value) is not str and {*map(type, value)} <= {int, float}
    yield from (value[-1] + i for i in count(1)) if numbers else cycle(value)


def _worded(base: Arguments, texts: Sequence[str]) -> Iterator[Arguments]:
    """Yield inputs with a text of the program in another's place, and behind it."""
    places = ((path, value) for path, value in parts(base) if path and type(value) is str)
    for path, value in islice(places, 2):
        for text in texts:
            yield put(base, path, text)
            yield put(base, path, value + text)


def _places(base: Arguments) -> Iterator[tuple[Path, Any]]:
    """Yield whole numbers and texts: of a sequence of them the first, of records all."""
    known = set[Path]()
    for path, value in parts(base):
        alike = tuple(step if n == 0 else _kind(step) for n, step in enumerate(path))
        changed = type(value) is int or (type(value) is str and value)
        if changed and (len(path) == 1 or alike not in known):
            known.add(alike)
            yield path, value


def _between(base: Arguments, shape: Shape) -> range:
    """Return all numbers of a small range, and some beyond: of few, none has to be missed."""
    found = shape_at(shape, base, (0,))
    if type(base[0]) is not int or found is None or type(found.low) is not int:
        return range(0)
    low, high = found.low, int(found.high)
    if high - low > _SPAN:
        return range(0)
    return range(min(low, 0), max(high, min(_BEYOND * high, low + _SPAN)) + 1)


def _kind(step: Any) -> Any:
    return "*" if type(step) is int else step


def _respelled(text: str) -> Iterator[str]:
    """Yield a text with another letter in front, in the place of its first."""
    letters = dict.fromkeys((text[0].swapcase(), *_LETTERS))
    yield from (letter + text[1:] for letter in letters if letter != text[0])


def near(shape: Shape | None, numbers: Sequence[int]) -> Iterator[int]:
    """Yield the numbers to try at a place: small ones, its ends, and those of the program."""
    ends: tuple[int, ...] = ()
    if shape is not None and type(shape.low) is type(shape.high) is int:
        ends = (shape.low - 1, shape.low, shape.high, shape.high + 1)
    more = (near for number in numbers for near in (number, number + 1, number - 1))
    yield from dict.fromkeys((*_SMALL, *ends, *more))
