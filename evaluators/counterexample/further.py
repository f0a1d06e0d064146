"""More inputs like those that a function was seen to be called with, to measure it on.

Not here: whether it answers them (who asks for them finds out), and the inputs on which
programs may differ (`corpus`): these go to the edges, and are small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from evaluators.counterexample.asking import Input
from evaluators.counterexample.forms import makers_of
from evaluators.counterexample.hints import hinted
from se_agent import wire

_VAIN = 400
"""Inputs in a row that are none, or no new ones, after which no more are made."""


def further(seen: Sequence[bytes], program: str, entry_point: str) -> Iterator[bytes]:
    """Yield new inputs in wire form, each one of those seen with a few changes.

    They keep what those seen have in common: types, the range of numbers and of lengths, the
    kinds of texts, what ties arguments together. The same inputs give the same ones.

    Args:
        seen: Arguments in wire form.
        program: Text that defines the function; its hints count.
        entry_point: Its name.
    """
    hint = hinted(program, entry_point)
    makers = makers_of([wire.loads(data) for data in seen], hint, within=True)
    random = Random(0)  # noqa: S311 - no secret
    known, vain = set(seen), 0
    while vain < _VAIN and makers.seen:
        made = Input.of(makers.changed(random, wild=False))
        vain += 1
        if made is None or made.links or made.data in known:
            continue
        if makers.keeps(made.arguments()):
            known.add(made.data)
            vain = 0
            yield made.data
