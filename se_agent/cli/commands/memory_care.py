"""`memory gc`, `doctor`, `backup`, `restore`, `maintain`: care for what is kept beside runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.commands.run import JsonOption
from se_agent.cli.counting import counting
from se_agent.cli.progress import Progress
from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import (
    ResultsOption,
    WorkspaceOption,
    folder_of,
    open_workspace,
)
from se_agent.errors import MemoryFileError, SeAgentError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.memory import GarbageCollector, RebuiltMemory, Workspace

_NOT_ALL, _YOU_MUST_ACT = 1, 2
DaysOption = Annotated[
    float | None,
    typer.Option(
        "--days",
        metavar="DAYS",
        min=0,
        max=36_500,
        help="Days that an output is kept.",
        show_default="3",
    ),
]


def gc(
    days: DaysOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would expire and be deleted.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Look for unnamed contents now, due or not.")
    ] = False,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Expire old outputs, and delete contents that nothing names."""
    screen, now = Screen(as_json=as_json), datetime.now(UTC)
    with (
        open_workspace(results, workspace, write=True) as opened,
        Progress(screen) as progress,
    ):
        collector = _collector(opened, results, progress, days)
        report = collector.collect(now, force=force, dry_run=dry_run)
    screen.answer(asdict(report))
    if as_json:
        return
    if report.note:
        screen.say(f"nothing was done: {report.note}")
        return
    ended, gone = ("would end", "would go") if dry_run else ("ended", "have gone")
    contents = counted(report.removed, "content")
    screen.say(f"{counted(report.expired, 'output')} {ended}; what is left says what they were")
    screen.say(
        f"{contents} {gone} ({counted(report.freed, 'byte')})"
        if report.swept
        else "contents are searched once a week; at once: --force"
    )


def doctor(
    rebuild: Annotated[
        bool,
        typer.Option(
            "--rebuild",
            help="Make the index of outputs and the memory of runs anew, out of contents and"
            " journals.",
        ),
    ] = False,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check databases, outputs and their contents, and say what to do; nothing is changed.

    Exit code 2: something is lost, or may get lost.
    """
    from se_agent.memory import examine

    screen, folder = Screen(as_json=as_json), folder_of(results, workspace)
    if rebuild:
        _rebuild(results, workspace, screen)
        return
    with counting(screen, "contents") as told:
        found = [*examine(folder, results=results, told=told)]
    screen.answer([asdict(one) for one in found])
    if not as_json:
        _tell((f"{one.what}\n  to do: {one.todo}" for one in found), screen)
        if not found:
            screen.say(
                f"{folder}: all is well" if folder.is_dir() else f"no workspace {folder}/"
            )
    if any(one.is_harm for one in found):
        raise typer.Exit(_YOU_MUST_ACT)


def _rebuild(results: Path, workspace: Path | None, screen: Screen) -> None:
    from se_agent.engine.journal.named_outputs import named_outputs, runs_beside, under_way
    from se_agent.memory import rebuild_index

    with open_workspace(results, workspace, write=True) as opened:
        folder, runs = opened.folder, runs_beside(results, opened)
    if busy := under_way(runs):
        raise MemoryFileError(
            f"{busy[0]}: a process is at this run, and writes to the index",
            hint="wait for it, or stop it with Ctrl-C; it can be resumed",
        )
    with counting(screen, "contents") as told:
        made = rebuild_index(folder, named_outputs(runs, folder), datetime.now(UTC), told=told)
    memory, unread = _rebuilt_memory(results, folder, runs)
    told_of_memory = {**asdict(memory), "is_equal": memory.is_equal, "unread": unread}
    screen.answer({**asdict(made), "is_equal": made.is_equal, "memory": told_of_memory})
    if screen.as_json:
        return
    size = f"{counted(made.rows, 'output')}, {counted(made.contents, 'content')}"
    how = "says what there is" if made.is_equal else "was made anew"
    screen.say(f"{folder}: the index {how}: {size}, sum {made.checksum[:12]}")
    told_of = [f"the old one lies in {made.replaced}"] if made.replaced else []
    if made.nameless:
        told_of.append(f"{counted(made.nameless, 'content')} that no journal names: kept, too")
    if not made.pins_known:
        told_of.append("what was pinned may be lost: `se-agent artifact pin` keeps it for good")
    told_of += (f"lost or ended: artifact {name}" for name in made.lost)
    told_of += (f"damaged: the content of artifact {name}" for name in made.damaged)
    _tell((*told_of, *_memory_lines(memory), *unread), screen)


def _rebuilt_memory(
    results: Path, folder: Path, runs: Iterable[Path]
) -> tuple[RebuiltMemory, list[str]]:
    """Make the memory of runs anew; return what came of it, and whose journals give nothing."""
    from se_agent.engine.run.experience import stored_harvest
    from se_agent.memory import memory_path, rebuild_memory

    own = memory_path(folder, results).resolve()
    found, unread = [], []
    for run in runs:
        if memory_path(folder, run.parent).resolve() != own:
            continue  # it leaves what it found out in another folder
        try:
            found.append(stored_harvest(run))
        except SeAgentError as err:
            unread.append(f"{run}: what it found out is left as it is: {err}")
    with open_workspace(results, folder, write=True) as opened:
        harvests = (one for one in found if one is not None)
        return rebuild_memory(opened, harvests, datetime.now(UTC)), unread


def _memory_lines(made: RebuiltMemory) -> Iterator[str]:
    changed = ", ".join(made.changed).replace("_", " ")
    how = "says what the journals say" if made.is_equal else f"was made anew ({changed})"
    size = f"{counted(made.runs, 'run')}, {counted(made.rows['items'], 'item')}"
    yield f"the memory of runs {how}: {size}, sum {made.checksum[:12]}"
    if made.replaced:
        yield f"what it was is damaged and lies in {made.replaced}, with policies in it"
    kept = (
        f"{counted(made.kept_items, 'item')} that no journal gives" if made.kept_items else "",
        f"what was left by {counted(made.kept_runs, 'run')} whose journal gives nothing"
        if made.kept_runs
        else "",
        f"policies: {made.policies}" if made.policies else "",
    )
    if any(kept):
        yield f"kept: {', '.join(filter(None, kept))}"


def backup(
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="New folder for the copy.")
    ] = None,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy all that is kept beside the runs; runs may go on meanwhile.

    Exit code 1: a database could not be read and is not in it.
    """
    from se_agent.memory import MemoryManager

    screen = Screen(as_json=as_json)
    with (
        open_workspace(results, workspace, write=True) as opened,
        counting(screen, "contents copied") as told,
    ):
        made = MemoryManager(opened).backup_all_data(to, told=told)
    screen.answer({**asdict(made), "folder": str(made.folder)})
    if not as_json:
        told_of = f"{counted(made.files, 'file')}, {counted(made.bytes, 'byte')}"
        screen.say(f"{made.folder}: {told_of}")
        _tell((f"not in it, for it was lost before: {name}" for name in made.left_out), screen)
        _tell((f"not in it: {why}" for why in made.unsound), screen)
        screen.offer("to bring it back", command("memory", "restore", made.folder))
    if made.unsound:
        raise typer.Exit(_NOT_ALL)


def restore(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the backup.")],
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Restore a backup after checking all of it; what it replaces is kept."""
    from se_agent.memory import MemoryManager, Workspace

    screen = Screen(as_json=as_json)
    with (
        Workspace.open(folder_of(results, workspace), results=results) as opened,
        counting(screen, "files checked") as told,
    ):
        before = MemoryManager(opened).restore(folder, told=told)
    screen.answer({"restored": str(folder), "replaced": str(before.folder)})
    if not as_json:
        screen.say(f"{opened.folder}: as it was in {folder}")
        screen.offer(
            "what it replaced is kept; to bring that back",
            command("memory", "restore", before.folder),
        )


def maintain(
    days: DaysOption = None,
    with_backup: Annotated[bool, typer.Option("--backup", help="Make a backup first.")] = False,
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Collect old outputs, check and shrink each database; run it once a week."""
    from se_agent.memory import back_up_all
    from se_agent.memory import maintain as maintain_all

    screen, now = Screen(as_json=as_json), datetime.now(UTC)
    with (
        open_workspace(results, workspace, write=True) as opened,
        Progress(screen) as progress,
    ):
        made = str(back_up_all(opened, now).folder) if with_backup else ""
        done = maintain_all(opened, _collector(opened, results, progress, days), now)
        harvested = [*_harvested(opened, done.broken_off)]
    screen.answer({**asdict(done), "backup": made})
    if not as_json:
        _tell([f"backup: {made}"] if made else [], screen)
        ended = counted(done.collected.expired, "output")
        gone = counted(done.collected.removed, "content")
        screen.say(done.collected.note or f"{ended} ended, {gone} gone")
        for name, (before, after) in done.sizes.items():
            state = "damaged: `se-agent memory doctor`" if name in done.damaged else "whole"
            screen.say(f"{name}: {state}, {before} bytes before, {after} after")
        _tell(harvested, screen)
        for folder in done.broken_off:
            screen.offer("a run was broken off; to go on with it", command("resume", folder))
    if done.damaged:
        raise typer.Exit(_YOU_MUST_ACT)


def _harvested(opened: Workspace, folders: Iterable[str]) -> Iterator[str]:
    """Keep what runs found out that were broken off, and yield what to say of each."""
    from se_agent.engine.run.experience import harvest_folder

    for folder in folders:
        try:
            if harvest_folder(Path(folder), opened.items()):
                yield f"{folder}: what it found out is kept for later runs"
        except SeAgentError as err:
            yield f"{folder}: what it found out is not kept: {err}"


def _collector(
    opened: Workspace, results: Path, progress: Progress, days: float | None
) -> GarbageCollector:
    from se_agent.config.memory_sections import ArtifactsSection
    from se_agent.engine.journal.named_outputs import named_digests, runs_beside
    from se_agent.memory import GarbageCollector, give_room

    give_room(opened.folder)  # a full disk has none for opening an index, either
    usual = ArtifactsSection()
    return GarbageCollector(
        opened.artifacts(),
        retention_days=usual.retention_days if days is None else days,
        sweep_days=usual.sweep_days,
        named=lambda: named_digests(runs_beside(results, opened)),
        told=lambda seen: progress.at(f"{counted(seen, 'content')} looked at"),
    )


def _tell(texts: Iterable[str], screen: Screen) -> None:
    for text in texts:
        screen.say(text)
