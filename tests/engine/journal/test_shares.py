"""ET, MP and MI of a run, and what several runs come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.engine.journal.overall import as_json, overall
from se_agent.engine.journal.result import Result
from se_agent.engine.journal.shares import shares
from se_agent.events import Confirmed, Started
from se_agent.values.evaluation import ComparisonKind, Evaluation, Figure, Measurement, Status
from se_agent.values.lesson import Metric
from se_agent.values.objective import Objective, Quantity
from se_agent.values.solution import Solution


def started(weights: dict[str, float]) -> Started:
    return Started(
        name="sums",
        config={},
        problem="",
        initial=Solution(id="Gen0_Sol_0", files={"main.py": "x = 1"}),
        evaluation=Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1)),
        measure=ComparisonKind.TIMED,
        metric=Metric(value=0.1),
        isolation="jail",
        tokenizer="",
        objective=Objective.weighted(weights),
    )


FIGURES = (
    Figure(Quantity.CPU, 2.0, 1.0),
    Figure(Quantity.WALL, 1.0, 2.0),
    Figure(Quantity.MEMORY, 100.0, 400.0),
    Figure(Quantity.MEMORY_TIME, 200.0, 400.0),
)
PROVEN = Confirmed(
    solution="Gen1_Sol_1", status="proven", gain=2.0, low=1.9, high=2.1, figures=FIGURES
)


def test_shares_are_of_the_initial_program_and_never_above_one() -> None:
    assert shares(started({"cpu": 1}), PROVEN) == {"et": 1.0, "mp": 0.25, "mi": 0.5}


def test_time_is_wall_time_where_that_is_compared() -> None:
    assert shares(started({"wall": 1}), PROVEN)["et"] == 0.5


def test_a_reference_of_the_problem_comes_first() -> None:
    against = (Figure(Quantity.CPU, 1.0, 4.0),)
    found = PROVEN.model_copy(update={"against_reference": against})
    assert shares(started({"cpu": 1}), found) == {"et": 0.25, "mp": None, "mi": None}


def test_a_reference_that_fails_has_no_stand_in() -> None:
    """Neither the initial program nor the solution itself: it would be a share of 1."""
    nothing = Confirmed(solution="Gen0_Sol_0", status="not_proven", gain=1.0, low=1.0, high=1.0)
    for found in (PROVEN, nothing):
        failed = found.model_copy(update={"no_reference": "the reference ends as WA"})
        assert shares(started({"cpu": 1}), failed) == {"et": None, "mp": None, "mi": None}


def test_who_found_nothing_reaches_all_of_itself() -> None:
    found = Confirmed(solution="Gen0_Sol_0", status="not_proven", gain=1.0, low=1.0, high=1.0)
    assert set(shares(started({"cpu": 1}), found).values()) == {1.0}


def test_what_an_older_run_did_not_read_is_not_known() -> None:
    older = PROVEN.model_copy(update={"figures": ()})
    scored = Confirmed(solution="Gen1_Sol_1", status="proven", score=2.0, score_initial=1.0)
    for found in (older, scored):
        assert set(shares(started({"cpu": 1}), found).values()) == {None}


def test_a_set_counts_failures_and_leaves_out_what_has_not_ended() -> None:
    row = Result(run="", problem="p", status="proven", best_solution_id="", gain=4.0, et=1.0)
    failed = replace(row, status="failed", et=0.0)  # it broke after its confirmation
    going = replace(row, status="interrupted", gain=1.0, et=None)
    scored = replace(row, gain=None, et=None)
    found = overall([row, failed, going, scored])
    assert found["gain"].count == 2
    assert found["gain"].geometric == pytest.approx(2.0)
    assert found["gain"].from_large == 0.5
    assert (found["et"].harmonic, found["et"].median) == (0.0, 0.5)
    assert set(found) == {"gain", "et"}
    told = as_json(found)
    assert set(told["et"]) == {"count", "harmonic", "geometric", "median", "unknown"}
    assert "from_small" in told["gain"]
    assert "unknown" not in told["gain"]


def test_a_share_that_could_not_be_measured_is_in_no_mean_and_counted() -> None:
    row = Result(run="", problem="p", status="proven", best_solution_id="", gain=4.0, et=0.2)
    found = overall([row, replace(row, et=None), replace(row, status="interrupted", et=None)])
    assert (found["et"].count, found["et"].unknown) == (1, 1)
    assert as_json(found)["et"]["unknown"] == 1
    assert set(found) == {"gain", "et"}
