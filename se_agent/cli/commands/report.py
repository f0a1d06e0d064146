"""`report`: one file with everything of a run, or of a folder of runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.long_wait import tell_long_wait
from se_agent.cli.run_path import RESULTS, run_folder
from se_agent.cli.screen import Screen, say_note
from se_agent.errors import ConfigError, JournalError, reason

_NAME = "report.html"
_NAMED = 10
"""Lines on what could not be read, at most."""


def report(
    place: Annotated[
        str, typer.Argument(metavar="RUN|FOLDER", help="A run, or a folder of runs; or last.")
    ],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file; report.html beside the runs.")
    ] = None,
    runs: Annotated[
        bool, typer.Option("--runs", help="For a folder: also a report of each run.")
    ] = False,
    show_it: Annotated[bool, typer.Option("--open", help="Open it in a browser, too.")] = False,
) -> None:
    """Write a report: one HTML file of a run, or of many, that needs no network.

    It shows the result with its doubts, why each step was accepted or rejected, the
    lineage of programs, each program, and the memory at every step. A folder of runs
    shows problems by arms, with intervals; it links the reports of runs that lie
    beside them.
    """
    from se_agent.grid.cells_without_run import notes_on_cells
    from se_agent.report.html.report import report_data
    from se_agent.report.words.phrases import clean, one_line

    folder, screen = found_place(place), Screen()
    file = (output or folder / _NAME).absolute()
    require_writable(file)
    _require_own(file)
    tell_long_wait([folder])
    if runs:
        _write_runs(folder, screen)
    notes = tuple(notes_on_cells(folder))
    found = report_data(folder, notes=notes, home=file.parent)
    for line in found.left_out[:_NAMED]:
        say_note(f"note: {one_line(line, 300)}")
    if (more := len(found.left_out) - _NAMED) > 0:
        say_note(f"note: {more} more are left out; the report names them")
    text = found.text
    _write(file, text)
    screen.say(f"report: {clean(str(file))} ({len(text) / 1e6:.1f} MB)")
    if show_it:
        _open(file, screen)


def _write_runs(folder: Path, screen: Screen) -> None:
    """Write the report of each run in a folder; one that cannot be read is named later."""
    from se_agent.analysis.records import run_folders_of
    from se_agent.cli.counting import counting
    from se_agent.report.html.report import report_text

    found = [run for run, _ in run_folders_of(folder) if run != folder]
    with counting(screen, "reports of runs written") as told:
        for number, run in enumerate(found, 1):
            with suppress(JournalError):
                _write(run / _NAME, report_text(run))
            told(number, len(found))


def _write(file: Path, text: str) -> None:
    from se_agent.files.run_files import replace_whole

    try:
        replace_whole(file, text.encode())
    except OSError as err:
        raise _unwritable(file, err) from err


def found_place(text: str) -> Path:
    """Return the folder that a person means: of a run, or of runs.

    Raises:
        SeAgentError: There is none.
    """
    for given in (Path(text), RESULTS / text):
        if given.is_dir() and not (given / "run.db").is_file() and _holds_runs(given):
            return given
    return run_folder(text)


def _holds_runs(given: Path) -> bool:
    return any(given.glob("*/run.db")) or any(given.glob("*/*/run.db"))


def require_writable(file: Path) -> None:
    """Refuse a place for a file before anything is read for it.

    Raises:
        ConfigError: Nothing can be written there.
    """
    import os

    if file.is_dir():
        raise ConfigError(f"{file}: it is a folder", hint="name a file: --output FILE.html")
    if not file.parent.is_dir():
        missing = f"{file.parent}: no such folder"
        raise ConfigError(missing, hint="make it, or name another file: --output FILE")
    if not os.access(file.parent, os.W_OK):
        raise _unwritable(file, PermissionError(13, "Permission denied"))


def _require_own(file: Path) -> None:
    """Refuse to write over a file that is no page, such as the journal of a run.

    Raises:
        ConfigError: It is one.
    """
    begin = _beginning(file).lstrip().lower()
    if begin and not begin.startswith((b"<!doctype html", b"<html")):
        other = f"{file}: there is another file, which is no report"
        raise ConfigError(other, hint="name a file of its own: --output FILE.html")


def _beginning(file: Path) -> bytes:
    """Return how a file begins; a link is replaced by the report, what it leads to stays."""
    import os

    from se_agent.files.run_files import open_regular

    if file.is_symlink() or not file.is_file():
        return b""
    with os.fdopen(open_regular(file), "rb") as there:
        return there.read(100)


def _unwritable(file: Path, err: OSError) -> ConfigError:
    return ConfigError(
        f"{file}: the report cannot be written: {reason(err)}",
        hint="name a file where you may write: --output FILE",
    )


def _open(file: Path, screen: Screen) -> None:
    import webbrowser

    if not webbrowser.open(file.as_uri()):
        screen.say("no browser could be started; open the file yourself")
