"""Ways through the knowledge graph: what lies around an error, a function or a test (AM-60).

Not here: what is asked for by name or by text (`queries`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from se_agent.memory.graph.ontology import EntityType, RelationType
from se_agent.memory.graph.queries import between, open_nodes
from se_agent.memory.graph.shapes import Edge, Entity, GraphOut, GraphPath
from se_agent.memory.graph.writing import Graph

MOST = 200
"""Entities of a neighbourhood: those that are nearest."""

_DEEPEST = 6
_STEP = """SELECT r.{there}, near.depth + 1 FROM near JOIN relations AS r ON r.rowid IN (
        SELECT rowid FROM relations
        WHERE {here} = near.id AND valid_to IS NULL{types} LIMIT :most
    ) WHERE near.depth < :depth"""
_AROUND = f"""WITH RECURSIVE near (id, depth) AS (
    SELECT id, 0 FROM entities WHERE valid_to IS NULL AND name IN ({{names}})
    UNION {_STEP.format(here="src", there="dst", types="{types}")}
    UNION {_STEP.format(here="dst", there="src", types="{types}")}
    LIMIT :rows
)
SELECT near.id FROM near JOIN entities AS e ON e.id = near.id AND e.valid_to IS NULL
GROUP BY near.id ORDER BY MIN(near.depth), near.id LIMIT :most"""  # noqa: S608 - text of ours


def neighbourhood(
    graph: Graph, names: Sequence[str], depth: int = 2, types: Collection[str] = ()
) -> GraphOut:
    """Return what is joined to some entities by so many relations, in either direction.

    Args:
        graph: The graph.
        names: Names of the entities in the middle.
        depth: Relations from there, at most; no more than 6.
        types: Kinds of relations to follow; empty: all.

    Raises:
        MemoryFileError: It cannot be read.
    """
    ends = {f"n{at}": graph.text(name) for at, name in enumerate(names)}
    wanted = sorted({graph.text(kind) for kind in types})
    kinds = {f"t{at}": kind for at, kind in enumerate(wanted)}
    gaps = ", ".join(f":{gap}" for gap in kinds)
    query = _AROUND.format(
        names=", ".join(f":{gap}" for gap in ends),
        types=f" AND relation_type IN ({gaps})" if kinds else "",
    )
    bounds = {"depth": min(depth, _DEEPEST), "rows": 4 * MOST, "most": MOST}
    values = {**ends, **kinds, **bounds}
    ids = [number for (number,) in graph.db.rows(query, values, where="the knowledge graph")]
    found = between(graph, ids)
    followed = (one for one in found.relations if not wanted or one.relation_type in wanted)
    return GraphOut(found.entities, tuple(followed))


def affected_by(graph: Graph, error: str) -> list[Entity]:
    """Return the functions that an error was located in, then those that call them.

    Args:
        graph: The graph.
        error: Name of its entity.

    Raises:
        MemoryFileError: It cannot be read.
    """
    located = _functions(_targets(open_nodes(graph, [error]), error, RelationType.LOCATES))
    return _opened(graph, [*located, *_callers(graph, located)])


def tests_of(graph: Graph, function: str) -> list[Entity]:
    """Return the tests that cover a function, then those of the functions that call it.

    Args:
        graph: The graph.
        function: Name of its entity.

    Raises:
        MemoryFileError: It cannot be read.
    """
    functions = [function, *_callers(graph, [function])]
    found = open_nodes(graph, functions)
    covered = [_sources(found, name, RelationType.TESTS_COVERS) for name in functions]
    return _opened(graph, [test for tests in covered for test in tests])


def causes(graph: Graph, error: str) -> list[GraphPath]:
    """Return what raised an error, each as a way from the error to whoever wrote that.

    Args:
        graph: The graph.
        error: Name of its entity.

    Raises:
        MemoryFileError: It cannot be read.
    """
    return list(_ways(graph, error, RelationType.RAISES_ERROR))


def fixes_of(graph: Graph, error: str) -> list[GraphPath]:
    """Return what mended an error, each as a way from the error to whoever wrote that.

    Args:
        graph: The graph.
        error: Name of its entity.

    Raises:
        MemoryFileError: It cannot be read.
    """
    return list(_ways(graph, error, RelationType.FIXES))


def _ways(graph: Graph, error: str, kind: RelationType) -> Iterator[GraphPath]:
    first = [r for r in open_nodes(graph, [error]).relations if _leads(r, kind, error)]
    authors = open_nodes(graph, [relation.source for relation in first]).relations
    for relation in first:
        written = [r for r in authors if (r.source, r.relation_type) == (relation.source, _BY)]
        yield from ((relation, last) for last in written)
        if not written:
            yield (relation,)


_BY = RelationType.WRITTEN_BY


def _leads(relation: Edge, kind: RelationType, target: str) -> bool:
    return relation.relation_type == kind and relation.target == target


def _sources(found: GraphOut, target: str, kind: RelationType) -> list[str]:
    return [one.source for one in found.relations if _leads(one, kind, target)]


def _targets(found: GraphOut, source: str, kind: RelationType) -> list[str]:
    return [r.target for r in found.relations if (r.source, r.relation_type) == (source, kind)]


def _functions(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(f"{EntityType.FUNCTION}:")]


def _callers(graph: Graph, functions: Sequence[str]) -> list[str]:
    found = open_nodes(graph, functions)
    callers = (_sources(found, name, RelationType.CALLS) for name in functions)
    return [name for names in callers for name in names if name not in functions]


def _opened(graph: Graph, names: Iterable[str]) -> list[Entity]:
    """Return entities in the order of these names, each once."""
    wanted = list(dict.fromkeys(names))
    found = {entity.name: entity for entity in open_nodes(graph, wanted).entities}
    return [found[name] for name in wanted if name in found]
