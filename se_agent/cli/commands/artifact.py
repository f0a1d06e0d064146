"""`artifact`: large outputs that are kept whole: list them, read them, keep them for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.memory import ArtifactRow
    from se_agent.report.terminal.columns import Columns

artifact = typer.Typer(
    name="artifact",
    help="Read large outputs that are kept whole, and keep them for good.",
    no_args_is_help=True,
)
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="12 or all 64 digits of its hash, or its number.")
]
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
    with open_workspace(results, workspace, write=False) as opened:
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
    """Show an output, 8000 characters of it; of one that has ended, what is left."""
    from se_agent.wire.spelling import visible

    screen = Screen(as_json=as_json)
    with open_workspace(results, workspace, write=False) as opened:
        store = opened.artifacts()
        text = store.read_artifact(name, start=start, size=1 << 40 if every else _SLICE)
        rows = store.rows_of(name)
        more = not every and bool(store.read_artifact(name, start=start + _SLICE, size=1))
    if as_json:
        screen.answer({"text": text, "artifacts": [row._asdict() for row in rows]})
        return
    screen.quote(visible(text))
    if more:
        where = ("--workspace", workspace) if workspace else ("--results", results)
        more_of_it = ("artifact", "show", name, "--start", start + _SLICE, *where)
        screen.offer("there is more", command(*more_of_it))


@artifact.command()
def pin(
    name: NameArgument, results: ResultsOption = RESULTS, workspace: WorkspaceOption = None
) -> None:
    """Keep an output for good: nothing but `unpin` ends it."""
    from se_agent.memory import PERSISTENT

    with open_workspace(results, workspace, write=True) as opened:
        opened.artifacts().retag(name, add=(PERSISTENT,))
    Screen().say(f"{name} is kept for good")


@artifact.command()
def unpin(
    name: NameArgument, results: ResultsOption = RESULTS, workspace: WorkspaceOption = None
) -> None:
    """Let an output end as others do, some days after it was saved."""
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
