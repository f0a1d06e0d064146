"""About what a grid takes: evaluations, calls, tokens, money and hours. Nobody is asked.

What a cell takes is not known before one was run: those that have ended say so, and a rule of
thumb before there are any. Limits of the run file bound what they limit.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from se_agent.config.run_file import Run
from se_agent.engine.journal.result import Result
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
        is_measured: Whether cells that have ended said so of some.
    """

    cells: int
    evaluations: int | None
    calls: int | None
    tokens: int | None
    money: float | None
    seconds: float | None
    is_measured: bool


class CellCost(NamedTuple):
    """What a cell takes, or took.

    Attributes:
        evaluations: At most so many; infinity: nothing limits them. Likewise calls and tokens.
        calls: Calls of models.
        tokens: Tokens of these calls, in both directions.
        money: What they cost; not a number: not known.
        seconds: On the wall.
    """

    evaluations: float
    calls: float
    tokens: float
    money: float
    seconds: float


_NOTHING = CellCost(0.0, 0.0, 0.0, 0.0, 0.0)


class CostForecast:
    """About what the cells of a grid take: by those that have ended, else by a rule of thumb.

    A cell is taken to be like those of its arm and problem that have ended, else like those
    of its arm. Where none of its arm has, the rule is as wrong as it was about all that have
    ended. How many evaluations it makes is bounded by its arm's budget.

    Attributes:
        jobs: Number of cells that run at a time.
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self._ended: list[tuple[GridCell, CellCost]] = []
        self._rules: dict[str, CellCost] = {}
        self._usable: dict[str, bool] = {}

    def learn(self, cell: GridCell, result: Result, seconds: float) -> None:
        """Take note of what a cell took; one that broke off, or has no time, says nothing."""
        if not (seconds and result.is_over):
            return
        money = math.nan if result.money is None else result.money
        took = CellCost(result.evaluations, result.calls, result.tokens, money, seconds)
        self._ended.append((cell, took))

    def estimate(self, cells: Iterable[GridCell]) -> GridEstimate:
        """Return about what cells take that are to be run."""
        wrong_by = self._wrong_by()
        of_problem = _means((_key(cell), took) for cell, took in self._ended)
        of_arm = _means((cell.arm.name, took) for cell, took in self._ended)

        def cost(cell: GridCell) -> CellCost:
            if not self._is_usable(cell):
                return _NOTHING
            like = of_problem.get(_key(cell)) or of_arm.get(cell.arm.name)
            found = like or CellCost(*map(mul, self._rule(cell), wrong_by))
            return found._replace(evaluations=_evaluations(cell.arm.config))

        costs = [*map(cost, cells)]
        told = _sum(costs)
        beside = max(1, min(self.jobs, len(costs)))
        return GridEstimate(
            cells=len(costs),
            evaluations=_whole(told.evaluations),
            calls=_whole(told.calls),
            tokens=_whole(told.tokens),
            money=None if math.isnan(told.money) else told.money,
            seconds=None if math.isinf(told.seconds) else told.seconds / beside,
            is_measured=bool(self._ended),
        )

    def _is_usable(self, cell: GridCell) -> bool:
        """Say whether the problem can be read: a cell without one ends at once."""
        if cell.source.id not in self._usable:
            self._usable[cell.source.id] = _problem(cell) is not None
        return self._usable[cell.source.id]

    def _rule(self, cell: GridCell) -> CellCost:
        if _key(cell) not in self._rules:
            self._rules[_key(cell)] = _by_rule(cell)
        return self._rules[_key(cell)]

    def _wrong_by(self) -> CellCost:
        """Return how many times as much as by the rule the cells took that have ended."""
        took = _sum(each for _, each in self._ended)
        rules = _sum(self._rule(cell) for cell, _ in self._ended)
        return CellCost(*map(_ratio, took, rules))


def _sum(costs: Iterable[CellCost]) -> CellCost:
    return CellCost(*map(sum, zip(_NOTHING, *costs, strict=True)))


def _means(costs: Iterable[tuple[str, CellCost]]) -> dict[str, CellCost]:
    """Return the mean of the costs of each name."""
    found: dict[str, list[CellCost]] = {}
    for name, cost in costs:
        found.setdefault(name, []).append(cost)
    return {
        name: CellCost(*map(statistics.fmean, zip(*each, strict=True)))
        for name, each in found.items()
    }


def _ratio(took: float, expected: float) -> float:
    """Return how many times as much it was as expected; 1 where that is not known."""
    return took / expected if 0 < expected < math.inf and not math.isnan(took) else 1.0


def _key(cell: GridCell) -> str:
    return f"{cell.arm.name}/{cell.source.id}"


def _by_rule(cell: GridCell) -> CellCost:
    config = cell.arm.config
    count = _evaluations(config)
    return CellCost(count, *_asked(config, cell), _seconds(config, cell, count))


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
