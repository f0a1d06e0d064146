"""An arm against a base arm, run by run: pairs have the same problem and the same seed. Pure.

A problem counts once, however many seeds it has: its effect is the mean of its pairs. Not here:
what is compared (`se_agent.analysis.measures`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple

from se_agent.stats.bootstrap import MeanInterval, mean_interval

_DIGITS = 9


class PairKey(NamedTuple):
    """What two runs of a pair have in common."""

    problem: str
    seed: int


class DoubtedValue(NamedTuple):
    """What a run came to: larger is better.

    Attributes:
        value: A logarithm of a ratio, or a figure.
        doubt: Half of its own interval; 0 where it is exact.
    """

    value: float
    doubt: float = 0.0

    def ahead_of(self, other: DoubtedValue) -> int:
        """Return 1 where it is larger, -1 where it is smaller, 0 where doubt covers both."""
        difference = self.value - other.value
        if abs(difference) <= math.hypot(self.doubt, other.doubt):
            return 0
        return 1 if difference > 0 else -1


Values = Mapping[PairKey, DoubtedValue]
"""What the runs of an arm came to, by problem and seed."""


class Standings(NamedTuple):
    """How many pairs ended how."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    def share(self, count: int) -> float:
        """Return a count as a share of all pairs."""
        return count / sum(self) if sum(self) else 0.0


class LostPair(NamedTuple):
    """A pair in which the arm is behind by more than the doubt of both runs."""

    behind: float
    key: PairKey

    @property
    def order(self) -> tuple[float, PairKey]:
        """What lost pairs are sorted by: the clearest first, rounding aside."""
        return -round(self.behind, _DIGITS), self.key


@dataclass(frozen=True, kw_only=True)
class ProblemEffect:
    """What an arm is ahead by on one problem.

    Attributes:
        problem: Name of the problem.
        effect: Mean over its pairs; its interval is over seeds.
        standings: How its pairs ended.
        lost: The pairs that the arm lost, the clearest first.
    """

    problem: str
    effect: MeanInterval
    standings: Standings
    lost: tuple[LostPair, ...]


@dataclass(frozen=True, kw_only=True)
class PairedEffect:
    """What an arm is ahead by.

    Attributes:
        overall: Mean over problems with its interval; of one problem over its seeds.
        over: What `overall` is a mean of.
        problems: Each problem that both arms have, by name.
        standings: How all pairs ended.
    """

    overall: MeanInterval
    over: Literal["problems", "seeds"]
    problems: tuple[ProblemEffect, ...]
    standings: Standings

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.standings)


def paired_effect(arm: Values, base: Values) -> PairedEffect | None:
    """Return what an arm is ahead of a base arm by; None where they have no pair.

    Args:
        arm: Values of the arm.
        base: Values of the base arm. Swapping the two turns every sign, and nothing else.
    """
    keys = sorted(arm.keys() & base.keys())
    names = dict.fromkeys(key.problem for key in keys)
    if not names:
        return None
    problems = tuple(_of_problem(name, _both(name, keys, arm, base)) for name in names)
    several = len(problems) > 1
    means = [problem.effect.mean for problem in problems]
    return PairedEffect(
        overall=mean_interval(means) if several else problems[0].effect,
        over="problems" if several else "seeds",
        problems=problems,
        standings=_sum(problem.standings for problem in problems),
    )


_Pair = tuple[PairKey, DoubtedValue, DoubtedValue]


def _both(name: str, keys: Iterable[PairKey], arm: Values, base: Values) -> list[_Pair]:
    return [(key, arm[key], base[key]) for key in keys if key.problem == name]


def _of_problem(name: str, pairs: Sequence[_Pair]) -> ProblemEffect:
    ends = [mine.ahead_of(other) for _, mine, other in pairs]
    ahead = [mine.value - other.value for _, mine, other in pairs]
    lost = (
        LostPair(-difference, key)
        for end, difference, (key, _, _) in zip(ends, ahead, pairs, strict=True)
        if end < 0
    )
    return ProblemEffect(
        problem=name,
        effect=mean_interval(ahead),
        standings=Standings(*map(ends.count, (1, 0, -1))),
        lost=tuple(sorted(lost, key=attrgetter("order"))),
    )


def _sum(each: Iterable[Standings]) -> Standings:
    return Standings(*map(sum, zip(*each, strict=True)))
