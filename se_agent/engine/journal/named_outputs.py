"""The large outputs that journals beside a workspace name: what its index should know.

Not here: the index, and how it is made anew (`se_agent.memory`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError, MemoryFileError
from se_agent.events import Evaluated, Event, Retested, Started
from se_agent.memory import JournalOutput, Workspace, group_of, workspace_folder
from se_agent.memory_events import Offloaded
from se_agent.store.lock import is_locked
from se_agent.values.artifact import ArtifactRef

_JOURNAL = "run.db"
_NAMING = ("offloaded", "evaluated", "retested")


def runs_beside(results: Path, workspace: Workspace) -> list[Path]:
    """Return the folders of runs that keep their outputs in a workspace.

    Args:
        results: A folder of runs.
        workspace: An open one; runs of other folders have told it of themselves.
    """
    beside = [path.parent for path in sorted(results.glob(f"*/{_JOURNAL}"))]
    with suppress(MemoryFileError):  # then those of other folders are not known
        beside += [Path(row.folder) for row in workspace.runs().rows()]
    unique = {os.path.realpath(folder): folder for folder in beside}
    return [one for one in unique.values() if _keeps_in(one, workspace.folder)]


def named_outputs(runs: Iterable[Path], workspace: Path) -> Iterator[JournalOutput]:
    """Yield what the journals of runs name, each once a run; what cannot be read names nothing.

    Args:
        runs: Their folders.
        workspace: Folder of the workspace.
    """
    for folder in runs:
        group = group_of(folder, workspace)
        seen = dict[tuple[str, str], JournalOutput]()
        for kind in _NAMING:
            for event in _events(folder, kind):
                ref = _named(event)
                if ref is not None:
                    seen[ref.digest, ref.title] = JournalOutput(group, ref, event.at)
        yield from seen.values()


def named_digests(runs: Iterable[Path]) -> Iterator[str]:
    """Yield the hashes of outputs that runs have kept."""
    for folder in runs:
        for event in _events(folder, "offloaded"):
            if isinstance(event, Offloaded):
                yield event.artifact.digest


def under_way(runs: Iterable[Path]) -> list[Path]:
    """Return the folders of runs that a process is at."""
    return [folder for folder in runs if is_locked(folder / _JOURNAL)]


def _named(event: Event) -> ArtifactRef | None:
    if isinstance(event, Offloaded):
        return event.artifact
    return event.evaluation.output if isinstance(event, Evaluated | Retested) else None


def _keeps_in(folder: Path, workspace: Path) -> bool:
    """Say whether a run keeps its outputs in a workspace."""
    for event in _events(folder, "started"):
        if isinstance(event, Started):
            memory = event.config.get("memory") or {}
            path = (memory.get("workspace") or {}).get("path", "")
            place = workspace_folder(path, folder.parent)
            return place is not None and os.path.realpath(place) == os.path.realpath(workspace)
    return False


def _events(folder: Path, kind: str) -> Iterator[Event]:
    try:
        with Journal(folder / _JOURNAL, write=False) as journal:
            yield from journal.events(kinds=[kind], unread=lambda _: None)
    except (JournalError, OSError):
        return
