"""What a process takes that answers one input only, on a scripted clock."""

from __future__ import annotations

import pytest

from se_agent.values.evaluation import Block, InputSet, Status
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem

TABLE = (
    "made = []\ndef solve(size, salt):\n    return size * size + salt\n"
    "def cost(size, salt):\n    first = not made\n    made.append(size)\n"
    "    return 0.0001 * size + 0.02 * first if solve(1, 1) else 0.0\n"
)


def measured(
    candidate: str, inputs: InputSet, seconds: float = 0.0003, number: int = 0
) -> Block:
    measuring = evaluator(timed_problem(seconds), ScriptedSandbox())
    sides = solution(program(seconds)), solution(candidate)
    return measuring.block(*sides, number=0, pairs=4, inputs=inputs)


def test_a_table_that_the_first_call_fills_is_paid_for_by_one() -> None:
    block = measured(TABLE, InputSet.FINAL)
    assert block.inputs > 1
    size = block.reference / 0.0003
    assert block.alone == pytest.approx((0.0003 * size, 0.0001 * size + 0.02))
    assert block.candidate < block.alone[1]


@pytest.mark.tier("isolation")
def test_one_that_takes_very_long_on_some_inputs_is_not_cut_short() -> None:
    slow = TABLE.replace("0.02 * first", "0.12 * (first and salt % 3 == 0)")
    sides = solution(program(0.0003)), solution(slow)
    measuring = evaluator(timed_problem(0.0003), ScriptedSandbox())
    found = [
        measuring.block(*sides, number=n, pairs=4, inputs=InputSet.FINAL) for n in range(12)
    ]
    alone = [block.alone[1] for block in found if block.status is Status.AC]
    assert min(alone) < 0.01
    assert 0.12 < max(alone) < 0.13


def test_it_is_looked_at_with_final_inputs_only() -> None:
    assert measured(TABLE, InputSet.SEARCH).alone == ()


def test_where_a_run_answers_one_input_there_is_nothing_to_add() -> None:
    block = measured(program(0.1), InputSet.FINAL, seconds=0.2)
    assert (block.inputs, block.alone) == (1, ())
