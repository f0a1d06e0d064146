"""The evaluator of timed problems, whatever the mode of their programs.

`evaluators.kinds.function` and `evaluators.kinds.stdio` say how programs run, and are all that
differs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from evaluators.answers.bench import Bench
from evaluators.answers.cases import Cases
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import Formed
from evaluators.counterexample.search import CounterexampleSearch
from evaluators.kinds.preflight import preflight
from evaluators.kinds.refusing import refused, tested_texts
from evaluators.measure.block import Blocks
from evaluators.measure.means import require
from evaluators.observing.observer import Observer, growing, small
from evaluators.running.runner import Runner
from evaluators.sandbox.job import Sandbox
from evaluators.suite.suite import Suite
from se_agent.config.sections import Measure
from se_agent.errors import ConfigError
from se_agent.problem.model import Problem
from se_agent.program.language import Language
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.objective import CPU_TIME, Objective
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution


class TimedEvaluator:
    """Checks answers and measures net CPU time; the fork server starts at first use.

    Args:
        problem: What is solved.
        measure: How long and how often they run for a comparison.
        isolation: Level of the sandbox.
        seed: Seed for the inputs and for the order within pairs.
        sandbox: Used instead of a fork server, and closed with the evaluator.
        objective: In which programs are compared.

    Attributes:
        kind: Blocks of pairs, or a single count of each where that is exact.

    Raises:
        ConfigError: The objective cannot be measured here, or not at this level.
    """

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
        require(objective, isolation)
        self.kind = ComparisonKind.COUNTED if objective.exact else ComparisonKind.TIMED
        self._problem = problem
        self._objective = objective
        self._runner = self.runner(problem)
        self._measure = measure
        place = sandbox or started(problem, isolation)
        self._bench = Bench.of(problem, place, self._runner, seed=seed)
        self._cases = Cases(self._bench)
        self._counting = counting(problem, isolation) if objective.exact else None
        self._blocks = Blocks(
            self._bench,
            measure,
            seed=seed,
            objective=objective,
            counting=self._counting,
        )
        corpus = self._corpus = Corpus(self._bench, self.formed, seed=seed)
        self._search = CounterexampleSearch(self._bench, corpus)
        self._observer = Observer(
            self._bench,
            growing=partial(growing, self._bench),
            small=partial(small, corpus, seed),
        )
        self._suite = Suite(problem.gate, isolation, problem.opened) if problem.gate else None

    def runner(self, problem: Problem) -> Runner:
        """Return what runs the programs; each mode has its own."""
        raise NotImplementedError

    @property
    def formed(self) -> Formed:
        """What makes up inputs; each mode has its own."""
        raise NotImplementedError

    def draw(self, seed: int) -> None:
        """Draw final inputs by another seed; see `Drawing.draw`."""
        self._blocks.draw(seed)
        self._corpus.draw(seed)

    def preflight(self, solution: Solution) -> Preflight:
        """Make sure that the problem can be measured; see `Evaluator.preflight`."""
        bench, tests = self._bench, 0.0
        if self._suite is not None:
            texts = tested_texts(self._problem, solution)
            tests = self._suite.require(texts).cpu_seconds
        fresh = Bench.of(self._problem, bench.sandbox, self._runner, seed=bench.seed)
        found = preflight(
            bench,
            self._cases,
            self._measure,
            solution,
            fresh=fresh,
            objective=self._objective,
        )
        return replace(found, cost_seconds=found.cost_seconds + tests)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Run the visible tests (LM-61), unless it is refused; see `Evaluator.evaluate`."""
        if (found := refused(self._problem, solution)) is not None:
            return found
        evaluation = self._cases.evaluate(solution)
        if self._suite is None or evaluation.status is not Status.AC:
            return evaluation
        return self._suite.judged(tested_texts(self._problem, solution), evaluation)

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
        return self._blocks.measure(
            reference, candidate, number=number, pairs=pairs, inputs=inputs, patient=True
        )

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Look for an input that refutes a program; see `Challenger.hunt`."""
        return self._search.hunt(solution, seconds=seconds, strict=strict)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Run a program on counterexamples to others; see `Challenger.retest`."""
        return self._search.retest(solution, tests)

    def observe(self, solution: Solution) -> Observation:
        """Watch a right program; see `Observing.observe`."""
        return self._observer.observe(solution)

    def close(self) -> None:
        """End the fork server and all that was started; see `Evaluator.close`."""
        if self._suite is not None:
            self._suite.stop()
        if self._counting is not None:
            self._counting.close()
        self._bench.sandbox.close()


def counting(problem: Problem, isolation: str) -> Sandbox:
    """Return a sandbox that counts instructions of programs of a problem.

    Raises:
        ConfigError: It cannot count those of such programs.
    """
    from evaluators.counting.valgrind import CountingSandbox

    foreign = [name for name in problem.imports if name not in sys.stdlib_module_names]
    if foreign or problem.language is not Language.PYTHON:
        what = foreign[0] if foreign else problem.language
        raise ConfigError(
            f"objective 'instructions' counts plain Python only, and programs use {what}",
            hint="--set objective=cpu measures CPU time",
        )
    return CountingSandbox(jailed=isolation != "none", imports=problem.imports)


def started(problem: Problem, isolation: str) -> Sandbox:
    """Return a sandbox for programs of a problem; its first job starts it.

    Raises:
        IsolationError: This machine cannot give that isolation, or the programs need another.
        ProblemError: A package that programs import, or their compiler, is not installed here.
    """
    from evaluators.languages.hosts import require_host, run_time
    from evaluators.sandbox.isolation.levels import require_room
    from evaluators.sandbox.server.fork_server import ForkServer

    require_host(isolation, problem.language)
    require_room(isolation, problem.needs)
    server = ForkServer(
        isolation=isolation,
        imports=problem.imports,
        site=problem.site,
        opened=problem.opened,
        run_time=run_time(problem.language),
    )
    if problem.language is Language.PYTHON:
        return server
    from evaluators.languages.compiling import CompilingSandbox
    from evaluators.languages.table import TABLE

    # What a program names as its flags is no work of its source: all have those of the first.
    flags = TABLE[problem.language].asked(problem.initial().text)
    return CompilingSandbox(server, problem.language, isolation, flags=flags)
