"""Whether leaving something out costs time: a few short blocks, where a proof takes many.

What is left out here claims nothing: the program that is left is confirmed as any other. So a
loss has to show, and what stays within the noise goes. Pure. Not here: proofs of a gain
(`sequential`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.stats.sequential import CLEAR, SPREAD_FLOOR, deviation, t_interval
from se_agent.values.evaluation import SequentialDecision

_HOPELESS = 2 * CLEAR  # less is made of nothing by a core that others use for a moment
_GLANCE = 2  # pairs of the first block
_PAIRS = 4  # pairs of each block after it
_SURE = 2.0  # standard errors beyond the margin that end it before the last block
_SHOWN = 1.0  # standard errors beyond the margin that a loss must be at the end


@dataclass(frozen=True, kw_only=True)
class NoLoss:
    """Say yes unless a program is seen to be slower than its reference by more than the margin.

    The first block is a glance: it decides where the effect is clear, and else counts for
    nothing.

    Attributes:
        margin: Loss that is none yet, a fraction.
        spread: Deviation of block medians of identical code, from the A/A self-test.
        blocks: Blocks after the glance, at most.
    """

    margin: float = 0.01
    spread: float = SPREAD_FLOOR
    blocks: int = 3

    def decide(self, effects: Sequence[float]) -> SequentialDecision:
        """Say what the blocks so far allow; MORE asks for another."""
        if not effects:
            return SequentialDecision.MORE
        if effects[0] <= -_HOPELESS:
            return SequentialDecision.NO
        if len(effects) == 1:
            clear = effects[0] >= CLEAR
            return SequentialDecision.YES if clear else SequentialDecision.MORE
        values = effects[1:]
        mean = statistics.fmean(values) + math.log1p(self.margin)
        error = deviation(values, floor=self.spread) / math.sqrt(len(values))
        if mean < -_SURE * error and (len(values) > 1 or values[0] <= -CLEAR):
            return SequentialDecision.NO  # of one block the noise is not known
        if mean > _SURE * error:
            return SequentialDecision.YES
        if len(values) < self.blocks:
            return SequentialDecision.MORE
        return SequentialDecision.NO if mean < -_SHOWN * error else SequentialDecision.YES

    def pairs(self, effects: Sequence[float]) -> int:
        """Two for the glance, four for each block after it."""
        return _PAIRS if effects else _GLANCE

    def counted_effects(self, effects: Sequence[float]) -> Sequence[float]:
        """Leave the glance out, unless there is nothing else."""
        return effects[1:] or effects

    def interval(self, effects: Sequence[float]) -> tuple[float, float]:
        """Return the 99 % interval of the effect."""
        return t_interval(self.counted_effects(effects), floor=self.spread)
