"""`log`: what each role of a run was asked, said and achieved, in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import RunArgument
from se_agent.cli.run_path import run_folder
from se_agent.cli.screen import Screen
from se_agent.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from se_agent.engine.journal.log_lines import LogLine

_PATIENCE = 0.5  # seconds between two looks at a journal


def log(
    run: RunArgument,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="Only this one, such as `repair` or `rules`.")
    ] = "",
    follow: Annotated[
        bool, typer.Option("--follow", help="Continue until the run ends, or Ctrl-C.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show long texts whole, such as prompts and replies.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Write the files of the logs anew, too.")
    ] = False,
) -> None:
    """Show what each role of a run was asked, said and achieved.

    It is read from the journal; the run writes the same to files, see `memory.workspace`.
    """
    folder, screen = run_folder(run), Screen()
    if rebuild:
        screen.say(f"written anew: {_rebuilt(folder)}")
    shown = ""
    try:
        for line in _lines(folder, follow=follow, full=full):
            if role in ("", line.agent):
                head = f"## {line.agent}\n\n" if line.agent != shown and not role else ""
                typer.echo(f"{head}{line.markdown}", nl=False)
                shown = line.agent
    except KeyboardInterrupt:
        screen.say("ended; the run goes on")
    if role and not shown:
        raise _unknown(role, folder)


def _lines(folder: Path, *, follow: bool = False, full: bool = False) -> Iterator[LogLine]:
    """Yield the lines of all logs in the order of their events; those to come, too."""
    import time

    from se_agent.engine.journal.journal import Journal
    from se_agent.engine.journal.log_lines import LogFold
    from se_agent.events import Ended

    fold, reached, ended = LogFold(is_whole=full), 0, False
    while True:
        with Journal(folder / "run.db", write=False) as journal:
            for number, event in journal.numbered_events(after=reached):
                yield from fold.lines(event, journal.text)
                reached, ended = number, isinstance(event, Ended)
        if ended or not follow:
            return
        time.sleep(_PATIENCE)


def _rebuilt(folder: Path) -> Path:
    """Write the logs of a run anew, and return where they lie.

    Raises:
        ConfigError: This run writes nothing beside itself.
        MemoryFileError: The workspace cannot be used.
    """
    from se_agent.engine.journal.folder import configuration_of
    from se_agent.engine.journal.journal import Journal
    from se_agent.engine.journal.session_logs import (
        session_logs,
        sessions_folder,
        write_logs,
    )
    from se_agent.memory import Workspace, group_of, workspace_folder

    place = workspace_folder(configuration_of(folder).memory.workspace.path, folder.parent)
    if place is None:
        raise ConfigError(
            f"{folder}: this run writes nothing beside its journal",
            hint="leave --rebuild out: its logs are shown from the journal",
        )
    with (
        Journal(folder / "run.db", write=False) as journal,
        Workspace.open(place) as workspace,
    ):
        logs = sessions_folder(workspace.folder, group_of(folder, workspace.folder))
        write_logs(logs, session_logs(journal.events(), journal.text))
    return logs


def _unknown(role: str, folder: Path) -> ConfigError:
    known = sorted({line.agent for line in _lines(folder)})
    hint = did_you_mean(role, known) or f"it has logs of {', '.join(known)}"
    return ConfigError(f"{folder}: nothing of a role {role!r}", hint=hint)
