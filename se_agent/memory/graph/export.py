"""The knowledge graph for other tools (AM-55): Cypher, N-Triples, Mermaid, JSON.

Names and facts may hold anything: quotes, line feeds, zero bytes, statements. Each is escaped
so that it stays one name or one text, and comes back as it was. Pure. Not here: which part of
the graph it is (`queries`, `paths`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

from se_agent.memory.graph.shapes import GraphOut

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
# What nobody sees, or what a terminal obeys.
_HIDDEN = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_CYPHER = re.compile(rf"[\\'{_HIDDEN}]")
_LITERAL = re.compile(rf'[\\"{_HIDDEN}]')
_LABEL = re.compile(r"[^\w .,/()=-]")
_URN = "urn:se_agent"


def as_cypher(graph: GraphOut) -> Iterator[str]:
    """Yield statements of Cypher, one a line; carried out twice they change nothing more."""
    for name, kind, facts in graph.entities:
        said = ", ".join(map(_in_cypher, facts))
        yield (
            f"MERGE (e:Entity {{name: {_in_cypher(name)}}}) "
            f"SET e.entityType = {_in_cypher(kind)}, e.observations = [{said}];"
        )
    for source, target, kind in graph.relations:
        told = f"relationType: {_in_cypher(kind)}"
        name = kind if _PLAIN.fullmatch(kind) else "relates_to"
        yield (
            f"MATCH (a:Entity {{name: {_in_cypher(source)}}}), "
            f"(b:Entity {{name: {_in_cypher(target)}}}) "
            f"MERGE (a)-[:`{name}` {{{told}}}]->(b);"
        )


def as_ntriples(graph: GraphOut) -> Iterator[str]:
    """Yield triples of RDF, one a line."""
    for name, kind, facts in graph.entities:
        yield f"{_iri('entity', name)} {_iri('property', 'entityType')} {_literal(kind)} ."
        for fact in facts:
            yield f"{_iri('entity', name)} {_iri('property', 'observation')} {_literal(fact)} ."
    for source, target, kind in graph.relations:
        ends = (_iri("entity", source), _iri("entity", target))
        yield f"{ends[0]} {_iri('relation', kind)} {ends[1]} ."


def as_mermaid(graph: GraphOut) -> Iterator[str]:
    """Yield the lines of a Mermaid chart; facts are left out."""
    yield "graph LR"
    numbers = {entity.name: at for at, entity in enumerate(graph.entities)}
    for name, at in numbers.items():
        yield f'  n{at}["{_label(name)}"]'
    for source, target, kind in graph.relations:
        if source in numbers and target in numbers:
            yield f'  n{numbers[source]} -->|"{_label(kind)}"| n{numbers[target]}'


def as_json(graph: GraphOut) -> Iterator[str]:
    """Yield the lines of a JSON document in the shape of the reference memory server."""
    yield from json.dumps(graph.as_json(), indent=2).split("\n")


FORMATS: dict[str, Callable[[GraphOut], Iterator[str]]] = {
    "cypher": as_cypher,
    "ntriples": as_ntriples,
    "mermaid": as_mermaid,
    "json": as_json,
}
"""The formats by name."""


def _in_cypher(text: str) -> str:
    r"""Return a text as a string of Cypher.

    Some servers read `\uXXXX` before they read strings: no backslash of the text may stand in
    front of a `u`, or a quote could be spelled so that it ends the string.
    """
    return "'" + _CYPHER.sub(_cut_or_escaped, text) + "'"


def _cut_or_escaped(found: re.Match[str]) -> str:
    ends_before_u = found[0] == "\\" and found.string.startswith("u", found.end())
    return r"\\' + '" if ends_before_u else _escaped(found)


def _literal(text: str) -> str:
    return '"' + _LITERAL.sub(_escaped, text) + '"'


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    short = {"\\": r"\\", "'": r"\'", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
    return short.get(character, f"\\u{ord(character):04X}")


def _iri(kind: str, name: str) -> str:
    return f"<{_URN}:{kind}:{quote(name, safe='')}>"


def _label(text: str) -> str:
    return _LABEL.sub(lambda found: f"#{ord(found[0])};", text)
