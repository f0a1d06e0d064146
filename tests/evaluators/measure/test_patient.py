"""Blocks that wait for a loser: how much slower it is gets told, not only that it is."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.judging.reference import against_reference
from se_agent.problem.model import Limits, Problem
from se_agent.stats.summary import reached_share
from se_agent.values.evaluation import Block, ComparisonKind, InputSet, Status
from se_agent.values.objective import CPU_TIME, Objective, Quantity
from tests.engine.runs import new_state
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem
from tests.fakes import number_run

KNOWN, FIVE_TIMES = program(0.005), program(0.025)


def waited_for(
    candidate: str, *, problem: Problem | None = None, objective: Objective = CPU_TIME
) -> Block:
    measuring = evaluator(
        problem or timed_problem(),
        ScriptedSandbox(),
        objective=objective,
        isolation="namespace",  # wall time can be measured there
    )
    return measuring.patient_block(
        solution(KNOWN), solution(candidate), number=0, pairs=4, inputs=InputSet.FINAL
    )


@pytest.mark.parametrize("slower", [5, 50])
@pytest.mark.parametrize("weights", [{"cpu": 1.0}, {"wall": 1.0}])
def test_a_loser_is_measured_to_the_end(slower: int, weights: dict[str, float]) -> None:
    objective = Objective.weighted(weights)
    block = waited_for(program(0.005 * slower), objective=objective)
    assert (block.status, block.feedback) == (Status.AC, "")
    assert block.effect == pytest.approx(-math.log(slower), abs=1e-6)
    figures = {figure.quantity: reached_share(figure) for figure in block.figures}
    assert figures[Quantity.CPU] == pytest.approx(1 / slower)


def test_one_that_never_ends_is_still_ended() -> None:
    problem = timed_problem(limits=Limits(cpu_seconds=0.2))
    block = waited_for(program(5.0), problem=problem)
    assert (block.status, block.reference_status) == (Status.TLE, Status.AC)


def test_a_program_five_times_slower_than_the_reference_reaches_a_fifth_of_it() -> None:
    problem = timed_problem(
        programs={"initial": program(0.1), "known": KNOWN}, reference="known"
    )
    config = number_run(Path("unused"))
    with Journal(Path(":memory:")) as journal:
        measuring = evaluator(problem, ScriptedSandbox())
        arena = Arena([measuring], Recorder(journal, new_state(config), ()))
        found = against_reference(
            arena, problem, solution(FIVE_TIMES), config, ComparisonKind.TIMED
        )
    assert found.why_not == ""
    figures = {figure.quantity: reached_share(figure) for figure in found.figures}
    assert figures[Quantity.CPU] == pytest.approx(0.2)
