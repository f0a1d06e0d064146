"""Listed inputs: a run takes all of them where calls are short, and asks for no more."""

from __future__ import annotations

from se_agent.problem.model import Expr, Ladder
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def test_listed_inputs_are_all_used_where_calls_are_short() -> None:
    listed = tuple(Expr(code=f"(10, {salt})") for salt in range(300))
    problem = timed_problem(1e-6, ladder=Ladder(fresh=False, search=listed, final=listed))
    one, two = solution(program(1e-6)), solution(program(2e-6))
    block = evaluator(problem, ScriptedSandbox()).block(one, two, number=0, pairs=2)
    assert block.inputs + block.warm == 300


def test_where_there_are_no_more_inputs_it_does_not_look_for_more() -> None:
    listed = tuple(Expr(code=f"(10, {salt})") for salt in range(5))
    problem = timed_problem(ladder=Ladder(fresh=False, search=listed, final=listed))
    measuring = evaluator(problem, sandbox := ScriptedSandbox())
    one, two = solution(program(1e-6)), solution(program(2e-6))
    block = measuring.block(one, two, number=0, pairs=2)
    assert (block.inputs, block.warm) == (4, 1)
    ran = [job.program for job in sandbox.jobs].count(two.text)
    assert ran == 4  # two looks, and two pairs
