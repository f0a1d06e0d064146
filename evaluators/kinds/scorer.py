"""Scores of answers: a program answers, and the trusted scorer of the problem rates it.

The scorer runs in the sandbox, in a process of its own that never met the candidate. Not
here: whether a score lasts (`evaluators.kinds.rating`).
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluators import reported
from evaluators.answers.bench import Bench
from evaluators.answers.inputs import patient
from evaluators.kinds.rating import Rated
from evaluators.kinds.scorer_check import Scrutiny, scrutinized
from evaluators.running.shown import cut
from evaluators.sandbox.job import Job, JobAnswer
from se_agent import wire
from se_agent.errors import ProblemError, WireError
from se_agent.values.evaluation import InputSet, Measurement, Status
from se_agent.values.solution import Solution

_DRIVER = """

def _call_score(args, output):
    return float(score(args, output))
"""
_SEARCH_INPUTS = 4
_MOST_INPUTS = 64
_SCRUTINY = 5.0  # CPU seconds in which spoiled answers are rated
_SPARE = 2 << 20  # bytes of an answer; reading it takes twenty times the memory


@dataclass(frozen=True)
class ScoredAnswers:
    """Runs programs, and their answers past the scorer.

    Attributes:
        bench: Where programs, generator and scorer run.
        final_inputs: How many inputs the final set has, where there are enough.
    """

    bench: Bench
    final_inputs: int

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs so far."""
        return self.bench.sandbox.spent

    @property
    def one_set(self) -> bool:
        """Whether the problem has no inputs."""
        ladder = self.bench.problem.ladder
        return not ladder.rungs and not ladder.search

    def count(self, which: InputSet) -> int:
        """Return the size of a set; see `inputs`."""
        return len(self.inputs(which))

    def restart(self) -> None:
        """Start a new fork server."""
        self.bench.sandbox.restart()

    def close(self) -> None:
        """End the fork server and all that it started."""
        self.bench.sandbox.close()

    def inputs(self, which: InputSet) -> tuple[bytes, ...]:
        """Return all inputs of a set; one empty tuple of arguments for a problem without.

        Raises:
            ProblemError: They cannot be made, or there is none.
        """
        if self.one_set:
            nothing = "" if self.bench.runner.form == "str" else ()
            return (self.bench.runner.input(wire.dumps(nothing)),)
        ladder, count = self.bench.problem.ladder, _MOST_INPUTS
        if ladder.fresh:
            count = self.final_inputs if which is InputSet.FINAL else _SEARCH_INPUTS
        exprs = self.bench.pool.distinct(self.bench.exprs(which, count), count)
        if not exprs:
            raise ProblemError(
                f"{self.bench.problem.name!r} has no input for the {which} set",
                hint="give it a generator, or inputs for both sets",
            )
        return self.bench.pool.real(exprs)

    def rate(self, solution: Solution, which: InputSet) -> Rated:
        """Run the program once an input, and rate each answer; see `Rater.rate`."""
        bench, limits = self.bench, self.bench.problem.limits
        before = bench.sandbox.spent
        scores, seconds, peak = [], 0.0, 0
        for data in self.inputs(which):
            # One process an input: limits are per run, and no answer helps the next.
            outcome = bench.runner.run(bench.sandbox, solution.text, [self.shown(data)], limits)
            seconds, peak = seconds + outcome.cpu_seconds, max(peak, outcome.peak_bytes)
            status, score, feedback = outcome.status, 0.0, outcome.feedback
            if status is Status.AC:
                status, score, feedback = self._scored(data, outcome.answers[0])
            if status is not Status.AC:
                spent = bench.sandbox.spent - before
                whole = outcome.full_output
                return Rated(
                    status=status, feedback=feedback, cost_seconds=spent, full_output=whole
                )
            scores.append(score)
        return Rated(
            status=Status.AC,
            score=statistics.fmean(scores),
            measurement=Measurement(cpu_seconds=seconds, peak_bytes=peak),
            cost_seconds=bench.sandbox.spent - before,
        )

    def shown(self, data: bytes) -> bytes:
        """Return the arguments that the program is given: the rest would give it away."""
        count = self.bench.problem.shown
        return data if count is None else wire.dumps(wire.loads(data)[:count])

    def scrutiny(self, solution: Solution) -> Scrutiny | None:
        """Return what the scorer makes of spoiled answers; None without a right one.

        They are made of the answer of a right program to the first input of the search.
        """
        bench, data = self.bench, self.inputs(InputSet.SEARCH)[0]
        limits = bench.problem.limits
        outcome = bench.runner.run(bench.sandbox, solution.text, [self.shown(data)], limits)
        if outcome.status is not Status.AC:
            return None
        status, right, _ = self._scored(data, outcome.answers[0])
        if status is not Status.AC:
            return None

        def rate(sent: bytes) -> float | None:
            status, score, _ = self._scored(data, JobAnswer(value=sent))
            return score if status is Status.AC else None

        until = bench.sandbox.spent + _SCRUTINY
        return scrutinized(
            bench.runner.typed(outcome.answers[0].value),
            right,
            rate,
            minimize=bench.problem.direction == "minimize",
            more=lambda: bench.sandbox.spent < until,
        )

    def _scored(self, data: bytes, answer: JobAnswer) -> tuple[Status, float, str]:
        """Return what the scorer says of an answer: a status, a score and why not."""
        if len(answer.value) > 4 * len(data) + _SPARE:
            return Status.WA, 0.0, "the answer is too long for the scorer"
        try:
            args, output = map(self.bench.runner.typed, (data, answer.value))
            pair = wire.dumps((args, output))
        except WireError as err:
            return Status.WA, 0.0, f"unreadable answer: {err}"
        problem = self.bench.problem
        job = Job(
            program=problem.scorer + _DRIVER,
            entry_point="_call_score",
            path="scorer.py",
            inputs=(pair,),
            limits=patient(problem.limits),
            keep_errors=True,
            as_records=True,
        )
        outcome = self.bench.sandbox.run(job)
        if outcome.status is not Status.AC:
            return Status.WA, 0.0, f"the scorer ended with {outcome.status}: {outcome.feedback}"
        (given,) = outcome.answers
        if given.error:
            return Status.WA, 0.0, cut(given.error.removeprefix("ValueError: "))
        try:
            score = reported.real(wire.loads(given.value))
        except WireError as err:
            return Status.WA, 0.0, f"the scorer gives no score: {err}"
        if not math.isfinite(score):
            return Status.WA, 0.0, f"the score is not finite: {score}"
        return Status.AC, score, ""


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.kinds.rating import Rater

    _: Callable[..., Rater] = ScoredAnswers
