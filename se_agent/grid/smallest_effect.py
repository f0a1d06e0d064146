"""The smallest effect that a grid can show: from the noise of its problems and its pairs. Pure.

An effect counts as shown here if an interval of 95 %, corrected for the number of arms, leaves
out 0 in four of five such grids. The effect is taken to be the same on every problem: where it
is not, more problems are needed. Of few problems each is judged by its own seeds.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from se_agent.stats.bootstrap import FEWEST
from se_agent.stats.student import reach

USUAL_SPREAD = 0.1
"""Spread of the logarithm of a proven gain between seeds, where nothing is known of it.

The shipped timed problems come to 0.07 at 60 evaluations (docs/results.md, two seeds of each).
"""

_FALSE_AT_MOST = 0.05
_POWER_REACH = 0.6
"""Confidence of the two-sided interval whose one side leaves out a fifth."""

_LARGEST = 700.0


@dataclass(frozen=True, kw_only=True)
class SmallestEffect:
    """What a design can show.

    Attributes:
        pairs: Number of pairs of each arm with the first one.
        over: What the interval is over; over seeds each problem is judged by itself.
        effect: Smallest mean difference that it shows in four of five grids, in the unit of
            the spread; None: there are too few problems and too few seeds for an interval.
        spread: Standard deviation of a run's value, but for what its seed does to all arms.
        is_measured: Whether the spread comes from runs of this grid.
    """

    pairs: int
    over: Literal["problems", "seeds"]
    effect: float | None
    spread: float
    is_measured: bool

    @property
    def factor(self) -> float | None:
        """The effect as a ratio of gains, above 1."""
        return None if self.effect is None else math.exp(min(self.effect, _LARGEST))


def smallest_effect(
    *, problems: int, seeds: int, arms: int, spreads: Sequence[float] = ()
) -> SmallestEffect:
    """Return the smallest effect of a design.

    Args:
        problems: Number of problems that count.
        seeds: Number of seeds of each.
        arms: Number of arms that are compared with the first one; at least 1.
        spreads: Spreads of a run that were measured, one for each problem and arm.
    """
    spread = math.sqrt(statistics.fmean(s * s for s in spreads)) if spreads else USUAL_SPREAD
    over_problems = problems >= FEWEST
    means, statements = (problems, arms) if over_problems else (seeds, arms * problems)
    effect = None
    if means >= FEWEST and seeds > 1:
        shown = reach(1 - _FALSE_AT_MOST / statements, means - 1)
        shown += reach(_POWER_REACH, means - 1)
        effect = shown * spread * math.sqrt(2 / (problems * seeds if over_problems else seeds))
    return SmallestEffect(
        pairs=problems * seeds,
        over="problems" if over_problems else "seeds",
        effect=effect,
        spread=spread,
        is_measured=bool(spreads),
    )


def spread_of(values: Iterable[float]) -> float | None:
    """Return the spread of what the seeds of one problem and arm came to; None: one value."""
    found = list(values)
    return statistics.stdev(found) if len(found) > 1 else None
