"""`grid`: a whole experiment from one file, run by one verb, and gone on with by the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from se_agent.cli.commands.grid_plan import show_plan, state_words
from se_agent.cli.commands.run import JsonOption, SetOption, idle, require_plugins
from se_agent.cli.counting import live_line
from se_agent.cli.drive import INTERRUPTED, terminable
from se_agent.cli.level import doubts
from se_agent.cli.screen import Screen, say_note
from se_agent.errors import ConfigError, SeAgentError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.cli.commands.grid_progress import GridProgress
    from se_agent.config.settings import Setting
    from se_agent.engine.run.chosen_policy import Operators
    from se_agent.grid.cells import Grid, PlannedArm
    from se_agent.grid.cost_estimate import CostForecast
    from se_agent.grid.grid_run import GridResult, PlannedCell

    _AsJson = Callable[[Grid, GridResult], dict[str, object]]

_CROWDED = "crowded"


class _How(NamedTuple):
    """How a grid is run; see `grid`."""

    jobs: int = 1
    dry_run: bool = False
    only: str = ""
    retry: bool = False
    crowded: bool = False
    is_set: bool = False


def grid(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Run file with [grid], or problem set.")
    ],
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
    cost, and the smallest effect that they can show. A problem set (FILE.jsonl) is one arm
    and one seed.

    Exit code 1: cells have failed, and none has a result.
    """
    from se_agent.grid.grid_file import load_grid

    if accept not in ("", _CROWDED):
        raise ConfigError(
            f"--accept {accept}: there is no doubt of that name", hint=f"known: {_CROWDED}"
        )
    chosen = load_grid(file, set_ or (), say_note)
    how = _How(jobs=jobs, dry_run=dry_run, only=only, retry=retry, crowded=bool(accept))
    raise typer.Exit(_run_or_plan(chosen, how, Screen(as_json=as_json), _as_json))


def run_set(rows: Path, settings: Sequence[Setting], screen: Screen, *, dry_run: bool) -> int:
    """Run a problem set as a grid of one arm, and return the exit code.

    Args:
        rows: The problem set.
        settings: Those of the run, for each row.
        screen: Where it is shown; its JSON has the rows by their own ids.
        dry_run: Whether the plan is shown alone.

    Raises:
        SeAgentError: The file, a setting or this machine will not do.
    """
    from se_agent.grid.grid_file import load_set

    chosen = load_set(rows, settings, say_note)
    return _run_or_plan(
        chosen, _How(dry_run=dry_run, retry=True, is_set=True), screen, _rows_json
    )


def _as_json(_: Grid, result: GridResult) -> dict[str, object]:
    return result.as_json()


def _rows_json(chosen: Grid, result: GridResult) -> dict[str, object]:
    from se_agent.grid.arm_totals import ArmTotals

    ids = {cell.name: cell.source.id for cell in chosen.cells()}
    return {
        "problem_set": str(chosen.path),
        "results": result.home,
        "counts": result.counts,
        **ArmTotals(result.cells).as_json(),
        "rows": [cell.as_json() | {"id": ids[cell.id]} for cell in result.cells],
    }


def _run_or_plan(chosen: Grid, how: _How, screen: Screen, as_json: _AsJson) -> int:
    """Run a grid, or show its plan alone, and return the exit code."""
    from se_agent.cli.commands.grid_progress import GridProgress
    from se_agent.grid.grid_run import ended_cells, is_crowded, partial_result, plan

    for arm in chosen.arms:
        _require_models(arm, require_plugins(arm.config), keys=not how.dry_run)
    planned = plan(chosen, only=how.only, retry=how.retry)
    crowded = is_crowded(chosen, how.jobs)
    if crowded and not (how.crowded or how.dry_run):
        raise _too_many(how.jobs)
    known = [*ended_cells(chosen)] if how.only else planned
    forecast = _forecast(known, how.jobs)
    show_plan(chosen, planned, known, forecast, screen)
    if alike := [a.name for a in chosen.arms if a.differs_for_models_alone(chosen.arms[0])]:
        screen.warn([_without_a_model(alike)])
    if crowded:
        screen.warn([f"{_too_many(how.jobs)}: times will be noisier than they need to be"])
    if how.dry_run:
        screen.say("nothing was run (--dry-run)")
        screen.answer(_dry(chosen, planned))
        return 0
    screen.warn(dict.fromkeys(_doubts_of(chosen)))
    progress = GridProgress(planned, forecast, screen, chosen.home)
    result = _run(chosen, progress, screen)
    if result is None:
        left = partial_result(chosen, plan(chosen, only=how.only))
        screen.answer(as_json(chosen, left))
        return INTERRUPTED
    _conclude(chosen, result, progress, screen, how)
    screen.answer(as_json(chosen, result))
    return 1 if result.is_in_vain else 0


def _doubts_of(chosen: Grid) -> Iterator[str]:
    """Yield what somebody should know of the settings of arms before they run."""
    for arm in chosen.arms:
        yield from (*doubts(arm.config.sandbox), *idle(arm.config))


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


def _run(chosen: Grid, progress: GridProgress, screen: Screen) -> GridResult | None:
    """Run the cells, and return what they came to; None: somebody interrupted them."""
    from se_agent.grid.grid_run import run_grid

    try:
        with terminable(screen), live_line(screen) as line:
            return run_grid(
                chosen,
                progress.planned,
                jobs=progress.jobs,
                on_begin=progress.begin,
                on_end=progress.end,
                on_wait=lambda cells: progress.wait(cells, line),
            )
    except KeyboardInterrupt:
        screen.say("interrupted; saved. The same command goes on where it was")
        return None


def _conclude(
    chosen: Grid, result: GridResult, progress: GridProgress, screen: Screen, how: _How
) -> None:
    """Say how cells ended, what a single arm came to, and what to do next."""
    told = ", ".join(f"{n} {status}" for status, n in sorted(result.counts.items()))
    screen.say(f"{counted(len(result.cells), 'cell')}: {told.replace('_', ' ')}")
    if len(chosen.arms) == 1:
        for line in _totals(result):
            screen.say(line)
    screen.warn(progress.doubts())
    if any(cell.result and cell.result.notes for cell in result.cells):
        screen.offer("notes on a cell", command("show", Path(result.home) / "CELL"))
    for line, again in _left(chosen, result, how):
        if again:
            screen.offer(line, again)
        else:
            screen.say(line)
    if not result.has_results:
        return
    if len(chosen.seeds) == 1:
        screen.offer("to look at all of it", command("report", result.home, "--runs", "--open"))
    elif len(chosen.arms) > 1:
        base = ("--base", chosen.arms[0].name)
        screen.offer("to compare the arms", command("compare", result.home, *base))
    else:
        screen.offer("to list the runs", command("ls", "--results", Path(result.home) / "ARM"))


def _left(chosen: Grid, result: GridResult, how: _How) -> Iterator[tuple[str, str]]:
    """Yield what is to be run again, with the command for it; empty: the one that was typed."""
    statuses = {cell.status for cell in result.cells}
    if how.is_set and statuses & {"failed", "interrupted"}:
        yield "rows that failed or were interrupted are run again by the same command", ""
    elif not how.is_set and "failed" in statuses:
        yield "cells that failed are run again by", command("grid", chosen.path, "--retry")
    if not how.is_set and "interrupted" in statuses:
        yield "cells that were interrupted go on by", command("grid", chosen.path)


def _totals(result: GridResult) -> Iterator[str]:
    """Yield what the cells of a grid of one arm came to together."""
    from se_agent.report import totals
    from se_agent.report.words import memory_worth

    for arm in result.totals.values():
        yield from totals.lines(arm.overall)
        if told := memory_worth.line(arm.memory):
            yield told


def _forecast(planned: Sequence[PlannedCell], jobs: int) -> CostForecast:
    """Return a forecast that knows of the cells that have ended."""
    from se_agent.grid.cost_estimate import CostForecast

    forecast = CostForecast(jobs)
    for each in planned:
        if each.is_over and each.found and each.found.result:
            forecast.learn(each.cell, each.found.result, each.seconds)
    return forecast
