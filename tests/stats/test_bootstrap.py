"""Intervals of means: what they hold, and which laws they keep."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.bootstrap import FEW, mean_interval, ratio_interval

VALUES = st.lists(st.floats(-5, 5, width=16), min_size=1, max_size=12)


def test_few_values_have_the_interval_of_student() -> None:
    found = mean_interval([1.0, 2.0, 3.0])
    assert (found.mean, found.low, found.high) == pytest.approx((2.0, -0.484, 4.484), abs=1e-3)
    assert found.chance == pytest.approx(0.0742, abs=1e-4)


@pytest.mark.parametrize("values", [[0.7], [0.6, 0.8], [0.7, 0.7]])
def test_one_value_or_two_have_no_interval(values: list[float]) -> None:
    found = mean_interval(values)
    assert found.mean == pytest.approx(0.7)
    assert (found.low, found.high, found.chance) == (-math.inf, math.inf, 1.0)
    assert not found.is_known


def test_values_that_agree_have_a_point() -> None:
    found = mean_interval([0.5] * 20)
    assert (found.low, found.high, found.chance) == (0.5, 0.5, 0.5**19)
    assert mean_interval([0.5] * 3).chance == 0.25, "three that agree show nothing"
    assert mean_interval([0.0] * 3).chance == 1.0, "and nothing differs where all is 0"


def test_many_lopsided_values_have_a_lopsided_interval() -> None:
    found = mean_interval([0.0] * 15 + [1.0, 2.0, 4.0])
    assert found.high - found.mean > 1.2 * (found.mean - found.low)


def test_the_seed_of_the_draws_is_the_only_chance_in_it() -> None:
    values = [math.sin(n) for n in range(2 * FEW)]
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values) != mean_interval(values, seed=1)


def test_more_confidence_is_a_wider_interval() -> None:
    values = [math.sin(n) for n in range(2 * FEW)]
    narrow, wide = (mean_interval(values, confidence=c) for c in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


@given(VALUES, st.randoms())
def test_the_order_of_the_values_changes_nothing(values: list[float], random: object) -> None:
    mixed = sorted(values, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert mean_interval(mixed) == mean_interval(values)


@given(VALUES)
def test_negated_values_have_the_negated_interval(values: list[float]) -> None:
    found, other = mean_interval(values), mean_interval([-value for value in values])
    assert (-other.mean, -other.high, -other.low) == pytest.approx(
        (found.mean, found.low, found.high), abs=1e-12
    )
    assert other.chance == pytest.approx(found.chance)


@given(VALUES)
def test_the_mean_lies_inside(values: list[float]) -> None:
    found = mean_interval(values)
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9


def test_the_mean_of_ratios_is_the_geometric_one() -> None:
    found = ratio_interval([0.5, 2.0, 4.0])
    assert found.mean == pytest.approx(math.exp(math.log(4) / 3))
    assert 0 < found.low < found.mean < found.high
