"""The patterns that programs follow, as the surveys of their runs found them (LF-98).

Rows of `memory.db`. Not here: what an archetype is (`se_agent.memory.knowledge`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from se_agent.store.database import Database

_PUT = "INSERT OR REPLACE INTO archetypes VALUES (?, ?, ?, ?, ?, ?, ?)"
_ALL = "SELECT * FROM archetypes ORDER BY project, id"


@dataclass(frozen=True, kw_only=True)
class ArchetypeRow:
    """The pattern that a program follows, and who says so."""

    id: str
    project: str = ""
    function: str = ""
    archetype_type: str = ""
    phases: tuple[str, ...] = ()
    confidence: str = ""
    source: str = ""


def put_archetype(db: Database, one: ArchetypeRow) -> None:
    """Write the pattern that a program follows.

    Raises:
        MemoryFileError: It cannot be written.
    """
    row = (one.id, one.project, one.function, one.archetype_type, json.dumps(one.phases))
    db.execute(_PUT, (*row, one.confidence, one.source))


def archetype_rows(db: Database) -> Iterator[ArchetypeRow]:
    """Yield the patterns of all programs, by problem.

    Raises:
        MemoryFileError: They cannot be read.
    """
    return db.records(_ALL, (), make=_archetype, where="its archetypes")


def _archetype(row: tuple[Any, ...]) -> ArchetypeRow:
    id_, project, function, kind, phases, confidence, source = row
    return ArchetypeRow(
        id=str(id_),
        project=str(project or ""),
        function=str(function or ""),
        archetype_type=str(kind or ""),
        phases=tuple(map(str, json.loads(phases or "[]"))),
        confidence=str(confidence or ""),
        source=str(source or ""),
    )
