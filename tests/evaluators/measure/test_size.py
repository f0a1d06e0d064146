"""How many inputs a run answers: as many as it takes, but no more than its answers fit.

Of nine that fit, the first two are not measured.
"""

from __future__ import annotations

import math
from dataclasses import replace

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


def test_a_run_is_longer_where_its_process_takes_long_to_begin() -> None:
    taken = []
    for startup in (0.002, 0.2):
        sandbox = ScriptedSandbox(startup=startup)
        measuring = evaluator(timed_problem(programs={"initial": QUICK}, cases=()), sandbox)
        own, other = solution(QUICK), solution(program(0.00009, "'x' * 1000"))
        block = measuring.block(own, other, number=0, pairs=2)
        taken.append(block.inputs * block.reference)
    assert taken[0] == pytest.approx(0.02, rel=0.2)
    assert taken[1] == pytest.approx(0.1, rel=0.25)  # half of what it takes to begin


@pytest.mark.parametrize(
    ("times", "level", "effect"),
    [
        pytest.param("0.5 if size == 1000 else 1.0", 2, math.log(2), id="only-there"),
        pytest.param("1.0", 0, 0.0, id="nowhere"),
        pytest.param("0.5", 0, math.log(2), id="everywhere"),
        pytest.param("2.0 if size < 1000 else 0.5", 0, -math.log(2), id="worse-here"),
    ],
)
def test_a_gain_that_only_the_inputs_of_the_claim_show_is_searched_on_them(
    times: str, level: int, effect: float
) -> None:
    own = program(0.0001)
    candidate = f"{own}def cost(size, salt): return 0.0001 * size * ({times})\n"
    ladder = replace(timed_problem().ladder, search_level=0, final_level=2)
    problem = timed_problem(programs={"initial": own}, ladder=ladder)
    measuring = evaluator(problem, ScriptedSandbox())
    block = measuring.block(solution(own), solution(candidate), number=0, pairs=2)
    assert block.level == level
    assert block.effect == pytest.approx(effect, abs=0.02)


def test_others_on_the_core_do_not_make_a_first_call_look_long() -> None:
    texts = program(0.0025), program(0.0024)  # 25 ms a call: one is a run
    apart = []
    for seed in range(10):
        measuring = evaluator(timed_problem(), ScriptedSandbox(shared=0.4, seed=seed))
        block = measuring.block(*map(solution, texts), number=0, pairs=2)
        apart.append(block.warm > 0)
    assert sum(apart) <= 1
