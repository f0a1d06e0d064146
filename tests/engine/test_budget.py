"""Budgets: which limit ends a run, and how large a generation may still be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.config import Budget
from se_agent.engine.budget import (
    LiveMeter,
    Reading,
    Spent,
    affordable,
    exhausted_limit,
    search_seconds,
)

NOTHING = Reading(0.0, 0.0)


@pytest.mark.parametrize(
    ("budget", "spent", "reading", "end"),
    [
        (Budget(evaluations=5), Spent(evaluations=4), NOTHING, ""),
        (Budget(evaluations=5), Spent(evaluations=5), NOTHING, "evaluations"),
        (Budget(proposals=5), Spent(proposals=5), NOTHING, "proposals"),
        (Budget(generations=1), Spent(generations=1), NOTHING, "generations"),
        (Budget(cpu_seconds=100), Spent(), Reading(74.9, 0), ""),
        (Budget(cpu_seconds=100), Spent(), Reading(75.0, 0), "cpu_seconds"),
        (Budget(wall_seconds=9), Spent(), Reading(0, 9.0), "wall_seconds"),
    ],
)
def test_which_limit_ends_the_search(
    budget: Budget, spent: Spent, reading: Reading, end: str
) -> None:
    assert exhausted_limit(budget, spent, reading) == end


@pytest.mark.parametrize(("given_seconds", "left"), [(100.0, 75.0), (20.0, 10.0), (5.0, 0.0)])
def test_a_quarter_and_at_least_ten_seconds_are_kept_for_the_confirmation(
    given_seconds: float, left: float
) -> None:
    assert search_seconds(Budget(cpu_seconds=given_seconds)) == left


@given(st.integers(1, 50), st.integers(0, 60), st.integers(1, 20))
def test_a_generation_never_exceeds_what_is_left(limit: int, used: int, wanted: int) -> None:
    size = affordable(
        Budget(evaluations=limit), Spent(evaluations=used), NOTHING, wanted=wanted
    )
    assert 1 <= size <= wanted
    assert size <= max(1, limit - used)


def test_time_limits_are_kept_by_what_a_proposal_has_cost() -> None:
    spent, budget = Spent(proposals=10), Budget(evaluations=None, wall_seconds=12)
    assert affordable(budget, spent, Reading(10.0, 10.0), wanted=8) == 2


def test_a_meter_goes_on_from_what_was_spent() -> None:
    reading = LiveMeter(engine_seconds=5.0, wall_seconds=7.0).read(1, 3.0)
    assert 8.0 <= reading.cpu_seconds < 8.5
    assert 7.0 <= reading.wall_seconds < 7.5
