"""The visible tests: is a program right?

Not here: how fast it is (`evaluators.measure`). The times seen here are never compared.
"""

from __future__ import annotations

from evaluators.answers.bench import Batch, Bench, ProgramTrial
from se_agent.errors import ProblemError
from se_agent.values.evaluation import Evaluation, FailedCase, Measurement, Status
from se_agent.values.solution import Solution


class Cases:
    """Runs all visible tests in one go, in the order in which they are written.

    So the first failure is the same whoever looks, and after whatever else.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._batch: Batch | None = None

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return how the solution fares; the first failing case ends it.

        Raises:
            ProblemError: The cases cannot be made; no candidate is to blame.
        """
        before = self._bench.sandbox.spent
        if self._batch is None:
            self._batch = self._prepared()
        program = self._bench.runner.program_of(solution)
        trial = self._bench.trial(program, self._batch, ties=True)
        cost = self._bench.sandbox.spent - before
        if trial.status is Status.AC:
            measured = Measurement(cpu_seconds=trial.cpu_seconds, peak_bytes=trial.peak_bytes)
            return Evaluation(
                status=Status.AC,
                measurement=measured,
                feedback=trial.feedback,
                cost_seconds=cost,
            )
        return Evaluation(
            status=trial.status,
            failing=self._failing(trial),
            feedback=trial.feedback,
            cost_seconds=cost,
            full_output=trial.full_output,
        )

    def _prepared(self) -> Batch:
        given = self._bench.problem.cases
        if not given:
            raise ProblemError(
                f"{self._bench.problem.name!r} has no visible test",
                hint="give it cases, or a generator and `visible` inputs",
            )
        inputs = self._bench.pool.real([case.input for case in given])
        return Batch(inputs, self._bench.oracle.case_answers(inputs))

    def _failing(self, trial: ProgramTrial) -> tuple[FailedCase, ...]:
        cases = self._bench.problem.cases
        if not 0 <= trial.failed < len(cases):
            return ()
        return (
            FailedCase(
                name=cases[trial.failed].name,
                expected=trial.expected,
                got=trial.got,
                input=trial.input,
                relative=trial.relative,
            ),
        )
