"""What agents may ask of the knowledge graph: the nine functions of the reference server.

Names, shapes and refusals are those of that server (AM-69, AM-70); what is deleted here stays
with the time when it ended. Not here: ways through the graph (`paths`), and what a run writes
of its own accord (`writing`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from se_agent.errors import GraphError
from se_agent.memory.graph.shapes import (
    Deleted,
    Edge,
    Entity,
    Forgotten,
    GraphOut,
    Observations,
)
from se_agent.memory.graph.writing import (
    Graph,
    fact_hash,
    put_entity,
    put_fact,
    put_relation,
)

_T = TypeVar("_T")
_WHERE = "the knowledge graph"
_AT_A_TIME = 500  # names in one statement; SQLite takes no more than some thousand
_FACTS = """SELECT entity, content FROM observations WHERE valid_to IS NULL{}
    ORDER BY entity, at, hash"""
_ENTITIES = "SELECT id, name, entity_type FROM entities WHERE valid_to IS NULL{}"
_RELATIONS = """SELECT s.name, d.name, r.relation_type FROM relations AS r
    JOIN entities AS s ON s.id = r.src AND s.valid_to IS NULL
    JOIN entities AS d ON d.id = r.dst AND d.valid_to IS NULL
    WHERE r.valid_to IS NULL{}"""
_END = "UPDATE {} SET valid_to = ? WHERE valid_to IS NULL AND "


def create_entities(graph: Graph, entities: Sequence[Entity]) -> list[Entity]:
    """Add entities and return the new ones; of those that are there nothing is changed.

    Raises:
        MemoryFileError: They cannot be written.
    """
    added: dict[str, Entity] = {}
    with graph.db.transaction():
        there = set(_ids(graph, [entity.name for entity in entities]))
        for entity in entities:
            name = graph.text(entity.name)
            if name in there or name in added:
                continue
            put_entity(graph, name, entity.entity_type)
            facts = _added_facts(graph, name, entity.observations)
            added[name] = Entity(name, graph.text(entity.entity_type), facts)
    return list(added.values())


def create_relations(graph: Graph, relations: Sequence[Edge]) -> list[Edge]:
    """Add relations and return the new ones.

    Raises:
        GraphError: An entity is not there; nothing was added.
        MemoryFileError: They cannot be written.
    """
    wanted = dict.fromkeys(Edge(*map(graph.text, relation)) for relation in relations)
    with graph.db.transaction():
        ids = _required_ids(graph, [name for one in wanted for name in one[:2]])
        there = set(_relations_of(graph, ids.values()))
        added = [relation for relation in wanted if relation not in there]
        for relation in added:
            put_relation(graph, *relation)
    return added


def add_observations(graph: Graph, observations: Sequence[Observations]) -> list[Observations]:
    """Add facts to entities and return, for each one asked for, which were new.

    Raises:
        GraphError: An entity is not there; nothing was added.
        MemoryFileError: They cannot be written.
    """
    with graph.db.transaction():
        _required_ids(graph, [one.entity for one in observations])
        return [
            Observations(one.entity, _added_facts(graph, one.entity, one.contents))
            for one in observations
        ]


def delete_entities(graph: Graph, names: Sequence[str]) -> Deleted:
    """End entities, with their relations and facts.

    Raises:
        MemoryFileError: They cannot be written.
    """
    with graph.db.transaction():
        ids = _ids(graph, names)
        for number in ids.values():
            for table, rows in (
                ("observations", "entity = ?"),
                ("relations", "src = ?"),
                ("relations", "dst = ?"),
                ("entities", "id = ?"),
            ):
                graph.db.execute(_END.format(table) + rows, (graph.at, number))
    asked = dict.fromkeys(map(graph.text, names))
    gone = tuple(name for name in asked if name in ids)
    return Deleted(gone, tuple(name for name in asked if name not in ids))


def delete_observations(graph: Graph, deletions: Sequence[Observations]) -> Forgotten:
    """End facts about entities; what nobody said is passed over.

    Raises:
        MemoryFileError: They cannot be written.
    """
    count, missing = 0, dict[str, None]()
    with graph.db.transaction():
        ids = _ids(graph, [one.entity for one in deletions])
        for one in deletions:
            name = graph.text(one.entity)
            if name not in ids:
                missing[name] = None
                continue
            known = set(_facts(graph, [ids[name]]).get(ids[name], ()))
            gone = {graph.text(content) for content in one.contents} & known
            for text in sorted(gone):
                statement = _END.format("observations") + "entity = ? AND hash = ?"
                graph.db.execute(statement, (graph.at, ids[name], fact_hash(text)))
            count += len(gone)
    return Forgotten(count, tuple(missing))


def delete_relations(graph: Graph, relations: Sequence[Edge]) -> int:
    """End relations and return how many there were.

    Raises:
        MemoryFileError: They cannot be written.
    """
    asked = dict.fromkeys(Edge(*map(graph.text, relation)) for relation in relations)
    with graph.db.transaction():
        ids = _ids(graph, [name for one in asked for name in one[:2]])
        there = _relations_of(graph, ids.values())
        gone = [relation for relation in asked if relation in there]
        for source, target, kind in gone:
            statement = _END.format("relations") + "src = ? AND dst = ? AND relation_type = ?"
            graph.db.execute(statement, (graph.at, ids[source], ids[target], kind))
    return len(gone)


def read_graph(graph: Graph) -> GraphOut:
    """Return all that is valid now.

    Raises:
        MemoryFileError: It cannot be read.
    """
    rows = list(graph.db.rows(_ENTITIES.format(""), where=_WHERE))
    facts = _facts(graph)
    found = (Entity(name, kind, facts.get(number, ())) for number, name, kind in rows)
    relations = graph.db.rows(_RELATIONS.format(""), where=_WHERE)
    return GraphOut(tuple(sorted(found)), tuple(sorted(Edge(*row) for row in relations)))


def search_nodes(graph: Graph, query: str) -> GraphOut:
    """Return the entities whose name, type or facts hold a text, and all their relations.

    Args:
        graph: The graph.
        query: Is looked for as it stands; small and large letters are the same.

    Raises:
        MemoryFileError: It cannot be read.
    """
    wanted = query.casefold()
    rows = list(graph.db.rows(_ENTITIES.format(""), where=_WHERE))
    found = {
        n for n, name, kind in rows if wanted in name.casefold() or wanted in kind.casefold()
    }
    said = graph.db.rows(_FACTS.format(""), where=_WHERE)
    found.update(number for number, content in said if wanted in content.casefold())
    return nodes(graph, [number for number, _, _ in rows if number in found])


def open_nodes(graph: Graph, names: Sequence[str]) -> GraphOut:
    """Return the entities of these names, and all their relations.

    Raises:
        MemoryFileError: It cannot be read.
    """
    return nodes(graph, _ids(graph, names).values())


def nodes(graph: Graph, ids: Iterable[int]) -> GraphOut:
    """Return entities by the numbers of their rows, and all their relations.

    Raises:
        MemoryFileError: It cannot be read.
    """
    wanted = list(ids)
    return GraphOut(entities_of(graph, wanted), tuple(sorted(_relations_of(graph, wanted))))


def between(graph: Graph, ids: Sequence[int]) -> GraphOut:
    """Return some entities, and the relations that they have among themselves.

    Args:
        graph: The graph.
        ids: Numbers of their rows; some hundreds.

    Raises:
        MemoryFileError: It cannot be read.
    """
    gaps = _gaps(ids)
    query = _RELATIONS.format(f" AND r.src IN {gaps} AND r.dst IN {gaps}")
    found = graph.db.rows(query, (*ids, *ids), where=_WHERE)
    return GraphOut(entities_of(graph, ids), tuple(sorted(Edge(*row) for row in found)))


def entities_of(graph: Graph, ids: Collection[int]) -> tuple[Entity, ...]:
    """Return entities by the numbers of their rows, in the order of their names.

    Raises:
        MemoryFileError: They cannot be read.
    """
    facts = _facts(graph, ids)
    rows = (
        row
        for some in _groups(ids)
        for row in graph.db.rows(
            _ENTITIES.format(f" AND id IN {_gaps(some)}"), some, where=_WHERE
        )
    )
    return tuple(sorted(Entity(name, kind, facts.get(at, ())) for at, name, kind in rows))


def entities_by_name(graph: Graph, names: Collection[str]) -> tuple[Entity, ...]:
    """Return the entities of these names, in the order of their names.

    Raises:
        MemoryFileError: They cannot be read.
    """
    return entities_of(graph, _ids(graph, names).values())


def _ids(graph: Graph, names: Collection[str]) -> dict[str, int]:
    """Return the rows of the entities among these names that are there."""
    found = {}
    for some in _groups(dict.fromkeys(map(graph.text, names))):
        query = _ENTITIES.format(f" AND name IN {_gaps(some)}")
        found.update({name: row for row, name, _ in graph.db.rows(query, some, where=_WHERE)})
    return found


def _required_ids(graph: Graph, names: Sequence[str]) -> dict[str, int]:
    ids = _ids(graph, names)
    for name in map(graph.text, names):
        if name not in ids:
            raise GraphError(
                f"there is no entity {name[:80]!r}", hint="create it first: create_entities"
            )
    return ids


def _relations_of(graph: Graph, ids: Iterable[int]) -> set[Edge]:
    """Return the relations that begin or end at one of the entities."""
    found = set[Edge]()
    for some in _groups(ids):
        for end in ("src", "dst"):
            query = _RELATIONS.format(f" AND r.{end} IN {_gaps(some)}")
            found.update(Edge(*row) for row in graph.db.rows(query, some, where=_WHERE))
    return found


def _facts(graph: Graph, ids: Collection[int] | None = None) -> dict[int, tuple[str, ...]]:
    """Return what is said of entities, by row; of all of them where none are named."""
    groups = [[]] if ids is None else _groups(ids)
    found: dict[int, list[str]] = {}
    for some in groups:
        query = _FACTS.format("" if ids is None else f" AND entity IN {_gaps(some)}")
        for entity, content in graph.db.rows(query, some, where=_WHERE):
            found.setdefault(entity, []).append(content)
    return {entity: tuple(contents) for entity, contents in found.items()}


def _added_facts(graph: Graph, name: str, contents: Iterable[str]) -> tuple[str, ...]:
    """Write facts about an entity that is there, and return the new ones, each once."""
    ids = _ids(graph, [name])
    known = set(_facts(graph, list(ids.values())).get(next(iter(ids.values())), ()))
    new = [text for text in dict.fromkeys(map(graph.text, contents)) if text not in known]
    for text in new:
        put_fact(graph, name, text)
    return tuple(new)


def _groups(values: Iterable[_T]) -> list[list[_T]]:
    every = list(values)
    return [every[at : at + _AT_A_TIME] for at in range(0, len(every), _AT_A_TIME)]


def _gaps(values: Sequence[object]) -> str:
    return f"({', '.join('?' * len(values))})"
