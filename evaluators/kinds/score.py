"""Problems whose programs return an answer that a trusted scorer rates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evaluators.answers.bench import Bench
from evaluators.kinds.exact import ExactEvaluator
from evaluators.kinds.scorer import ScoredAnswers
from evaluators.kinds.scorer_check import Scrutiny
from evaluators.kinds.timed import started
from evaluators.observing.observer import Observer
from evaluators.running.runner import CallRunner, StdioRunner
from evaluators.sandbox.job import Sandbox
from se_agent.config.sections import Measure
from se_agent.problem.model import Problem
from se_agent.values.evaluation import InputSet
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution


class ScoreEvaluator(ExactEvaluator):
    """Rates answers; the score of a set is the mean over its inputs.

    A problem without inputs calls its entry point without arguments, and its final score is
    then the same as the one of the search.

    Args:
        problem: What is solved; its `direction` says which scores are better.
        measure: How many final inputs are confirmed; times are not compared.
        isolation: Level of the sandbox.
        seed: Seed that inputs are drawn by.
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
        place = sandbox or started(problem, isolation)
        runner = CallRunner(problem) if problem.entry_point else StdioRunner(problem)
        bench = self._bench = Bench.of(problem, place, runner, seed=seed)
        rater = self._rater = ScoredAnswers(bench, measure.confirm_inputs)
        super().__init__(problem, rater, others="the scorer or the generator")
        self._observer = Observer(
            bench, growing=lambda: [*map(rater.shown, rater.inputs(InputSet.SEARCH))]
        )

    def draw(self, seed: int) -> None:
        """Draw final inputs by another seed; see `Drawing.draw`."""
        bench = replace(self._bench, final_seed=seed)
        self._rate_with(replace(self._rater, bench=bench))

    def scrutiny(self, solution: Solution) -> Scrutiny | None:
        """Return what the scorer makes of spoiled answers; see `ScoredAnswers.scrutiny`."""
        return self._rater.scrutiny(solution)

    def observe(self, solution: Solution) -> Observation:
        """Watch a right program for its hot lines; see `Observing.observe`."""
        return self._observer.observe(solution)


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.abilities.evaluator import Drawing, Observing
    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = ScoreEvaluator
    _drawing: Callable[..., Drawing] = ScoreEvaluator
    _observing: Callable[..., Observing] = ScoreEvaluator
