"""Rank correlation: what order says, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.ranks import rank_correlation

VALUES = st.lists(st.integers(-50, 50), min_size=2, max_size=12, unique=True)


@given(VALUES)
def test_it_is_one_for_any_increasing_function_and_minus_one_for_a_falling_one(
    values: list[int],
) -> None:
    rising = [(float(each), float(each**3)) for each in values]
    falling = [(float(each), -float(each)) for each in values]
    assert rank_correlation(rising) == pytest.approx(1.0)
    assert rank_correlation(falling) == pytest.approx(-1.0)


def test_equal_values_share_their_middle_rank() -> None:
    """By hand: ranks 1.5, 1.5, 3, 4 against 1, 2, 3, 4."""
    pairs = [(5.0, 1.0), (5.0, 2.0), (6.0, 3.0), (7.0, 4.0)]
    assert rank_correlation(pairs) == pytest.approx(4.5 / (4.5 * 5.0) ** 0.5)


@pytest.mark.parametrize("pairs", [[], [(1.0, 2.0)], [(1.0, 1.0), (1.0, 2.0)]])
def test_it_is_not_defined_where_one_side_has_no_order(
    pairs: list[tuple[float, float]],
) -> None:
    assert rank_correlation(pairs) is None
