"""Problems whose programs read standard input and write standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluators.runner import StdioRunner
from evaluators.sandbox.job import Sandbox
from evaluators.timed import TimedEvaluator
from se_agent.config import Measure
from se_agent.problem import Problem


class StdioEvaluator(TimedEvaluator):
    """Starts the program cold, once an input; its imports count.

    Answers are compared word by word, unless the problem has a checker: layout is free.

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
            StdioRunner(problem),
            measure=measure,
            isolation=isolation,
            seed=seed,
            sandbox=sandbox,
        )


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = StdioEvaluator
