"""Tools that read what runs learned, kept and came to, and one that adds to it.

Not here: the knowledge graph (`graph_tools`), and proofs (`proof_tools`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import summarize
from se_agent.errors import GraphError, JournalError
from se_agent.mcp_server.arguments import (
    AgentName,
    Language,
    Limit,
    MemoryKinds,
    Reference,
    RunName,
    Size,
    Spent,
    Start,
    Words,
)
from se_agent.mcp_server.context import ServerContext
from se_agent.memory import (
    ExecutionLog,
    MemoryManager,
    MemoryQuery,
    MemoryRow,
    explanation_of,
    graph,
)
from se_agent.values.evaluation import Evaluation, Status
from se_agent.wire.spelling import encodable

_RESULT = (
    *("problem", "status", "best_solution_id", "gain", "gain_low", "gain_high", "score"),
    *("score_initial", "trusted", "evaluations", "generations", "cpu_seconds", "calls"),
    *("budget_end", "unconfirmed", "notes"),
)
_LEARNED = ("lesson", "policy", "preference", "fix", "solution")


@dataclass(frozen=True)
class MemoryTools:
    """Each public method is a tool; its docstring is what an agent reads of it."""

    _context: ServerContext

    def search_memories(
        self,
        query: Words,
        kind: MemoryKinds = "",
        language: Language = "python",
        limit: Limit = 10,
    ) -> str:
        """Search what earlier runs learned and proved, and what people want, best first.

        These are lessons, policies, preferences, fixes of errors, and programs (`solution`).
        """
        asked = MemoryQuery(
            text=encodable(query),
            kinds=[kind] if kind else _LEARNED,
            language=language,
            top_k=limit,
        )
        with self._context.opened() as opened:
            hits = MemoryManager(opened).search_memories(asked)
        rows = [{"score": round(hit.score, 3), **_row(hit.row)} for hit in hits]
        return self._context.answer({"memories": rows})

    def get_error_solutions(self, error: Words) -> str:
        """Say what mended an error in earlier runs, what raised it, its code and its tests.

        It may be a whole traceback, or a message of a compiler or a test.
        """
        text = encodable(error)
        name, _ = graph.error_entity(Evaluation(status=Status.RE, feedback=text))
        with self._context.opened() as opened:
            known, log = opened.graph(), ExecutionLog(opened.items().db)
            affected = graph.affected_by(known, name)
            tests = [test for one in affected for test in graph.tests_of(known, one.name)]
            rows: dict[str, list[Any]] = {
                "solutions": [one._asdict() for one in log.get_error_solutions(text)],
                "fixes": _ways(graph.fixes_of(known, name)),
                "causes": _ways(graph.causes(known, name)),
                "functions": [one.as_json() for one in affected],
                "tests": [one.as_json() for one in dict.fromkeys(tests)],
            }
        return self._context.answer(rows, error=name)

    def get_similar_executions(
        self, query: Words, agent: AgentName = "", only_success: bool = False, limit: Limit = 10
    ) -> str:
        """Find steps of earlier runs by words: what was tried, by whom, and what came of it."""
        with self._context.opened() as opened:
            log = ExecutionLog(opened.items().db)
            hits = log.get_similar_executions(encodable(query), agent, only_success, limit)
        rows = [
            {"similarity": round(hit.similarity, 3), **_plain(asdict(hit.execution))}
            for hit in hits
        ]
        return self._context.answer({"executions": rows})

    def record_execution(
        self, agent: AgentName, task: Words, result: Words, success: bool, seconds: Spent = 0.0
    ) -> str:
        """Keep what you did and what came of it, for those who ask for similar executions."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._context.opened() as opened:
            log = ExecutionLog(opened.items().db, secrets=self._context.secrets)
            done = (encodable(task), encodable(result), success, seconds)
            id_ = log.record_execution(agent, *done, at=now)
        return self._context.answer({"executions": [{"id": id_}]})

    def explain(self, id: Reference) -> str:
        """Explain an item: where it comes from, what it was before, what showing it gained."""
        with self._context.opened() as opened:
            found = explanation_of(opened.items(), encodable(id))
        if found is None:
            told = f"there is no item {encodable(id)!r}"
            raise GraphError(told, hint="search_memories gives ids")
        rows = {
            "item": [_plain(asdict(found.item))],
            "sources": [one._asdict() for one in found.sources],
            "versions": [one._asdict() for one in found.versions],
            "lift": [{**found.lift._asdict(), "low": found.lift.low, "high": found.lift.high}],
        }
        return self._context.answer(rows)

    def read_artifact(self, ref: Reference, start: Start = 0, size: Size = 6000) -> str:
        """Read a large output that a run kept, by 12 hex digits: so many characters of it.

        Of an output that has expired its preview is given.
        """
        with self._context.opened() as opened:
            text = opened.artifacts().read_artifact(encodable(ref), start=start, size=size)
        rows = [text[at : at + 1000] for at in range(0, len(text), 1000)]
        return self._context.answer({"text": rows}, start=start)

    def run_status(self, run: RunName = "last") -> str:
        """Say where a run stands, finished or not: `last`, or the name of its folder."""
        folder = _run_folder(self._context.results, run)
        with Journal(folder / "run.db", write=False) as journal:
            found = summarize(folder, journal.events())
        told = {name: getattr(found, name) for name in _RESULT}
        return self._context.answer({"runs": [{"run": folder.name, **told}]})


def _row(row: MemoryRow) -> dict[str, Any]:
    head = {"id": row.id, "kind": row.kind, "title": row.title}
    return {**head, **_plain(dict(row.details))}


def _run_folder(results: Path, name: str) -> Path:
    found = results / name
    if name == "last" and results.is_dir():
        runs = [path.parent for path in results.glob("*/run.db")]
        found = max(runs, key=lambda path: (path / "run.db").stat().st_mtime, default=found)
    if not (found / "run.db").is_file():
        raise JournalError(f"there is no run {name!r}", hint="`se-agent ls` lists the runs")
    return found


def _ways(found: Iterable[graph.GraphPath]) -> list[list[dict[str, str]]]:
    return [[edge.as_json() for edge in way] for way in found]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without what is empty, and with numbers that JSON knows."""
    infinite = (float("inf"), float("-inf"))
    return {
        name: str(value) if value in infinite else value
        for name, value in row.items()
        if value not in ("", (), None)
    }
