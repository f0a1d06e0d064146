"""What is said of a grid before it runs: its cells, their costs, and what they can show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from se_agent.cli.screen import Screen
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.grid.cells import Grid
    from se_agent.grid.cost_estimate import CostForecast
    from se_agent.grid.grid_run import PlannedCell

_HUGE = math.log(100)
_REASONS, _LONGEST = 8, 300
_ROWS = 40
"""Rows of the table of cells that are shown."""


def show_plan(
    chosen: Grid,
    planned: Sequence[PlannedCell],
    known: Sequence[PlannedCell],
    forecast: CostForecast,
    screen: Screen,
) -> None:
    """Show the cells, what they take, the smallest effect they can show, and what fails.

    Args:
        chosen: The grid.
        planned: The cells that are chosen.
        known: Those whose results show the noise.
        forecast: What cells take.
        screen: Where it is shown.
    """
    from se_agent.report.terminal.columns import Columns

    table = Columns(("arm", "problem", "seeds", "evaluations", "state"), right=(3,))
    rows = [*_rows(chosen, planned)]
    for row in rows[:_ROWS]:
        table.add(*row)
    screen.show([table])
    if len(rows) > _ROWS:
        screen.say(f"and {len(rows) - _ROWS} more rows like these")
    size, cost = _size(chosen, planned), _cost(planned, forecast)
    fails = (*_unusable(planned), *_failed(planned))
    for told in (*size, *cost, *_power(chosen, known), *fails):
        screen.say(told)


def _rows(chosen: Grid, planned: Sequence[PlannedCell]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each problem and arm: problems by name, arms as the file has them."""
    order = [arm.name for arm in chosen.arms]
    groups: dict[tuple[str, str], list[PlannedCell]] = {}
    for each in planned:
        groups.setdefault((each.cell.arm.name, each.cell.source.id), []).append(each)
    keys = sorted(groups, key=lambda key: (key[1], order.index(key[0])))
    for arm, problem in keys:
        cells = groups[arm, problem]
        states = [state_words(each) for each in cells]
        told = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
        budget = cells[0].cell.arm.config.budget.evaluations
        seeds = _seeds([each.cell.seed for each in cells])
        yield arm, problem, seeds, "no limit" if budget is None else str(budget), told


def _seeds(seeds: Sequence[int]) -> str:
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1)):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def state_words(each: PlannedCell) -> str:
    """Return how a cell ended, or that it is to run, or cannot be."""
    if each.found is None:
        return "cannot be run" if each.unusable else "to run"
    return each.found.status.replace("_", " ")


def _size(chosen: Grid, planned: Sequence[PlannedCell]) -> Iterator[str]:
    parts = (
        counted(len(chosen.arms), "arm"),
        counted(len(chosen.sources), "problem"),
        counted(len(chosen.seeds), "seed"),
    )
    running = sum(state_words(each) == "running" for each in planned)
    lost = sum(state_words(each) == "cannot be run" for each in planned)
    left = sum(not each.is_over for each in planned) - running - lost
    beside = f", {running} running in another process" if running else ""
    beside += f", {lost} cannot be run" if lost else ""
    picked = "" if len(planned) == len(chosen) else f", {len(planned)} of them chosen"
    yield f"{counted(len(chosen), 'cell')}: {' x '.join(parts)}{picked}; {left} to run{beside}"
    yield f"results: {chosen.home}"


def _unusable(planned: Sequence[PlannedCell]) -> Iterator[str]:
    """Yield which problems cannot be used as they stand, and why."""
    from se_agent.report.words.phrases import one_line  # reads runs: heavy for `--help`

    lost = {e.cell.source.id: e.unusable for e in planned if e.unusable and e.found is None}
    for problem, why in islice(lost.items(), _REASONS):
        told = why.removeprefix(f"{problem}: ")
        yield f"cannot be run: {one_line(f'{problem}: {told}', _LONGEST)}"
    if len(lost) > _REASONS:
        yield f"and {len(lost) - _REASONS} more problems that cannot be run"


def _failed(planned: Sequence[PlannedCell]) -> Iterator[str]:
    """Yield why cells have failed, the first of each reason."""
    from se_agent.report.words.phrases import one_line  # reads runs: heavy for `--help`

    reasons: dict[str, list[str]] = {}
    for each in planned:
        if each.found and each.found.status == "failed":
            reasons.setdefault(each.found.reason, []).append(each.cell.name)
    for reason, names in islice(reasons.items(), _REASONS):
        more = f" and {counted(len(names) - 1, 'more cell')}" if names[1:] else ""
        yield f"failed: {names[0]}{more}: {one_line(reason, _LONGEST)}"
    if len(reasons) > _REASONS:
        yield f"and {len(reasons) - _REASONS} more reasons"
    if reasons:
        yield "--retry runs cells again that have failed"


def _cost(planned: Sequence[PlannedCell], forecast: CostForecast) -> Iterator[str]:
    going = (each for each in planned if not each.is_over)
    left = [each.cell for each in going if state_words(each) != "cannot be run"]
    if not left:
        return
    found = forecast.estimate(left)
    asked = "no calls of models"
    if found.calls != 0:
        asked = ", ".join(
            (
                f"about {_number(found.calls)} calls",
                f"{_number(found.tokens)} tokens",
                "money unknown: no price"
                if found.money is None
                else f"{found.money:.2f} of money",
            )
        )
    basis = "by cells that have ended" if found.is_measured else "a rule of thumb"
    hours = (
        "no limit of time" if found.seconds is None else f"about {time_words(found.seconds)}"
    )
    yield (
        f"estimate: at most {_number(found.evaluations)} evaluations, {asked}; "
        f"{hours} with --jobs {forecast.jobs} ({basis})"
    )


def _number(value: int | None) -> str:
    return "unlimited" if value is None else f"{value:,}"


def time_words(seconds: float) -> str:
    """Return a time such as `40 s`, `12 min` or `3.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _factor(effect: float) -> str:
    """Return a difference of logarithms as a ratio; a huge one says only that it is."""
    factor = math.exp(min(effect, _HUGE))
    return f"{factor:.2f}x" if effect < _HUGE else "more than 100x: nothing to speak of"


def _power(chosen: Grid, planned: Sequence[PlannedCell]) -> Iterator[str]:
    """Yield the smallest effect that can be shown, of timed problems and of scored ones."""
    from se_agent.grid.grid_run import timed_counts
    from se_agent.grid.known_noise import known_noise
    from se_agent.grid.smallest_effect import smallest_effect

    others = sum(arm.name != "null" for arm in chosen.arms) - 1
    if others < 1 and len(chosen.arms) > 1:
        yield "one arm and its null arm: what they differ by is the noise floor of this design"
        return
    if others < 1:
        yield "one arm: there is nothing to compare"
        return
    timed, scored = timed_counts(chosen)
    noise, seeds = known_noise(planned), len(chosen.seeds)
    for count, what, spreads in ((timed, "gain", noise.gains), (scored, "score", noise.scores)):
        if not count:
            continue
        found = smallest_effect(problems=count, seeds=seeds, arms=others, spreads=spreads)
        pairs = f"{counted(found.pairs, 'pair')} of each arm, {counted(count, 'problem')}"
        where = " on a problem" if found.over == "seeds" and count > 1 else ""
        if found.effect is None:
            yield f"smallest difference it can show: none, {_too_few(count, seeds)} ({pairs})"
        elif what == "gain":
            source = "measured" if found.is_measured else _assumed(chosen)
            yield (
                f"smallest difference of gains it can show{where}: {_factor(found.effect)} "
                f"({pairs}; spread of a run {found.spread:.1%}, {source})"
            )
        else:
            size = found.effect if spreads else found.effect / found.spread
            unit = "" if spreads else " times the spread of a run, which is not known yet"
            told = f"smallest difference of scores it can show{where}: {size:.3g}{unit}"
            yield f"{told} ({pairs})"


def _assumed(chosen: Grid) -> str:
    """Return why the spread of runs is not known."""
    if any(arm.config.models for arm in chosen.arms):
        return "assumed; with a model it may be several times that, as runs will show"
    return "assumed; not known before runs"


def _too_few(problems: int, seeds: int) -> str:
    """Return why a design has no interval."""
    if seeds == 1:
        return "one seed has no interval"
    few = f"{counted(problems, 'problem')} with {counted(seeds, 'seed')}"
    return f"there is no interval over {few}, only a verdict whether seeds agree"
