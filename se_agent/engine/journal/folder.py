"""Run folders: made, taken over, and read again.

A run folder is self-contained: `run.db` (the journal, which is the state), `problem.json` (the
problem as it was), `run.toml` (the configuration, for people).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from se_agent.config.run_file import Run, describe, run_of_record
from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError, reason
from se_agent.events import Event, Started
from se_agent.files.run_files import content, write_whole
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import Problem
from se_agent.wording import command

JOURNAL = "run.db"
_PROBLEM_FILE, _CONFIG_FILE = "problem.json", "run.toml"
_PROBLEM = TypeAdapter(Problem)


def opened(config: Run, problem: Problem) -> tuple[Path, Journal]:
    """Return a folder for a new run, with its empty journal, locked.

    A made-up name never meets another one. A folder in which no run has started yet (it was
    killed, or the disk was full) is taken over.

    Raises:
        JournalError: There is a run of this name, or the folder cannot be made.
    """
    root = Path(config.results)
    stamp = dt.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = config.name or f"{problem.name.replace('/', '_')}-{stamp}"
    for number in range(1, 1000):
        folder = root / (name if number == 1 else f"{name}-{number}")
        fresh = make_folder(folder)
        if not fresh and not config.name:
            continue
        return folder, _untouched(folder)
    raise JournalError(f"{root}: a thousand runs of one name", hint="tidy up the folder")


def describe_run(folder: Path, problem: Problem, config: Run) -> None:
    """Write down what the run is about; the problem reaches the disk before this returns.

    Raises:
        JournalError: The folder cannot be written; nothing was spent.
    """
    try:
        write_whole(folder / _PROBLEM_FILE, _PROBLEM.dump_json(problem))
        write_whole(folder / _CONFIG_FILE, f"{describe(config)}\n".encode())
    except OSError as err:
        raise JournalError(
            f"{folder}: cannot be written: {err.strerror}; nothing was spent",
            hint="make room and run it again",
        ) from err


def stored(folder: Path, events: Iterable[Event]) -> tuple[Started, Run, Problem]:
    """Return what a run was started with: the event, its configuration and its problem.

    Raises:
        JournalError: The folder is incomplete, or its problem is not the one it began with.
    """
    started = next((event for event in events if isinstance(event, Started)), None)
    if started is None:
        raise JournalError(
            f"{folder}: the run never started", hint="run it again; nothing was spent"
        )
    path = folder / _PROBLEM_FILE
    try:
        problem = _PROBLEM.validate_json(content(path))
    except (OSError, ValidationError) as err:
        raise JournalError(
            f"{path}: cannot be read: {reason(err)}",
            hint="restore it from a copy of the run folder",
        ) from err
    if fingerprint(problem) != started.problem:
        raise JournalError(
            f"{path}: not the problem that this run was started with",
            hint="restore it from a copy of the run folder, or start a new run",
        )
    return started, run_of_record(started.config), problem


def configuration_of(folder: Path) -> Run:
    """Return the configuration of a run, and read no more than how it began.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
    """
    with Journal(folder / JOURNAL, write=False) as journal:
        return stored(folder, journal.events())[1]


def _untouched(folder: Path) -> Journal:
    """Open the journal of a folder in which no run has started."""
    journal = Journal(folder / JOURNAL)
    try:
        if next(journal.events(), None) is None:
            return journal
    except JournalError:
        journal.close()
        raise
    journal.close()
    raise JournalError(
        f"{folder}: there is a run of this name already",
        hint=f"`{command('resume', folder)}`, or choose another name",
    )


def make_folder(folder: Path) -> bool:
    """Make the folder of a run; return whether it is new.

    Raises:
        JournalError: It cannot be made.
    """
    make_root(folder.parent)
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    except OSError as err:
        raise _unmade(folder, err) from err
    return True


def make_root(root: Path) -> None:
    """Make the folder of all runs, if there is none, and tell git to leave it alone.

    It stands in the project of whoever asks for a run, which must not look changed by that.

    Raises:
        JournalError: It cannot be made.
    """
    try:
        root.mkdir(parents=True)
        (root / ".gitignore").write_text("*\n", encoding="ascii")
    except FileExistsError:
        return
    except OSError as err:
        raise _unmade(root, err) from err


def _unmade(folder: Path, err: OSError) -> JournalError:
    return JournalError(
        f"{folder}: cannot be made: {err.strerror}",
        hint="choose another place with `--set results=FOLDER`",
    )
