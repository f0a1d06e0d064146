"""Decide what an evaluation and a comparison say. Pure: no clock, no file, no model.

A gain is proven if the rule of the comparison said "yes". Not here: that rule
(`se_agent.stats.sequential`), and the claim at the end of a run (`confirm`).
"""

from __future__ import annotations

import math

from se_agent.values.evaluation import (
    Branch,
    Comparison,
    ComparisonKind,
    Evaluation,
    SequentialDecision,
    Status,
    Verdict,
)


def judge(evaluation: Evaluation, comparison: Comparison | None) -> Verdict:
    """Return the verdict on a candidate against its parent.

    The seed's `perf_diff = perf_old - perf_new` keeps its sign as the branch (LM-40 to LM-42);
    a status other than AC is a failure whatever the time (X-04). Whether a gain is proven is
    another matter, and only that may replace an incumbent.

    Args:
        evaluation: On the tests.
        comparison: Against the parent; None for a candidate that is not right.
    """
    status = comparison.status if comparison else evaluation.status
    if comparison is None or status is not Status.AC:
        return _not_right(status)
    if comparison.reference_status is not Status.AC:
        return _void()
    effect = comparison.effect
    perf_diff = effect
    if comparison.kind is not ComparisonKind.EXACT:
        perf_diff = comparison.reference * -math.expm1(-effect)
    return Verdict(
        status=status,
        perf_diff=perf_diff,
        effect=effect,
        interval=comparison.interval,
        significant=comparison.decision is SequentialDecision.YES,
        branch=Branch.SUCCESS if perf_diff > 0 else Branch.FAILURE,
    )


def _not_right(status: Status) -> Verdict:
    if status is Status.AC:
        raise ValueError(f"status={status} without a comparison: compare it first")
    return Verdict(
        status=status,
        perf_diff=-math.inf,
        effect=-math.inf,
        interval=(-math.inf, -math.inf),
        significant=False,
        branch=Branch.FAILURE,
    )


def _void() -> Verdict:
    """The reference was wrong on these inputs: the comparison says nothing of the candidate."""
    return Verdict(
        status=Status.AC,
        perf_diff=0.0,
        effect=0.0,
        interval=(-math.inf, math.inf),
        significant=False,
        branch=Branch.FAILURE,
    )
