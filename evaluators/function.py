"""Problems whose programs are called: an entry point, arguments, an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluators.counterexample.forms import CalledForm, Formed
from evaluators.runner import CallRunner, Runner
from evaluators.timed import TimedEvaluator
from se_agent.problem import Problem


class FunctionEvaluator(TimedEvaluator):
    """Calls the entry point, with up to `RUN_INPUTS` distinct inputs a run.

    Modules of `problem.imports` and of `zygote.COMMON` are loaded before the fork: importing
    them costs a program nothing. Nor does compiling its own text, up to 10 ms.
    """

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the entry point."""
        return CallRunner(problem)

    @property
    def formed(self) -> Formed:
        """Return what makes up arguments."""
        return CalledForm


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Challenger, Evaluator, Observing, Patient

    _: Callable[..., Evaluator] = FunctionEvaluator
    _challenger: Callable[..., Challenger] = FunctionEvaluator
    _observing: Callable[..., Observing] = FunctionEvaluator
    _patient: Callable[..., Patient] = FunctionEvaluator
