"""Right answers: what a case states, or what the initial program answers.

Not here: how answers are compared (`evaluators.answers.check`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from evaluators.answers.inputs import Cache, InputPool
from evaluators.running.runner import Runner, headline
from evaluators.running.shown import one_line
from evaluators.running.uncompiled import uncompiled
from evaluators.sandbox.job import JobAnswer, JobOutcome, Sandbox
from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr, Problem
from se_agent.values.evaluation import Status

_CROSSING = f"answers are {wire.CROSSING}: let the program convert anything else"


@dataclass(frozen=True)
class Oracle:
    """Asks the initial program, once an input; each may take all of the CPU limit.

    Answers are kept by input, not by expression: should a generator ever give another input
    for the same expression, no wrong answer is expected of it.

    Attributes:
        problem: The problem; its first program is asked.
        sandbox: Where it runs.
        runner: How it runs.
        pool: Makes the inputs.
        cache: Answers that were given.
        left: Settings of the interpreter that it left other than it found them: others may.
    """

    problem: Problem
    sandbox: Sandbox
    runner: Runner
    pool: InputPool
    cache: Cache[bytes, JobAnswer]
    left: set[str] = field(default_factory=set)
    _seconds: dict[int, float] = field(default_factory=dict)

    @cached_property
    def program(self) -> str:
        """Text of the initial program."""
        return self.runner.program_of(self.problem.initial())

    def answers(
        self, exprs: Sequence[Expr], inputs: Sequence[bytes], *, runs: int = 0
    ) -> tuple[JobAnswer, ...]:
        """Return the right answers to inputs, in their order.

        Args:
            exprs: What they were made from: an error names it.
            inputs: What is asked.
            runs: How many runs' worth of CPU they may take together; 0: one each.

        Raises:
            ProblemError: The initial program does not answer one of them.
        """
        known = {data: self.cache.get(data) for data in inputs}
        missing = [data for data, answer in known.items() if answer is None]
        if missing:
            outcome = self._asked(missing, runs or len(missing))
            if outcome.status is not Status.AC:
                if outcome.status is Status.CE:  # no input is to blame
                    raise uncompiled(self.problem, self.program, outcome.feedback)
                failed = min(len(outcome.answers), len(missing) - 1)
                index = inputs.index(missing[failed])
                raise _UnansweredError(self.problem, exprs[index], outcome, index=index)
            known.update(self._kept(missing, outcome))
        return tuple(answer for data in inputs if (answer := known[data]) is not None)

    def case_answers(self, inputs: Sequence[bytes]) -> tuple[JobAnswer, ...]:
        """Return the right answers to the visible cases, of which these are the inputs.

        A stated answer says nothing of what becomes of the arguments: the initial program
        does.

        Raises:
            ProblemError: The initial program does not answer one of them.
        """
        exprs = [case.input for case in self.problem.cases]
        try:
            seen = self.answers(exprs, inputs, runs=1)
        except _UnansweredError as err:
            raise self._failed(err) from err
        return tuple(
            given
            if case.expected is None
            else replace(
                self.runner.literal(case.expected), arguments=given.arguments, ties=given.ties
            )
            for case, given in zip(self.problem.cases, seen, strict=True)
        )

    def seconds(self, expr: Expr, *, at_most: float = 0.0) -> float:
        """Return the CPU seconds that an input of this rung takes, start included.

        Args:
            expr: An input; its rung is measured once.
            at_most: Seconds after which the answer is infinity; 0: no such bound.

        Raises:
            ProblemError: The initial program does not answer, though it had the time.
        """
        if expr.level not in self._seconds:
            runs = at_most / self.problem.limits.cpu_seconds if at_most else 1
            inputs = self.pool.real([expr])
            outcome = self._asked(inputs, runs)
            if outcome.status is Status.AC:
                self._kept(inputs, outcome)
            elif not at_most:
                raise _UnansweredError(self.problem, expr, outcome)
            done = outcome.status is Status.AC
            self._seconds[expr.level] = outcome.cpu_seconds if done else float("inf")
        return self._seconds[expr.level]

    def _failed(self, err: _UnansweredError) -> ProblemError:
        """Return what says which case the initial program failed, and how."""
        outcome, expected = err.outcome, "an answer"
        case = self.problem.cases[err.index]
        if case.expected is not None:
            expected = self.runner.show(self.runner.literal(case.expected).value)
        got = outcome.feedback.strip() or str(outcome.status)
        return fails_test(self.problem, case.name, outcome.status, expected=expected, got=got)

    def _asked(self, inputs: Sequence[bytes], runs: float) -> JobOutcome:
        given = self.problem.limits
        limits = replace(
            given,
            cpu_seconds=runs * given.cpu_seconds,
            output_bytes=len(inputs) * given.output_bytes,
        )
        run = self.runner.run
        done = run(self.sandbox, self.program, inputs, limits, keep_errors=True, ties=True)
        self.left.update(done.left)
        return done

    def _kept(self, inputs: Sequence[bytes], outcome: JobOutcome) -> dict[bytes, JobAnswer]:
        given = dict(zip(inputs, outcome.answers, strict=True))
        for data, answer in given.items():
            self.cache.put(data, answer)
        return given


def weight(data: bytes, answer: JobAnswer) -> int:
    """Return the bytes that an input and its answer take."""
    return len(data) + answer.size


def fails_test(
    problem: Problem, case: str, status: Status, *, expected: str, got: str
) -> ProblemError:
    """Return the error of an initial program that fails one of its own tests."""
    return ProblemError(
        f"{problem.oracle} fails its own test {case!r} "
        f"({status}): expected {one_line(expected)}, got {one_line(got)}",
        hint=_CROSSING if wire.is_refused(got) else problem.terms.cure,
    )


def ends_badly(problem: Problem, status: Status, why: str) -> ProblemError:
    """Return the error of an initial program that fails before any test."""
    return ProblemError(
        f"{problem.oracle} does not end well ({status}): {one_line(why)}",
        hint=problem.terms.cure,
    )


class _UnansweredError(ProblemError):
    """The initial program does not answer an input, the one at `index` of those asked."""

    def __init__(
        self, problem: Problem, expr: Expr, outcome: JobOutcome, *, index: int = 0
    ) -> None:
        code = expr.code if len(expr.code) <= 120 else expr.code[:116] + " ..."
        super().__init__(
            f"{problem.terms.oracle} does not answer {code!r} with seed {expr.seed}: "
            f"{headline(outcome)}",
            hint="correct the program, or make inputs that it can answer",
        )
        self.outcome = outcome
        self.index = index
