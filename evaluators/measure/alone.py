"""What a call takes in a process of its own: beside a claim, and instead of it.

A process that answers many inputs may prepare for all of them once. Where there is a single
input, and one of a smaller size is answered before it so that imports are not in the figure,
all that a candidate prepares would be free: there it has to save as much in a process that
answers that input only. Not here: what a block is (`block`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

from evaluators.answers.bench import Batch
from evaluators.measure.clock import FINEST
from evaluators.measure.deferred import GAIN, lessened
from evaluators.measure.duel import Duel, DuelSide
from se_agent.values.evaluation import Block
from se_agent.values.objective import CPU_TIME

_FEWEST, _MOST = 4, 16  # looks; where it is not clear after the fewest, more are taken
_KEPT = 0.3  # share of what a call saves that such processes have to show


def compared(duel: Duel, block: Block, first: Batch, *, empty: int) -> Block:
    """Return a block with what both sides take in a process that answers one input.

    Args:
        duel: The duel between the block's programs.
        block: Result of its pairs; where it is no gain, nobody has to ask for more.
        first: First batch of the block.
        empty: Runs of the empty program before.
    """
    if duel.objective != CPU_TIME or (block.inputs == 1 and not block.warm):
        return block  # that is what its pairs have measured
    place = slice(first.warm, first.warm + 1)
    batch = Batch(first.inputs[place], first.expected[place])
    duel = duel.on(duel.bench.sandbox)  # which knows no time that would cut one short
    asked = first.borrowed and block.effect > GAIN
    looks = [_look(duel, batch, empty) for _ in range(_FEWEST if asked else 1)]
    while asked and not _saves(looks, block) and len(looks) < _MOST:
        looks.append(_look(duel, batch, empty))
    reference, candidate = (statistics.median(side) for side in zip(*looks, strict=True))
    block = replace(block, alone=(reference, candidate))
    return _as_alone(block) if asked and not _saves(looks, block) else block


def _saves(looks: Sequence[tuple[float, float]], block: Block) -> bool:
    """Say whether such processes save as much as the call does, about.

    Of each side the fewest seconds count: a core that others use, too, only ever adds to them,
    and to an import of 130 ms more than a call takes.
    """
    saved = min(old for old, _ in looks) - min(new for _, new in looks)
    return saved >= _KEPT * (block.reference - block.candidate)


def _look(duel: Duel, batch: Batch, empty: int) -> tuple[float, float]:
    for _ in range(empty):
        duel.empty(batch)
    candidate, reference = (duel.run(side, batch) for side in reversed(DuelSide))
    clock = duel.base(batch).clock
    return clock.net(reference.cpu), clock.net(candidate.cpu)


def _as_alone(block: Block) -> Block:
    """Return a block whose gain is that of processes of their own, or none."""
    reference, candidate = (max(seconds, FINEST) for seconds in block.alone)
    lost = block.effect - min(block.effect, max(0.0, math.log(reference / candidate)))
    why = (
        "it saves as much only behind another call; the gain is that of a process "
        "which answers one input"
    )
    return lessened(block, CPU_TIME, lost, why)
