"""Small problems to try evaluators on; `cost` is only read by the scripted sandbox."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evaluators.kinds.function import FunctionEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.solution import Solution
from tests.evaluators.scripted import ScriptedSandbox

GENERATOR = """
def draw(rng, size):
    return (size, rng.randrange(10**9))
"""


def program(seconds: float, answer: str = "size * size + salt") -> str:
    """Return a program that takes `seconds` a unit of size."""
    return (
        f"def solve(size, salt):\n    return {answer}\n"
        f"def cost(size, salt):\n    return {seconds} * size\n"
    )


def solution(text: str, *, id: str = "Gen1_Sol_1") -> Solution:
    return Solution(id=id, files={"main.py": text})


def timed_problem(seconds: float = 0.005, **changes: Any) -> Problem:
    """Return a problem whose inputs have sizes 10, 100, 1000: 50 ms for the first."""
    problem = Problem(
        name="squares",
        kind=ProblemKind.FUNCTION,
        programs={"initial": program(seconds)},
        entry_point="solve",
        cases=(
            Case(name="three", input=Expr(code="(3, 1)"), expected="10"),
            Case(name="four", input=Expr(code="(4, 0)")),
        ),
        generator=GENERATOR,
        ladder=Ladder(
            rungs=(("draw(rng, 10)",), ("draw(rng, 100)",), ("draw(rng, 1000)",)),
        ),
    )
    return replace(problem, **changes)


def evaluator(
    problem: Problem,
    sandbox: ScriptedSandbox,
    *,
    measure: Measure | None = None,
    seed: int = 0,
    **more: Any,
) -> FunctionEvaluator:
    return FunctionEvaluator(
        problem, measure=measure or Measure(), seed=seed, sandbox=sandbox, **more
    )
