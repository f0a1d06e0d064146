"""All that is remembered across runs, as one list: shown, searched, counted, exported (AM-11).

Not here: the rows of each kind (`listed_rows`), and how they are kept (`experience`).
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import write_whole
from se_agent.memory.artifacts.schema import FILE as ARTIFACTS_FILE
from se_agent.memory.experience.item_rows import ItemKind
from se_agent.memory.experience.long_term import LongTerm
from se_agent.memory.retrieval.pool import Query
from se_agent.memory.workspace.backup import Backup, Told, back_up_all
from se_agent.memory.workspace.backup import restore as restore_all
from se_agent.memory.workspace.listed_rows import rows_of
from se_agent.memory.workspace.memory_rows import (
    MemoryHit,
    MemoryQuery,
    MemoryRow,
    best_hits,
)
from se_agent.memory.workspace.skill_page import skill_page
from se_agent.memory.workspace.state_schema import FILE as STATE_FILE
from se_agent.memory.workspace.workspace import Workspace


class MemoryManager:
    """The memories of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self._workspace = workspace

    def list_all_memories(self, kind: str = "") -> list[MemoryRow]:
        """Return all memories, or those of a kind (AM-33).

        Raises:
            MemoryFileError: They cannot be read.
        """
        return list(rows_of(self._workspace.items(), [kind] if kind else ()))

    def get_memory(self, id_: str) -> MemoryRow | None:
        """Return one memory, an item with its versions and sources; None: there is none.

        Raises:
            MemoryFileError: It cannot be read.
        """
        found = next((row for row in self.list_all_memories() if row.id == id_), None)
        items = self._workspace.items()
        if found is None or items.get(id_) is None:
            return found
        more = {
            "versions": [one._asdict() for one in items.versions(id_)],
            "sources": [one._asdict() for one in items.sources(id_)],
        }
        return MemoryRow(**{**vars(found), "details": {**found.details, **more}})

    def search_memories(self, query: MemoryQuery) -> list[MemoryHit]:
        """Return memories with words of a query, or that suit a program, best first (AM-34).

        Raises:
            EmbedderError: A vector cannot be had.
            MemoryFileError: They cannot be read, or vectors not be written.
        """
        items = self._workspace.items()
        rows = [*filter(query.admits, rows_of(items, query.kinds))]
        suiting = query.suiting
        if not query.text.strip() and not suiting.words:
            newest = sorted(rows, key=lambda row: (row.at, row.id), reverse=True)
            return [MemoryHit(row=row) for row in newest[: query.top_k]]
        narrow = suiting.is_asked
        asked = Query(
            words=tuple(filter(str.strip, (query.text, *suiting.words))),
            text=suiting.text or query.text,
            kinds=(),
            statuses=("", "candidate", "active") if narrow else (),
            most=max(100, query.top_k),
        )
        cut = 0.5 if narrow else 0.0
        return best_hits(rows, asked, items, suiting.embedder, query.top_k, cut=cut)

    def get_memory_statistics(self) -> dict[str, Any]:
        """Return what is remembered in figures (AM-35).

        These are the number of memories by kind, the success rate of executions, in all and by
        agent and task type, runs by family, items by status, the time range, tokens, how many
        lessons were counted into others, agent states, and bytes of artifacts.

        Raises:
            MemoryFileError: They cannot be read.
        """
        rows = self.list_all_memories()
        executions = [row for row in rows if row.kind == "execution"]
        items = [row for row in rows if row.kind in frozenset(ItemKind)]
        runs = [row.details for row in rows if row.kind == "run"]
        times = sorted(row.at for row in rows if row.at)
        return {
            "memories": dict(Counter(row.kind for row in rows)),
            "success_rate": _rate(executions),
            "by_agent": _rates(executions, "agent_name"),
            "by_task_type": _rates(executions, "task_type"),
            "by_family": dict(Counter(run["family"] for run in runs)),
            "by_status": dict(Counter(row.status for row in items)),
            "time_range": [times[0], times[-1]] if times else [],
            "tokens": sum(run["tokens"] for run in runs),
            "merged": sum(row.details["merged"] - 1 for row in items),
            "agent_states": _agent_states(self._workspace),
            "artifact_bytes": _artifact_bytes(self._workspace),
        }

    def export_memories(
        self, path: Path, format: Literal["json", "csv", "skill"] = "json"
    ) -> int:
        """Write all memories to a file; return how many these are (AM-36).

        Args:
            path: Path of the file, which is replaced.
            format: `json`: one list; `csv`: one row each, details as JSON; `skill`: a page of
                what is proven, for coding agents.

        Raises:
            MemoryFileError: They cannot be read, or the file cannot be written.
        """
        rows = self.list_all_memories()
        if format == "skill":
            items = self._workspace.items()
            text = skill_page(items.rows(), LongTerm(items.db).fixes())
        else:
            text = _as_json(rows) if format == "json" else _as_csv(rows)
        try:
            write_whole(path, text.encode("utf-8", "backslashreplace"))
        except OSError as err:
            told = f"{path}: cannot be written: {reason(err)}"
            raise MemoryFileError(told, hint="name another file") from err
        return len(rows)

    def backup_all_data(
        self, folder: Path | None = None, *, told: Told | None = None
    ) -> Backup:
        """Copy the whole workspace, statistics among it; see `back_up_all` (AM-37)."""
        return back_up_all(self._workspace, datetime.now(UTC), target=folder, told=told)

    def restore(self, folder: Path, *, told: Told | None = None) -> Backup:
        """Bring a backup back; return the one of what it replaced; see `restore_all`."""
        return restore_all(self._workspace, folder, datetime.now(UTC), told=told)


def _agent_states(workspace: Workspace) -> int:
    is_there = (workspace.folder / STATE_FILE).exists()
    return workspace.runs().count_agent_states() if is_there else 0


def _artifact_bytes(workspace: Workspace) -> int:
    if not (workspace.folder / ARTIFACTS_FILE).exists():
        return 0
    return sum({row.digest: row.size for row in workspace.artifacts().find()}.values())


def _rate(rows: list[MemoryRow]) -> float | None:
    return sum(row.success is True for row in rows) / len(rows) if rows else None


def _rates(rows: list[MemoryRow], name: str) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[MemoryRow]] = {}
    for row in rows:
        groups.setdefault(str(row.details[name]), []).append(row)
    return {
        group: {"count": len(own), "success_rate": _rate(own)}
        for group, own in sorted(groups.items())
    }


def _as_json(rows: list[MemoryRow]) -> str:
    return json.dumps([asdict(row) for row in rows], indent=1, default=str) + "\n"


def _as_csv(rows: list[MemoryRow]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("kind", "id", "at", "agent", "success", "status", "title", "details"))
    for row in rows:
        success = "" if row.success is None else str(row.success).lower()
        details = json.dumps(dict(row.details), default=str)
        head = (row.kind, row.id, row.at, row.agent, success, row.status, row.title)
        writer.writerow((*head, details))
    return file.getvalue()
