"""Maintenance of a workspace: what has ended goes, and databases are checked and made small.

Not here: what is wrong, in detail (`doctor`), and backups (`backup`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from se_agent.memory.artifacts.garbage import GarbageCollector, SweepReport
from se_agent.memory.workspace.layout import KeptDatabase, databases
from se_agent.memory.workspace.state_schema import FILE as STATE_FILE
from se_agent.memory.workspace.workspace import Workspace
from se_agent.store.database import Database


@dataclass(frozen=True)
class Maintained:
    """What was done to a workspace.

    Attributes:
        collected: What has ended and gone.
        sizes: Bytes of each database before and after.
        damaged: Databases with something wrong in them, which were left as they are.
        broken_off: Folders of runs that did not get to their end.
    """

    collected: SweepReport
    sizes: dict[str, tuple[int, int]]
    damaged: tuple[str, ...]
    broken_off: tuple[str, ...]


def maintain(workspace: Workspace, collector: GarbageCollector, now: datetime) -> Maintained:
    """Collect, check each database, and give back the room of what has gone.

    Args:
        workspace: Open to be written.
        collector: The one of its artifacts.
        now: The time.

    Raises:
        MemoryFileError: A database cannot be opened or written.
    """
    collected = collector.collect(now)
    sizes, damaged = dict[str, tuple[int, int]](), list[str]()
    for place in databases(workspace.folder, workspace.results):
        if not place.path.exists():
            continue
        before = place.path.stat().st_size
        if not _made_small(place):
            damaged.append(place.name)
        sizes[place.name] = (before, place.path.stat().st_size)
    has_state = STATE_FILE in sizes and STATE_FILE not in damaged
    waiting = [row.folder for row in workspace.runs().broken_off()] if has_state else []
    return Maintained(collected, sizes, tuple(damaged), tuple(waiting))


def _made_small(place: KeptDatabase) -> bool:
    """Check a database and rewrite it without gaps; say whether it is whole."""
    with Database(place.path, place.kind) as db:
        if [*db.rows("PRAGMA integrity_check(1)", where="its pages")] != [("ok",)]:
            return False
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return True
