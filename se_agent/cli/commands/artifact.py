"""`artifact`: large outputs that are kept whole: list them, read them, keep them for good."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS, run_folders
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.errors import ArtifactError, ConfigError, JournalError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.memory import ArtifactRow, ArtifactStore, Workspace
    from se_agent.report.terminal.columns import Columns

artifact = typer.Typer(
    name="artifact",
    help="Read large outputs that are kept whole, and keep them for good.",
    no_args_is_help=True,
)
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="12 or all 64 digits of its hash, or its number.")
]
_SHORT = re.compile("[0-9a-f]{12,64}")
_SLICE = 8000  # characters, as a model is given


@artifact.command()
def ls(
    run: Annotated[str, typer.Option(metavar="RUN", help="Only those of this run.")] = "",
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only those with this tag.")] = "",
    since: Annotated[
        str, typer.Option(metavar="DATE", help="Only those saved then or later: 2026-11-28.")
    ] = "",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what is kept, oldest first."""
    screen = Screen(as_json=as_json)
    if since and not _is_date(since):
        raise ConfigError(f"--since {since!r}: no date", hint="such as 2026-11-28")
    with _opened(results, workspace) as opened:
        rows = opened.artifacts().find(group_id=run, tag=tag, since=since)
    if as_json:
        screen.answer([row._asdict() for row in rows])
    elif rows:
        screen.show([_table(rows)])
    else:
        screen.say(f"{opened.folder}: nothing is kept that you ask for")


@artifact.command()
def show(
    name: NameArgument,
    start: Annotated[int, typer.Option(metavar="N", help="Characters to leave out.")] = 0,
    every: Annotated[bool, typer.Option("--all", help="Show all of it.")] = False,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show 8000 characters of an output, or what is left of an expired one.

    A text that a session log names is read from the journal of its run.
    """
    from se_agent.wire.spelling import visible

    screen = Screen(as_json=as_json)
    size = 1 << 40 if every else _SLICE
    with _opened(results, workspace) as opened:
        try:
            whole, rows = _kept(opened.artifacts(), name)
        except ArtifactError:
            if not (whole := _of_journal(name, results)):
                raise
            rows = []
    text, more = whole[start : start + size], len(whole) > start + size
    if as_json:
        screen.answer({"text": text, "artifacts": [row._asdict() for row in rows]})
        return
    screen.quote(visible(text))
    if more:
        where = ("--workspace", workspace) if workspace else ("--results", results)
        more_of_it = ("artifact", "show", name, "--start", start + _SLICE, *where)
        screen.offer("there is more", command(*more_of_it))


def _kept(store: ArtifactStore, name: str) -> tuple[str, list[ArtifactRow]]:
    return store.read_artifact(name, size=1 << 40), store.rows_of(name)


def _of_journal(name: str, results: Path) -> str:
    """Return a text that a session log names, out of the journal of its run; or nothing."""
    from se_agent.engine.journal.journal import Journal
    from se_agent.redaction.patterns import free_of_secrets

    if not _SHORT.fullmatch(name):
        return ""
    for folder in run_folders(results):
        with suppress(JournalError), Journal(folder / "run.db", write=False) as journal:
            if text := journal.named_text(name):
                return free_of_secrets(text)
    return ""


def _is_date(text: str) -> bool:
    with suppress(ValueError):
        return bool(datetime.fromisoformat(text))
    return False


def _opened(results: Path, workspace: Path | None) -> Workspace:
    """Open a workspace to be read; the folder that a person names has to be there."""
    for option, folder in (("--workspace", workspace), ("--results", results)):
        if folder is not None and folder != RESULTS and not folder.is_dir():
            raise ConfigError(f"{option} {folder}: no such folder", hint="name one with runs")
    return open_workspace(results, workspace, write=False)


@artifact.command()
def pin(
    name: NameArgument, results: ResultsOption = RESULTS, workspace: WorkspaceOption = None
) -> None:
    """Keep an output for good, until `unpin`."""
    from se_agent.memory import PERSISTENT

    with open_workspace(results, workspace, write=True) as opened:
        opened.artifacts().retag(name, add=(PERSISTENT,))
    Screen().say(f"{name} is kept for good")


@artifact.command()
def unpin(
    name: NameArgument, results: ResultsOption = RESULTS, workspace: WorkspaceOption = None
) -> None:
    """Let an output expire as others do, some days after it was saved."""
    from se_agent.memory import EPHEMERAL, PERSISTENT

    with open_workspace(results, workspace, write=True) as opened:
        opened.artifacts().retag(name, add=(EPHEMERAL,), drop=(PERSISTENT,))
    Screen().say(f"{name} ends as others do")


def _table(rows: list[ArtifactRow]) -> Columns:
    from se_agent.report.terminal.columns import Columns
    from se_agent.report.words import phrases

    table = Columns(("name", "saved", "size", "run", "kept", "title"), right=(2,), spare=(3, 1))
    for row in rows:
        table.add(
            row.digest[:12],
            row.created_at[:16].replace("T", " "),
            counted(row.size, "byte"),
            phrases.one_line(row.group_id),
            " ".join(row.tags),
            phrases.one_line(row.title),
        )
    return table
