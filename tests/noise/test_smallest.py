"""The smallest gain that can be proven."""

from __future__ import annotations

import pytest

from se_agent.noise.smallest import GAINS, smallest_gain
from se_agent.stats.sequential import Sequential, self_test_spread
from se_agent.values.randomness import Purpose, rng_at


def found(deviation: float) -> float | None:
    """Return the smallest gain on a machine whose blocks scatter so much."""
    blocks = [float(x) for x in rng_at(3, 0, Purpose.INPUTS).normal(0, deviation, 60)]
    rule = Sequential(spread=self_test_spread(blocks[:6]))
    return smallest_gain(rule, blocks[:20], blocks[20:])


def test_without_noise_it_is_the_first_above_the_margin() -> None:
    assert smallest_gain(Sequential(), [0.0], [0.0]) == 0.015


def test_a_wide_margin_asks_for_more() -> None:
    assert smallest_gain(Sequential(margin=0.06), [0.0], [0.0]) == 0.07


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("deviation", "at_least", "at_most"), [(0.003, 0.015, 0.025), (0.02, 0.04, 0.15)]
)
def test_it_grows_with_the_noise(deviation: float, at_least: float, at_most: float) -> None:
    assert at_least <= (found(deviation) or 0.0) <= at_most


def test_where_nothing_shows_there_is_none() -> None:
    assert found(0.6) is None


@pytest.mark.tier("runs")
def test_the_same_samples_give_the_same_gain() -> None:
    assert found(0.01) == found(0.01)
    assert found(0.01) in GAINS
