"""Execution memory: what was tried, by whom, and what came of it (AM-06, AM-18 to AM-23).

One row for each closed step of a run, keyed by run, slot and agent; others may add rows of
their own. Its text holds the key terms, the files and the summary of the error (AM-22). Not
here: when rows are written (`promotion`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from se_agent.memory.experience.execution_rows import OUTSIDE, Execution, TaskType
from se_agent.memory.experience.long_term import LongTerm
from se_agent.memory.retrieval.full_text import FullText
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.program.error_template import error_template
from se_agent.redaction.patterns import free_of_secrets, json_free_of_secrets
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable

_WHOLE, _NAME = 8000, 200  # characters of a column, and of a name
_ALL = """SELECT run, slot, agent_name, task_type, task_description, execution_result, success,
    timestamp, duration, context, words FROM executions ORDER BY run, slot, agent_name"""
_PUT = "INSERT OR REPLACE INTO executions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_COUNT = "SELECT COUNT(*), TOTAL(LENGTH(task_description)) FROM executions"
_WHERE = "its executions"


class ExecutionHit(NamedTuple):
    """An execution that was found; `similarity` is 0 to 1, and `distance` the rest of 1."""

    execution: Execution
    similarity: float
    distance: float


class ErrorSolution(NamedTuple):
    """What mended an error before.

    Attributes:
        error: The template of the error, or what is known of it.
        solution: What was done.
        frequency: How often it helped.
        found_by: `template`, `words` or `place`: the query that found it.
    """

    error: str
    solution: str
    frequency: int
    found_by: str


class ExecutionLog:
    """The executions of all runs."""

    def __init__(self, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use an open `memory.db`.

        Args:
            db: A database of the kind `schema.KIND`.
            secrets: Known ones; nothing that is written holds any of them.
        """
        self._db = db
        self._secrets = tuple(secrets)
        self._known: tuple[Any, ...] = ()
        self._rows: dict[str, Execution] = {}
        self._index = FullText(())

    def record_execution(
        self,
        agent_name: str,
        task_description: str,
        execution_result: str,
        success: bool,
        duration: float,
        context: Mapping[str, Any] | None = None,
        *,
        at: str = "",
    ) -> str:
        """Keep what somebody beside a run did; return its id (AM-18).

        Args:
            agent_name: Name of the role or the operator.
            task_description: What was to be done.
            execution_result: What came of it.
            success: Whether it succeeded.
            duration: Seconds that it took.
            context: What else is known: values of JSON. `task_type` names the kind of work.
            at: When it ended, UTC.

        Raises:
            MemoryFileError: It cannot be written.
        """
        known = dict(context or {})
        kind = str(known.get("task_type", TaskType.OTHER))
        query = "SELECT 1 + COALESCE(MAX(slot), -1) FROM executions WHERE run = ?"
        with self._db.transaction():
            ((slot,),) = self._db.rows(query, (OUTSIDE,), where=_WHERE)
            row = Execution(
                slot=slot,
                agent_name=agent_name,
                task_type=kind if kind in list(TaskType) else TaskType.OTHER,
                task_description=task_description,
                execution_result=execution_result,
                success=success,
                timestamp=at,
                duration=duration,
                context=known,
            )
            self.put([row])
        return row.id

    def put(self, rows: Iterable[Execution]) -> None:
        """Write executions; one that is there already is written anew.

        Raises:
            MemoryFileError: They cannot be written.
        """
        self._db.execute_each(_PUT, (self._values(row) for row in rows))

    def rows(self) -> list[Execution]:
        """Return all executions, by run, slot and agent.

        Raises:
            MemoryFileError: They cannot be read.
        """
        state = next(self._db.rows(_COUNT, where=_WHERE))
        if state != self._known:
            self._read()
            self._known = state
        return list(self._rows.values())

    def get_similar_executions(
        self, query: str, agent_name: str = "", success_only: bool = False, top_k: int = 50
    ) -> list[ExecutionHit]:
        """Return executions that hold words of a query, the most similar first (AM-19, AM-21).

        Args:
            query: Any text.
            agent_name: Name of the role or the operator; empty: any.
            success_only: Whether those that failed are left out.
            top_k: How many at most.

        Raises:
            MemoryFileError: They cannot be read.
        """
        count = len(self.rows())
        hits = self._index.scores([query], count)
        best = max(hits.values(), default=0.0)
        found = []
        for key, score in hits.items():
            row = self._rows[key]
            if agent_name and row.agent_name != agent_name:
                continue
            if row.success or not success_only:
                similarity = score / best if best > 0 else 0.0
                found.append(ExecutionHit(row, similarity, 1.0 - similarity))
        return found[:top_k]

    def get_error_solutions(
        self, error_description: str, top_k: int = 5
    ) -> list[ErrorSolution]:
        """Return what mended such errors: by template, by words, by place (AM-20, AM-23).

        Successes only. What several queries find is one solution, by the first of them.

        Args:
            error_description: The error as it was told; a function or a status may be in it.
            top_k: How many at most.

        Raises:
            MemoryFileError: They cannot be read.
        """
        found: dict[str, ErrorSolution] = {}
        for one in (
            *self._by_template(error_description),
            *self._by_words(error_description),
            *self._by_place(error_description),
        ):
            known = found.setdefault(one.solution, one)
            if known is not one and known.found_by == one.found_by:
                both = known.frequency + one.frequency
                found[one.solution] = known._replace(frequency=both)
        return list(found.values())[:top_k]

    def _by_template(self, error: str) -> Iterator[ErrorSolution]:
        words = error_template(error).words
        for fix in LongTerm(self._db).fixes():
            if words and error_template(fix.error_pattern).words == words:
                yield ErrorSolution(fix.error_pattern, fix.solution, fix.frequency, "template")

    def _by_words(self, error: str) -> Iterator[ErrorSolution]:
        query = error_template(error).words or error
        for hit in self.get_similar_executions(query, success_only=True):
            if mended := str(hit.execution.context.get("mended", "")):
                solution = hit.execution.task_description
                yield ErrorSolution(mended, solution, 1, "words")

    def _by_place(self, error: str) -> Iterator[ErrorSolution]:
        """Yield what mended a program that failed alike, or in a function that is named."""
        for row in self.rows():
            if not row.success or not (mended := str(row.context.get("mended", ""))):
                continue
            functions = {str(one) for one in row.context.get("functions", ()) if one}
            status = str(row.context.get("mended_status", ""))
            named = set(error.replace("(", " ").replace(".", " ").split())
            if (functions | {status}) & named:
                yield ErrorSolution(mended, row.task_description, 1, "place")

    def _read(self) -> None:
        rows = self._db.records(_ALL, make=_row, where=_WHERE)
        self._rows = {row.id: row for row in rows}
        self._index.close()
        self._index = FullText(
            PoolItem(
                id=key,
                kind="execution",
                title=row.task_description,
                triggers=" ".join(row.words),
                body=row.execution_result,
            )
            for key, row in self._rows.items()
        )

    def _values(self, row: Execution) -> tuple[object, ...]:
        return (
            *(row.run, row.slot, self._text(row.agent_name, _NAME), row.task_type),
            *(self._text(row.task_description), self._text(row.execution_result)),
            *(row.success, row.timestamp, row.duration),
            *(json_free_of_secrets(row.context, self._secrets)[:_WHOLE], json.dumps(row.words)),
        )

    def _text(self, text: str, longest: int = _WHOLE) -> str:
        return free_of_secrets(encodable(text).replace("\0", " "), self._secrets)[:longest]


def _row(values: tuple[Any, ...]) -> Execution:
    *head, success, timestamp, duration, context, words = values
    run, slot, agent, kind, task, result = head
    return Execution(
        run=str(run),
        slot=int(slot),
        agent_name=str(agent),
        task_type=str(kind or TaskType.OTHER),
        task_description=str(task or ""),
        execution_result=str(result or ""),
        success=bool(success),
        timestamp=str(timestamp or ""),
        duration=float(duration or 0.0),
        context=_mapping(context),
        words=tuple(map(str, json.loads(words or "[]"))),
    )


def _mapping(text: str | None) -> Mapping[str, Any]:
    """Return a mapping of JSON; one that was cut, or is none, is empty."""
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
