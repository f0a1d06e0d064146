"""About what a grid takes: evaluations, calls, tokens, money and hours. Nobody is asked.

Limits of the run file bound what they limit. How long an evaluation takes is not known before
one was made: finished cells of the grid say so, and a rule of thumb before there are any.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from se_agent.config.run_file import Run
from se_agent.engine.run.dry_run import estimate, first_requests
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.state.budget import START_SECONDS
from se_agent.errors import SeAgentError
from se_agent.grid.cells import GridCell
from se_agent.problem.model import Problem

_TIMED = (25.0, 5.0)
_SCORED = (8.0, 1.0)
"""Seconds of a cell besides its evaluations, and of one of these, with blocks as by default.

Runs of 60 evaluations of the timed problems took 170 to 500 CPU seconds (docs/results.md),
those of 6 in short blocks 40 to 60 on a busy machine, and a scored one of 20 took 32.
"""

_DEFAULT = Run(problem="-")
_LEAST_SHARE = 0.3
"""Share of the time of a timed evaluation that shorter blocks do not make less."""


@dataclass(frozen=True, kw_only=True)
class GridEstimate:
    """About what cells take; None: nothing limits it, or it is not known.

    Attributes:
        cells: Number of cells.
        evaluations: At most so many.
        calls: Calls of models.
        tokens: Tokens of these calls, in both directions.
        money: What they cost, in the currency of the run file's prices.
        seconds: On the wall, with so many cells at a time.
        is_measured: Whether finished cells said how long one takes.
    """

    cells: int
    evaluations: int | None
    calls: int | None
    tokens: int | None
    money: float | None
    seconds: float | None
    is_measured: bool


@dataclass(frozen=True, kw_only=True)
class _CellCost:
    evaluations: float
    calls: float
    tokens: float
    money: float
    seconds: float


def grid_estimate(
    cells: Iterable[GridCell], *, jobs: int = 1, measured: Mapping[str, float] | None = None
) -> GridEstimate:
    """Return about what cells take.

    Args:
        cells: Those that are to be run.
        jobs: Number of cells at a time.
        measured: Seconds that a finished cell took, by problem and by arm's number of
            evaluations, as `cost_key` names them.
    """
    counts = _counts(cells)
    known, total = measured or {}, [0.0] * 5
    is_measured = False
    for count, cell in counts.values():
        cost, told = _cost(cell, known)
        is_measured = is_measured or told
        values = (cost.evaluations, cost.calls, cost.tokens, cost.money, cost.seconds)
        total = [one + count * value for one, value in zip(total, values, strict=True)]
    evaluations, calls, tokens, money, seconds = total
    return GridEstimate(
        cells=sum(count for count, _ in counts.values()),
        evaluations=_whole(evaluations),
        calls=_whole(calls),
        tokens=_whole(tokens),
        money=None if math.isnan(money) else money,
        seconds=None if math.isinf(seconds) else seconds / max(jobs, 1),
        is_measured=is_measured,
    )


def cost_key(cell: GridCell) -> str:
    """Return what the time of a cell is known by: its arm and its problem."""
    return f"{cell.arm.name}/{cell.source.id}"


def _counts(cells: Iterable[GridCell]) -> dict[str, tuple[int, GridCell]]:
    """Return how many cells there are of each arm and problem, with one of them."""
    found: dict[str, tuple[int, GridCell]] = {}
    for cell in cells:
        key = cost_key(cell)
        found[key] = (found[key][0] + 1 if key in found else 1, cell)
    return found


def _cost(cell: GridCell, known: Mapping[str, float]) -> tuple[_CellCost, bool]:
    config = cell.arm.config
    calls, tokens, money = _asked(config, cell)
    count = _evaluations(config)
    seconds = known.get(cost_key(cell), _seconds(config, cell, count))
    cost = _CellCost(
        evaluations=count, calls=calls, tokens=tokens, money=money, seconds=seconds
    )
    return cost, cost_key(cell) in known


def _evaluations(config: Run) -> float:
    """Return how many evaluations a run makes at most; infinity: nothing limits them."""
    budget = config.budget
    steps = [budget.evaluations, budget.proposals]
    if budget.generations:
        steps.append(budget.generations * config.generation_size)
    return float(min((limit for limit in steps if limit), default=math.inf))


def _seconds(config: Run, cell: GridCell, evaluations: float) -> float:
    start, each = _SCORED
    if _is_timed(cell):
        start, each = _TIMED
        each *= _LEAST_SHARE + (1 - _LEAST_SHARE) * _block(config) / _block(_DEFAULT)
    limits = [config.budget.wall_seconds, config.budget.cpu_seconds]
    bounds = [limit for limit in limits if limit]
    return min([start + each * evaluations, *bounds])


def _block(config: Run) -> float:
    """Return about how long a block takes: each pair is two runs, one of them of a slow one."""
    measure = config.measure
    return config.judge.pairs * (
        2 * START_SECONDS + measure.fast_seconds + measure.slow_seconds
    )


def _is_timed(cell: GridCell) -> bool:
    return (problem := _problem(cell)) is None or problem.timed


def _problem(cell: GridCell) -> Problem | None:
    """Return the problem; None: it cannot be used, which its cells will say."""
    try:
        return cell.source.load()
    except SeAgentError:
        return None


def _asked(config: Run, cell: GridCell) -> tuple[float, float, float]:
    """Return about how many calls and tokens a run takes, and the money."""
    problem = _problem(cell) if config.models else None
    if problem is None:
        return 0.0, 0.0, 0.0
    try:
        resolved = ResolvedRun.of(config, problem)
        found = estimate(resolved, first_requests(resolved))
    except SeAgentError:  # its cells will say so
        return 0.0, 0.0, 0.0
    unknown = math.nan if found.money is None else found.money
    return _or_endless(found.calls), _or_endless(found.tokens), unknown


def _or_endless(value: float | None) -> float:
    return math.inf if value is None else float(value)


def _whole(value: float) -> int | None:
    return round(value) if math.isfinite(value) else None
