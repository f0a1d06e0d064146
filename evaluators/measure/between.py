"""Work between calls that are timed apart: what a candidate does there beyond its reference.

Inputs are read there, and answers written. Both sides are given the same inputs, and give the
same answers, so that honest programs take about the same. What a candidate takes beyond it,
in a thread, a finalizer or a signal handler, counts as work of its calls. Pure.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

from evaluators.measure.clock import FINEST
from evaluators.measure.pairs import Both
from se_agent.values.objective import Quantity

SHARE = 0.05
"""Share of what the reference takes there that is noise: where memory lies makes so much."""

_TOLD = 0.05  # of the candidate's own time, from which on it is worth a word


def counted(each: Sequence[Both]) -> tuple[list[Both], str]:
    """Return pairs with that work counted, and why the effect is less; empty: it is not.

    Args:
        each: Pairs of a block.
    """
    if not all(both.between for both in each):
        return list(each), ""
    usual = statistics.median(both.between[0] for both in each)
    more = statistics.median(both.between[1] - both.between[0] for both in each)
    if more <= SHARE * usual + FINEST / 4:
        return list(each), ""
    own = statistics.median(both.candidate[Quantity.CPU] for both in each)
    share = more / (own + more)
    told = f"{share:.0%} of its time lies between its calls, where it releases what it built"
    told += "; the gain counts it"
    return [_with(both, more) for both in each], told if share > _TOLD else ""


def _with(both: Both, seconds: float) -> Both:
    counted = {**both.candidate, Quantity.CPU: both.candidate[Quantity.CPU] + seconds}
    return replace(both, candidate=counted)
