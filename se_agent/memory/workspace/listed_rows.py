"""All that is remembered as rows of one shape, kind by kind.

Not here: what is asked of them (`listing`), and how each kind is kept (`experience`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from se_agent.memory.experience.champions import archetype_rows
from se_agent.memory.experience.executions import ExecutionLog
from se_agent.memory.experience.item_rows import ItemKind
from se_agent.memory.experience.items import Items, pool_item
from se_agent.memory.experience.long_term import LongTerm
from se_agent.memory.experience.test_runs import TestRunLog
from se_agent.memory.workspace.memory_rows import MemoryRow


def rows_of(items: Items, kinds: Collection[str] = ()) -> Iterator[MemoryRow]:
    """Yield memories of some kinds; an empty collection stands for all.

    Raises:
        MemoryFileError: They cannot be read.
    """
    for source, its in _SOURCES.items():
        if not kinds or not its.isdisjoint(kinds):
            yield from (row for row in source(items) if not kinds or row.kind in kinds)


def _items(items: Items) -> Iterator[MemoryRow]:
    for row in items.rows():
        yield MemoryRow(
            id=row.id,
            kind=row.kind,
            title=row.title,
            at=row.created_at,
            agent=row.operator,
            success={"Success": True, "Failed": False}.get(row.outcome),
            status=row.status,
            details=_plain({**asdict(row), "text": pool_item(row).text}),
        )


def _long_term(items: Items) -> Iterator[MemoryRow]:
    kept = LongTerm(items.db)
    for fix in kept.fixes():
        title = f"{fix.error_pattern}: {fix.solution}"
        yield MemoryRow(id=fix.id, kind="fix", title=title, details=asdict(fix))
    for one in kept.solutions():
        title = f"{one.project}: effect {one.effect:+.3f}"
        yield MemoryRow(
            id=one.id,
            kind="solution",
            title=title,
            success=True,
            status=one.status,
            details=_plain({**asdict(one), "files": dict(one.files)}),
        )
    for archetype in archetype_rows(items.db):
        yield MemoryRow(
            id=archetype.id,
            kind="archetype",
            title=f"{archetype.project}: {archetype.archetype_type}",
            details=asdict(archetype),
        )
    for run in kept.runs():
        yield MemoryRow(
            id=run.run,
            kind="run",
            title=f"{run.problem}: {run.status or 'not ended'}",
            at=run.started,
            success=run.status == "proven",
            details=_plain(asdict(run)),
        )


def _executions(items: Items) -> Iterator[MemoryRow]:
    for one in ExecutionLog(items.db).rows():
        yield MemoryRow(
            id=one.id,
            kind="execution",
            title=one.task_description,
            at=one.timestamp,
            agent=one.agent_name,
            success=one.success,
            details=_plain({**asdict(one), "context": dict(one.context)}),
        )


def _test_runs(items: Items) -> Iterator[MemoryRow]:
    for one in TestRunLog(items.db).rows():
        yield MemoryRow(
            id=f"{one.run}/{one.slot}/{one.attempt}",
            kind="test_run",
            title=f"{one.solution}: {one.analysis.get('pattern', '')}",
            at=one.timestamp,
            agent="evaluator",
            success=one.success,
            details=_plain(asdict(one)),
        )


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values that JSON has words for: infinities as text."""
    return {
        name: str(value) if isinstance(value, float) and math.isinf(value) else value
        for name, value in values.items()
    }


_SOURCES: Mapping[Callable[[Items], Iterator[MemoryRow]], frozenset[str]] = {
    _items: frozenset(ItemKind),
    _long_term: frozenset({"fix", "solution", "archetype", "run"}),
    _executions: frozenset({"execution"}),
    _test_runs: frozenset({"test_run"}),
}
