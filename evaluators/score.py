"""Problems whose programs return an answer that a trusted scorer rates.

The scorer runs in the sandbox, in a process that never met the candidate. CPU time is
limited but not compared: two scores are exact, and one block says it all.
"""

from __future__ import annotations

import math
import statistics
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluators.bench import Bench
from evaluators.inputs import patient
from evaluators.runner import CallRunner, cut
from evaluators.sandbox.job import Answer, Job, Sandbox
from evaluators.timed import started
from se_agent import wire
from se_agent.config import Measure
from se_agent.errors import ProblemError, WireError
from se_agent.problem import Problem
from se_agent.types import (
    Block,
    Evaluation,
    InputSet,
    Kind,
    Measurement,
    Preflight,
    Solution,
    Status,
)

_DRIVER = """

def _call_score(args, output):
    return float(score(args, output))
"""
_SEARCH_INPUTS = 4
_MOST_INPUTS = 64
_REMEMBERED = 512


@dataclass(frozen=True, kw_only=True)
class _Rated:
    """What became of one solution on one set of inputs; a cost is paid once."""

    status: Status
    score: float = 0.0
    measurement: Measurement | None = None
    feedback: str = ""
    cost_seconds: float = 0.0


class ScoreEvaluator:
    """Rates answers; the score of a set is the mean over its inputs.

    A problem without inputs calls its entry point without arguments, and its final score is
    then the same as the one of the search.

    Args:
        problem: What is solved; its `direction` says which scores are better.
        measure: How many final inputs are confirmed; times are not compared.
        isolation: Level of the sandbox.
        seed: Unused: nothing here is drawn.
        sandbox: Used instead of a fork server, and closed with the evaluator.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        measure: Measure,
        isolation: str = "jail",
        seed: int = 0,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._problem = problem
        self._measure = measure
        self._isolation = isolation
        self._sandbox = sandbox
        self._opened: Bench | None = None
        self._memo: OrderedDict[tuple[str, InputSet], _Rated] = OrderedDict()

    @property
    def kind(self) -> Kind:
        """Two scores."""
        return Kind.EXACT

    def preflight(self, solution: Solution) -> Preflight:
        """Rate the initial program twice, in two fork servers; see `Evaluator.preflight`."""
        evaluation = self.evaluate(solution)
        name = self._problem.name
        if evaluation.status is not Status.AC:
            raise ProblemError(
                f"the initial program of {name!r} has no score ({evaluation.status}): "
                f"{_line(evaluation.feedback)}",
                hint="correct the program or the scorer, or raise the limits",
            )
        self._bench().sandbox.restart()
        again = self._run(solution, InputSet.SEARCH)
        if again.score != evaluation.score:
            raise ProblemError(
                f"the initial program of {name!r} is non-deterministic: its score is "
                f"{evaluation.score}, then {again.score or again.feedback}",
                hint="fix random seeds, and sort what comes from sets",
            )
        final = self._rated(solution, InputSet.FINAL)
        if final.status is not Status.AC:
            raise ProblemError(
                f"the initial program of {name!r} has no score on the final inputs "
                f"({final.status}): {_line(final.feedback)}",
                hint="correct the program, the scorer or the generator",
            )
        return Preflight(evaluation=evaluation)

    def evaluate(self, solution: Solution) -> Evaluation:
        """Rate the solution on the inputs of the search (LM-61)."""
        rated = self._rated(solution, InputSet.SEARCH)
        return Evaluation(
            status=rated.status,
            measurement=rated.measurement,
            score=rated.score if rated.status is Status.AC else None,
            feedback=rated.feedback,
            cost_seconds=rated.cost_seconds,
        )

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return the difference of two scores; see `Evaluator.block`."""
        before = self._bench().sandbox.spent
        old, new = self._rated(reference, inputs), self._rated(candidate, inputs)
        both = old.status is new.status is Status.AC
        gain = (
            new.score - old.score
            if self._problem.direction == "maximize"
            else (old.score - new.score)
        )
        return Block(
            number=number,
            effect=gain if both else 0.0,
            reference=old.score,
            candidate=new.score,
            inputs=len(self._inputs(inputs)),
            status=new.status,
            reference_status=old.status,
            feedback=new.feedback or old.feedback,
            cost_seconds=self._bench().sandbox.spent - before,
        )

    def close(self) -> None:
        """End the fork server and all that it started."""
        if self._sandbox is not None:
            self._sandbox.close()

    def _bench(self) -> Bench:
        if self._opened is None:
            self._sandbox = self._sandbox or started(self._problem, self._isolation)
            self._opened = Bench.of(self._problem, self._sandbox, CallRunner(self._problem))
        return self._opened

    def _inputs(self, which: InputSet) -> tuple[bytes, ...]:
        """Return all inputs of a set; one empty tuple of arguments for a problem without."""
        ladder = self._problem.ladder
        if not ladder.rungs and not ladder.search:
            return (wire.dumps(()),)
        count = _MOST_INPUTS
        if ladder.fresh:
            final = which is InputSet.FINAL
            count = self._measure.confirm_inputs if final else _SEARCH_INPUTS
        listed = (ladder.expr(which, index) for index in range(count))
        found = [expr for expr in listed if expr is not None]
        exprs = self._bench().pool.distinct(found, count)
        if not exprs:
            raise ProblemError(
                f"{self._problem.name!r} has no input for the {which} set",
                hint="give it a generator, or inputs for both sets",
            )
        return self._bench().pool.real(exprs)

    def _rated(self, solution: Solution, which: InputSet) -> _Rated:
        key = (solution.content, which)
        if key not in self._memo:
            if len(self._memo) >= _REMEMBERED:
                self._memo.popitem(last=False)
            self._memo[key] = self._run(solution, which)
        return self._memo[key]

    def _run(self, solution: Solution, which: InputSet) -> _Rated:
        bench, inputs = self._bench(), self._inputs(which)
        before = bench.sandbox.spent
        scores, seconds, peak = [], 0.0, 0
        for data in inputs:
            # One process an input: limits are per run, and no answer helps the next.
            outcome = bench.runner.run(
                bench.sandbox, solution.text, [data], self._problem.limits
            )
            seconds, peak = seconds + outcome.cpu_seconds, max(peak, outcome.peak_bytes)
            status, score, feedback = outcome.status, 0.0, outcome.feedback
            if status is Status.AC:
                status, score, feedback = self._scored(data, outcome.answers[0])
            if status is not Status.AC:
                spent = bench.sandbox.spent - before
                return _Rated(status=status, feedback=feedback, cost_seconds=spent)
            scores.append(score)
        return _Rated(
            status=Status.AC,
            score=statistics.fmean(scores),
            measurement=Measurement(cpu_seconds=seconds, peak_bytes=peak),
            cost_seconds=bench.sandbox.spent - before,
        )

    def _scored(self, data: bytes, answer: Answer) -> tuple[Status, float, str]:
        """Return what the scorer says of an answer: a status, a score and why not."""
        try:
            pair = (wire.loads(data), wire.loads(answer.value))
        except WireError as err:
            return Status.WA, 0.0, f"unreadable answer: {err}"
        job = Job(
            program=self._problem.scorer + _DRIVER,
            entry_point="_call_score",
            path="scorer.py",
            inputs=(wire.dumps(pair),),
            limits=patient(self._problem.limits),
            keep_errors=True,
        )
        outcome = self._bench().sandbox.run(job)
        if outcome.status is not Status.AC:
            return Status.WA, 0.0, f"the scorer ended with {outcome.status}: {outcome.feedback}"
        (given,) = outcome.answers
        if given.error:
            return Status.WA, 0.0, cut(given.error.removeprefix("ValueError: "))
        score = wire.loads(given.value)
        if not math.isfinite(score):
            return Status.WA, 0.0, f"the score is not finite: {score}"
        return Status.AC, score, ""


def _line(text: str) -> str:
    return cut(" ".join(text.split())) or "nothing was said"


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = ScoreEvaluator
