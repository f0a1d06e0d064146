"""What lies in a workspace: its databases, and files that are none.

Not here: contents of artifacts, which their index names.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from se_agent.memory.artifacts.garbage import LOCK, STATE
from se_agent.memory.artifacts.schema import BLOBS
from se_agent.memory.artifacts.schema import FILE as ARTIFACTS_FILE
from se_agent.memory.artifacts.schema import KIND as ARTIFACTS_KIND
from se_agent.memory.artifacts.spare_room import FILE as ROOM
from se_agent.memory.experience.schema import FILE as MEMORY_FILE
from se_agent.memory.experience.schema import KIND as MEMORY_KIND
from se_agent.memory.workspace.state_schema import FILE as STATE_FILE
from se_agent.memory.workspace.state_schema import KIND as STATE_KIND
from se_agent.store.kind import DatabaseKind

BACKUPS = "backups"
"""The folder of backups in a workspace."""

_KINDS = {
    ARTIFACTS_FILE: ARTIFACTS_KIND,
    STATE_FILE: STATE_KIND,
    MEMORY_FILE: MEMORY_KIND,
}
_ENDS = ("", "-wal", "-shm", "-journal")
_APART = {LOCK, STATE, ROOM, *(f"{name}{end}" for name in _KINDS for end in _ENDS)}


class KeptDatabase(NamedTuple):
    """A database of a workspace: its name, what it is, and its path."""

    name: str
    kind: DatabaseKind
    path: Path


def databases(folder: Path, results: Path | None = None) -> list[KeptDatabase]:
    """Return the databases of a workspace, also those that are not there yet.

    What earlier runs learned of operators lies beside the runs, unless it lies in the workspace
    itself, as in a backup.

    Args:
        folder: The workspace.
        results: The folder of the runs; None, or where it has none: the folder above.
    """
    paths = {name: folder / name for name in _KINDS}
    paths[MEMORY_FILE] = memory_path(folder, results)
    return [KeptDatabase(name, kind, paths[name]) for name, kind in _KINDS.items()]


def memory_path(folder: Path, results: Path | None = None) -> Path:
    """Return where the memory of runs lies: in the workspace if it is there, else beside them.

    Args:
        folder: The workspace.
        results: The folder of the runs; None, or where it has none: the folder above.
    """
    places = [place for place in (folder, results, folder.parent) if place is not None]
    there = (place for place in places if (place / MEMORY_FILE).exists())
    return next(there, places[1]) / MEMORY_FILE


def plain_files(folder: Path) -> Iterator[str]:
    """Yield the paths of all other files that are kept, such as logs; links are none."""
    waiting = [folder]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            below, mode = str(path.relative_to(folder)), path.lstat().st_mode
            if stat.S_ISDIR(mode) and below not in (BACKUPS, BLOBS):
                waiting.append(path)
            elif stat.S_ISREG(mode) and below not in _APART:
                yield below
