"""`grid`: a whole experiment from one file, run by one verb, and gone on with by the same."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption, SetOption, require_plugins
from se_agent.cli.counting import LiveLine, live_line
from se_agent.cli.drive import INTERRUPTED, terminable
from se_agent.cli.level import doubts
from se_agent.cli.screen import Screen, say_note
from se_agent.errors import ConfigError, SeAgentError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.engine.run.chosen_policy import Operators
    from se_agent.grid.cell_run import CellResult
    from se_agent.grid.cells import Grid, GridCell, PlannedArm
    from se_agent.grid.grid_run import PlannedCell

_CROWDED = "crowded"
_HUGE = math.log(100)
_ROWS = 40
"""Rows of the table of cells that are shown."""


def grid(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Run file with a table [grid].")],
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Cells at a time.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show cells, costs and power; run nothing.")
    ] = False,
    only: Annotated[
        str, typer.Option(metavar="GLOB", help="Cells, arms or problems that are run.")
    ] = "",
    retry: Annotated[
        bool, typer.Option("--retry", help="Run cells again that have failed.")
    ] = False,
    accept: Annotated[
        str,
        typer.Option(
            metavar="DOUBT", help="crowded: more jobs than idle cores while times are measured."
        ),
    ] = "",
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run an experiment: each arm on each problem with each seed.

    Runs what is missing and continues what was interrupted. First it shows the cells, their
    cost, and the smallest effect that they can show.
    """
    from se_agent.grid.grid_file import load_grid
    from se_agent.grid.grid_run import is_crowded, plan

    chosen, screen = load_grid(file, set_ or (), say_note), Screen(as_json=as_json)
    if accept not in ("", _CROWDED):
        raise ConfigError(
            f"--accept {accept}: there is no doubt of that name", hint=f"known: {_CROWDED}"
        )
    for arm in chosen.arms:
        _require_models(arm, require_plugins(arm.config), keys=not dry_run)
    planned = plan(chosen, only=only, retry=retry)
    crowded = is_crowded(chosen, jobs)
    if crowded and accept != _CROWDED and not dry_run:
        raise _too_many(jobs)
    _show_plan(chosen, planned, jobs, screen)
    if alike := [a.name for a in chosen.arms if a.differs_for_models_alone(chosen.arms[0])]:
        screen.warn([_without_a_model(alike)])
    if crowded:
        screen.warn([f"{_too_many(jobs)}: times will be noisier than they need to be"])
    if dry_run:
        screen.say("nothing was run (--dry-run)")
        screen.answer(_dry(chosen, planned))
        return
    screen.warn(
        dict.fromkeys(told for arm in chosen.arms for told in doubts(arm.config.sandbox))
    )
    raise typer.Exit(_run(chosen, planned, jobs, only, screen))


def _require_models(arm: PlannedArm, operators: Operators | None, *, keys: bool) -> None:
    """Refuse an arm that asks a model that it does not name, before any cell is begun.

    Args:
        arm: The arm.
        operators: Its operators; None: as by default.
        keys: Whether the keys of its models have to be there, too.

    Raises:
        ConfigError: It is one; the message names the arm.
        ModelError: A model cannot be asked at all: its key is missing.
    """
    from se_agent.engine.models import endpoints
    from se_agent.engine.run.resolve import fitting_operators, made_operators
    from se_agent.program.language import Language

    config = arm.config
    if operators is None:  # without a model those that one writes are left out
        operators = made_operators(config) if config.models else {}
    operators = fitting_operators(operators, config, Language.PYTHON)
    try:
        roles = endpoints.roles_of(config, operators)
        with endpoints.made(config, roles if keys else ()):
            pass
    except SeAgentError as err:
        raise type(err)(f"arm {arm.name}: {err}", hint=err.hint) from err


def _too_many(jobs: int) -> ConfigError:
    from se_agent.grid.grid_run import idle_cores

    return ConfigError(
        f"--jobs {jobs}: programs are timed, and {counted(idle_cores(), 'core')} idle now",
        hint="leave --jobs out, wait, or take the noise: `--accept crowded`",
    )


def _without_a_model(arms: Sequence[str]) -> str:
    verb, differ, them = ("change", "they differ", "them")
    if len(arms) == 1:
        verb, differ, them = ("changes", "it differs", "it")
    return (
        f"{', '.join(arms)} {verb} what a model is shown, and there is no model: what {differ} "
        f"by is noise. Name one (--set models.main.name=MODEL), or leave {them} out"
    )


def _dry(chosen: Grid, planned: Sequence[PlannedCell]) -> dict[str, object]:
    from se_agent.grid.grid_run import partial_result

    cells = [{"cell": e.cell.name, "status": _state(e)} for e in planned]
    return partial_result(chosen, planned).as_json() | {"cells": cells}


def _run(
    chosen: Grid, planned: Sequence[PlannedCell], jobs: int, only: str, screen: Screen
) -> int:
    from se_agent.grid.grid_run import partial_result, plan, run_grid

    try:
        with terminable(screen), live_line(screen) as line:
            progress = GridProgress(planned, jobs, screen, line, chosen.home)
            result = run_grid(
                chosen,
                planned,
                jobs=jobs,
                on_begin=progress.begin,
                on_end=progress.end,
                on_wait=progress.wait,
            )
    except KeyboardInterrupt:
        screen.say("interrupted; saved. The same command goes on where it was")
        screen.answer(partial_result(chosen, plan(chosen, only=only)).as_json())
        return INTERRUPTED
    told = ", ".join(f"{n} {status}" for status, n in sorted(result.counts.items()))
    screen.say(f"{counted(len(result.cells), 'cell')}: {told.replace('_', ' ')}")
    if any(cell.status == "failed" for cell in result.cells):
        screen.offer(
            "cells that failed are run again by", command("grid", chosen.path, "--retry")
        )
    if any(cell.status == "interrupted" for cell in result.cells):
        screen.offer("cells that were interrupted go on by", command("grid", chosen.path))
    if len(chosen.seeds) == 1:
        screen.offer("to look at all of it", command("report", result.home, "--runs", "--open"))
    elif len(chosen.arms) > 1:
        base = ("--base", chosen.arms[0].name)
        screen.offer("to compare the arms", command("compare", result.home, *base))
    else:
        screen.offer("to list the runs", command("ls", "--results", Path(result.home) / "ARM"))
    screen.answer(result.as_json())
    return 0


class GridProgress:
    """Says how far a grid is: a line for each cell that ends, and one for those that run.

    Args:
        planned: All cells.
        jobs: How many run at a time.
        screen: Where lines are printed.
        line: Shows how far the cells are that run.
        home: Folder of the grid.
    """

    def __init__(
        self,
        planned: Sequence[PlannedCell],
        jobs: int,
        screen: Screen,
        line: LiveLine,
        home: Path,
    ) -> None:
        self._screen, self._jobs, self._line, self._home = screen, jobs, line, home
        self._count = len(planned)
        self._done = sum(each.is_over for each in planned)
        self._failed = sum(_state(each) == "failed" for each in planned)
        self._running = 0
        self._here = 0
        self._since = time.monotonic()

    def begin(self, cell: GridCell, beside: int) -> None:
        """Take note of a cell that begins."""
        self._running = beside
        self._screen.say(f"{'':>12}  {cell.name}: begins")

    def end(self, cell: GridCell, found: CellResult) -> None:
        """Say what a cell came to, and what is left."""
        from se_agent.cli.commands.problem_set import line, save_row

        self._running -= 1
        self._here += 1
        self._done += found.status != "interrupted"
        self._failed += found.status == "failed"
        if found.result is not None and found.status != "failed":
            save_row(Path(found.result.run), self._screen)
        self._screen.say(f"{self._done:>4} of {self._count:<4}  {line(found)}")
        self._screen.say(f"{'':>14}{self.words()}")

    def wait(self, cells: Sequence[GridCell]) -> None:
        """Say how far the cells are that run, if that was not said a moment ago."""
        if self._line.is_due():
            self._line.show("; ".join(map(self._far, cells)))

    def _far(self, cell: GridCell) -> str:
        from se_agent.grid.grid_run import evaluations_in

        limit = cell.arm.config.budget.evaluations
        of = "" if limit is None else f" of {limit}"
        return f"{cell.name}: {evaluations_in(self._home / cell.name)}{of} evaluations"

    def words(self) -> str:
        """Return what is done, running and failed, and the time that is left."""
        told = f"{self._done} done, {self._running} running, {self._failed} failed"
        left = self._count - self._done - self._running
        if not left + self._running:
            return told
        each = (time.monotonic() - self._since) / max(self._here, 1)
        return f"{told}, {left} to go; about {_time((left + self._running) * each)} left"


def _show_plan(chosen: Grid, planned: Sequence[PlannedCell], jobs: int, screen: Screen) -> None:
    from se_agent.report.terminal.columns import Columns

    table = Columns(("arm", "problem", "seeds", "evaluations", "state"), right=(3,))
    rows = [*_rows(planned)]
    for row in rows[:_ROWS]:
        table.add(*row)
    screen.show([table])
    if len(rows) > _ROWS:
        screen.say(f"and {len(rows) - _ROWS} more rows like these")
    for told in (*_size(chosen, planned), *_cost(planned, jobs), *_power(chosen, planned)):
        screen.say(told)


def _rows(planned: Sequence[PlannedCell]) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[str, str], list[PlannedCell]] = {}
    for each in planned:
        groups.setdefault((each.cell.arm.name, each.cell.source.id), []).append(each)
    for (arm, problem), cells in sorted(groups.items(), key=lambda item: item[0][1]):
        states = [_state(each) for each in cells]
        told = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
        budget = cells[0].cell.arm.config.budget.evaluations
        seeds = _seeds([each.cell.seed for each in cells])
        yield arm, problem, seeds, "no limit" if budget is None else str(budget), told


def _seeds(seeds: Sequence[int]) -> str:
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1)):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def _state(each: PlannedCell) -> str:
    return "to run" if each.found is None else each.found.status.replace("_", " ")


def _size(chosen: Grid, planned: Sequence[PlannedCell]) -> Iterator[str]:
    parts = (
        counted(len(chosen.arms), "arm"),
        counted(len(chosen.sources), "problem"),
        counted(len(chosen.seeds), "seed"),
    )
    running = sum(_state(each) == "running" for each in planned)
    left = sum(not each.is_over for each in planned) - running
    beside = f", {running} running in another process" if running else ""
    picked = "" if len(planned) == len(chosen) else f", {len(planned)} of them chosen"
    yield f"{counted(len(chosen), 'cell')}: {' x '.join(parts)}{picked}; {left} to run{beside}"
    yield f"results: {chosen.home}"


def _cost(planned: Sequence[PlannedCell], jobs: int) -> Iterator[str]:
    from se_agent.grid.cost_estimate import grid_estimate
    from se_agent.grid.known_noise import known_noise

    left = [each.cell for each in planned if not each.is_over]
    if not left:
        return
    found = grid_estimate(left, jobs=jobs, measured=known_noise(planned).seconds)
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
    basis = "by finished cells" if found.is_measured else "a rule of thumb"
    hours = "no limit of time" if found.seconds is None else f"about {_time(found.seconds)}"
    yield (
        f"estimate: at most {_number(found.evaluations)} evaluations, {asked}; "
        f"{hours} with --jobs {jobs} ({basis})"
    )


def _number(value: int | None) -> str:
    return "unlimited" if value is None else f"{value:,}"


def _time(seconds: float) -> str:
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
            source = "measured" if found.is_measured else "assumed; not known before runs"
            yield (
                f"smallest difference of gains it can show{where}: {_factor(found.effect)} "
                f"({pairs}; spread between seeds {found.spread:.1%}, {source})"
            )
        else:
            size = found.effect if spreads else found.effect / found.spread
            unit = "" if spreads else " times the spread between seeds, which is not known yet"
            told = f"smallest difference of scores it can show{where}: {size:.3g}{unit}"
            yield f"{told} ({pairs})"


def _too_few(problems: int, seeds: int) -> str:
    """Return why a design has no interval."""
    if seeds == 1:
        return "one seed has no interval"
    few = f"{counted(problems, 'problem')} with {counted(seeds, 'seed')}"
    return f"there is no interval over {few}, only a verdict whether seeds agree"
