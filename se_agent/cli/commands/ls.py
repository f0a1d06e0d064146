"""`ls`: the runs of a folder, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.json_row import read, row
from se_agent.cli.long_wait import tell_long_wait
from se_agent.cli.run_path import RESULTS, run_folders
from se_agent.cli.screen import Screen
from se_agent.errors import JournalError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.engine.journal.result import Result
    from se_agent.report.story import Story
    from se_agent.report.terminal.columns import Columns


def ls(
    results: Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")] = RESULTS,
    as_json: JsonOption = False,
) -> None:
    """List the runs, each with its status and its gain."""
    from se_agent.report.words.doubts import doubts

    screen = Screen(as_json=as_json)
    sets, grids = _sets(results), _grids(results)
    others = {**sets, **grids}
    folders = _folders(results, others, screen)
    tell_long_wait(folders)
    found = [_entry(folder, screen) for folder in folders]
    if as_json:
        screen.answer([row(result, doubts(story)) for result, story in found])
    elif found:
        screen.show([_table(found)])
        for line in _means([result for result, _ in found]):
            screen.say(line)
    elif not others:
        screen.say(f"no runs in {results}/; start one: `se-agent run PROBLEM`")
    if sets:
        told = (f"{path} ({counted(count, 'run')})" for path, count in sets.items())
        listing = command("ls", "--results", next(iter(sets)))
        screen.offer(f"more runs in {', '.join(told)}; to list them", listing)

    for path, (cells, verb) in grids.items():
        screen.offer(f"grid {path}: {cells}", command(verb, path))


def _grids(results: Path) -> dict[Path, tuple[str, str]]:
    """Return the folders of grids: how many runs of how many cells, and what shows them."""
    from se_agent.grid.grid_folder import read_grid_folder

    found = {}
    for path in _inside(results):
        if (described := read_grid_folder(path)) is not None:
            runs = sum(len(run_folders(arm)) for arm in _inside(path))
            verb = "compare" if len(described.arms) > 1 else "report"
            found[path] = f"{counted(runs, 'run')} of {counted(described.cells, 'cell')}", verb
    return found


def _folders(results: Path, sets: Mapping[Path, object], screen: Screen) -> list[Path]:
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
    return sorted(path for path in results.glob("[!.]*") if path.is_dir())


def _means(found: Sequence[Result]) -> Iterator[str]:
    """Yield the means over runs that differ by their seed alone, problem by problem.

    A mean over runs of different problems or settings says nothing of either.
    """
    from se_agent.config.deviations import in_words
    from se_agent.engine.journal.overall import overall
    from se_agent.report import totals

    alike: dict[tuple[str, str, bool], list[Result]] = {}
    for one in found:
        key = one.problem, in_words(one.settings), one.direction is None
        alike.setdefault(key, []).append(one)
    for (problem, settings, _), runs in alike.items():
        if lines := [*totals.lines(overall(runs), legend=False)]:
            runs_of = f"{problem}, {counted(len(runs), 'run')}"
            yield f"{runs_of} with {settings or 'default settings'}"
            yield from (f"  {line}" for line in lines)


def _entry(folder: Path, screen: Screen) -> tuple[Result, Story]:
    from se_agent.engine.journal.result import summarize
    from se_agent.report.story import Story

    try:
        return read(folder, lambda why: screen.say(f"{folder.name}: {why}"))
    except JournalError as err:
        screen.say(f"broken: {err}")
        return summarize(folder, ()), Story()


def _table(found: list[tuple[Result, Story]]) -> Columns:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases

    names = ("run", "problem", "seed", "status", "gain or score")
    beside = ("evaluations", "started", "size")  # not shown where room is short
    table = Columns((*names, *beside), right=(2, 5), spare=(7, 5, 6))
    for result, story in found:
        folder, started = Path(result.run), story.started
        table.add(
            folder.name,
            phrases.one_line(result.problem),
            str(result.seed) if started else "",
            result.status.replace("_", " "),
            _figure(result, story),
            str(result.evaluations),
            f"{started.at.astimezone():%Y-%m-%d %H:%M}" if started else "",
            phrases.size(sum(p.stat().st_size for p in folder.iterdir() if p.is_file())),
        )
    return table


def _figure(result: Result, story: Story) -> str:
    from se_agent.report.words import phrases

    if story.confirmed is None and story.started is not None:
        return phrases.so_far(story)
    if result.direction:
        change = f"{phrases.figure(result.score_initial)} -> {phrases.figure(result.score)}"
        return f"{change} ({result.direction}){phrases.untrusted(result.trusted)}"
    if result.status != "proven" or not (result.gain and result.gain_low and result.gain_high):
        return "none proven" if result.status == "not_proven" else ""
    ends = f"{phrases.times(result.gain_low)}, {phrases.times(result.gain_high)}"
    return f"{phrases.times(result.gain)} [{ends}]{phrases.unless_cpu(result.objective)}"
