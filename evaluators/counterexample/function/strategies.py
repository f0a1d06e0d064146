"""Inputs drawn by dice: new ones of a shape, and seen ones with a few changes.

A tame one stays near what was seen; a wild one goes to the edges of the types: huge numbers,
other signs, letters beyond ASCII. Whether an input is a fair one is decided later. Same dice,
same inputs: nothing else is drawn from.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar  # values of any type that may cross the wire

from evaluators.counterexample.function.relations import Relation, features, mended
from evaluators.counterexample.function.shape import (
    MAPPINGS,
    SEQUENCES,
    SETS,
    STRANGE,
    Shape,
    sign_fits,
)
from evaluators.counterexample.function.values import (
    Path,
    like,
    parts,
    put,
    renamed,
    shape_at,
    without,
)

Arguments = tuple[Any, ...]

V = TypeVar("V")

_CHANGES = 4  # to a seen input, at most
_LONGEST = 4  # elements of a new container, usually
_NUMBERS: tuple[int, ...] = (
    *(0, 1, 2, -1, 3, 10, -2, 255),
    *(2**31, 2**53, 2**53 + 1, 2**63, -(2**63), 10**30),
)
_FLOATS: tuple[float, ...] = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    1e-300,
    1e16,
    1e308,
    -1e16,
    2.0**53,
)
_LARGEST = 1e308  # that an integer may be to become a float
_MOST = 500  # elements of a new input, about: lists in lists in lists would have no end
_ON_LISTS = ("drop", "cut", "again", "flood", "flood", "swap", "tie", "same")
_EMPTY: dict[type, tuple[Any, ...]] = {
    bytes: (b"",),
    bytearray: (bytearray(),),
    range: (range(0),),
}
_FLOOD = 16  # copies of an element at once
_TINY = (0, 1, 2, 3, -1)
_LETTERS = ("a", "B", "0", " ", "\t", "\n", "_", "é", "ßİﬁ٣_😀e\u0301", "  ", "\u200b")


@dataclass(frozen=True)
class Makers:
    """Makes inputs for one problem.

    Attributes:
        seen: Inputs that were seen.
        shape: Shape of the tuple of arguments.
        ties: Relations that inputs shall keep.
        within: Whether tame inputs are never shorter than what counts by the shape.
    """

    seen: Sequence[Arguments]
    shape: Shape
    ties: Sequence[Relation]
    within: bool = False

    def fresh(self, random: Random, *, wild: bool, tiny: bool = False) -> Arguments:
        """Return a new input; tiny ones are short, and of small numbers."""
        dice = Dice(random)
        new = New(dice, wild=wild, tiny=tiny, free=wild or (tiny and not self.within))
        value: Arguments = new.value(self.shape)
        return value if new.free and dice.below(2) else mended(value, self.ties)

    def keeps(self, arguments: Arguments) -> bool:
        """Say whether arguments have the shape and the relations of those seen."""
        if not self.shape.admits(arguments):
            return False
        known = features(arguments)
        return all(tie.holds(known) for tie in self.ties)

    def changed(self, random: Random, *, wild: bool) -> Arguments:
        """Return a seen input with a few changes."""
        dice = Dice(random)
        value: Arguments = copy.deepcopy(dice.pick(self.seen))
        change = _Change(dice, self.shape, wild=wild)
        for _ in range(dice.between(1, _CHANGES)):
            value = change.step(value)
        return value if wild and dice.below(2) else mended(value, self.ties)


class Dice:
    """Draws from plain lists, by one random stream."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def below(self, count: int) -> int:
        """Draw a number from 0 on, below `count`."""
        return self._random.randrange(count)

    def pick(self, options: Sequence[V]) -> V:
        """Draw one of the options."""
        return options[self.below(len(options))]

    def between(self, low: int, high: int) -> int:
        """Draw a number, ends included."""
        return low + self.below(max(high - low, 0) + 1)


class New:
    """Draws values of a shape."""

    def __init__(self, dice: Dice, *, wild: bool, tiny: bool = False, free: bool) -> None:
        self.free = free
        self._dice = dice
        self._wild = wild
        self._tiny = tiny
        self._made = 0

    def value(self, shape: Shape) -> Any:
        """Draw a value."""
        kinds = sorted(shape.kinds, key=lambda kind: kind.__name__)
        kind = kinds[0] if len(kinds) == 1 else self._dice.pick(kinds)
        if kind in SEQUENCES or kind in SETS:
            return self._row(shape, kind)
        if kind in MAPPINGS:
            return self._mapping(shape, kind)
        return self.leaf(shape, kind)

    def leaf(self, shape: Shape, kind: type) -> Any:
        """Draw a number, a text, or one of the values that were seen."""
        pool: list[Any] = [v for v in shape.pool if type(v) is kind]
        if kind is int:
            return self._int(int(shape.low), int(shape.high), pool)
        if kind is float:
            edges = _FLOATS if self._wild else [v for v in _FLOATS if shape.admits(v)]
            strange = [float(text) for text in STRANGE if text in shape.strange]
            least = float(max(-_LARGEST, min(shape.low, _LARGEST)))
            return self._dice.pick([*edges, *pool, *strange] or [least])
        if kind is str:
            return self._text(shape, pool)
        if kind is bool:
            return self._dice.pick([False, True])
        options = [*pool, *_EMPTY.get(kind, ())]
        if not options:
            return _empty(kind)
        # A copy: the same object at two places is another input.
        return copy.deepcopy(self._dice.pick(options))

    def _int(self, low: int, high: int, pool: list[int]) -> int:
        fair = [n for n in _TINY if sign_fits(low, high, n)]
        pool = [*pool, low]
        what = self._dice.below(3 if self._tiny else 5)
        if what < 2 or (what == 2 and self._tiny):
            tiny = _TINY if self._wild else [n for n in fair if self.free or low <= n <= high]
            ends = (low, min(low + 1, high)) if self._tiny else (low, high)
            near: list[int] = [*tiny, *([] if self.free and self._tiny else ends)]
            return self._dice.pick(near or [low])
        if what == 2:
            return self._dice.pick(pool)
        if what == 3 and self._wild:
            return self._dice.pick([n for n in _NUMBERS if sign_fits(low, high, n)] or [low])
        if self._wild and self._dice.below(2):
            return self._dice.between(max(low, -40), 40)
        return self._dice.between(low, min(high * (1 + self._wild), low + (1 << 40)))

    def _text(self, shape: Shape, pool: list[str]) -> str:
        if pool and self._dice.below(2):
            return str(self._dice.pick(pool))
        signs = self.letters(shape)
        return "".join(self._dice.pick(signs) for _ in range(self._dice.below(_LONGEST + 1)))

    def letters(self, shape: Shape) -> list[str]:
        """Return the letters that texts of a place are made of."""
        seen = list(shape.alphabet) or ["a"]
        return [*seen, *_LETTERS * (1 + len(seen) // len(_LETTERS))] if self._wild else seen

    def _row(self, shape: Shape, kind: type) -> Any:
        if shape.fields and (kind is tuple or (kind is list and not self.free)):
            row = [self.value(shape.part(i) or shape) for i in range(shape.fields)]
            for i, j, _ in shape.orders:
                if row[i] > row[j]:
                    row[i], row[j] = row[j], row[i]
            return kind(row)
        parts = list(shape.parts.values())
        size = self._size(shape)
        items = [self.value(self._dice.pick(parts)) for _ in range(size)] if parts else []
        if kind in SETS or (self.free and self._dice.below(2)):
            return kind(items)
        return kind(_kept(shape, items))

    def _size(self, shape: Shape) -> int:
        if shape.fixed and not self._tiny:
            return shape.sizes[0]
        least, most = (0 if self.free else shape.least), _LONGEST - self._tiny
        if self._made > _MOST:
            return least
        size = self._dice.between(least, most if self.free else min(most, shape.sizes[1]))
        self._made += size
        return size

    def _mapping(self, shape: Shape, kind: Any) -> Any:
        if shape.names and kind is dict and not (self.free and self._dice.below(2)):
            some = [name for name in shape.optional if self._dice.below(2)]
            names = (*shape.names, *some)
            return {name: self.value(shape.part(f".{name}") or shape) for name in names}
        key, value = shape.part("key"), shape.part("value")
        items = {}
        if key is not None and value is not None:
            size = self._size(shape)
            items = {self.value(key): self.value(value) for _ in range(size)}
        return defaultdict(shape.factory, items) if kind is defaultdict else kind(items)


def _empty(kind: type) -> Any:
    """Return an empty value, or None where there is none: that does not fit, and says so."""
    try:
        return kind()
    except TypeError:
        return None


def _kept(shape: Shape, items: list[Any]) -> list[Any]:
    """Bend elements so that they keep the rules of their list."""
    if "distinct" in shape.rules:
        items = list({repr(item): item for item in items}.values())
    if shape.rules & {"ascending", "descending"}:
        items.sort(reverse="descending" in shape.rules)
    if "even" in shape.rules and items:
        width = min(map(len, items))
        items = [like(item, list(item)[:width]) for item in items]
    return items


class _Change:
    """Draws a change of an input and makes it."""

    def __init__(self, dice: Dice, shape: Shape, *, wild: bool) -> None:
        self._dice = dice
        self._shape = shape
        self._new = New(dice, wild=wild, free=wild)

    def step(self, arguments: Arguments) -> Arguments:
        """Return the input after one change."""
        if not arguments:
            return arguments
        what = self._dice.below(8)
        if what == 0:
            return self._shortened(arguments)
        # One argument first: else the longest would get all the changes.
        chosen = self._dice.below(len(arguments))
        own = list(parts(arguments[chosen], (chosen,)))
        rows = [
            (at, v) for at, v in own if _holds(v) and (len(at) == 1 or type(v) is not tuple)
        ]
        leaves = [(path, value) for path, value in own if not _holds(value)]
        if what > 4 and rows:
            path, value = self._dice.pick(rows)
            return self._with(arguments, path, self._container(value))
        if not leaves:
            return arguments
        path, value = self._dice.pick(leaves)
        changed = self._leaf(arguments, value, shape_at(self._shape, arguments, path))
        if what == 1 and type(value) in (int, str):
            done: Arguments = renamed(arguments, value, changed)
            return done
        return self._with(arguments, path, changed)

    def _with(self, arguments: Arguments, path: Path, part: Any) -> Arguments:
        done: Arguments = put(arguments, path, part)
        return done

    def _shortened(self, arguments: Arguments) -> Arguments:
        size = self._dice.below(4)
        return tuple(
            without(v, [i < size for i in range(len(v))]) if type(v) is list else v
            for v in arguments
        )

    def _leaf(self, arguments: Arguments, value: Any, shape: Shape | None) -> Any:
        """Return what shall stand in place of a leaf: another one of its kind, or a new one."""
        what = self._dice.below(3)
        if what == 0:
            return self._new.leaf(shape, type(value)) if shape else value
        if what == 1 and type(value) is int:
            return value + self._dice.pick((1, -1, value, -2 * value))
        if what == 1 and type(value) is str and shape:
            return self._edited(value, self._new.letters(shape))
        twins = [v for _, v in parts(arguments) if type(v) is type(value)]
        return copy.deepcopy(self._dice.pick(twins or [value]))

    def _edited(self, text: str, letters: Sequence[str]) -> str:
        """Return a text with one letter more, less, or another one."""
        place = self._dice.below(len(text) + 1)
        before, after = text[:place], text[place + self._dice.below(2) :]
        new: str = self._dice.pick(("", text[place : place + 2], *letters))
        return before + new + after

    def _container(self, value: Any) -> Any:
        size = len(value)
        one, two = self._dice.below(size), self._dice.below(size)
        what = self._dice.pick(_ON_LISTS)
        if what == "drop" or type(value) in MAPPINGS:
            return without(value, [i != one for i in range(size)])
        if what == "cut":
            return without(value, [i < one for i in range(size)])
        items = list(value)
        if what == "again":
            items.insert(two, copy.deepcopy(items[one]))
        elif what == "flood":
            items += [copy.deepcopy(items[one]) for _ in range(self._dice.below(_FLOOD))]
        elif what == "swap":
            items[one], items[two] = items[two], items[one]
        elif what == "same":
            self._unite(items)
        elif type(items[one]) is type(items[two]):
            items[two] = copy.deepcopy(items[one])
        return like(value, items)

    def _unite(self, items: list[Any]) -> None:
        """Let one object stand at two places."""
        able = [i for i, item in enumerate(items) if type(item) in (list, *MAPPINGS)]
        if len(able) > 1:
            one = self._dice.below(len(able) - 1)
            items[able[one + 1]] = items[able[one]]


def _holds(value: Any) -> bool:
    return type(value) in (*SEQUENCES, *MAPPINGS) and len(value) > 0
