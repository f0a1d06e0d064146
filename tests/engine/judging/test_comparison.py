"""A comparison pulls blocks until its rule has seen enough, and never one too many."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from se_agent.engine.judging.comparison import contest
from se_agent.stats.sequential import RECHECK, FixedRule, Once, Sequential
from se_agent.values.evaluation import (
    Block,
    Comparison,
    ComparisonKind,
    InputSet,
    SequentialDecision,
    Status,
)
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, solution

OLD, NEW = solution("x = 1", id="Gen0_Sol_0"), solution("x = 2", id="Gen1_Sol_0")


class Scripted(NumberEvaluator):
    """Gives the effects of a script, block by block."""

    def __init__(self, effect: Callable[[int], float], *, broken: int = -1) -> None:
        super().__init__(ComparisonKind.TIMED)
        self._effect = effect
        self._broken = broken
        self.asked: list[tuple[int, int]] = []

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        self.asked.append((number, pairs))
        status = Status.WA if number == self._broken else Status.AC
        return Block(
            number=number,
            effect=self._effect(number),
            reference=0.1,
            candidate=0.1,
            pairs=pairs,
            status=status,
        )


def compared(
    evaluator: Scripted, known: list[Block] | None = None
) -> tuple[Comparison, list[Block]]:
    recorded: list[Block] = []
    found = contest(
        evaluator, Sequential(), OLD, NEW, known=known or [], record=recorded.append
    )
    return found, recorded


@pytest.mark.parametrize(
    ("effect", "decision", "asked"),
    [
        pytest.param(-0.5, SequentialDecision.NO, [(0, 2)], id="clearly-slower"),
        pytest.param(-0.1, SequentialDecision.NO, [(0, 2), (1, 12)], id="slower"),
        pytest.param(
            0.5, SequentialDecision.YES, [(0, 2), (1, 3), (2, 3), (3, 3)], id="clearly-faster"
        ),
        pytest.param(
            0.05, SequentialDecision.YES, [(n, 12 if n else 2) for n in range(4)], id="a-bit"
        ),
        pytest.param(
            0.1, SequentialDecision.YES, [(0, 2), (1, 6), (2, 6), (3, 6)], id="faster"
        ),
    ],
)
def test_how_many_blocks_and_pairs(
    effect: float, decision: SequentialDecision, asked: list[tuple[int, int]]
) -> None:
    evaluator = Scripted(lambda n: effect)
    found, recorded = compared(evaluator)
    assert found.decision is decision
    assert evaluator.asked == asked
    assert [block.number for block in recorded] == [number for number, _ in asked]


def test_known_blocks_are_not_measured_again() -> None:
    _, recorded = compared(Scripted(lambda n: 0.1))
    for done in range(len(recorded) + 1):
        again = Scripted(lambda n: 0.1)
        found, fresh = compared(again, recorded[:done])
        assert found.decision is SequentialDecision.YES
        assert [b.number for b in fresh] == [b.number for b in recorded[done:]]


def test_a_huge_gain_is_looked_at_twice() -> None:
    """A gain above 20x is re-checked in fresh blocks, and only the second look counts."""
    shrinking = Scripted(lambda n: RECHECK + 1 if n < 1000 else 0.0)
    found, _ = compared(shrinking)
    assert found.decision is SequentialDecision.NO
    lasting = Scripted(lambda n: RECHECK + 1)
    found, recorded = compared(lasting)
    assert found.decision is SequentialDecision.YES
    assert {block.number >= 1000 for block in recorded} == {False, True}
    composed = Scripted(lambda n: RECHECK + 1)
    once = contest(composed, FixedRule(blocks=6), OLD, NEW, record=lambda block: None)
    assert len(composed.asked) == 1 + len(once.blocks) == 7
    whole = Scripted(lambda n: RECHECK + 1)
    contest(whole, FixedRule(blocks=6), OLD, NEW, record=lambda block: None, brief=False)
    assert len(whole.asked) == 12
    resumed = Scripted(lambda n: RECHECK + 1)
    assert compared(resumed, recorded)[0] == found
    assert resumed.asked == []


def test_a_wrong_answer_in_a_block_ends_it() -> None:
    evaluator = Scripted(lambda n: 0.5, broken=1)
    found, recorded = compared(evaluator)
    assert (found.decision, found.status) == (SequentialDecision.NO, Status.WA)
    assert len(recorded) == 2
    assert found.interval == (-math.inf, math.inf)


def test_the_screen_is_not_in_the_estimate() -> None:
    evaluator = Scripted(lambda n: 0.25 if n == 0 else 0.05)
    found, _ = compared(evaluator)
    assert found.effect == pytest.approx(0.05)


def test_fixed_and_exact_rules_take_their_number() -> None:
    for rule, blocks in ((FixedRule(blocks=6, per_block=8), 6), (Once(), 1)):
        evaluator = Scripted(lambda n: 0.1)
        found = contest(evaluator, rule, OLD, NEW, record=lambda block: None)
        assert len(found.blocks) == len(evaluator.asked) == blocks
