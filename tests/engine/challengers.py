"""A referee of the world of numbers that knows of inputs which no test holds."""

from __future__ import annotations

from collections.abc import Sequence

from se_agent.values.evaluation import (
    Calls,
    ComparisonKind,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    Measurement,
    Status,
)
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, number


class Doubter(NumberEvaluator):
    """A search refutes multiples of five; the counterexample refutes multiples of ten, too.

    With `all_fives` it refutes all multiples of five, also those that were never the best. A
    search takes `cost` seconds. Its counterexamples are for callers who keep answers.
    """

    def __init__(
        self,
        kind: ComparisonKind = ComparisonKind.TIMED,
        *,
        all_fives: bool = False,
        cost: float = 0.5,
    ) -> None:
        super().__init__(kind)
        self._cost = cost
        self.hunted: list[str] = []
        self.retested: list[str] = []
        self._divisor = 5 if all_fives else 10

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Refute multiples of five."""
        self.hunted.append(solution.id)
        value = number(solution)
        if value % 5:
            return Hunt(tried=100, outside="f(-1)", cost_seconds=self._cost)
        failed = FailedCase(
            name="a counterexample", expected="odd", got=str(value), input="(5,)"
        )
        found = Counterexample(
            arguments=f"[{self._divisor}]", calls=Calls.REPEATED, failed=failed
        )
        return Hunt(tried=10, found=found, cost_seconds=self._cost)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Fail what the tests' divisors divide."""
        self.retested.append(solution.id)
        for test in tests:
            if number(solution) % int(test.arguments.strip("[]")) == 0:
                return Evaluation(status=Status.WA, failing=(test.failed,), cost_seconds=0.1)
        return Evaluation(
            status=Status.AC, measurement=Measurement(cpu_seconds=0.1), cost_seconds=0.1
        )


class Powerless(Doubter):
    """Its searches compare nothing."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Say why."""
        self.hunted.append(solution.id)
        return Hunt(note="no process is loaded in time", cost_seconds=self._cost)


class Believer(Doubter):
    """Its searches find nothing, whatever program they are of."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Try, and refute nobody."""
        self.hunted.append(solution.id)
        return Hunt(tried=100, cost_seconds=self._cost)
