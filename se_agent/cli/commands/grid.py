"""`grid`: a whole experiment from one file, run by one verb, and gone on with by the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.grid_plan import show_plan, state_words, time_words
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
    from se_agent.grid.cost_estimate import CostForecast
    from se_agent.grid.grid_run import PlannedCell

_CROWDED = "crowded"


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
    from se_agent.grid.grid_run import ended_cells, is_crowded, plan

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
    known = [*ended_cells(chosen)] if only else planned
    forecast = _forecast(known, jobs)
    show_plan(chosen, planned, known, forecast, screen)
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
    progress = GridProgress(planned, forecast, screen, chosen.home)
    raise typer.Exit(_run(chosen, progress, only, screen))


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

    cells = [{"cell": e.cell.name, "status": state_words(e)} for e in planned]
    return partial_result(chosen, planned).as_json() | {"cells": cells}


def _run(chosen: Grid, progress: GridProgress, only: str, screen: Screen) -> int:
    from se_agent.grid.grid_run import partial_result, plan, run_grid

    try:
        with terminable(screen), live_line(screen) as line:
            result = run_grid(
                chosen,
                progress.planned,
                jobs=progress.jobs,
                on_begin=progress.begin,
                on_end=progress.end,
                on_wait=lambda cells: progress.wait(cells, line),
            )
    except KeyboardInterrupt:
        screen.say("interrupted; saved. The same command goes on where it was")
        screen.answer(partial_result(chosen, plan(chosen, only=only)).as_json())
        return INTERRUPTED
    told = ", ".join(f"{n} {status}" for status, n in sorted(result.counts.items()))
    screen.say(f"{counted(len(result.cells), 'cell')}: {told.replace('_', ' ')}")
    screen.warn(progress.doubts())
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
        forecast: What cells take; it learns from each that ends.
        screen: Where lines are printed.
        home: Folder of the grid.
    """

    def __init__(
        self,
        planned: Sequence[PlannedCell],
        forecast: CostForecast,
        screen: Screen,
        home: Path,
    ) -> None:
        self.planned, self.jobs = planned, forecast.jobs
        self._forecast, self._screen, self._home = forecast, screen, home
        self._left = {each.cell.name: each.cell for each in planned if not each.is_over}
        self._failed = sum(state_words(each) == "failed" for each in planned)
        self._interrupted = 0
        self._running = self._in_vain = 0

    def begin(self, cell: GridCell, beside: int) -> None:
        """Take note of a cell that begins."""
        self._running = beside
        self._screen.say(f"{'':>12}  {cell.name}: begins")

    def end(self, cell: GridCell, found: CellResult) -> None:
        """Say what a cell came to, and what is left."""
        from se_agent.cli.commands.problem_set import line, save_row
        from se_agent.grid.cell_log import read_log

        self._running -= 1
        del self._left[cell.name]
        self._interrupted += found.status == "interrupted"
        self._failed += found.status == "failed"
        is_in_vain = False
        if found.result is not None and found.status != "failed":
            save_row(Path(found.result.run), self._screen)
            self._forecast.learn(cell, found.result, read_log(self._home / cell.name).seconds)
            is_in_vain = found.result.is_in_vain
        over = len(self.planned) - len(self._left)
        self._screen.say(f"{over:>4} of {len(self.planned):<4}  {line(found)}")
        self._screen.say(f"{'':>14}{self.words()}")
        self._in_vain += is_in_vain
        if is_in_vain and self._in_vain == 1:
            self._screen.warn(self.doubts())

    def wait(self, cells: Sequence[GridCell], line: LiveLine) -> None:
        """Say how far the cells are that run, if that was not said a moment ago."""
        if line.is_due():
            line.show("; ".join(map(self._far, cells)))

    def _far(self, cell: GridCell) -> str:
        from se_agent.grid.grid_run import progress_of

        limit = cell.arm.config.budget.evaluations
        made, confirms = progress_of(self._home / cell.name)
        of, then = "" if limit is None else f" of {limit}", ", confirms" if confirms else ""
        return f"{cell.name}: {made}{of} evaluations{then}"

    def words(self) -> str:
        """Return what is done, running and failed, and the time that is left."""
        done = len(self.planned) - len(self._left) - self._failed - self._interrupted
        told = f"{done} done, {self._running} running, {self._failed} failed"
        if not self._left:
            return told
        found = self._forecast.estimate(self._left.values())
        left = "" if found.seconds is None else f"; about {time_words(found.seconds)} left"
        return f"{told}, {len(self._left) - self._running} to go{left}"

    def doubts(self) -> Iterator[str]:
        """Yield that no reply became a program, in how many of the cells that ended here."""
        if self._in_vain:
            yield (
                f"in {counted(self._in_vain, 'cell')} no reply of a model became a program, so "
                "that prompts made no difference; `se-agent show RUN --all` says why"
            )


def _forecast(planned: Sequence[PlannedCell], jobs: int) -> CostForecast:
    """Return a forecast that knows of the cells that have ended."""
    from se_agent.grid.cost_estimate import CostForecast

    forecast = CostForecast(jobs)
    for each in planned:
        if each.is_over and each.found and each.found.result:
            forecast.learn(each.cell, each.found.result, each.seconds)
    return forecast
