"""Scores of programs: what the trusted scorer says of their answers, and whether it lasts.

The scorer runs in the sandbox, in a process that never met the candidate. Not here: which
of two scores is the better one (`evaluators.score`).
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field, replace

from evaluators.bench import Bench
from evaluators.inputs import Cache, Room, patient
from evaluators.sandbox.job import Answer, Job
from evaluators.shown import cut
from se_agent import wire
from se_agent.errors import ProblemError, WireError
from se_agent.types import InputSet, Measurement, Solution, Status

_DRIVER = """

def _call_score(args, output):
    return float(score(args, output))
"""
_SEARCH_INPUTS = 4
_MOST_INPUTS = 64
_REMEMBERED = 512


@dataclass(frozen=True, kw_only=True)
class Rated:
    """What became of one solution on one set of inputs.

    Attributes:
        status: AC when every answer has a score.
        score: Mean over the inputs; 0 unless AC.
        measurement: CPU time of all runs together, for an AC one.
        feedback: Why there is no score.
        cost_seconds: CPU seconds that it took to find out, inputs included.
    """

    status: Status
    score: float = 0.0
    measurement: Measurement | None = None
    feedback: str = ""
    cost_seconds: float = 0.0


_Known = Cache[tuple[str, InputSet], Rated]


def _remembered() -> _Known:
    return Cache(lambda *_: 1, Room(_REMEMBERED))


@dataclass(frozen=True)
class Ratings:
    """Rates solutions, each content once a set; a cost is paid once.

    Attributes:
        bench: Where programs, generator and scorer run.
        final_inputs: How many inputs the final set has, where there are enough.
    """

    bench: Bench
    final_inputs: int
    _first: _Known = field(default_factory=_remembered)
    _steady: _Known = field(default_factory=_remembered)

    def inputs(self, which: InputSet) -> tuple[bytes, ...]:
        """Return all inputs of a set; one empty tuple of arguments for a problem without.

        Raises:
            ProblemError: They cannot be made, or there is none.
        """
        if self._without_inputs():
            return (wire.dumps(()),)
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

    def first(self, solution: Solution, which: InputSet) -> Rated:
        """Return the score of a first run: it may be luck."""
        key = self._key(solution, which)
        known = self._first.get(key)
        if known is None:
            known = self._run(solution, which)
            self._first.put(key, known)
        return known

    def steady(self, solution: Solution, which: InputSet) -> Rated:
        """Return the score if a run in another fork server, so under another hash seed, agrees.

        A score that changes with luck would in the end be taken for a gain: it is WA.
        """
        key = self._key(solution, which)
        known = self._steady.get(key)
        if known is None:
            known = self._confirmed(solution, which)
            self._steady.put(key, known)
        return known

    def _confirmed(self, solution: Solution, which: InputSet) -> Rated:
        rated = self.first(solution, which)
        if rated.status is not Status.AC:
            return rated
        self.bench.sandbox.restart()
        again = self._run(solution, which)
        if (again.status, again.score) == (Status.AC, rated.score):
            return rated
        then = again.score if again.status is Status.AC else f"{again.status}: {again.feedback}"
        return replace(
            rated,
            status=Status.WA,
            measurement=None,
            feedback=f"non-deterministic: its score is {rated.score}, then {then}",
        )

    def _without_inputs(self) -> bool:
        ladder = self.bench.problem.ladder
        return not ladder.rungs and not ladder.search

    def _key(self, solution: Solution, which: InputSet) -> tuple[str, InputSet]:
        return solution.content, InputSet.SEARCH if self._without_inputs() else which

    def _run(self, solution: Solution, which: InputSet) -> Rated:
        bench, limits = self.bench, self.bench.problem.limits
        before = bench.sandbox.spent
        scores, seconds, peak = [], 0.0, 0
        for data in self.inputs(which):
            # One process an input: limits are per run, and no answer helps the next.
            outcome = bench.runner.run(
                bench.sandbox, solution.text, [self._shown(data)], limits
            )
            seconds, peak = seconds + outcome.cpu_seconds, max(peak, outcome.peak_bytes)
            status, score, feedback = outcome.status, 0.0, outcome.feedback
            if status is Status.AC:
                status, score, feedback = self._scored(data, outcome.answers[0])
            if status is not Status.AC:
                spent = bench.sandbox.spent - before
                return Rated(status=status, feedback=feedback, cost_seconds=spent)
            scores.append(score)
        return Rated(
            status=Status.AC,
            score=statistics.fmean(scores),
            measurement=Measurement(cpu_seconds=seconds, peak_bytes=peak),
            cost_seconds=bench.sandbox.spent - before,
        )

    def _shown(self, data: bytes) -> bytes:
        """Return the arguments that the program is given: the rest would give it away."""
        count = self.bench.problem.shown
        return data if count is None else wire.dumps(wire.loads(data)[:count])

    def _scored(self, data: bytes, answer: Answer) -> tuple[Status, float, str]:
        """Return what the scorer says of an answer: a status, a score and why not."""
        try:
            pair = wire.dumps((wire.loads(data), wire.loads(answer.value)))
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
        )
        outcome = self.bench.sandbox.run(job)
        if outcome.status is not Status.AC:
            return Status.WA, 0.0, f"the scorer ended with {outcome.status}: {outcome.feedback}"
        (given,) = outcome.answers
        if given.error:
            return Status.WA, 0.0, cut(given.error.removeprefix("ValueError: "))
        score = wire.loads(given.value)
        if not math.isfinite(score):
            return Status.WA, 0.0, f"the score is not finite: {score}"
        return Status.AC, score, ""
