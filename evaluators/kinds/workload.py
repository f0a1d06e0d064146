"""Problems whose programs are modules of a package, called by a workload.

What runs is a text that holds all of them: for the rest of the evaluators it is a program that
is called. Not here: how the modules are put in their places (`problem.packed`).
"""

from __future__ import annotations

from evaluators.kinds.function import FunctionEvaluator
from evaluators.running.runner import Runner, WorkloadRunner
from evaluators.sandbox.job import Preloading
from se_agent import wire
from se_agent.problem.model import Problem
from se_agent.problem.packed import loaded_program
from se_agent.values.evaluation import Preflight, Status
from se_agent.values.solution import Solution


class WorkloadEvaluator(FunctionEvaluator):
    """Calls a workload, which calls the program; takes what `TimedEvaluator` takes."""

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the workload."""
        return WorkloadRunner(problem)

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured, and have its library loaded from now on.

        Each run imports the package anew, since some of its modules are replaced. Of what a
        published package imports, a third to a half is the standard library's.
        """
        found = super().preflight(solution)
        bench, text = self._bench, loaded_program(self._problem, solution.files)
        if isinstance(bench.sandbox, Preloading):
            nothing = (wire.dumps(()),)
            outcome = bench.runner.run(bench.sandbox, text, nothing, self._problem.limits)
            if outcome.status is Status.AC:
                bench.sandbox.preload(wire.loads(outcome.answers[0].value).split())
        return found
