"""Whether the time limits of a run are enough for it to begin, and the least that would be.

Asked twice: before anything is spent, and once it is known what the check of the problem and
the initial program take. Pure. Not here: what ends a run that has begun (`state.budget`).
"""

from __future__ import annotations

import math

from se_agent.config.run_file import Run
from se_agent.engine.state.budget import (
    RESERVE_SECONDS,
    START_SECONDS,
    TIME,
    BudgetLimits,
    confirmation,
    trim_share,
)
from se_agent.errors import SmallBudgetError
from se_agent.stats.costs import Reading
from se_agent.values.evaluation import ComparisonKind, Preflight
from se_agent.values.objective import seconds as in_words

LEAST = 2 * RESERVE_SECONDS
"""Seconds of a time limit below which there is no use in beginning."""

_STEP = 10  # seconds: what is worked out from one measurement is no finer
_UNKNOWN = 3  # times what a check took that was broken off: how long it is nobody knows


def check(config: Run) -> None:
    """Make sure that a time limit leaves something to the search.

    Raises:
        SmallBudgetError: One does not; the hint has the least that makes sense.
    """
    limits = BudgetLimits(config.budget)
    for name in TIME:
        limit = getattr(config.budget, name)
        if limit is not None and limits.search_seconds(limit) == 0:
            raise SmallBudgetError(
                f"budget.{name} = {limit:g}: too small, {RESERVE_SECONDS:g} s of it are kept "
                "for the confirmation",
                hint=f"--set budget.{name}={LEAST:g} is the least that makes sense",
            )


def check_measured(
    config: Run, checked: Preflight, kind: ComparisonKind, spent: Reading
) -> None:
    """Make sure that self-test, one candidate and confirmation fit into the time limits.

    Args:
        config: The run file.
        checked: What the check of the problem found out.
        kind: Kind of the problem's comparisons.
        spent: Until now.

    Raises:
        SmallBudgetError: They do not; the hint has the least that makes sense.
    """
    limits = BudgetLimits(
        config.budget, confirmation(config, checked, kind), trim_share(config)
    )
    wanted = checked.evaluation.cost_seconds
    wanted += _measuring(config, checked) if kind is ComparisonKind.TIMED else 0.0
    for name in TIME:
        limit, used = getattr(config.budget, name), getattr(spent, name)
        if limit is None or used + wanted <= (limits.search_seconds(limit) or 0.0):
            continue
        least = _STEP * math.ceil(limits.leaving(used + wanted) / _STEP)
        raise SmallBudgetError(
            f"budget.{name} = {limit:g}: too small, the check took {in_words(used)}, the "
            f"self-test and a first comparison take about {in_words(wanted)}, and "
            f"{in_words(limits.kept(limit))} are kept for {limits.kept_for}",
            hint=f"--set budget.{name}={least} is the least that makes sense, or make the "
            "inputs smaller",
        )


def unchecked(config: Run, spent: Reading) -> SmallBudgetError:
    """Return the error of a check that was not finished within a time limit."""
    limits = BudgetLimits(config.budget, trim_share=trim_share(config))
    name = limits.scarcest(spent)
    used = getattr(spent, name)
    least = _STEP * math.ceil(limits.leaving(_UNKNOWN * used) / _STEP)
    return SmallBudgetError(
        f"budget.{name} = {getattr(config.budget, name):g}: too small, the check of the "
        f"problem was not finished after {in_words(used)}",
        hint=f"--set budget.{name}={least} may be enough, or make the inputs smaller",
    )


def _measuring(config: Run, checked: Preflight) -> float:
    """Return the CPU seconds of the self-test and of one comparison, at the least."""
    measure, judge = config.measure, config.judge
    run = START_SECONDS + max(checked.search_seconds, measure.fast_seconds)
    blocks = measure.self_test_blocks + judge.min_blocks
    return 2 * run * blocks * judge.pairs
