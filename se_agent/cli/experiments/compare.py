"""`compare`: arms of runs against a base arm, with intervals, as tables or for programs."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.counting import counting
from se_agent.cli.long_wait import RESULT, tell_long_wait
from se_agent.cli.run_path import place_of
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.analysis.comparison import ArmComparison

_PLACES = "Run folders, folders of runs, or NAME=FOLDER."


def compare(
    places: Annotated[list[str], typer.Argument(metavar="RUN|FOLDER", help=_PLACES)],
    base: Annotated[
        str,
        typer.Option(metavar="ARM", help="What others are compared with; a grid's first arm."),
    ] = "",
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, for a report.")
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a row of figures for each effect.")
    ] = False,
    details: Annotated[
        bool,
        typer.Option("--all", help="Also what it took to 50 and 100 % of the best known."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare arms of runs, with intervals.

    Runs with the same settings are an arm, whatever their problem and seed; in a folder
    of folders, each of these is one. Pairs have the same problem and seed. An arm named
    null repeats the base arm: what it differs by is the noise floor.
    """
    from se_agent.analysis.comparison import compare_runs
    from se_agent.analysis.comparison_rows import comparison_json
    from se_agent.analysis.records import read_runs
    from se_agent.grid.cells_without_run import failed_grid, notes_on_cells
    from se_agent.report.words import comparison as words

    if as_markdown + as_csv + as_json > 1:
        apart = "--markdown, --csv and --json print one thing each"
        raise ConfigError(apart, hint="give one of them")
    screen = Screen(as_json=as_json or as_csv or as_markdown)
    found_places = [place_of(text) for text in places]
    for place in found_places:
        if failed := failed_grid(Path(place)):
            raise failed
    tell_long_wait(map(Path, found_places), RESULT)
    with counting(screen, "runs read") as told:
        read = read_runs(found_places, told)
    notes = tuple(note for place in found_places for note in notes_on_cells(Path(place)))
    found = compare_runs(replace(read, notes=notes), base=base)
    if as_json:
        screen.answer(comparison_json(found))
    elif as_markdown:
        sys.stdout.write(words.markdown(found, details=details) + "\n")
    elif as_csv:
        sys.stdout.write(words.csv_text(found))
    else:
        _show(found, screen, details=details)


def _show(found: ArmComparison, screen: Screen, *, details: bool) -> None:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import comparison as words

    for place, told in enumerate(words.tables(found, details=details)):
        screen.say(f"\n{told.title}" if place else told.title)
        table = Columns(told.names, right=told.right)
        for row in told.rows:
            table.add(*row)
        screen.show([table])
    screen.say("")
    for line in words.regression_lines(found.regressions):
        screen.quote(line)
    for line in words.note_lines(found):
        screen.say(line)
