"""Problems whose programs are modules of a package, called by a workload.

What runs is a text that holds all of them (`problem.packed`): for the rest of the evaluators it
is the program of a problem of functions. Not here: how the modules are put in their places.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.kinds.function import FunctionEvaluator, lost
from evaluators.observing.report import ProgramText
from evaluators.sandbox.job import Sandbox
from evaluators.suite.suite import Suite
from se_agent.config.sections import Measure
from se_agent.problem.model import Problem, ProblemKind
from se_agent.problem.packed import packed_program
from se_agent.program.editable import in_file, in_words, names_of
from se_agent.program.features import changed_outside
from se_agent.program.parsing import tree_of
from se_agent.program.side_effects import listed_effects, lost_effects
from se_agent.program.source_check import defined_names
from se_agent.values.evaluation import (
    Block,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.observation import GrowthPair, Observation
from se_agent.values.solution import Solution


class WorkloadEvaluator(FunctionEvaluator):
    """Calls a workload, which calls the program; takes what `TimedEvaluator` takes."""

    def __init__(
        self,
        problem: Problem,
        *,
        measure: Measure,
        isolation: str = "jail",
        seed: int = 0,
        sandbox: Sandbox | None = None,
        objective: Objective = CPU_TIME,
    ) -> None:
        super().__init__(
            packed_problem(problem),
            measure=measure,
            isolation=isolation,
            seed=seed,
            sandbox=sandbox,
            objective=objective,
        )
        self._modules = problem
        gate = problem.gate
        self._tests = Suite(gate, isolation, problem.opened) if gate else None

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured; see `Evaluator.preflight`."""
        texts = in_project(self._modules, solution.files)
        tests = self._tests.require(texts).cpu_seconds if self._tests else 0.0
        found = super().preflight(self._packed(solution))
        return replace(found, cost_seconds=found.cost_seconds + tests)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Run the workload on the visible tests, then the tests of the user's own."""
        if (found := refused(self._modules, solution.files)) is not None:
            return found
        evaluation = super().evaluate(self._packed(solution))
        if self._tests is None or evaluation.status is not Status.AC:
            return evaluation
        return self._tests.judged(in_project(self._modules, solution.files), evaluation)

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
        sides = self._packed(reference), self._packed(candidate)
        return super().block(*sides, number=number, pairs=pairs, inputs=inputs)

    def patient_block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Measure one block, and cut no loser short; see `Patient.patient_block`."""
        sides = self._packed(reference), self._packed(candidate)
        return super().patient_block(*sides, number=number, pairs=pairs, inputs=inputs)

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Look for an input of the workload that refutes a program; see `Challenger.hunt`."""
        return super().hunt(self._packed(solution), seconds=seconds, strict=strict)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Run a program on counterexamples to others; see `Challenger.retest`."""
        return super().retest(self._packed(solution), tests)

    def reduced(
        self, solution: Solution, failed: FailedCase, *, seconds: float
    ) -> Counterexample | None:
        """Return a small input on which a program is wrong; see `Reducing.reduced`."""
        return super().reduced(self._packed(solution), failed, seconds=seconds)

    def growth(self, old: Solution, new: Solution) -> GrowthPair | None:
        """Return how two programs grow with the workload's input; see `Growable.growth`."""
        return super().growth(self._packed(old), self._packed(new))

    def observe(self, solution: Solution) -> Observation:
        """Watch the first file of a right program; see `Observing.observe`."""
        packed, path = self._packed(solution), self._modules.path
        program = ProgramText.of(solution.files[path], sent=packed.text, path=path)
        return self._observer.observe(packed, program)

    def close(self) -> None:
        """End the fork server and all that was started; see `Evaluator.close`."""
        if self._tests is not None:
            self._tests.stop()
        super().close()

    def _packed(self, solution: Solution) -> Solution:
        text = packed_program(self._modules, solution.files)
        return replace(solution, files={self._problem.path: text})


def in_project(problem: Problem, files: Mapping[str, str]) -> dict[str, str]:
    """Return texts by their paths below the folder that the tests are run on a copy of."""
    workload, gate = problem.workload, problem.gate
    if workload is None or gate is None:
        return {}
    root = Path(gate.root)
    return {
        str(Path(workload.modules[path].file).relative_to(root)): text
        for path, text in files.items()
    }


def refused(problem: Problem, files: Mapping[str, str]) -> Evaluation | None:
    """Return the evaluation of files that are no Python, or change what may not change."""
    initial = problem.initial().files
    if files.keys() != initial.keys():
        return Evaluation(status=Status.REJECTED, feedback="it has other files")
    for path, text in files.items():
        if (told := _uncompiled(path, text)) is not None:
            return Evaluation(status=Status.CE, feedback=told)
        own = in_file(problem.editable, path)
        if own is None and text != initial[path]:
            return Evaluation(status=Status.REJECTED, feedback=f"it changes {path}")
        if own and changed_outside(initial[path], text, own):
            told = f"it changes more than {in_words(own)} of {path}"
            return Evaluation(status=Status.REJECTED, feedback=told)
        for name in _held(own, initial[path], text):
            if gone := lost_effects(initial[path], text, name):
                return lost(listed_effects(gone))
    return None


def _held(own: str | None, old: str, new: str) -> Sequence[str]:
    """Return whose side effects are asked for; of a whole module, what both texts define."""
    if own != "":
        return names_of(own or "")
    first, second = (defined_names(tree_of(text)) for text in (old, new))
    return [name for name in first if name in second]


def packed_problem(problem: Problem) -> Problem:
    """Return the problem of functions whose programs hold the modules and call the workload."""
    assert problem.workload is not None
    files = problem.initial().files
    programs = {
        name: packed_program(problem, {**files, problem.path: text})
        for name, text in problem.programs.items()
    }
    return replace(
        problem,
        kind=ProblemKind.FUNCTION,
        programs=programs,
        path="workload.py",
        files={},
        editable="",
        gate=None,
    )


def _uncompiled(path: str, text: str) -> str | None:
    """Return what is wrong with a text that is no Python; None for one that is."""
    try:
        tree: ast.Module = tree_of(text, path)
        compile(tree, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as err:
        line = getattr(err, "lineno", None)
        place = f" ({path}:{line})" if line else ""
        return f"{type(err).__name__}: {getattr(err, 'msg', None) or err}{place}"
    return None


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.abilities.evaluator import Challenger, Drawing, Observing, Patient, Reducing
    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = WorkloadEvaluator
    _challenger: Callable[..., Challenger] = WorkloadEvaluator
    _drawing: Callable[..., Drawing] = WorkloadEvaluator
    _observing: Callable[..., Observing] = WorkloadEvaluator
    _patient: Callable[..., Patient] = WorkloadEvaluator
    _reducing: Callable[..., Reducing] = WorkloadEvaluator
