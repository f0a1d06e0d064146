"""`ls`: the runs of a folder, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.place import RESULTS, run_folders
from se_agent.cli.row import read, row
from se_agent.cli.run import JsonOption
from se_agent.cli.screen import Screen
from se_agent.command import command
from se_agent.counted import counted
from se_agent.errors import JournalError

if TYPE_CHECKING:
    from rich.table import Table

    from se_agent.engine.record.result import Result
    from se_agent.report.story import Story


def ls(
    results: Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")] = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """List the runs, each with its status and its gain."""
    from se_agent.engine.record.overall import overall
    from se_agent.report import totals

    screen = Screen(as_json=as_json)
    sets = _sets(results)
    found = [_entry(folder, screen) for folder in _folders(results, sets, screen)]
    if as_json:
        screen.answer([row(result) for result, _ in found])
    elif found:
        screen.show([_table(found)])
        for told in totals.lines(overall(result for result, _ in found)):
            screen.say(told)
    elif not sets:
        screen.say(f"no runs in {results}/; start one: se-agent run PROBLEM")
    if sets:
        screen.say(_pointed(sets))


def _folders(results: Path, sets: Mapping[Path, int], screen: Screen) -> list[Path]:
    """Return the runs; what is neither a run nor a set of them is told."""
    runs = run_folders(results)
    for path in _inside(results):
        if path not in sets and path not in runs:
            screen.say(f"skipped: {path} is not a run")
    return runs


def _sets(results: Path) -> dict[Path, int]:
    """Return the folders that are no runs and hold some, with how many."""
    none = (path for path in _inside(results) if not (path / "run.db").is_file())
    counts = {path: len(run_folders(path)) for path in none}
    return {path: count for path, count in counts.items() if count}


def _inside(results: Path) -> list[Path]:
    return sorted(path for path in results.glob("*") if path.is_dir())


def _pointed(sets: Mapping[Path, int]) -> str:
    """Return the line that says where more runs are, and how they are listed."""
    told = (f"{path} ({counted(count, 'run')})" for path, count in sets.items())
    listing = command("ls", "--results", next(iter(sets)))
    return f"more runs in {', '.join(told)}; to list them: {listing}"


def _entry(folder: Path, screen: Screen) -> tuple[Result, Story]:
    from se_agent.engine.record.result import summarize
    from se_agent.report.story import Story

    try:
        return read(folder)
    except JournalError as err:
        screen.say(f"broken: {err}")
        return summarize(folder, ()), Story()


def _table(found: list[tuple[Result, Story]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from se_agent.report import words

    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    names = ("run", "problem", "status", "gain or score", "evaluations", "started", "size")
    for name in names:  # a name is there to be copied: it stays whole where room is short
        table.add_column(name, overflow="fold", no_wrap=name in ("run", "status"))
    for result, story in found:
        folder, started = Path(result.run), story.started
        table.add_row(
            Text(folder.name),
            Text(words.one_line(result.problem)),
            result.status.replace("_", " "),
            _figure(result, story),
            str(result.evaluations),
            f"{started.at.astimezone():%Y-%m-%d %H:%M}" if started else "",
            words.size(sum(p.stat().st_size for p in folder.iterdir() if p.is_file())),
        )
    return table


def _figure(result: Result, story: Story) -> str:
    from se_agent.report import words

    if story.confirmed is None and story.started is not None:
        return words.so_far(story)
    if result.direction:
        change = f"{words.figure(result.score_initial)} -> {words.figure(result.score)}"
        return f"{change} ({result.direction}){words.untrusted(result.trusted)}"
    if result.gain is None or result.gain_low is None or result.gain_high is None:
        return ""
    ends = f"{words.times(result.gain_low)}, {words.times(result.gain_high)}"
    return f"{words.times(result.gain)} [{ends}]{words.unless_cpu(result.objective)}"
