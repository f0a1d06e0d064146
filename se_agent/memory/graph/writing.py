"""What a graph is written with: entities, relations and facts, each with the time of its life.

Nothing is deleted: what is taken back has an end, and begins anew when it is said again later
(AM-80). What a run derives is written as often as one likes: of several runs that say the same,
the earliest is named, in whatever order they are written. Not here: what agents may ask for
(`queries`), and what runs derive (`triples`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from se_agent.memory.graph.shapes import Fact, Triple
from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable


@dataclass(frozen=True, kw_only=True)
class Graph:
    """The knowledge graph in an open `memory.db`.

    Attributes:
        db: Has its tables.
        at: The time of what is written now, UTC.
        run: The run on whose behalf it is written; empty: a person or an agent writes.
        secrets: Known ones; nothing that is written holds any of them.
    """

    db: Database
    at: str = ""
    run: str = ""
    secrets: tuple[str, ...] = ()

    def text(self, text: str) -> str:
        """Return a text as it is written: with a UTF-8 form, and free of secrets."""
        return free_of_secrets(encodable(text), self.secrets)


def _upsert(table: str, key: str, columns: Sequence[str], values: str) -> str:
    """Return the statement that writes a row, unless what is there says more.

    The new one counts where it revives what had ended before it (what a person says is said
    now), where it is a run's and the old one a person's, and where it is the earlier of two.
    Of two that begin together the lesser counts, column by column: the order in which they
    are written decides nothing.
    """
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns)
    *others, start = columns
    ours, theirs = (
        ", ".join(f"{whose}.{name}" for name in (start, *others))
        for whose in (table, "excluded")
    )
    return (
        f"INSERT INTO {table} ({key}, {', '.join(columns)}) VALUES ({values})"  # noqa: S608
        f" ON CONFLICT ({key}) DO UPDATE SET {changed}, valid_to = NULL"
        f" WHERE CASE WHEN {table}.valid_to IS NOT NULL"
        f" THEN excluded.run = '' OR excluded.{start} > {table}.valid_to"
        f" WHEN ({table}.run = '') <> (excluded.run = '') THEN {table}.run = ''"
        f" ELSE ({theirs}) < ({ours}) END"
    )


_ENTITY = _upsert("entities", "name", ("entity_type", "run", "valid_from"), "?, ?, ?, ?")
_ID = "(SELECT id FROM entities WHERE name = ?)"
_RELATION = _upsert(
    "relations",
    "src, dst, relation_type",
    ("run", "commit_id", "valid_from"),
    f"{_ID}, {_ID}, ?, ?, ?, ?",
)
_FACT = _upsert("observations", "entity, hash", ("content", "run", "at"), f"{_ID}, ?, ?, ?, ?")


def put_derived(graph: Graph, triples: Iterable[Triple], facts: Iterable[Fact]) -> None:
    """Write what a run derives, in one transaction; writing it again changes nothing.

    Args:
        graph: Its `run` is the one whose journal gives all this.
        triples: Relations, with the types of their ends.
        facts: Facts about entities.

    Raises:
        MemoryFileError: It cannot be written.
    """
    known, said = list(triples), list(facts)
    entities: dict[tuple[str, str], str] = {}
    for triple in known:
        for name, kind in zip(triple.relation[:2], triple.types, strict=True):
            entities[name, kind] = min(triple.at, entities.get((name, kind), triple.at))
    for fact in said:
        key = (fact.entity, fact.entity_type)
        entities[key] = min(fact.at, entities.get(key, fact.at))
    with graph.db.transaction():
        for (name, kind), at in entities.items():
            put_entity(graph, name, kind, at=at)
        for triple in known:
            put_relation(graph, *triple.relation, at=triple.at, commit=triple.commit)
        for fact in said:
            put_fact(graph, fact.entity, fact.content, at=fact.at)


def put_entity(graph: Graph, name: str, kind: str, *, at: str = "") -> None:
    """Write an entity.

    Raises:
        MemoryFileError: It cannot be written.
    """
    graph.db.execute(_ENTITY, (graph.text(name), graph.text(kind), graph.run, at or graph.at))


def put_relation(
    graph: Graph, source: str, target: str, kind: str, *, at: str = "", commit: str = ""
) -> None:
    """Write a relation between entities that are there.

    Raises:
        MemoryFileError: It cannot be written.
    """
    ends = (graph.text(source), graph.text(target))
    values = (graph.text(kind), graph.run, commit, at or graph.at)
    graph.db.execute(_RELATION, (*ends, *values))


def put_fact(graph: Graph, entity: str, content: str, *, at: str = "") -> None:
    """Write a fact about an entity that is there.

    Raises:
        MemoryFileError: It cannot be written.
    """
    text = graph.text(content)
    values = (fact_hash(text), text, graph.run, at or graph.at)
    graph.db.execute(_FACT, (graph.text(entity), *values))


def fact_hash(text: str) -> str:
    """Return what tells a fact from others about the same entity."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
