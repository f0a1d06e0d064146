"""Made-up arms of known effect: intervals cover it, and chance is no difference."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import Generator

from se_agent.stats.holm import FALSE_AT_MOST, holm
from se_agent.stats.paired import DoubtedValue, PairKey, Values, paired_effect

EFFECT = 0.2
SAMPLES = 600
SLOW = pytest.mark.tier("experiments")


def run_values(
    rng: Generator, problems: int, seeds: int, *, effect: float = 0.0, varies: float = 0.0
) -> Values:
    """Return the values of an arm: problems differ in how much it brings, seeds by luck."""
    each = effect + varies * rng.standard_normal(problems)
    luck = 0.15 * rng.standard_normal((problems, seeds))
    return {
        PairKey(f"problem-{p:02}", seed): DoubtedValue(each[p] + luck[p, seed])
        for p in range(problems)
        for seed in range(seeds)
    }


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("problems", "seeds"),
    [(1, 5), (3, 3), (5, 2), *(pytest.param(*many, marks=SLOW) for many in ((8, 3), (20, 2)))],
)
@pytest.mark.parametrize("varies", [0.0, 0.3])
def test_the_interval_covers_the_true_effect(problems: int, seeds: int, varies: float) -> None:
    if problems == 1 and varies:
        pytest.skip("over the seeds of one problem nothing is said of others")
    rng, covered = np.random.default_rng([problems, seeds, int(10 * varies)]), 0
    for _ in range(SAMPLES):
        arm = run_values(rng, problems, seeds, effect=EFFECT, varies=varies)
        found = paired_effect(arm, run_values(rng, problems, seeds))
        assert found is not None
        covered += found.overall.low <= EFFECT <= found.overall.high
    assert 0.93 <= covered / SAMPLES <= 0.97


@pytest.mark.tier("runs")
@pytest.mark.parametrize("problems", [3, pytest.param(8, marks=SLOW)])
def test_among_equal_arms_chance_is_called_a_difference_rarely(problems: int) -> None:
    rng, false = np.random.default_rng(problems), 0
    for _ in range(SAMPLES):
        base = run_values(rng, problems, 3)
        arms = {f"arm-{n}": run_values(rng, problems, 3) for n in range(4)}
        effects = {name: paired_effect(arm, base) for name, arm in arms.items()}
        chances = {name: found.overall.chance for name, found in effects.items() if found}
        false += min(holm(chances).values()) <= FALSE_AT_MOST
    assert false / SAMPLES <= FALSE_AT_MOST
