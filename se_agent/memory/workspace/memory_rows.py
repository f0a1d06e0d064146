"""Memories of whatever kind as rows, and which of them are the best for a query.

Not here: where the rows come from (`listing`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from se_agent.memory.experience.exposure_rows import ExposureLog
from se_agent.memory.experience.items import Items
from se_agent.memory.retrieval.embedders import Embedder
from se_agent.memory.retrieval.fusion import ranked_hits
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.memory.retrieval.vectors import SqliteVectors

KINDS = (
    *("lesson", "policy", "preference", "fix", "solution", "archetype"),
    *("execution", "test_run", "run"),
)
"""What a memory may be."""

SUITING_KINDS = ("lesson", "policy", "fix")
"""Kinds that may suit a program; an embedder is asked for vectors of these alone."""


@dataclass(frozen=True, kw_only=True)
class MemoryRow:
    """One thing that is remembered, of whatever kind.

    Attributes:
        id: What `get_memory` takes.
        kind: One of `KINDS`.
        at: When it was last written, UTC; empty: unknown.
        agent: The role or the operator behind it; empty: none.
        success: Whether it succeeded; None: that says nothing of it.
        status: Where it stands; empty: it just is.
        title: What it is, in a line.
        details: All else, by name.
    """

    id: str
    kind: str
    title: str
    at: str = ""
    agent: str = ""
    success: bool | None = None
    status: str = ""
    details: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class MemoryHit:
    """A memory that a search found; scores compare hits of one search only.

    Attributes:
        row: The memory.
        score: By which hits are ordered; 0: nothing was asked for.
        words: Its part of the score by words.
        meaning: Its part by meaning; 0 where nobody compares meanings.
        lift: What both are multiplied by: what showing it was worth.
        similarity: Cosine, -1 to 1; None where nobody compares meanings.
    """

    row: MemoryRow
    score: float = 0.0
    words: float = 0.0
    meaning: float = 0.0
    lift: float = 1.0
    similarity: float | None = None


@dataclass(frozen=True, kw_only=True)
class Suiting:
    """What memories shall suit, beside a query in words.

    Attributes:
        words: What a program is built of (`text_words`); empty: it is not asked for.
        text: What an embedder reads; empty: the query.
        embedder: What compares meanings; None: words alone decide.
    """

    words: Sequence[str] = ()
    text: str = ""
    embedder: Embedder | None = None

    @property
    def is_asked(self) -> bool:
        """Whether it narrows a search at all."""
        return bool(self.words) or self.embedder is not None


@dataclass(frozen=True, kw_only=True)
class MemoryQuery:
    """What is looked for among all memories (AM-34); each part narrows the search.

    Attributes:
        text: Any words; empty, and no program: all memories, the newest first.
        kinds: Some of `KINDS`; empty: any, or any of `SUITING_KINDS` that suit something.
        agent: Name of the role or the operator; empty: any.
        success: Whether it succeeded; None: either.
        since: The earliest time, as text of ISO 8601; empty: any.
        until: The latest time, such as a day or a month, all of it; empty: any.
        language: Those of this language, and of any; empty: all.
        suiting: A program, or a meaning: then only what is in use is found, with at least half
            of the best score, as a prompt would have it.
        top_k: How many at most.
    """

    text: str = ""
    kinds: Collection[str] = ()
    agent: str = ""
    success: bool | None = None
    since: str = ""
    until: str = ""
    language: str = ""
    suiting: Suiting = field(default_factory=Suiting)
    top_k: int = 20

    def admits(self, row: MemoryRow) -> bool:
        """Say whether a memory may be a hit at all."""
        kinds = self.kinds or (SUITING_KINDS if self.suiting.is_asked else KINDS)
        return (
            row.kind in kinds
            and self.agent in ("", row.agent)
            and (self.success is None or row.success is self.success)
            and self.since <= row.at
            and row.at[: len(self.until)] <= self.until
            and (not self.language or row.details.get("language") in (None, "", self.language))
        )


def best_hits(
    rows: Sequence[MemoryRow],
    query: Query,
    items: Items,
    embedder: Embedder | None,
    top_k: int,
    *,
    cut: float,
) -> list[MemoryHit]:
    """Return the rows that have something in common with a query, the best first.

    Args:
        rows: What is searched.
        query: What is looked for.
        items: Knows what showing an item was worth, and keeps vectors.
        embedder: What compares meanings, too; None: words alone decide.
        top_k: How many at most.
        cut: Share of the best score that a hit has at least, 0 to 1.

    Raises:
        EmbedderError: A vector cannot be had.
        MemoryFileError: Vectors cannot be written.
    """
    by_id = {row.id: row for row in rows}
    vectors = SqliteVectors(items.db, embedder.name, embedder.dimensions) if embedder else None
    pool = ItemPool(map(_pool_item, by_id.values()), embedder=embedder, vectors=vectors)
    lifts = {id_: one.lift for id_, one in ExposureLog(items.db).lifts().items()}
    hits = ranked_hits(pool.matches(query), lifts)
    least = cut * hits[0].score if hits else 0.0
    return [
        MemoryHit(
            row=by_id[hit.item.id],
            score=hit.score,
            words=hit.text,
            meaning=hit.vector,
            lift=hit.factor,
            similarity=hit.similarity,
        )
        for hit in hits[:top_k]
        if hit.score >= least
    ]


def _pool_item(row: MemoryRow) -> PoolItem:
    return PoolItem(
        id=row.id,
        kind=row.kind,
        title=row.title,
        triggers=" ".join(map(str, row.details.get("words", ()))),
        body=_body(row),
        status=row.status,
    )


def _body(row: MemoryRow) -> str:
    known = row.details
    named = (known.get(name) for name in ("text", "execution_result", "raw", "project"))
    programs = known["files"].values() if row.kind == "solution" else ()
    return "\n".join((row.agent, *(str(one) for one in named if one), *programs))
