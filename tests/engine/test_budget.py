"""Budgets: which limit ends a run, and how large a generation may still be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.config import Budget
from se_agent.engine.budget import FIRST, Limits, LiveMeter, Reading, Spent

NOTHING = Reading(0.0, 0.0)


@pytest.mark.parametrize(
    ("budget", "spent", "generations", "reading", "end"),
    [
        (Budget(evaluations=5), Spent(evaluations=4), 0, NOTHING, ""),
        (Budget(evaluations=5), Spent(evaluations=5), 0, NOTHING, "evaluations"),
        (Budget(proposals=5), Spent(proposals=5), 0, NOTHING, "proposals"),
        (Budget(generations=1), Spent(), 1, NOTHING, "generations"),
        (Budget(cpu_seconds=100), Spent(), 0, Reading(74.9, 0), ""),
        (Budget(cpu_seconds=100), Spent(), 0, Reading(75.0, 0), "cpu_seconds"),
        (Budget(wall_seconds=40), Spent(), 0, Reading(0, 30.0), "wall_seconds"),
    ],
)
def test_which_limit_ends_the_search(
    budget: Budget, spent: Spent, generations: int, reading: Reading, end: str
) -> None:
    assert Limits(budget).ended(spent, reading, generations=generations) == end


@pytest.mark.parametrize(
    ("limit", "confirmation", "left"),
    [(100.0, 0.0, 75.0), (20.0, 0.0, 10.0), (5.0, 0.0, 0.0), (100.0, 60.0, 40.0)],
)
def test_what_the_confirmation_will_cost_is_put_aside(
    limit: float, confirmation: float, left: float
) -> None:
    """A quarter, at least ten seconds, at least what it is expected to take."""
    limits = Limits(Budget(cpu_seconds=limit), confirmation=confirmation)
    assert limits.search_seconds(limit) == left


@given(st.integers(1, 50), st.integers(0, 60), st.integers(1, 20))
def test_a_generation_never_exceeds_what_is_left(limit: int, used: int, wanted: int) -> None:
    size = Limits(Budget(evaluations=limit)).affordable(
        Spent(evaluations=used), NOTHING, wanted=wanted
    )
    assert 1 <= size <= wanted
    assert size <= max(1, limit - used)


def test_time_limits_are_kept_by_what_a_proposal_has_cost() -> None:
    limits = Limits(Budget(evaluations=None, wall_seconds=22))
    assert limits.affordable(Spent(), Reading(3.0, 3.0), wanted=8) == FIRST
    assert limits.affordable(Spent(proposals=10), Reading(10.0, 10.0), wanted=8) == 2


def test_a_meter_goes_on_from_what_was_spent() -> None:
    reading = LiveMeter(engine_seconds=5.0, wall_seconds=7.0).read(3.0)
    assert 8.0 <= reading.cpu_seconds < 8.5
    assert 7.0 <= reading.wall_seconds < 7.5
