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
from se_agent.values.evaluation import Block, InputSet, Preflight, Status
from se_agent.values.solution import Solution


class WorkloadEvaluator(FunctionEvaluator):
    """Calls a workload, which calls the program; takes what `TimedEvaluator` takes."""

    _is_preloaded = False

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the workload."""
        return WorkloadRunner(problem)

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured; see `Evaluator.preflight`."""
        found = super().preflight(solution)
        self._preload()
        return found

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Measure one block; see `Evaluator.block`."""
        self._preload()
        return super().block(reference, candidate, number=number, pairs=pairs, inputs=inputs)

    def _preload(self) -> None:
        """Have what the package takes of the standard library loaded before its programs.

        Each run imports the package anew, since some of its modules are replaced. Of what a
        published package imports, a third to a half is the library's.
        """
        bench = self._bench
        if self._is_preloaded or not isinstance(bench.sandbox, Preloading):
            return
        self._is_preloaded = True
        text = loaded_program(self._problem, self._problem.initial().files)
        limits = self._problem.limits
        outcome = bench.runner.run(bench.sandbox, text, (wire.dumps(()),), limits)
        if outcome.status is Status.AC:
            bench.sandbox.preload(wire.loads(outcome.answers[0].value).split())
