"""Problems whose programs are called: an entry point, arguments, an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluators.runner import CallRunner
from evaluators.sandbox.job import Sandbox
from evaluators.timed import TimedEvaluator
from se_agent.config import Measure
from se_agent.problem import Problem


class FunctionEvaluator(TimedEvaluator):
    """Calls the entry point, with up to 64 distinct inputs a run.

    Modules of `problem.imports` are loaded before the fork: importing them costs a program
    nothing, compiling its own text does.

    Args:
        problem: What is solved.
        measure: How long and how often programs run for a comparison.
        isolation: Level of the sandbox.
        seed: Of inputs and of the order within pairs.
        sandbox: Used instead of a fork server, and closed with the evaluator.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        measure: Measure,
        isolation: str = "jail",
        seed: int = 0,
        sandbox: Sandbox | None = None,
    ) -> None:
        super().__init__(
            problem,
            CallRunner(problem),
            measure=measure,
            isolation=isolation,
            seed=seed,
            sandbox=sandbox,
        )


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = FunctionEvaluator
