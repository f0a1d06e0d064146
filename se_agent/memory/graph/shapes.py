"""What is asked of the knowledge graph and what it answers: frozen values.

Their JSON has the names of the reference memory server (AM-69, AM-70). Not here: how the graph
is kept (`queries`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Entity(NamedTuple):
    """A thing that is known of, and single facts about it, the oldest first."""

    name: str
    entity_type: str
    observations: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it in the shape of the reference server."""
        return {
            "name": self.name,
            "entityType": self.entity_type,
            "observations": list(self.observations),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Entity:
        """Return what `as_json` made a mapping of."""
        return cls(value["name"], value["entityType"], tuple(value.get("observations", ())))


class Edge(NamedTuple):
    """A relation: what one entity does to another, both by name."""

    source: str
    target: str
    relation_type: str

    def as_json(self) -> dict[str, str]:
        """Return it in the shape of the reference server."""
        return {"from": self.source, "to": self.target, "relationType": self.relation_type}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Edge:
        """Return what `as_json` made a mapping of."""
        return cls(value["from"], value["to"], value["relationType"])


class Observations(NamedTuple):
    """Facts about one entity, to be added or taken back."""

    entity: str
    contents: tuple[str, ...]


class Deleted(NamedTuple):
    """Entities that were deleted, and names that nobody bears."""

    deleted: tuple[str, ...]
    not_found: tuple[str, ...]


class Forgotten(NamedTuple):
    """How many facts were taken back, and which entities are not there."""

    deleted_count: int
    missing_entities: tuple[str, ...]


class GraphOut(NamedTuple):
    """A part of the graph: entities by name, relations by their ends."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Edge, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it in the shape of the reference server."""
        return {
            "entities": [entity.as_json() for entity in self.entities],
            "relations": [relation.as_json() for relation in self.relations],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> GraphOut:
        """Return what `as_json` made a mapping of."""
        return cls(
            tuple(map(Entity.from_json, value["entities"])),
            tuple(map(Edge.from_json, value["relations"])),
        )


GraphPath = tuple[Edge, ...]
"""Relations one after the other: each has an end in common with the one before."""


class Triple(NamedTuple):
    """A relation that a run's journal gives, with the types of its ends.

    Attributes:
        relation: Names of the ends, and what one does to the other.
        types: Types of source and target.
        at: When the event that says so happened, UTC.
        commit: Content address of the program that it was seen on; empty: of none.
    """

    relation: Edge
    types: tuple[str, str]
    at: str
    commit: str = ""


class Derived(NamedTuple):
    """What a journal gives: relations, and facts about single entities."""

    triples: tuple[Triple, ...] = ()
    facts: tuple[Fact, ...] = ()


class Fact(NamedTuple):
    """A fact about an entity that a run's journal gives; `at` as in `Triple`."""

    entity: str
    entity_type: str
    content: str
    at: str
