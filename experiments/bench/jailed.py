"""What an evaluator makes of the same machine: a trivial candidate, jailed, run and checked."""

from __future__ import annotations

from drivers import rate

from evaluators.kinds.function import FunctionEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution

_PROGRAM = "def solve(x):\n    return x\n"
_CANDIDATE = Solution(id="Gen1_Sol_0", files={"main.py": _PROGRAM})


def prepare(isolation: str = "jail") -> FunctionEvaluator:
    """Make an evaluator, with its fork server started and the right answer known."""
    problem = Problem(
        name="trivial",
        kind=ProblemKind.FUNCTION,
        programs={"initial": _PROGRAM},
        entry_point="solve",
        cases=(Case(name="one", input=Expr(code="(1,)")),),
    )
    evaluator = FunctionEvaluator(problem, measure=Measure(), isolation=isolation)
    one(evaluator)
    return evaluator


def one(evaluator: FunctionEvaluator) -> None:
    """Evaluate the candidate."""
    assert evaluator.evaluate(_CANDIDATE).status is Status.AC


if __name__ == "__main__":
    rate(prepare, one)
