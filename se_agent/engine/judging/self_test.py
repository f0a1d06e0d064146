"""The A/A self-test: identical code against itself, to know this machine's noise.

Runs and `prove` begin with it. Not here: what its spread does to a rule
(`se_agent.stats.sequential`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from se_agent.config.sections import Judge, Measure
from se_agent.errors import NotMeasurableError, ProblemError
from se_agent.events import SelfTested
from se_agent.stats.sequential import (
    FixedRule,
    SequentialRule,
    least_provable,
    self_test_spread,
)
from se_agent.values.evaluation import Comparison, Status

_LEAST = math.log(2.0)
"""Effect that has to be provable: a search that could show less often ends with nothing."""

_LARGEST = 20.0  # effect beyond which a figure says no more


def self_test(
    compare: Callable[[SequentialRule], Comparison], *, measure: Measure, judge: Judge, who: str
) -> SelfTested:
    """Return the deviation between blocks of one program against itself.

    Args:
        compare: Compares the program with itself, by the rule that it is given.
        measure: How many blocks are taken.
        judge: How many pairs a block has.
        who: What people call the program.

    Raises:
        ProblemError: It does not answer all inputs.
    """
    found = compare(FixedRule(blocks=measure.self_test_blocks, per_block=judge.pairs))
    for status in (found.reference_status, found.status):
        if status is not Status.AC:
            raise unanswered(who, status, found.blocks[-1].feedback)
    spread = self_test_spread([block.effect for block in found.blocks])
    return SelfTested(spread=spread, blocks=found.blocks)


def hopeless(found: SelfTested, *, measure: Measure, judge: Judge) -> NotMeasurableError | None:
    """Return the error of a run that could prove large gains only; None of any other.

    Args:
        found: How identical code differed.
        measure: How many blocks the confirmation has.
        judge: The margin.
    """
    blocks, margin = measure.confirm_blocks, judge.margin
    least = least_provable(found.spread, blocks=blocks, margin=margin)
    if least <= _LEAST:
        return None
    return NotMeasurableError(
        f"identical code differs by {math.expm1(found.spread):.0%} here: no gain below "
        f"{math.exp(min(least, _LARGEST)):.2g}x could be proven",
        hint="give larger inputs (`optimize --inputs MODULE:GENERATOR`; of a problem, larger "
        "sizes), or an idle machine; `se-agent resume last` goes on all the same",
    )


def unanswered(who: str, status: Status, feedback: str) -> ProblemError:
    """Return the error for a reference that fails on an input that is to be measured."""
    said = " ".join(feedback.split()) or "nothing was said"
    return ProblemError(
        f"{who} does not answer a measured input: {status}: {said}",
        hint="give inputs that it can answer within the limits, and alike each time",
    )
