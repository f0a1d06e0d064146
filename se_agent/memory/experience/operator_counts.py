"""What earlier runs say of a rule before a run has tried it: a few wins and losses.

Pure. Counts are pooled from the whole to the particular: all rules, this rule, this rule on
programs with one of this program's traits; each level pulls the one below it as a few tries
would. The weight is bounded, so a run's own experience soon outweighs it: never a ban. Not
here: where the counts are kept (`store`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

WEIGHT = 6.0
"""Tries that earlier runs count for at most."""

_PULL = 4.0  # tries that a level of the pool weighs for the level below it


@dataclass(frozen=True, kw_only=True)
class OperatorCounts:
    """What one operator did in one run.

    Attributes:
        rule: Registered name of the operator.
        family: Family of the run's problem.
        traits: Traits of its initial program.
        tries: Steps that were judged.
        wins: Those with a proven gain.
        credit: Their rewards, each between 0 and 1: gain per CPU second against the average of
            the run.
        gain: The log of their gains, summed; 0 where scores differ, of which there is no ratio.
        cpu_seconds: CPU seconds of all tries.
    """

    rule: str
    family: str = ""
    traits: tuple[str, ...] = ()
    tries: int = 0
    wins: int = 0
    credit: float = 0.0
    gain: float = 0.0
    cpu_seconds: float = 0.0


@dataclass
class _Pool:
    credit: float = 0.0
    tries: int = 0
    traits: dict[str, _Pool] = field(default_factory=dict)

    def add(self, one: OperatorCounts) -> None:
        self.credit += one.credit
        self.tries += one.tries

    def rate(self, above: float) -> float:
        """Return the mean reward, pulled towards that of the level above."""
        return (self.credit + _PULL * above) / (self.tries + _PULL)


def prior(
    trials: Iterable[OperatorCounts],
    traits: Sequence[str],
    rules: Iterable[str],
    *,
    exclude_families: Collection[str] = (),
) -> dict[str, tuple[float, float]]:
    """Return wins and losses to begin with, by rule; nothing where nothing is known.

    Args:
        trials: Results of the operators in earlier runs.
        traits: Traits of the program that is to be improved.
        rules: The rules that will be used. One that was never tried gets what rules get on
            average, with the weight of a single try.
        exclude_families: Families whose runs are left out.
    """
    whole, pools = _Pool(), dict[str, _Pool]()
    for one in trials:
        if one.family in exclude_families:
            continue
        pool = pools.setdefault(one.rule, _Pool())
        shared = [pool.traits.setdefault(t, _Pool()) for t in one.traits if t in traits]
        for level in (whole, pool, *shared):
            level.add(one)
    if not whole.tries:
        return {}
    average = whole.rate(0.5)
    return {rule: _counts(pools.get(rule, _Pool()), average) for rule in rules}


def _counts(pool: _Pool, average: float) -> tuple[float, float]:
    own = pool.rate(average)
    rates = [shared.rate(own) for shared in pool.traits.values()] or [own]
    rate = sum(rates) / len(rates)
    weight = min(WEIGHT, 1.0 + pool.tries)
    return weight * rate, weight * (1.0 - rate)
