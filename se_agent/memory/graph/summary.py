"""The graph summariser: a part of the graph in a few lines, within a limit of tokens (AM-77).

What is said most often is said once, with a number; a name stands as a person would write it.
Pure. Not here: which part of the graph it is (`paths`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from se_agent.chat.escaping import quoted_value, shortened_text
from se_agent.memory.context.shortening import limited_text
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter
from se_agent.memory.graph.ontology import EntityType, entity_parts
from se_agent.memory.graph.shapes import Edge, Entity, GraphOut

_NAMED = 3  # entities that are named in a line; the others are counted
_WIDTH = 80  # characters of a name or a fact

_PLACED = (EntityType.FUNCTION, EntityType.FILE, EntityType.TEST)


def graph_summary(found: GraphOut, room: int, counter: TokenCounter = ESTIMATE) -> str:
    """Return a part of the graph in lines: what does what to what, the most frequent first.

    Args:
        found: The part.
        room: Tokens that the lines have together, at most.
        counter: Counts tokens.
    """
    entities = {entity.name: entity for entity in found.entities}
    text, _ = limited_text("\n".join(_lines(found.relations, entities)), room, counter)
    return text


def shown_name(name: str, entities: dict[str, Entity] | None = None) -> str:
    """Return what a person calls an entity, as a code span.

    An error is called by its words, where its entity is among those that are known.
    """
    kind, parts = entity_parts(name)
    entity = (entities or {}).get(name)
    if kind in (EntityType.ERROR, EntityType.TEST) and entity and entity.observations:
        return quoted_value(entity.observations[0], width=_WIDTH)
    if not parts or kind not in frozenset(EntityType):
        return quoted_value(name, width=_WIDTH)
    return quoted_value(parts[-1] if kind in _PLACED else ":".join(parts), width=_WIDTH)


def names_line(names: Sequence[str]) -> str:
    """Return the first of some names, and how many there are besides."""
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _lines(relations: Sequence[Edge], entities: dict[str, Entity]) -> Iterator[str]:
    sources: dict[tuple[str, str], list[str]] = {}
    for relation in relations:
        key = (relation.relation_type, relation.target)
        sources.setdefault(key, []).append(relation.source)
    for (kind, target), names in sorted(sources.items(), key=lambda each: -len(each[1])):
        who = names_line([shown_name(name, entities) for name in names])
        does = shortened_text(kind.replace("_", " "), _WIDTH)
        yield f"- {who} {does} {shown_name(target, entities)}"
