"""The evaluator of problems whose programs have a score, however it comes about.

CPU time is limited but not compared: two scores are exact, and one block says it all.
`evaluators.kinds.score` and `evaluators.kinds.command` give it what rates programs.
"""

from __future__ import annotations

import math

from evaluators.kinds.rating import Rated, Rater, Ratings
from evaluators.running.shown import cut
from evaluators.running.uncompiled import uncompiled
from se_agent.errors import ProblemError
from se_agent.problem.model import Problem
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    InputSet,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution

_ROUNDING = 1e-12
"""Share of a score that adding up in another order may change."""


class ExactEvaluator:
    """Compares scores; the score of a set is the mean over its inputs.

    Args:
        problem: What is solved; its `direction` says which scores are better.
        rater: What runs programs for their score; closed with the evaluator.
        others: What else may be wrong where an initial program has no score.
    """

    def __init__(self, problem: Problem, rater: Rater, *, others: str) -> None:
        self._problem = problem
        self._ratings = Ratings(rater)
        self._others = others

    @property
    def kind(self) -> ComparisonKind:
        """Two scores."""
        return ComparisonKind.EXACT

    def _rate_with(self, rater: Rater) -> None:
        """Rate by another rater from now on; what the last one found is no more known."""
        self._ratings = Ratings(rater)

    def preflight(self, solution: Solution) -> Preflight:
        """Rate the initial program twice, in two runs apart; see `Evaluator.preflight`."""
        before = self._ratings.rater.spent
        self._require(solution, InputSet.SEARCH, "")
        self._require(solution, InputSet.FINAL, " on the final inputs")
        return Preflight(
            evaluation=self.evaluate(solution), cost_seconds=self._ratings.rater.spent - before
        )

    def evaluate(self, solution: Solution) -> Evaluation:
        """Rate the solution on the inputs of the search (LM-61)."""
        rated = self._ratings.first(solution, InputSet.SEARCH)
        return Evaluation(
            status=rated.status,
            measurement=rated.measurement,
            score=rated.score if rated.status is Status.AC else None,
            feedback=rated.feedback,
            cost_seconds=rated.cost_seconds,
            full_output=rated.full_output,
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
        """Return the difference of two scores; see `Evaluator.block`.

        The candidate is rated twice. The reference was a candidate once, or is the initial
        program, which the preflight rated twice.
        """
        ratings, before = self._ratings, self._ratings.rater.spent
        old, new = ratings.first(reference, inputs), ratings.steady(candidate, inputs)
        return Block(
            number=number,
            effect=self._gain(old, new),
            reference=old.score,
            candidate=new.score,
            inputs=ratings.rater.count(inputs),
            status=new.status,
            reference_status=old.status,
            feedback=new.feedback or old.feedback,
            trusted=self._problem.trusted,
            cost_seconds=self._ratings.rater.spent - before,
        )

    def close(self) -> None:
        """End all that was started; see `Evaluator.close`."""
        self._ratings.rater.close()

    def _gain(self, old: Rated, new: Rated) -> float:
        if not old.status is new.status is Status.AC:
            return 0.0
        if math.isclose(old.score, new.score, rel_tol=_ROUNDING):
            return 0.0  # the same sum in another order is no progress
        if self._problem.direction == "maximize":
            return new.score - old.score
        return old.score - new.score

    def _require(self, solution: Solution, which: InputSet, where: str) -> None:
        """Raise unless the initial program has a score on a set, the same one twice."""
        initial = f"the initial program of {self._problem.name!r}"
        rated = self._ratings.first(solution, which)
        if rated.status is Status.CE:
            raise uncompiled(self._problem, solution.text, rated.feedback)
        if rated.status is not Status.AC:
            raise ProblemError(
                f"{initial} has no score{where} ({rated.status}): {_line(rated.feedback)}",
                hint=f"correct the program, {self._others}, or raise the limits",
            )
        rated = self._ratings.steady(solution, which)
        if rated.status is not Status.AC:
            raise ProblemError(
                f"{initial} is {_line(rated.feedback)}{where}",
                hint="fix random seeds, sort what comes from sets, keep times out of the score",
            )


def _line(text: str) -> str:
    return cut(" ".join(text.split())) or "nothing was said"
