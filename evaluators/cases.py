"""The visible tests: is a program right?

Not here: how fast it is (`evaluators.measure`). The times seen here are never compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.bench import Batch, Bench, Trial
from se_agent.errors import ProblemError
from se_agent.types import Evaluation, FailedCase, Measurement, Solution, Status


@dataclass
class _Visible:
    name: str
    place: int
    failures: int = 0


class Cases:
    """Runs all visible tests in one go; those that failed programs most often come first."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._cases: list[_Visible] | None = None
        self._batch = Batch((), ())

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return how the solution fares; the first failing case ends it.

        Raises:
            ProblemError: The cases cannot be made; no candidate is to blame.
        """
        if self._cases is None:
            self._prepare()
        before = self._bench.sandbox.spent
        trial = self._bench.trial(solution.text, self._batch)
        cost = self._bench.sandbox.spent - before
        if trial.status is Status.AC:
            measured = Measurement(cpu_seconds=trial.cpu_seconds, peak_bytes=trial.peak_bytes)
            return Evaluation(status=Status.AC, measurement=measured, cost_seconds=cost)
        return Evaluation(
            status=trial.status,
            failing=self._failing(trial),
            feedback=trial.feedback,
            cost_seconds=cost,
        )

    def _prepare(self) -> None:
        given = self._bench.problem.cases
        if not given:
            raise ProblemError(
                f"{self._bench.problem.name!r} has no visible test",
                hint="give it cases, or a generator and `visible` inputs",
            )
        inputs = self._bench.pool.real([case.input for case in given])
        expected = self._bench.oracle.case_answers(inputs)
        self._batch = Batch(inputs, expected)
        self._cases = [_Visible(case.name, place) for place, case in enumerate(given)]

    def _failing(self, trial: Trial) -> tuple[FailedCase, ...]:
        cases = self._cases or []
        if not 0 <= trial.failed < len(cases):
            return ()
        failed = cases[trial.failed]
        failed.failures += 1
        self._reorder()
        return (
            FailedCase(
                name=failed.name,
                expected=trial.expected,
                got=trial.got,
                input=trial.input,
            ),
        )

    def _reorder(self) -> None:
        cases = self._cases or []
        ranked = sorted(range(len(cases)), key=lambda i: (-cases[i].failures, cases[i].place))
        self._batch = Batch(
            tuple(self._batch.inputs[i] for i in ranked),
            tuple(self._batch.expected[i] for i in ranked),
        )
        self._cases = [cases[i] for i in ranked]
