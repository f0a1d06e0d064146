"""More inputs like those that a function was seen to be called with, to measure it on.

Not here: whether it answers them (who asks for them finds out), and the inputs on which
programs may differ (`corpus`): these go to the edges, and are small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.asking import Input
from evaluators.counterexample.forms import makers_of
from evaluators.counterexample.hints import hinted
from evaluators.counterexample.shape import name_of
from evaluators.counterexample.strategies import Makers
from se_agent import wire

_VAIN = 1000
"""Inputs in a row that are none, or no new ones, after which no more are made."""

_BYTES = 3 << 20
"""Of all inputs that are drawn: large ones take long, and long enough to be measured, too."""

_DRAW = 64  # bytes that a draw counts for at least, for it takes its time, too
_HANDS = 6  # inputs that are drawn to find arguments that are not worn


def further(seen: Sequence[bytes], program: str, entry_point: str) -> Iterator[bytes]:
    """Yield new inputs in wire form, made of those seen with a few changes.

    They keep what those seen have in common: types, the range of numbers and of lengths, the
    kinds of texts, what ties arguments together. No argument comes again more often than among
    those seen: a program that keeps what it found of one would be paid for nothing.

    Args:
        seen: Arguments in wire form.
        program: Text that defines the function; its hints count.
        entry_point: Its name.
    """
    hint = hinted(program, entry_point)
    makers = makers_of([wire.loads(data) for data in seen], hint, within=True)
    if not makers.seen:
        return
    wear, random = _Wear(makers.seen), Random(0)  # noqa: S311 - no secret
    known, vain, drawn = {name_of(one) for one in makers.seen}, 0, 0
    while vain < _VAIN and drawn < _BYTES:
        vain += 1
        arguments = _drawn(makers, random, wear)
        made = Input.of(arguments) if arguments is not None else None
        drawn += max(_DRAW, len(made.data) if made else 0)
        if arguments is None or made is None or made.links:
            continue
        if (name := name_of(arguments)) not in known and makers.keeps(arguments):
            known.add(name)
            wear.add(arguments)
            vain = 0
            yield made.data


def _drawn(makers: Makers, random: Random, wear: _Wear) -> tuple[Any, ...] | None:
    """Return an input that has no worn argument; None where that is not found."""
    hands = [makers.changed(random, wild=False)]
    found = []
    for place in range(len(hands[0])):
        own = hands[0][place]
        while wear.worn(place, own):
            if len(hands) > _HANDS:
                return None
            hands.append(makers.changed(random, wild=False))
            own = hands[-1][place]
        found.append(own)
    return tuple(found)


class _Wear:
    """Counts how often the value of an argument was used, against those seen."""

    def __init__(self, seen: Sequence[tuple[Any, ...]]) -> None:
        self._used = [Counter(map(name_of, values)) for values in zip(*seen, strict=True)]
        self._seen = len(seen)
        self._often = [max(used.values()) for used in self._used]
        self._made = 0

    def add(self, arguments: Sequence[Any]) -> None:
        """Count an input."""
        self._made += 1
        for used, value in zip(self._used, arguments, strict=True):
            used[name_of(value)] += 1

    def worn(self, place: int, value: Any) -> bool:
        """Say whether a value would come again more often than any did among those seen."""
        often, allowed = self._often[place], 1.0
        if often > 1 or self._seen == 1:
            allowed = often * (self._seen + self._made + 1) / self._seen
        return self._used[place][name_of(value)] + 1 > allowed
