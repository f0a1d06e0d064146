"""Problems whose programs return an answer that a trusted scorer rates.

CPU time is limited but not compared: two scores are exact, and one block says it all. Not
here: how a score comes about (`evaluators.rating`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluators.bench import Bench
from evaluators.rating import Rated, Ratings
from evaluators.runner import CallRunner
from evaluators.sandbox.job import Sandbox
from evaluators.shown import cut
from evaluators.timed import started
from se_agent.config import Measure
from se_agent.errors import ProblemError
from se_agent.problem import Problem
from se_agent.types import (
    Block,
    Evaluation,
    InputSet,
    Kind,
    Preflight,
    Solution,
    Status,
)


class ScoreEvaluator:
    """Rates answers; the score of a set is the mean over its inputs.

    A problem without inputs calls its entry point without arguments, and its final score is
    then the same as the one of the search.

    Args:
        problem: What is solved; its `direction` says which scores are better.
        measure: How many final inputs are confirmed; times are not compared.
        isolation: Level of the sandbox.
        seed: Of inputs.
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
        place = sandbox or started(problem, isolation)
        bench = Bench.of(problem, place, CallRunner(problem), seed=seed)
        self._sandbox = bench.sandbox
        self._ratings = Ratings(bench, measure.confirm_inputs)

    @property
    def kind(self) -> Kind:
        """Two scores."""
        return Kind.EXACT

    def preflight(self, solution: Solution) -> Preflight:
        """Rate the initial program twice, in two fork servers; see `Evaluator.preflight`."""
        before = self._sandbox.spent
        self._require(solution, InputSet.SEARCH, "")
        self._require(solution, InputSet.FINAL, " on the final inputs")
        return Preflight(
            evaluation=self.evaluate(solution), cost_seconds=self._sandbox.spent - before
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
        ratings, before = self._ratings, self._sandbox.spent
        old, new = ratings.first(reference, inputs), ratings.steady(candidate, inputs)
        return Block(
            number=number,
            effect=self._gain(old, new),
            reference=old.score,
            candidate=new.score,
            inputs=len(ratings.inputs(inputs)),
            status=new.status,
            reference_status=old.status,
            feedback=new.feedback or old.feedback,
            cost_seconds=self._sandbox.spent - before,
        )

    def close(self) -> None:
        """End the fork server and all that it started; see `Evaluator.close`."""
        self._sandbox.close()

    def _gain(self, old: Rated, new: Rated) -> float:
        if not old.status is new.status is Status.AC:
            return 0.0
        if self._problem.direction == "maximize":
            return new.score - old.score
        return old.score - new.score

    def _require(self, solution: Solution, which: InputSet, where: str) -> None:
        """Raise unless the initial program has a score on a set, the same one twice."""
        initial = f"the initial program of {self._problem.name!r}"
        rated = self._ratings.first(solution, which)
        if rated.status is not Status.AC:
            raise ProblemError(
                f"{initial} has no score{where} ({rated.status}): {_line(rated.feedback)}",
                hint="correct the program, the scorer or the generator, or raise the limits",
            )
        rated = self._ratings.steady(solution, which)
        if rated.status is not Status.AC:
            raise ProblemError(
                f"{initial} is {_line(rated.feedback)}{where}",
                hint="fix random seeds, and sort what comes from sets",
            )


def _line(text: str) -> str:
    return cut(" ".join(text.split())) or "nothing was said"


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = ScoreEvaluator
