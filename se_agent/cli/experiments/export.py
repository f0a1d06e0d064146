"""`export`: runs as files that other tools read."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.long_wait import tell_long_wait
from se_agent.cli.run_path import place_of
from se_agent.cli.screen import Screen
from se_agent.wording import counted

_FORMATS = "csv, jsonl or parquet for tables; mlflow or wandb for whole runs."
_TABLES = "A table, such as steps; may be repeated. By default all."


def export(
    places: Annotated[
        list[str],
        typer.Argument(metavar="RUN|FOLDER", help="Run folders, or folders of runs; or last."),
    ],
    kind: Annotated[str, typer.Option("--format", metavar="FORMAT", help=_FORMATS)] = "csv",
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where files are written.")] = Path(
        "export"
    ),
    table: Annotated[
        list[str] | None, typer.Option("--table", metavar="NAME", help=_TABLES)
    ] = None,
) -> None:
    """Write the tables of runs into files, or runs for a tracker of experiments.

    Secrets are taken out of all texts, and nothing is sent. docs/experiments.md says what the
    columns are.
    """
    from se_agent.analysis.export import export as write
    from se_agent.analysis.export import require_format
    from se_agent.analysis.face import open as opened
    from se_agent.analysis.recorded_run import RecordedRun, known_table
    from se_agent.report.words.phrases import one_line

    require_format(kind, table or ())
    tables = [known_table(name) for name in table or ()]
    found_places = [place_of(text) for text in places]
    tell_long_wait(map(Path, found_places))
    found, screen = opened(*found_places), Screen()
    for left in () if isinstance(found, RecordedRun) else found.left_out:
        screen.say(f"left out: {one_line(f'{left.folder}: {left.why}', 400)}")
    with warnings.catch_warnings(record=True, action="always") as told:
        files = write(found, to, kind, tables)
    for line in dict.fromkeys(str(one.message) for one in told):
        screen.say(f"note: {one_line(line, 400)}")
    screen.say(f"{counted(len(files), 'file')} written")
    for file in files:
        screen.quote(f"  {file}")
