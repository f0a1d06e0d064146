"""What a call takes in a process of its own: beside a claim, and instead of it.

A process that answers many inputs may prepare for all of them once. Where there is a single
input, and one of a smaller size is answered before it so that imports are not in the figure,
all that a candidate prepares would be free: there it has to save as much in a process that
answers that input only. Not here: what a block is (`block`).
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

from evaluators.answers.bench import Batch
from evaluators.measure.clock import FINEST
from evaluators.measure.duel import Duel, DuelSide
from se_agent.values.evaluation import Block
from se_agent.values.objective import CPU_TIME, Quantity

_LOOKS = 5
_KEPT = (
    0.5  # share of what a call saves that such processes have to show: the rest may be noise
)


def compared(duel: Duel, block: Block, first: Batch, *, empty: int) -> Block:
    """Return a block with what both sides take in a process that answers one input.

    Args:
        duel: Of the block's programs.
        block: What its pairs came to.
        first: Its first batch.
        empty: Runs of the empty program before.
    """
    if duel.objective != CPU_TIME or (block.inputs == 1 and not block.warm):
        return block  # that is what its pairs have measured
    place = slice(first.warm, first.warm + 1)
    batch = Batch(first.inputs[place], first.expected[place])
    duel = duel.on(duel.bench.sandbox)  # which knows no time that would cut one short
    looks = [_look(duel, batch, empty) for _ in range(_LOOKS if first.borrowed else 1)]
    reference, candidate = (statistics.median(side) for side in zip(*looks, strict=True))
    block = replace(block, alone=(reference, candidate))
    return _as_alone(block) if first.borrowed else block


def _look(duel: Duel, batch: Batch, empty: int) -> tuple[float, float]:
    for _ in range(empty):
        duel.empty(batch)
    candidate, reference = (duel.run(side, batch) for side in reversed(DuelSide))
    clock = duel.base(batch).clock
    return clock.net(reference.cpu), clock.net(candidate.cpu)


def _as_alone(block: Block) -> Block:
    """Return a block whose gain is that of a process of its own, unless that saves as much."""
    reference, candidate = (max(seconds, FINEST) for seconds in block.alone)
    if reference - candidate >= _KEPT * (block.reference - block.candidate):
        return block
    lost = max(0.0, block.effect - math.log(reference / candidate))
    figures = tuple(
        replace(figure, candidate=figure.candidate * math.exp(lost))
        if figure.quantity is Quantity.CPU
        else figure
        for figure in block.figures
    )
    return replace(
        block,
        effect=block.effect - lost,
        candidate=block.candidate * math.exp(lost),
        pair_effects=tuple(effect - lost for effect in block.pair_effects),
        figures=figures,
        reservation="it saves as much only behind another call; the gain is that of a process "
        "which answers one input",
    )
