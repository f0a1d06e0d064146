"""The arithmetic of proof: block medians in, decisions and intervals out. Pure, stdlib only.

Not here: the clock and the schedule inside a block (`evaluators.measure`). Why blocks and not
repeats: two processes of identical code differ for good by their address-space layout, so more
repeats within one layout make a false gain look surer. A block is a new layout.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from se_agent.values.evaluation import SequentialDecision

if TYPE_CHECKING:
    from se_agent.config.sections import Judge

SPREAD_FLOOR = 0.003
"""Least deviation of block medians that is believed; a lucky self-test is not."""

CLEAR = 0.3
"""An effect beyond this is clear at a glance (about 35 %)."""

LARGE = 0.1
"""An effect beyond this shows in half the pairs."""

Z_YES = 3.4
"""Standard errors above the margin that a "yes" takes: one-sided, shared over seven looks."""

RECHECK = math.log(20.0)
"""An effect above this is measured anew, in fresh blocks, before it is believed."""

SECOND_LOOK = 1000
"""Numbers of the blocks in which a large gain is measured again begin here."""

SETTLED = 0.12
"""Standard error of a block's median at which more pairs would tell little, times its pairs."""

SETTLED_SHARE = 0.2
"""The same for a large effect, as a share of it."""

_Z_NO = 1.65  # a wrong "no" only misses a small gain, so it may be taken lightly
_Z_HOPE = 1.65  # standard errors that the rest of the blocks may lift the mean by
_SCATTER = 2.0  # deviations of the self-test beyond which blocks scatter too much
_T_YES = (944.7, 38.50, 14.77, 9.541, 7.482, 6.421, 5.785, 5.365)  # as rare as Z_YES
_T_995 = (63.66, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055)


class SequentialRule(Protocol):
    """When a comparison has seen enough."""

    def decide(self, effects: Sequence[float]) -> SequentialDecision:
        """Say what the blocks so far allow; MORE asks for another."""
        ...

    def pairs(self, effects: Sequence[float]) -> int:
        """Return how many pairs the next block shall hold."""
        ...

    def counted_effects(self, effects: Sequence[float]) -> Sequence[float]:
        """Return the effects that the estimate rests on."""
        ...

    def interval(self, effects: Sequence[float]) -> tuple[float, float]:
        """Return the 99 % interval of the effect."""
        ...


@dataclass(frozen=True, kw_only=True)
class Sequential:
    """Ask for blocks until the gain is above the margin, or cannot be shown to be any more.

    The first block is a screen of two pairs, which may both fall into a moment in which others
    slow the core: clearly slower ends it, but as a gain it counts for nothing. Clearly faster,
    the next blocks need few pairs, until one of them is less clear.

    Attributes:
        margin: Smallest gain worth the name, a fraction.
        spread: Deviation of block medians of identical code, from the A/A self-test.
        min_blocks: Layouts in which a gain must show.
        max_blocks: Blocks after which the answer is "not proven".
        full: Pairs of a full block.
    """

    margin: float = 0.01
    spread: float = SPREAD_FLOOR
    min_blocks: int = 3
    max_blocks: int = 9
    full: int = 12

    def decide(self, effects: Sequence[float]) -> SequentialDecision:
        """Say what the blocks so far allow; MORE asks for another."""
        if not effects:
            return SequentialDecision.MORE
        if effects[0] <= -CLEAR:
            return SequentialDecision.NO
        if len(effects) == 1:
            return SequentialDecision.MORE
        values = self.counted_effects(effects)
        margin = math.log1p(self.margin)
        mean, error = statistics.fmean(values), self._error(values)
        if mean + _Z_NO * error < margin:
            return SequentialDecision.NO
        open_ = self._open(values)
        proven = mean - self._half(values) > margin and open_
        if proven and len(values) >= self.min_blocks:
            return SequentialDecision.YES
        over = not open_ or not self._hope(values)
        return SequentialDecision.UNDECIDED if over else SequentialDecision.MORE

    def _open(self, values: Sequence[float]) -> bool:
        """Say whether a "yes" may be or follow: no block is low, or one that was not the first.

        Most losers end with their first block. One that is lost later, in a bad moment, is
        outvoted: of gains of 5 % one in twelve was lost by a single block on a machine whose
        cores others use, too.
        """
        low = [value <= math.log1p(self.margin) for value in values]
        return not low[0] and sum(low) <= 1

    def _hope(self, values: Sequence[float]) -> bool:
        """Say whether a "yes" is still within reach of the blocks that are left.

        Of programs that are as fast as each other, on a machine on which blocks differ by 2 or
        3 %, a fifth of all pairs came after their mean could no longer be lifted enough.
        """
        most = self.max_blocks
        share = 1 / len(values) - 1 / most
        if share <= 0:
            return False
        noise = deviation(values, floor=self.spread)
        half = min(Z_YES * noise, _t_yes(most) * deviation(values)) / math.sqrt(most)
        best = statistics.fmean(values) + _Z_HOPE * noise * math.sqrt(share)
        return best > math.log1p(self.margin) + half

    def pairs(self, effects: Sequence[float]) -> int:
        """Two for the screen; after it, the larger each effect was, the fewer pairs show it."""
        if not effects:
            return 2
        smallest = min(effects)
        if smallest >= CLEAR:
            return 3
        return max(1, self.full // 2) if smallest >= LARGE else self.full

    def counted_effects(self, effects: Sequence[float]) -> Sequence[float]:
        """Leave the screen out, unless there is nothing else."""
        return effects[1:] or effects

    def interval(self, effects: Sequence[float]) -> tuple[float, float]:
        """Return the interval that lies above the margin when `decide` says "yes": 99 %."""
        values = self.counted_effects(effects)
        half, mean = self._half(values), statistics.fmean(values)
        return mean - half, mean + half

    def _half(self, values: Sequence[float]) -> float:
        """Return how far above the margin the mean has to be for a "yes".

        The spread of the self-test is what noise is taken for, until the blocks are enough to
        speak for themselves: a test that fell into a bad moment spread by 3.8 %, and every
        gain of 5 % after it was lost though nine blocks told it to half a per cent.
        """
        own = deviation(values) / math.sqrt(len(values)) * _t_yes(len(values))
        return min(self._needed(values) * self._error(values), own)

    def _needed(self, values: Sequence[float]) -> float:
        """Return the standard errors that a "yes" takes, by the spread of the self-test.

        Blocks that scatter far more are another matter (a tiny program, a loaded machine):
        then they speak for themselves, and a few of them say little.
        """
        if deviation(values, floor=0.0) <= _SCATTER * self.spread:
            return Z_YES
        return max(Z_YES, t_quantile(len(values)))

    def _error(self, values: Sequence[float]) -> float:
        return deviation(values, floor=self.spread) / math.sqrt(len(values))


def sequential(judge: Judge, spread: float) -> Sequential:
    """Return the rule that the section `judge` of a run file asks for."""
    return Sequential(
        margin=judge.margin,
        spread=spread,
        min_blocks=judge.min_blocks,
        max_blocks=judge.max_blocks,
        full=judge.pairs,
    )


@dataclass(frozen=True, kw_only=True)
class FixedRule:
    """Take a fixed number of blocks: the self-test and the final confirmation.

    Attributes:
        blocks: How many.
        per_block: Pairs of each.
        spread: Least deviation for the interval.
        halved: Whether half of the pairs will do once all blocks so far show a clear gain: its
            interval comes from how far blocks lie apart, and pairs tell that no better.
    """

    blocks: int = 6
    per_block: int = 12
    spread: float = SPREAD_FLOOR
    halved: bool = False

    def decide(self, effects: Sequence[float]) -> SequentialDecision:
        """MORE until the number is reached."""
        return (
            SequentialDecision.MORE
            if len(effects) < self.blocks
            else SequentialDecision.UNDECIDED
        )

    def pairs(self, effects: Sequence[float]) -> int:
        """The same for every block, or half of them where that will do."""
        clear = self.halved and effects and min(effects) >= CLEAR
        return max(1, self.per_block // 2) if clear else self.per_block

    def counted_effects(self, effects: Sequence[float]) -> Sequence[float]:
        """Return all of them."""
        return effects

    def interval(self, effects: Sequence[float]) -> tuple[float, float]:
        """Return the 99 % interval of the effect."""
        return t_interval(effects, floor=self.spread)


@dataclass(frozen=True, kw_only=True)
class Once:
    """One exact block decides: scores and counts have no noise.

    Attributes:
        margin: An improvement has to be larger; what rounding may do is no effect already.
    """

    margin: float = 0.0

    def decide(self, effects: Sequence[float]) -> SequentialDecision:
        """YES for any improvement beyond the margin."""
        if not effects:
            return SequentialDecision.MORE
        return SequentialDecision.YES if effects[0] > self.margin else SequentialDecision.NO

    def pairs(self, effects: Sequence[float]) -> int:
        """A single evaluation of each."""
        return 1

    def counted_effects(self, effects: Sequence[float]) -> Sequence[float]:
        """Return all of them."""
        return effects

    def interval(self, effects: Sequence[float]) -> tuple[float, float]:
        """Return the effect twice: it is known."""
        return effects[0], effects[0]


def is_settled(effects: Sequence[float], asked: int) -> bool:
    """Whether the pairs of a block tell its median as well as was asked for.

    On a machine whose cores others use, too, most pairs agree and the rest are far off, now
    one way and now the other: a dozen may hold so many of those that their median is one. It
    looks at how far apart the middle pairs are, and at the size of the effect but not at its
    sign, so that a block of identical programs stays as likely to favour either.

    Args:
        effects: Effects of the pairs, two or more.
        asked: Pairs that the block was to have: of two a glance is wanted, of twelve 1 %.
    """
    near = SETTLED_SHARE * abs(statistics.median(effects))
    return median_error(effects) <= max(SETTLED / asked, near)


def median_error(values: Sequence[float]) -> float:
    """Return the standard error of a median: a fourth of what the middle values span.

    By order statistics, so that no shape of the noise is assumed: of n values the median of
    the population lies between those the root of n places off the middle, nineteen times in
    twenty: two errors to a side. One error would be told by the three or four middle ones of a
    dozen, and these may agree by chance.
    """
    count, ordered = len(values), sorted(values)
    errors = min(2.0, math.sqrt(count))
    middle, reach = count / 2, errors * math.sqrt(count) / 2
    low = max(0, math.floor(middle - reach))
    high = min(count - 1, math.ceil(middle + reach) - 1)
    return (ordered[high] - ordered[low]) / (2 * errors)


def deviation(values: Sequence[float], *, floor: float = SPREAD_FLOOR) -> float:
    """Return the sample standard deviation, never below `floor`."""
    if len(values) < 2:
        return floor
    return max(floor, statistics.stdev(values))


def t_interval(values: Sequence[float], *, floor: float = SPREAD_FLOOR) -> tuple[float, float]:
    """Return the two-sided 99 % Student interval of the mean.

    A single value has no deviation of its own: the floor stands in, at three deviations.
    """
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean - 3 * floor, mean + 3 * floor
    error = deviation(values, floor=floor) / math.sqrt(len(values))
    half = t_quantile(len(values)) * error
    return mean - half, mean + half


def least_provable(spread: float, *, blocks: int, margin: float) -> float:
    """Return the effect that a gain must have to be proven, where all blocks agree on it.

    Args:
        spread: Deviation between blocks of identical code.
        blocks: Blocks of the confirmation.
        margin: Gain that does not count yet, as a fraction.
    """
    low, _ = t_interval([0.0] * blocks, floor=spread)
    return math.log1p(margin) - low


def _t_yes(count: int) -> float:
    """Return Z_YES for values whose deviation is known from themselves alone."""
    return math.inf if count < 2 else _T_YES[min(count - 2, len(_T_YES) - 1)]


def t_quantile(count: int) -> float:
    """Return how many standard errors a 99 % interval of `count` values reaches to a side."""
    return 3.0 if count < 2 else _T_995[min(count - 2, len(_T_995) - 1)]


def self_test_spread(effects: Sequence[float]) -> float:
    """Return the spread of A/A blocks, with the head-room that six values call for.

    The mean is known to be 0 for identical code, so the root mean square estimates it; with
    six values the truth may well be larger, hence the factor. Simulated with it: at most
    0.07 % false gains at a true effect of 0 and 0.4 % at the margin itself, for spreads of
    0.4 to 3 %.
    """
    rms = math.sqrt(statistics.fmean(e * e for e in effects))
    return max(SPREAD_FLOOR, 1.3 * rms)
