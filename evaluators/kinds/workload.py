"""Problems whose programs are modules of a package, called by a workload.

What runs is a text that holds all of them: for the rest of the evaluators it is a program that
is called. Not here: how the modules are put in their places (`problem.packed`).
"""

from __future__ import annotations

from evaluators.kinds.function import FunctionEvaluator
from evaluators.running.runner import Runner, WorkloadRunner
from se_agent.problem.model import Problem


class WorkloadEvaluator(FunctionEvaluator):
    """Calls a workload, which calls the program; takes what `TimedEvaluator` takes."""

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the workload."""
        return WorkloadRunner(problem)
