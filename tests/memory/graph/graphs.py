"""Graphs of the tests, in real databases without a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise

from hypothesis import strategies as st

from se_agent.memory.experience.schema import KIND
from se_agent.memory.graph.shapes import Edge, Entity, Fact, GraphOut, Triple
from se_agent.memory.graph.writing import Graph
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database

HOSTILE = (
    "",
    "two\nlines",
    "zero\0byte",
    'it\'s "quoted" `ticked`',
    "'; DROP TABLE entities; --",
    "'}) DETACH DELETE n //",
    "\\u0027}) MATCH (n) DETACH DELETE n //",
    "ends with \\",
    "\\\\u0060",
    "# heading | [link](http://a) <b>",
    "%00 %3A : % ::",
    "größe \U0001f600 \u202e \u2028",
    '" . <urn:x> <urn:y> "z',
    "half \ud800 letter",
)
ANY_TEXT = st.sampled_from(HOSTILE) | st.text(max_size=40)
CLEAN_TEXT = ANY_TEXT.filter(lambda text: text.isprintable() or text.encode("utf-8", "ignore"))
NAMES = st.sampled_from([f"function:p:a.py:f{number}" for number in range(6)])
KINDS = st.sampled_from(["calls", "fixes", "locates"])
TIMES = st.integers(0, 9).map(lambda minute: f"2026-01-01T00:0{minute}:00+00:00")
RELATIONS = st.builds(Edge, NAMES, NAMES, KINDS)
TRIPLES = st.builds(
    Triple, RELATIONS, st.just(("function", "function")), TIMES, st.sampled_from(["", "abc"])
)
FACTS = st.builds(
    Fact, NAMES, st.just("function"), st.sampled_from(["fast", "slow", "new"]), TIMES
)


@contextmanager
def empty_graph(at: str = "2026-01-02T00:00:00+00:00") -> Iterator[Graph]:
    """Open a graph without a file."""
    with Database(IN_MEMORY, KIND) as db:
        yield Graph(db=db, at=at)


def later(graph: Graph, at: str = "2026-01-03T00:00:00+00:00", run: str = "") -> Graph:
    """Return the same graph, written at another time or by a run."""
    return replace(graph, at=at, run=run)


def all_rows(graph: Graph) -> list[tuple[object, ...]]:
    """Return all that the tables hold, by names and not by numbers of rows."""
    queries = (
        "SELECT name, entity_type, run, valid_from, valid_to FROM entities",
        """SELECT s.name, d.name, r.relation_type, r.run, r.commit_id, r.valid_from, r.valid_to
        FROM relations AS r JOIN entities AS s ON s.id = r.src JOIN entities AS d
        ON d.id = r.dst""",
        """SELECT e.name, o.content, o.run, o.at, o.valid_to
        FROM observations AS o JOIN entities AS e ON e.id = o.entity""",
    )
    return sorted(
        (row for query in queries for row in graph.db.rows(query, where="all")), key=repr
    )


def chain(names: list[str], kind: str = "calls") -> GraphOut:
    """Return entities of which each one calls the next."""
    relations = (Edge(a, b, kind) for a, b in pairwise(names))
    return GraphOut(tuple(Entity(name, "function") for name in names), tuple(relations))
