"""A comparison, block by block: pull blocks until the rule has seen enough.

The evaluator measures, the rule decides, and each block is recorded the moment it exists, so
that a killed run repeats none of them.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence

from se_agent.abilities.evaluator import Patient
from se_agent.protocols import Evaluator
from se_agent.stats.sequential import RECHECK, SECOND_LOOK, SequentialRule
from se_agent.values.evaluation import (
    Block,
    Comparison,
    ComparisonKind,
    InputSet,
    SequentialDecision,
    Status,
)
from se_agent.values.solution import Solution


def contest(
    evaluator: Evaluator,
    rule: SequentialRule,
    reference: Solution,
    candidate: Solution,
    *,
    inputs: InputSet = InputSet.SEARCH,
    known: Sequence[Block] = (),
    record: Callable[[Block], None],
    patient: bool = False,
    brief: bool = True,
) -> Comparison:
    """Compare two right solutions and return what the rule decided.

    Args:
        evaluator: Measures blocks.
        rule: Decides how many.
        reference: The incumbent.
        candidate: The challenger.
        inputs: Set of inputs to use.
        known: Blocks of this very comparison that were recorded earlier.
        record: Is given each new block before the next one starts.
        patient: Whether a loser is measured to the end, by an evaluator that can.
        brief: Whether the first look at a huge gain ends as soon as it is seen to be one: what
            is said of it comes from the second look alone.
    """
    measured = evaluator.block
    if patient and isinstance(evaluator, Patient):
        measured = evaluator.patient_block

    timed = evaluator.kind is ComparisonKind.TIMED

    def run(first: int) -> Comparison:
        blocks = sorted(
            (b for b in known if (b.number >= SECOND_LOOK) == (first >= SECOND_LOOK)),
            key=lambda block: block.number,
        )
        while (decision := _decided(rule, blocks)) is SequentialDecision.MORE:
            if brief and timed and first < SECOND_LOOK and _is_huge(blocks):
                break
            block = measured(
                reference,
                candidate,
                number=first + len(blocks),
                pairs=rule.pairs([b.effect for b in blocks]),
                inputs=inputs,
            )
            record(block)
            blocks.append(block)
        return _comparison(evaluator, rule, blocks, decision)

    first = run(0)
    doubtful = first.decision is not SequentialDecision.NO and _is_huge(first.blocks)
    return run(SECOND_LOOK) if timed and doubtful else first


def _is_huge(blocks: Sequence[Block]) -> bool:
    """Say whether blocks show a gain that is hard to believe."""
    return bool(blocks) and statistics.fmean(block.effect for block in blocks) > RECHECK


def _decided(rule: SequentialRule, blocks: Sequence[Block]) -> SequentialDecision:
    if blocks and _broken(blocks[-1]):
        return SequentialDecision.NO
    return rule.decide([block.effect for block in blocks])


def _broken(block: Block) -> bool:
    return block.status is not Status.AC or block.reference_status is not Status.AC


def _comparison(
    evaluator: Evaluator,
    rule: SequentialRule,
    blocks: list[Block],
    decision: SequentialDecision,
) -> Comparison:
    effects = [block.effect for block in blocks]
    counted = len(rule.counted_effects(effects))
    return Comparison(
        kind=evaluator.kind,
        blocks=tuple(blocks[-counted:]),
        decision=decision,
        interval=(-math.inf, math.inf) if _broken(blocks[-1]) else rule.interval(effects),
    )
