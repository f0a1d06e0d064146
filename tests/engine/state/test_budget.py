"""Budgets: which limit ends a run, and how large a generation may still be."""

from __future__ import annotations

import math

import pytest

from se_agent.config.run_file import Run
from se_agent.config.sections import Budget, Judge
from se_agent.engine.state.budget import FIRST, BudgetLimits, Spent, confirmation, trim_share
from se_agent.engine.state.meter import LiveMeter
from se_agent.events import SelfTested, Started
from se_agent.stats.costs import Reading
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    Measurement,
    Preflight,
    Status,
)
from tests.finished import events

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
    assert BudgetLimits(budget).ended(spent, reading, generations=generations) == end


@pytest.mark.parametrize(
    ("limit", "confirmation", "left"),
    [(100.0, 0.0, 75.0), (20.0, 0.0, 10.0), (5.0, 0.0, 0.0), (100.0, 60.0, 40.0)],
)
def test_what_the_confirmation_will_cost_is_put_aside(
    limit: float, confirmation: float, left: float
) -> None:
    """A quarter, at least ten seconds, at least what it is expected to take."""
    limits = BudgetLimits(Budget(cpu_seconds=limit), confirmation=confirmation)
    assert limits.search_seconds(limit) == left


@pytest.mark.parametrize(("limit", "left"), [(100.0, 66.0), (40.0, 30.0), (5.0, 0.0)])
def test_a_share_of_the_rest_is_put_aside_for_the_trimming(limit: float, left: float) -> None:
    limits = BudgetLimits(Budget(cpu_seconds=limit), trim_share=0.2)
    assert limits.search_seconds(limit) == left
    assert limits.kept(limit) == limit - left
    assert limits.trimming(Reading(left, 0.0)) == limit - left
    for wanted in (0.0, 20.0, 30.0, 90.0):
        enough = limits.leaving(wanted)
        assert limits.search_seconds(enough) == pytest.approx(wanted)
    assert limits.kept_for == "trimming and the confirmation"
    assert trim_share(Run(problem="p", trim=False)) == 0.0 < trim_share(Run(problem="p")) < 0.5


@pytest.mark.parametrize(
    ("limit", "thrifty", "final", "effect", "kept"),
    [
        pytest.param(400.0, True, 40, 2.9, 6 * 40 * 0.5 + 5, id="blocks-of-40-pairs"),
        pytest.param(400.0, True, 40, 3.1, 6 * 40 * 0.5 + 5, id="of-a-large-gain-too"),
        pytest.param(120.0, True, 40, 0.0, (120 - 10 - 36.0) / 2, id="half-of-what-is-left"),
        pytest.param(40.0, True, 40, 0.0, 12.0, id="nothing-is-left"),
        pytest.param(400.0, True, 0, 2.9, 6 * 18 * 0.5 + 5, id="an-older-run"),
        pytest.param(400.0, True, 0, 3.1, 12 * 18 * 0.5 + 5, id="with-a-large-gain"),
        pytest.param(400.0, False, 0, 9.0, 12.0, id="a-run-of-before"),
    ],
)
def test_pairs_of_the_confirmation_are_expected_to_cost_what_those_of_the_self_test_did(
    limit: float, thrifty: bool, final: int, effect: float, kept: float
) -> None:
    started = next(e for e in events(timed=True) if isinstance(e, Started))
    known = {"confirmation_seconds": 12.0, "thrifty": thrifty, "cpu_seconds": 10.0}
    known |= {"final_pairs": final}
    blocks = tuple(
        Block(number=n, effect=0.0, reference=1.0, candidate=1.0, cost_seconds=6.0, pairs=12)
        for n in range(6)
    )
    run = Run(problem="x", budget=Budget(cpu_seconds=limit), judge=Judge())
    found = BudgetLimits.of(
        run,
        started.model_copy(update=known),
        SelfTested(spread=0.01, blocks=blocks),
        effect=effect,
    )
    assert run.judge.counterexample_seconds == 5.0
    assert found.confirmation == pytest.approx(kept)
    assert BudgetLimits.of(run, started.model_copy(update=known)).confirmation == 12.0


@pytest.mark.parametrize("seconds", [0.0, 5.0, 40.0, 400.0])
@pytest.mark.parametrize("confirmation", [0.0, 12.0, 60.0])
def test_a_limit_that_leaves_enough_leaves_no_more(seconds: float, confirmation: float) -> None:
    limits = BudgetLimits(Budget(), confirmation=confirmation)
    assert limits.search_seconds(limits.leaving(seconds)) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("budget", "spent", "room"),
    [
        (Budget(evaluations=5), Spent(evaluations=4, proposals=90), True),
        (Budget(evaluations=5), Spent(evaluations=5), False),
        (Budget(evaluations=None, proposals=5), Spent(evaluations=90, proposals=4), True),
        (Budget(evaluations=9, proposals=5), Spent(proposals=5), False),
    ],
)
def test_a_slot_is_filled_while_what_is_counted_leaves_room(
    budget: Budget, spent: Spent, room: bool
) -> None:
    assert BudgetLimits(budget).room(spent) is room


def test_time_limits_are_kept_by_what_a_proposal_has_cost() -> None:
    limits = BudgetLimits(Budget(evaluations=None, wall_seconds=22))
    assert limits.affordable(Spent(), Reading(3.0, 3.0), wanted=8) == FIRST
    assert limits.affordable(Spent(proposals=10), Reading(10.0, 10.0), wanted=8) == 2


PASSED = Evaluation(
    status=Status.AC, measurement=Measurement(cpu_seconds=0.5), cost_seconds=1.0
)
CHECKED = Preflight(evaluation=PASSED, seconds=0.5)


def test_a_search_for_a_counterexample_is_put_aside_too() -> None:
    config = Run(problem="any", judge=Judge(counterexample_seconds=40.0))
    without = Run(problem="any", judge=Judge(counterexample_seconds=0.0))
    more, less = (
        confirmation(each, CHECKED, ComparisonKind.TIMED) for each in (config, without)
    )
    assert more == less + 40.0
    assert less > 48 * 3 * CHECKED.seconds


def test_what_is_kept_for_the_confirmation_is_on_record_or_estimated() -> None:
    started, config = events(timed=True)[0], Run(problem="any")
    assert isinstance(started, Started)
    assert BudgetLimits.of(config, started).confirmation == started.confirmation_seconds
    older = started.model_copy(update={"confirmation_seconds": None})
    assert BudgetLimits.of(config, older).confirmation == pytest.approx(2 * 48 * 0.1 + 5.0)


def test_patience_ends_a_search_that_finds_nothing_new() -> None:
    limits = BudgetLimits(Budget(patience=3))
    assert limits.ended(Spent(stale=2), NOTHING, generations=1) == ""
    assert limits.ended(Spent(stale=3), NOTHING, generations=1) == "patience"
    assert limits.room(Spent(stale=2))
    assert not limits.room(Spent(stale=3))


def test_of_two_time_limits_the_one_with_less_left_is_the_scarcest() -> None:
    limits = BudgetLimits(Budget(cpu_seconds=40, wall_seconds=100))
    assert limits.scarcest(Reading(5.0, 30.0)) == "cpu_seconds"
    assert limits.scarcest(Reading(5.0, 60.0)) == "wall_seconds"


@pytest.mark.parametrize(
    ("budget", "whole", "left"),
    [
        (Budget(), False, math.inf),
        (Budget(cpu_seconds=100), False, 65.0),
        (Budget(cpu_seconds=100), True, 90.0),
        (Budget(cpu_seconds=100, wall_seconds=40), False, 10.0),
        (Budget(wall_seconds=20), False, -10.0),
    ],
)
def test_what_is_left_of_the_time(budget: Budget, whole: bool, left: float) -> None:
    assert BudgetLimits(budget).left(Reading(10.0, 20.0), whole=whole) == left


def test_trimming_leaves_the_confirmation_what_its_blocks_take() -> None:
    limits = BudgetLimits(Budget(cpu_seconds=100), confirmation=15.0)
    spent = Reading(60.0, 60.0)
    assert limits.trimming(spent) == limits.trimming(spent, blocks=9.0) == 25.0
    assert limits.trimming(spent, blocks=30.0) == 10.0


def test_a_meter_goes_on_from_what_was_spent() -> None:
    reading = LiveMeter(engine_seconds=5.0, wall_seconds=7.0).read(3.0)
    assert 8.0 <= reading.cpu_seconds < 8.5
    assert 7.0 <= reading.wall_seconds < 7.5
