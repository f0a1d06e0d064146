"""More inputs like those that a function was seen to be called with, to measure it on.

Not here: whether it answers them (who asks for them finds out), and the inputs on which
programs may differ (`corpus`): these go to the edges, and are small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any  # values of any type that may cross the wire

from evaluators.counterexample.asking import Input
from evaluators.counterexample.forms import makers_of
from evaluators.counterexample.function.hints import hinted
from evaluators.counterexample.function.shape import name_of
from evaluators.counterexample.function.strategies import Makers
from evaluators.counterexample.function.wear import Wear
from se_agent import wire

_VAIN = 1000
"""Inputs in a row that are none, or no new ones, after which no more are made."""

_BYTES = 3 << 20
"""Bytes of all inputs that are drawn. Large inputs take long to check and to measure."""

_DRAW = 64  # bytes that a draw counts for at least, for it takes its time, too
_HANDS = 6  # inputs that are drawn to find arguments that are not worn


def further(seen: Sequence[bytes], program: str, entry_point: str) -> Iterator[bytes]:
    """Yield new inputs in wire form, made of those seen with a few changes.

    They keep what those seen have in common: types, the range of numbers and of lengths, the
    kinds of texts, what ties arguments together. Nothing that a program could remember comes
    again more often than among those seen (`wear`).

    Args:
        seen: Arguments in wire form.
        program: Text that defines the function; its hints count.
        entry_point: Its name.
    """
    hint = hinted(program, entry_point)
    makers = makers_of([wire.loads(data) for data in seen], hint, within=True)
    if not makers.seen:
        return
    wear, random = Wear(makers.seen), Random(0)  # noqa: S311 - no secret
    known, vain, drawn = {name_of(one) for one in makers.seen}, 0, 0
    while vain < _VAIN and drawn < _BYTES:
        vain += 1
        hands = _Hands(makers, random)
        arguments = _fresh(hands, wear)
        made = Input.of(arguments) if arguments is not None else None
        drawn += hands.drawn * max(_DRAW, len(made.data) if made else 0)
        if arguments is None or made is None or made.links:
            continue
        name = name_of(arguments)
        if name not in known and makers.keeps(arguments) and not wear.worn_together(arguments):
            known.add(name)
            wear.add(arguments)
            vain = 0
            yield made.data


class _Hands:
    """Draws inputs, and counts them."""

    def __init__(self, makers: Makers, random: Random) -> None:
        self._makers, self._random = makers, random
        self.drawn = 0

    def next(self) -> tuple[Any, ...]:
        self.drawn += 1
        return self._makers.changed(self._random, wild=False)


def _fresh(hands: _Hands, wear: Wear) -> tuple[Any, ...] | None:
    """Return an input that has no worn argument; None where that is not found."""
    found = [*hands.next()]
    for place in range(len(found)):
        while wear.worn(place, found[place]):
            if hands.drawn > _HANDS:
                return None
            found[place] = hands.next()[place]
    return tuple(found)
