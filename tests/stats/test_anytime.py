"""Courses of searches: when they were how good."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.anytime import area, spent_to_reach

COURSE = ((1.0, 0.0), (3.0, 0.4), (4.0, 1.0))


def test_a_target_is_reached_with_the_first_purchase_that_is_good_enough() -> None:
    assert [spent_to_reach(COURSE, target) for target in (0.0, 0.3, 0.4, 1.0)] == [1, 3, 3, 4]
    assert spent_to_reach(COURSE, 1.1) is None
    assert spent_to_reach((), 0.0) is None


def test_a_value_counts_from_when_it_was_bought() -> None:
    assert area(COURSE, 4) == pytest.approx((1 * 0.4 + 0 * 1.0) / 4)


def test_the_last_value_stays_and_what_is_beyond_the_limit_counts_not() -> None:
    assert area(COURSE, 8) == pytest.approx((1 * 0.4 + 4 * 1.0) / 8)
    assert area(COURSE, 2) == 0.0
    assert area(COURSE, 0) == area((), 5) == 0.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0.5, 20))
def test_an_area_is_at_most_the_best_value(values: list[float], upto: float) -> None:
    best = [max(values[: n + 1]) for n in range(len(values))]
    found = area([(n + 1.0, value) for n, value in enumerate(best)], upto)
    assert 0 <= found <= best[-1] + 1e-9
