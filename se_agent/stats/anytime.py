"""A search over what it spent: when it was how good. Pure.

A course is the best value so far after each purchase, be that an evaluation, a call or a token.
Not here: where courses come from (`se_agent.analysis.run_tables.course`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Course = Sequence[tuple[float, float]]
"""Pairs of what was spent in all and the best value then; what was spent never falls."""


def spent_to_reach(course: Course, target: float) -> float | None:
    """Return what was spent when the best value was at least `target`; None: it never was."""
    return next((spent for spent, value in course if value >= target), None)


def area(course: Course, upto: float) -> float:
    """Return the mean of the best value over all that is spent up to a limit.

    A value counts from when it was bought until the next one; after the last one it stays.
    Before the first one there is nothing: 0.

    Args:
        course: May be empty.
        upto: Limit of what counts; 0: nothing does.
    """
    if upto <= 0:
        return 0.0
    ends = [*(min(spent, upto) for spent, _ in course), upto]
    spans = (after - before for before, after in pairwise(ends))
    values = (value for _, value in course)
    return sum(span * value for span, value in zip(spans, values, strict=True)) / upto
