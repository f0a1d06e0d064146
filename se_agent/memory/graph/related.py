"""What earlier runs relate to an error or to a lesson: code, changes, inputs around it.

Looked up once, at the start of a run: for the errors that are likeliest to come again (AM-60,
AM-75), and for the lessons that a search found (AM-72). Not here: who is shown it (`tier`),
and ways through the graph that people ask for (`paths`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

from se_agent.chat.escaping import shortened_text
from se_agent.memory.graph.ontology import (
    EntityType,
    RelationType,
    entity_name,
    entity_parts,
)
from se_agent.memory.graph.paths import neighbourhood
from se_agent.memory.graph.queries import entities_by_name
from se_agent.memory.graph.shapes import Edge, GraphOut
from se_agent.memory.graph.summary import graph_summary, names_line, shown_name
from se_agent.memory.graph.writing import Graph
from se_agent.values.recall import RelatedFacts

MOST_ERRORS = 32
"""Errors that a run takes with it at most."""

_LINE = 160  # characters: three lines are some 120 tokens
_ROOM = 60  # tokens of what is around a lesson
_TELLING = frozenset({"improves", "slows", "raises_error", "fixes", "locates"})
_WHERE = "the knowledge graph"
_OF_RUNS = """JOIN runs AS n ON n.run = r.run AND n.language = :language
    AND n.family NOT IN (SELECT value FROM json_each(:families))"""
_ERRORS = f"""SELECT e.name FROM relations AS r JOIN entities AS e ON e.id = r.dst {_OF_RUNS}
    WHERE r.relation_type = 'raises_error' AND r.valid_to IS NULL AND e.valid_to IS NULL
    GROUP BY e.name ORDER BY SUM(n.problem = :problem) DESC, COUNT(*) DESC, e.name
    LIMIT {MOST_ERRORS}"""  # noqa: S608 - text of ours
_AROUND = f"""SELECT s.name, d.name, r.relation_type FROM relations AS r
    JOIN entities AS s ON s.id = r.src AND s.valid_to IS NULL
    JOIN entities AS d ON d.id = r.dst AND d.valid_to IS NULL {_OF_RUNS}
    WHERE r.valid_to IS NULL AND (s.name IN (SELECT value FROM json_each(:names))
        OR d.name IN (SELECT value FROM json_each(:names)))
    ORDER BY s.name, d.name LIMIT 400"""  # noqa: S608 - text of ours


class _Asked(NamedTuple):
    problem: str
    language: str
    families: str

    def values(self, **more: str) -> dict[str, str]:
        return {**self._asdict(), **more}


def related_errors(
    graph: Graph, *, problem: str, language: str, exclude_families: Collection[str] = ()
) -> Iterator[RelatedFacts]:
    """Yield what is related to the errors of earlier runs, those of a problem at first.

    Args:
        graph: The graph, with the runs beside it.
        problem: Name of the problem of a run that begins.
        language: Language of its programs; errors of others are left out.
        exclude_families: Families whose runs are left out.

    Raises:
        MemoryFileError: It cannot be read.
    """
    asked = _Asked(problem, language, json.dumps(sorted(exclude_families)))
    for (error,) in list(graph.db.rows(_ERRORS, asked.values(), where=_WHERE)):
        lines = tuple(shortened_text(line, _LINE) for line in _lines(graph, error, asked))
        if lines:
            yield RelatedFacts(error=entity_parts(error)[1][0], lines=lines)


def around_item(graph: Graph, item: str) -> str:
    """Return what lies around a lesson, on one line; empty: nothing that says more than it.

    Its operator leads there: what that improved, slowed, broke and mended.

    Args:
        graph: The graph.
        item: Id of the lesson.

    Raises:
        MemoryFileError: It cannot be read.
    """
    lesson = entity_name(EntityType.LESSON, item)
    found = neighbourhood(graph, [lesson], 2, {*_TELLING, RelationType.MENTIONS})
    telling = tuple(one for one in found.relations if one.relation_type in _TELLING)
    lines = graph_summary(GraphOut(found.entities, telling), _ROOM).splitlines()
    return "; ".join(line.removeprefix("- ") for line in lines)


def _lines(graph: Graph, error: str, asked: _Asked) -> Iterator[str]:
    near = _around(graph, [error], asked)
    located = _of_problem(
        [e.target for e in near if _is(e, RelationType.LOCATES)], asked.problem
    )
    further = _around(graph, located, asked) if located else []
    callers = [
        e.source
        for e in further
        if _is(e, RelationType.CALLS) and e.target in located and e.source not in located
    ]
    tests = [e.source for e in further if _is(e, RelationType.TESTS_COVERS)]
    fixed = [e.source for e in near if _is(e, RelationType.FIXES)]
    if located:
        called = f", which {_named(graph, callers)} calls" if callers else ""
        yield f"It was seen in {_named(graph, located)}{called}"
    if fixed:
        yield f"It was mended before by {_named(graph, fixed)}"
    if tests:
        yield f"Inputs that show faults there: {_named(graph, tests)}"


def _around(graph: Graph, names: list[str], asked: _Asked) -> list[Edge]:
    values = asked.values(names=json.dumps(names))
    return [Edge(*row) for row in graph.db.rows(_AROUND, values, where=_WHERE)]


def _is(edge: Edge, kind: RelationType) -> bool:
    return edge.relation_type == kind


def _of_problem(functions: list[str], problem: str) -> list[str]:
    """Return the functions of a problem; where it has none of them, those of all others."""
    own = [name for name in functions if entity_parts(name)[1][:1] == (problem,)]
    return list(dict.fromkeys(own or functions))


def _named(graph: Graph, names: list[str]) -> str:
    """Return the first of some entities as people call them: a change by its words."""
    known = {entity.name: entity for entity in entities_by_name(graph, names)}
    told = []
    for name in dict.fromkeys(names):
        entity = known.get(name)
        is_change = name.startswith(f"{EntityType.SOLUTION}:") and entity is not None
        said = entity.observations[:1] if is_change and entity else ()
        told.append(f'"{said[0]}"' if said else shown_name(name, known))
    return names_line(list(dict.fromkeys(told)))
