"""What comparisons of identical code add up to: false gains, spread, smallest gain. Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.config.sections import Judge
from se_agent.events import SelfTested
from se_agent.noise.proportion import Share
from se_agent.noise.smallest import smallest_gain
from se_agent.noise.trials import NoiseTrial
from se_agent.stats.sequential import sequential
from se_agent.values.evaluation import SequentialDecision


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Figures of comparisons of identical code.

    Attributes:
        false: How many were called an improvement.
        spread: Deviation of blocks, from the self-tests; a fraction.
        smallest: Gain that is found in 19 of 20 comparisons; None: not even half again.
        cost_seconds: Median CPU seconds of a comparison.
    """

    false: Share
    spread: float
    smallest: float | None
    cost_seconds: float


def figures(tests: Sequence[SelfTested], trials: Sequence[NoiseTrial], judge: Judge) -> Figures:
    """Return the figures of at least one self-test and one comparison.

    Args:
        tests: Their largest spread counts.
        trials: Comparisons of identical code.
        judge: When a gain is proven.
    """
    spread = max(test.spread for test in tests)
    screens = [found.blocks[0].effect for found in trials]
    later = [block.effect for found in trials for block in found.blocks[1:]]
    blocks = later + [block.effect for test in tests for block in test.blocks]
    return Figures(
        false=Share(
            sum(found.decision is SequentialDecision.YES for found in trials), len(trials)
        ),
        spread=math.expm1(spread),
        smallest=smallest_gain(sequential(judge, spread), screens, blocks),
        cost_seconds=statistics.median(found.cost_seconds for found in trials),
    )
