"""The memory of runs made anew, out of what their journals give (law S1).

What a run leaves beside the items (its steps, failing evaluations, exposures, fixes, relations
and facts) is taken out and written again; items that are gone come back. What no journal gives
stays as it is: policies, items of runs that were deleted, where an item stands because a person
said so, and counts of operators. Not here: what a journal gives (`experience.harvest`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from se_agent.errors import MemoryFileError, reason
from se_agent.memory.experience.harvest import Harvest
from se_agent.memory.experience.item_rows import COLUMNS, ItemKind
from se_agent.memory.experience.promotion import promote
from se_agent.memory.experience.schema import FILE, KIND
from se_agent.memory.workspace.backup import set_aside
from se_agent.memory.workspace.layout import KeptDatabase, memory_path
from se_agent.memory.workspace.workspace import Workspace
from se_agent.store.database import Database

_TIMES = {"valid_from", "valid_to", "created_at", "last_used_at"}
_ITEM = ", ".join(name for name in COLUMNS if name not in _TIMES)
_CONTENTS = {
    **{
        name: f"SELECT * FROM {name}"  # noqa: S608 - names of ours
        for name in (
            *("runs", "item_sources", "fixes", "solutions", "tests", "archetypes"),
            *("executions", "test_runs", "exposures", "refutations"),
        )
    },
    "items": f"SELECT {_ITEM} FROM items",  # noqa: S608 - names of ours
    "entities": "SELECT name, entity_type, run, valid_to FROM entities",
    "relations": """SELECT s.name, d.name, relation_type, r.run, commit_id, r.valid_to
        FROM relations AS r
        JOIN entities AS s ON s.id = src JOIN entities AS d ON d.id = dst""",
    "observations": """SELECT name, content, o.run, at, o.valid_to
        FROM observations AS o JOIN entities AS e ON e.id = entity""",
}
_UNOWNED = (  # what is left of rows that were lost; an id of theirs might be given anew
    "DELETE FROM item_sources WHERE item NOT IN (SELECT id FROM items)",
    "DELETE FROM observations WHERE entity NOT IN (SELECT id FROM entities)",
    "DELETE FROM relations WHERE src NOT IN (SELECT id FROM entities)",
    "DELETE FROM relations WHERE dst NOT IN (SELECT id FROM entities)",
)
_OF_RUN = (  # what was taken back in the graph stays: a person or an agent said so
    "DELETE FROM executions WHERE run = ?",
    "DELETE FROM test_runs WHERE run = ?",
    "DELETE FROM exposures WHERE run = ?",
    "DELETE FROM refutations WHERE run = ?",
    "DELETE FROM fixes WHERE last_run = ?",
    "DELETE FROM relations WHERE run = ? AND valid_to IS NULL",
    "DELETE FROM observations WHERE run = ? AND valid_to IS NULL",
)


@dataclass(frozen=True, kw_only=True)
class RebuiltMemory:
    """What came of it.

    Attributes:
        checksum: SHA-256 over the rows, but for the times of items.
        was: The same before.
        rows: How many rows there are, by table.
        changed: Tables that said something else before.
        runs: Runs whose journals were read.
        kept_runs: Runs that no journal is there of; what they left stays.
        kept_items: Items that no run with a journal is a source of; policies are not counted.
        policies: What people want to be followed; it stays.
        replaced: Where a damaged file was put, with all that was in it; empty: it was whole.
    """

    checksum: str
    was: str
    rows: Mapping[str, int]
    changed: tuple[str, ...]
    runs: int
    kept_runs: int
    kept_items: int
    policies: int
    replaced: str

    @property
    def is_equal(self) -> bool:
        """Whether the memory said the same before."""
        return self.checksum == self.was


def rebuild_memory(
    workspace: Workspace, harvests: Iterable[Harvest], now: datetime
) -> RebuiltMemory:
    """Write what runs left once more, in one transaction, and compare sums.

    Args:
        workspace: Open to be written; a memory of it that is damaged is moved to its backups.
        harvests: What the journals give; runs that are not trusted leave nothing.
        now: The time.

    Raises:
        MemoryFileError: It cannot be read or written; then it is as it was.
    """
    found = sorted((one for one in harvests if one.run.trusted), key=_end)
    replaced = _set_aside(workspace, now)
    items, runs = workspace.items(), {one.run.run for one in found}
    db = items.db
    with db.transaction():
        before, _ = _sums(db)
        for statement in _UNOWNED:
            db.execute(statement)
        for statement in _OF_RUN:
            db.execute_each(statement, [(run,) for run in sorted(runs)])
        for harvest in found:
            promote(harvest, items, at=_end(harvest)[0])
        after, rows = _sums(db)
        known = {run for (run,) in db.rows("SELECT run FROM runs", where="its runs")}
        kept = [
            row.kind
            for row in items.rows()
            if runs.isdisjoint(source.run for source in items.sources(row.id))
        ]
    policies = len(kept) - kept.count(ItemKind.LESSON)
    return RebuiltMemory(
        checksum=_digest(after),
        was=_digest(before),
        rows=rows,
        changed=tuple(name for name in after if after[name] != before[name]),
        runs=len(runs),
        kept_runs=len(known - runs),
        kept_items=len(kept) - policies,
        policies=policies,
        replaced=replaced,
    )


def _set_aside(workspace: Workspace, now: datetime) -> str:
    path = memory_path(workspace.folder, workspace.results)
    try:
        aside = set_aside(workspace.folder, [KeptDatabase(FILE, KIND, path)], now)
    except OSError as err:
        told = f"{path}: cannot be moved: {reason(err)}"
        raise MemoryFileError(told, hint="move it away by hand, and try again") from err
    return str(aside or "")


def _end(harvest: Harvest) -> tuple[str, str]:
    """Return when a run left what it did, and its name: runs are taken in in this order."""
    return harvest.run.ended or harvest.run.started, harvest.run.run


def _sums(db: Database) -> tuple[dict[str, str], dict[str, int]]:
    """Return a hash of each table's rows, whatever their order, and how many there are."""
    lines = {
        name: sorted(json.dumps(row, default=str) for row in db.rows(query, where=name))
        for name, query in _CONTENTS.items()
    }
    return {name: _digest(of) for name, of in lines.items()}, {
        name: len(of) for name, of in lines.items()
    }


def _digest(of: object) -> str:
    return hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()
