"""Comparisons as a run makes them: a self-test, then blocks until the rule has seen enough.

Not here: which programs are compared (`noise.families`), and what the outcomes add up to
(`noise.figures`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.config.sections import Judge, Measure
from se_agent.engine.judging.comparison import contest
from se_agent.engine.judging.self_test import self_test, unanswered
from se_agent.events import SelfTested
from se_agent.noise.families import ProgramPair
from se_agent.protocols import Evaluator
from se_agent.stats.sequential import SequentialRule, sequential
from se_agent.values.evaluation import Block, Comparison, SequentialDecision, Status
from se_agent.values.solution import Solution

_WHO = "a program of the noise study"


@dataclass(frozen=True)
class NoiseTrial:
    """One comparison, raw.

    Attributes:
        decision: Decision of the rule.
        blocks: All that it took, the screen first.
    """

    decision: SequentialDecision
    blocks: tuple[Block, ...]

    @property
    def cost_seconds(self) -> float:
        """CPU seconds that it took."""
        return sum(block.cost_seconds for block in self.blocks)


@dataclass(frozen=True)
class NoiseTrials:
    """Makes comparisons in one world.

    Attributes:
        evaluator: The evaluator of the world's problem.
        judge: When a gain is proven.
        measure: How many blocks the self-test takes.
    """

    evaluator: Evaluator
    judge: Judge
    measure: Measure

    def self_test(self, initial: Solution) -> SelfTested:
        """Measure a program against itself, as a run does before it searches.

        Raises:
            ProblemError: It does not answer.
        """

        def compare(rule: SequentialRule) -> Comparison:
            return contest(self.evaluator, rule, initial, initial, record=lambda _: None)

        return self_test(compare, measure=self.measure, judge=self.judge, who=_WHO)

    def compare(
        self, pair: ProgramPair, spread: float, *, known: Sequence[Block] = ()
    ) -> NoiseTrial:
        """Compare two programs that give the same answers.

        Args:
            pair: Two programs of one world.
            spread: From the self-test.
            known: Blocks that this comparison has had; it goes on behind them.

        Raises:
            ProblemError: One of the two does not answer as it should.
        """
        blocks = list(known)
        rule = sequential(self.judge, spread)
        sides = pair.reference, pair.candidate
        found = contest(self.evaluator, rule, *sides, known=known, record=blocks.append)
        for status in (found.reference_status, found.status):
            if status is not Status.AC:
                raise unanswered(_WHO, status, blocks[-1].feedback)
        return NoiseTrial(found.decision, tuple(blocks))
