"""The mean over problems, and an interval that covers the true mean as often as it says.

A plain percentile bootstrap over few problems is too narrow: over five problems with normal
effects its 95 % interval covered 84 %, over eight 88 %. Two things mend that. Below `FEW`
values the interval is Student's. From there on it is the percentile bootstrap at expanded
levels (Hesterberg 2015): the same width as Student's where effects are normal, and lopsided
where they are. Simulated over 1,500 samples each: 94 to 96 % where effects are normal or have
heavy tails. Where most effects are 0 and a few are large, no interval over five problems is
honest (85 %); over twelve this one covers 93 %.

What is drawn anew is a problem with all of its seeds. The scatter of seeds is part of the
scatter of the problems' means; to draw seeds again within a problem would count it twice.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.stats.student import chance_beyond, reach
from se_agent.values.randomness import Purpose, rng_at

FEW = 8
"""Number of values from which on they are drawn anew; the levels of fewer are too coarse."""

FEWEST = 3
"""Number of values below which there is no interval: two would give 12.7 standard errors."""

CONFIDENCE = 0.95
_DRAWS = 10_000
_LARGEST = 709.0
_SAME = 1e-12
_AT_ONCE = 2_000_000
"""Numbers that are drawn at a time, so that memory stays small whatever the size."""


@dataclass(frozen=True)
class MeanInterval:
    """A mean with its interval; both ends are infinite where there are fewer than `FEWEST`.

    Attributes:
        mean: Mean of the values.
        low: Lower end.
        high: Upper end.
        count: Number of values.
        chance: Probability of a mean as far from 0 as this one, if the true mean were 0, by a
            t test; values of two equal arms differ as often to one side as to the other, and
            with such values it errs to the safe side.
    """

    mean: float
    low: float
    high: float
    count: int
    chance: float

    @property
    def is_known(self) -> bool:
        """Whether there were values enough for an interval."""
        return math.isfinite(self.low)


def mean_interval(
    values: Sequence[float], *, confidence: float = CONFIDENCE, seed: int = 0
) -> MeanInterval:
    """Return the mean of values with its interval. The order of the values changes nothing.

    Args:
        values: One of each problem; at least one, all finite.
        confidence: Confidence of the interval, inside (0, 1).
        seed: Seed of the draws.
    """
    ordered = sorted(values)
    count, mean = len(ordered), statistics.fmean(ordered)
    if count < FEWEST:
        return MeanInterval(mean, -math.inf, math.inf, count, 1.0)
    error = statistics.stdev(ordered, mean) / math.sqrt(count)
    if error <= _SAME * abs(mean):  # values that agree: by chance all have the same sign
        return MeanInterval(mean, mean, mean, count, 2.0 ** (1 - count) if mean else 1.0)
    chance = chance_beyond(mean / error, count - 1)
    if count < FEW:
        half = reach(confidence, count - 1) * error
        return MeanInterval(mean, mean - half, mean + half, count, chance)
    low, high = _expanded_percentiles(ordered, confidence, seed)
    return MeanInterval(mean, low, high, count, chance)


def ratio_interval(ratios: Sequence[float], *, seed: int = 0) -> MeanInterval:
    """Return the geometric mean of positive ratios with its 95 % interval.

    Args:
        ratios: One of each problem; at least one.
        seed: Seed of the draws.
    """
    found = mean_interval([math.log(ratio) for ratio in ratios], seed=seed)
    low, mean, high = (_ratio(end) for end in (found.low, found.mean, found.high))
    return MeanInterval(mean, low, high, found.count, found.chance)


def _expanded_percentiles(
    values: Sequence[float], confidence: float, seed: int
) -> tuple[float, float]:
    """Return the percentiles of means of samples that are drawn with replacement."""
    import numpy as np

    count = len(values)
    wide = reach(confidence, count - 1) * math.sqrt(count / (count - 1))
    level = statistics.NormalDist().cdf(-wide)
    rng, source = rng_at(seed, 0, Purpose.BOOTSTRAP), np.asarray(values)
    step = max(1, _AT_ONCE // count)
    means = []
    for done in range(0, _DRAWS // 2, step):
        places = rng.integers(count, size=(min(step, _DRAWS // 2 - done), count))
        # Each draw and its mirror image: the interval of the negated values is the negated one.
        means += [source[places].mean(axis=1), source[count - 1 - places].mean(axis=1)]
    low, high = np.quantile(np.concatenate(means), [level, 1 - level])
    return float(low), float(high)


def _ratio(logarithm: float) -> float:
    """Return e to this power; infinity where no float holds it."""
    return math.exp(logarithm) if logarithm < _LARGEST else math.inf
