"""Problems whose programs are called: an entry point, arguments, an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evaluators.counterexample.forms import CalledForm, Formed
from evaluators.counterexample.reducing import reduced
from evaluators.kinds.timed import TimedEvaluator
from evaluators.observing.growth import growth_pair
from evaluators.running.runner import CallRunner, Runner
from evaluators.sandbox.job import Preloading
from se_agent import wire
from se_agent.problem.model import Problem
from se_agent.problem.packed import loaded_program
from se_agent.program.side_effects import listed_effects, side_effects
from se_agent.values.evaluation import (
    Block,
    Counterexample,
    FailedCase,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.objective import CPU_TIME
from se_agent.values.observation import GrowthPair
from se_agent.values.solution import Solution

_BESIDES = (
    "Programs that plainly no longer do so are refused; what comes of it is not compared."
)


class FunctionEvaluator(TimedEvaluator):
    """Calls the entry point, with up to `RUN_INPUTS` distinct inputs a run.

    Modules of `problem.imports` and of `zygote.COMMON` are loaded before the fork: importing
    them costs a program nothing. Nor does compiling its own text, up to 10 ms.
    """

    def runner(self, problem: Problem) -> Runner:
        """Return what calls the entry point."""
        return CallRunner(problem)

    _is_preloaded = False

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
        """Have ready what a package imports: each run imports it anew.

        Of what a published package imports, a third to a half is the library's. The rest is
        compiled, where nobody did.
        """
        bench, problem, sandbox = self._bench, self._problem, self._bench.sandbox
        if self._is_preloaded or not (problem.site or problem.workload):
            return
        self._is_preloaded = True
        if not isinstance(sandbox, Preloading):
            return
        program = self._runner.program_of(problem.initial())
        text = loaded_program(program, problem.entry_point)
        outcome = bench.runner.run(bench.sandbox, text, (wire.dumps(()),), problem.limits)
        if outcome.status is Status.AC:
            library, files = wire.loads(outcome.answers[0].value)
            sandbox.preload(library.split() if problem.workload else (), files)
            bench.sandbox.restart()

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured; see `Evaluator.preflight`."""
        self._preload()
        found, name = super().preflight(solution), self._problem.entry_point
        program = self._runner.program_of(solution)
        if not (effects := side_effects(program, name)):
            return found
        doubt = f"`{name}` {listed_effects(effects)}. {_BESIDES}"
        return replace(found, notes=(*found.notes, doubt))

    def reduced(
        self, solution: Solution, failed: FailedCase, *, seconds: float
    ) -> Counterexample | None:
        """Return a small input on which a program is wrong; see `Reducing.reduced`."""
        data = self._bench.failures.get(self._runner.program_of(solution))
        if data is None:
            return None
        found = reduced(self._bench, solution, data, seconds=seconds, seed=self._bench.seed)
        if found is None:
            return None
        smaller = ", made smaller" if found.arguments.encode() != data else ""
        name = f"{failed.name}{smaller}"
        return replace(found, failed=replace(found.failed, name=name))

    def growth(self, old: Solution, new: Solution) -> GrowthPair | None:
        """Return how two programs grow with the input; see `Growable.growth`."""
        return growth_pair(self._bench, old, new) if self._objective == CPU_TIME else None

    @property
    def formed(self) -> Formed:
        """Return what makes up arguments."""
        return CalledForm


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.abilities.evaluator import (
        Challenger,
        Drawing,
        Growable,
        Observing,
        Patient,
        Reducing,
    )
    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = FunctionEvaluator
    _challenger: Callable[..., Challenger] = FunctionEvaluator
    _drawing: Callable[..., Drawing] = FunctionEvaluator
    _growing: Callable[..., Growable] = FunctionEvaluator
    _observing: Callable[..., Observing] = FunctionEvaluator
    _patient: Callable[..., Patient] = FunctionEvaluator
    _reducing: Callable[..., Reducing] = FunctionEvaluator
