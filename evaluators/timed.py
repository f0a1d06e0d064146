"""The evaluator of timed problems, whatever the mode of their programs.

`evaluators.function` and `evaluators.stdio` give it a runner, and are all that differs.
"""

from __future__ import annotations

from dataclasses import replace

from evaluators.bench import Bench
from evaluators.cases import Cases
from evaluators.measure.block import Blocks
from evaluators.preflight import preflight
from evaluators.runner import Runner
from evaluators.sandbox.job import Sandbox
from evaluators.suite.suite import Suite
from se_agent.code import changed_outside
from se_agent.config import Measure
from se_agent.problem import Problem
from se_agent.types import Block, Evaluation, InputSet, Kind, Preflight, Solution, Status


class TimedEvaluator:
    """Checks answers and measures net CPU time; the fork server starts at first use.

    Args:
        problem: What is solved.
        runner: How its programs run.
        measure: How long and how often they run for a comparison.
        isolation: Level of the sandbox.
        seed: Of inputs and of the order within pairs.
        sandbox: Used instead of a fork server, and closed with the evaluator.
    """

    def __init__(
        self,
        problem: Problem,
        runner: Runner,
        *,
        measure: Measure,
        isolation: str = "jail",
        seed: int = 0,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._problem = problem
        self._runner = runner
        self._measure = measure
        place = sandbox or started(problem, isolation)
        self._bench = Bench.of(problem, place, runner, seed=seed)
        self._cases = Cases(self._bench)
        self._blocks = Blocks(self._bench, measure, seed=seed)
        self._suite = Suite(problem.gate, isolation) if problem.gate else None

    @property
    def kind(self) -> Kind:
        """Blocks of paired CPU times."""
        return Kind.TIMED

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured; see `Evaluator.preflight`."""
        tests = self._suite.require(solution.text).cpu_seconds if self._suite else 0.0
        bench = self._bench
        fresh = Bench.of(self._problem, bench.sandbox, self._runner, seed=bench.seed)
        found = preflight(bench, self._cases, self._measure, solution, fresh=fresh)
        return replace(found, cost_seconds=found.cost_seconds + tests)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Run the visible tests (LM-61); see `Evaluator.evaluate`."""
        editable = self._problem.editable
        if editable and changed_outside(self._problem.initial().text, solution.text, editable):
            return Evaluation(
                status=Status.REJECTED, feedback=f"it changes more than {editable!r}"
            )
        evaluation = self._cases.evaluate(solution)
        if self._suite is None or evaluation.status is not Status.AC:
            return evaluation
        return self._suite.judged(solution, evaluation)

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
        return self._blocks.measure(
            reference, candidate, number=number, pairs=pairs, inputs=inputs
        )

    def close(self) -> None:
        """End the fork server and all that it started; see `Evaluator.close`."""
        self._bench.sandbox.close()


def started(problem: Problem, isolation: str) -> Sandbox:
    """Return a sandbox for programs of a problem; its first job starts it.

    Raises:
        IsolationError: This machine cannot give that isolation.
        ProblemError: A package that programs import is not installed here.
    """
    from evaluators.sandbox.server import ForkServer

    return ForkServer(isolation=isolation, imports=problem.imports, site=problem.site)
