"""Covariance matrix adaptation: a normal distribution that follows the better trials.

For smooth objectives of at least two constants. The distribution is rebuilt from the trials
each time, in batches of the usual size, whoever made them. Not here: flat or jagged objectives
(`tune_tpe`).

Source: Hansen, The CMA Evolution Strategy: A Tutorial, 2016; the strategy is that of `cmaes`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from operators.tuning.constants import Constant
from operators.tuning.tuner import Tuner, ValueTried, nearby

if TYPE_CHECKING:
    from numpy.random import Generator

    from se_agent.abilities.optional import Replaying
    from se_agent.protocols import Operator

_WIDTH = 0.2  # first deviation, as a share of each range


class TuneCma(Tuner):
    """Draw all marked constants together, around where the trials get better."""

    name = "tune_cma"
    needs = "cmaes"

    def drawn(
        self, constants: Sequence[Constant], seen: Sequence[ValueTried], rng: Generator
    ) -> Sequence[float]:
        """Return a point by what was seen; one constant alone is drawn at random."""
        if len(constants) < 2:
            return nearby(constants, rng)
        start = seen[0].point if seen else [constant.share for constant in constants]
        return _asked(start, seen, int(rng.integers(2**31)))


def _asked(start: Sequence[float], seen: Sequence[ValueTried], seed: int) -> list[float]:
    import numpy as np
    from cmaes import CMA

    box = np.array([[0.0, 1.0]] * len(start))
    strategy = CMA(mean=np.array(start, float), sigma=_WIDTH, bounds=box, seed=seed)
    worst = min((one.effect for one in seen if one.effect is not None), default=0.0)
    losses = [1.0 - worst if one.effect is None else -one.effect for one in seen]
    known = list(zip((np.array(one.point) for one in seen), losses, strict=True))
    size = strategy.population_size
    for first in range(0, len(known) - size + 1, size):
        if strategy.should_stop():
            break
        strategy.tell(list(itertools.islice(known, first, first + size)))
    return [float(share) for share in strategy.ask()]


if TYPE_CHECKING:
    _: Operator = TuneCma()
    _again: Replaying = TuneCma()
