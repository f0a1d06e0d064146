"""How many inputs a run answers: as many as it takes, but no more than its answers fit.

Of nine that fit, the first two are not measured.
"""

from __future__ import annotations

import pytest

from se_agent.problem.model import Limits, Problem
from se_agent.values.evaluation import InputSet
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem

QUICK = program(0.0001, "'x' * 1000")  # twenty inputs make a run that is long enough


def wordy(output_bytes: int) -> Problem:
    limits = Limits(output_bytes=output_bytes)
    return timed_problem(programs={"initial": QUICK}, cases=(), limits=limits)


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize(
    ("output_bytes", "answered"),
    [
        pytest.param(1 << 20, 20, id="room-for-all"),
        pytest.param(20_000, 7, id="half-of-the-room"),
        pytest.param(500, 1, id="never-none"),
    ],
)
def test_all_answers_of_a_run_fit(output_bytes: int, answered: int, inputs: InputSet) -> None:
    measuring = evaluator(wordy(output_bytes), ScriptedSandbox())
    block = measuring.block(solution(QUICK), solution(QUICK), number=0, pairs=2, inputs=inputs)
    assert block.inputs == answered


def test_a_screening_block_is_cheap() -> None:
    measuring, own = evaluator(timed_problem(), ScriptedSandbox()), solution(program(0.005))
    measuring.block(own, own, number=0, pairs=2)  # what first calls do is known from now on
    candidate = solution(program(0.0049))
    assert measuring.block(own, candidate, number=0, pairs=2).cost_seconds < 0.5
