"""How often what a program could remember was there: not more than among the inputs seen.

A program that keeps what it found of one input for the next is paid for whatever comes again;
what does not come again for a real caller would be paid for nothing. Elements of lists, words
of texts and keys of mappings are not counted: nearly all inputs share some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple  # values of any type that may cross the wire

from evaluators.counterexample.function.shape import MAPPINGS, joined, name_of

_LIGHT = (int, float, complex, type(None))
_ALL = 5  # arguments of which all that can be left out together is looked at
_PAIRS = 8  # arguments of which each two are


class _Part(NamedTuple):
    """What a program could keep something of: its place in an input, and its value.

    Of light ones, numbers and such, a function has a few; their values wear as the commonest
    at their place does. All others wear one by one.
    """

    place: tuple[object, ...]
    name: str
    light: bool


class Wear:
    """Counts the parts of inputs: arguments, what several are together, and what is in records.

    Args:
        seen: Inputs with equally many arguments.
    """

    def __init__(self, seen: Sequence[tuple[Any, ...]]) -> None:
        self._seen, self._made = len(seen), 0
        self._at_first = Counter(part for one in seen for part in _parts(one))
        self._used = self._at_first.copy()
        self._often = Counter[tuple[object, ...]]()
        for part, count in self._at_first.items():
            if part.light:
                self._often[part.place] = max(self._often[part.place], count)

    def add(self, arguments: Sequence[Any]) -> None:
        """Count an input."""
        self._made += 1
        self._used.update(_parts(arguments))

    def worn(self, place: int, value: Any) -> bool:
        """Say whether an argument would come again too often, or what it holds."""
        return any(map(self._worn, _alone(place, value)))

    def worn_together(self, arguments: Sequence[Any]) -> bool:
        """Say whether several arguments would come together too often."""
        return any(map(self._worn, _together(arguments)))

    def _worn(self, part: _Part) -> bool:
        often = self._often[part.place] if part.light else self._at_first[part]
        allowed = 1.0
        if often > 1 or (part.light and self._seen == 1):
            allowed = max(often, 1) * (self._seen + self._made + 1) / self._seen
        return self._used[part] + 1 > allowed


def _parts(arguments: Sequence[Any]) -> Iterator[_Part]:
    for place, value in enumerate(arguments):
        yield from _alone(place, value)
    yield from _together(arguments)


def _alone(place: int, value: Any) -> Iterator[_Part]:
    yield _Part((place,), name_of(value), light=_light(value))
    fields: Sequence[tuple[object, Any]] = ()
    if type(value) is tuple:
        fields = [*enumerate(value)]
    elif type(value) in MAPPINGS:
        fields = [(name_of(key), one) for key, one in value.items()]
    for field, one in fields:
        if not _light(one):
            yield _Part((place, field), name_of(one), light=False)


def _together(arguments: Sequence[Any]) -> Iterator[_Part]:
    """Yield what all but some arguments are; of one or two that is an argument."""
    count = len(arguments)
    sizes = range(2, count) if count <= _ALL else (2, count - 1) if count <= _PAIRS else ()
    if not sizes:
        return
    names = [*map(name_of, arguments)]
    for size in sizes:
        for places in combinations(range(count), size):
            light = all(_light(arguments[place]) for place in places)
            yield _Part(("together", *places), joined(names[place] for place in places), light)


def _light(value: Any) -> bool:
    return isinstance(value, _LIGHT) or (isinstance(value, str) and len(value) < 2)
