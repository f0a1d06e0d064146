"""Where a run stands, in the words of LocalMemory's head (LM-02, LM-08 to LM-11). Pure."""

from __future__ import annotations

import math

from se_agent.events import Started
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.lesson import GlobalStatus, Metric
from se_agent.values.view import Member


def standing(started: Started, best: Member, generation: int) -> GlobalStatus:
    """Return the global status.

    Args:
        started: With the initial program's figure.
        best: The incumbent.
        generation: The current one.
    """
    return GlobalStatus(
        current_generation=generation,
        best_runtime=_figure(started, best.effect),
        best_solution_id=best.solution.id,
        current_approach=best.solution.approach or "the initial program",
    )


def _figure(started: Started, effect: float) -> Metric:
    """Scale the initial figure: a time that was stored is not measured again for this."""
    initial = started.metric
    if started.measure is not ComparisonKind.EXACT:
        value = initial.value * math.exp(-effect)
    else:
        value = initial.value + initial.sign * effect
    return initial.model_copy(update={"value": value})
