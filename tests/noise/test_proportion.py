"""Bounds of a share, against tables and against the beta distribution."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv

from se_agent.noise.proportion import Share, at_most


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        pytest.param(0, 10, 0.0, 0.3085, id="none"),
        pytest.param(10, 10, 0.6915, 1.0, id="all"),
        pytest.param(5, 10, 0.1871, 0.8129, id="half"),
        pytest.param(1, 100, 0.000253, 0.0545, id="one-in-a-hundred"),
        pytest.param(0, 600, 0.0, 0.00613, id="the-study"),
        pytest.param(2, 600, 0.000404, 0.01199, id="two-are-too-many"),
    ],
)
def test_known_intervals(count: int, total: int, low: float, high: float) -> None:
    assert Share(count, total).interval() == pytest.approx((low, high), rel=2e-3)


@settings(max_examples=30)
@given(st.integers(1, 600).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_is_the_interval_of_the_beta_distribution(share: tuple[int, int]) -> None:
    count, total = share
    low, high = Share(count, total).interval(0.9)
    if count:
        assert low == pytest.approx(float(betaincinv(count, total - count + 1, 0.05)), abs=1e-9)
    if count < total:
        assert high == pytest.approx(
            float(betaincinv(count + 1, total - count, 0.95)), abs=1e-9
        )
    assert low <= count / total <= high


@pytest.mark.tier("runs")
@settings(max_examples=30)
@given(st.integers(0, 300), st.integers(1, 300), st.floats(0.8, 0.99))
def test_what_did_happen_and_what_did_not_mirror_each_other(
    count: int, more: int, confidence: float
) -> None:
    low, high = Share(count, count + more).interval(confidence)
    mirrored = Share(more, count + more).interval(confidence)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_of_nothing_everything_may_be_true() -> None:
    assert Share(0, 0).interval() == (0.0, 1.0)
    assert Share(0, 0).rate == 0.0


def test_all_outcomes_together_are_certain() -> None:
    assert at_most(50, 50, 0.3) == pytest.approx(1.0)


@pytest.mark.parametrize(("count", "total"), [(3, 2), (-1, 2)])
def test_a_part_is_not_larger_than_the_whole(count: int, total: int) -> None:
    with pytest.raises(ValueError, match="not a share"):
        Share(count, total)
