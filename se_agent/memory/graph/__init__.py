"""The knowledge graph, what runs found out as entities and relations: the entry to this room.

Its names are imported when they are asked for, as those of `se_agent.memory`.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` itself would be imported for this one name
if TYPE_CHECKING:
    from se_agent.memory.graph.export import FORMATS
    from se_agent.memory.graph.ontology import EntityType, RelationType, entity_parts
    from se_agent.memory.graph.paths import (
        affected_by,
        causes,
        fixes_of,
        neighbourhood,
        tests_of,
    )
    from se_agent.memory.graph.queries import (
        add_observations,
        create_entities,
        create_relations,
        delete_entities,
        delete_observations,
        delete_relations,
        open_nodes,
        read_graph,
        search_nodes,
    )
    from se_agent.memory.graph.shapes import Edge, Entity, GraphOut, GraphPath, Observations
    from se_agent.memory.graph.triples import derived_of, error_entity
    from se_agent.memory.graph.writing import Graph, put_derived
else:

    def __getattr__(name: str) -> object:
        """Return a name of this room, out of the module that has it."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


_MODULES = {
    "export": ("FORMATS",),
    "ontology": ("EntityType", "RelationType", "entity_parts"),
    "paths": ("affected_by", "causes", "fixes_of", "neighbourhood", "tests_of"),
    "queries": (
        *("add_observations", "create_entities", "create_relations", "delete_entities"),
        *("delete_observations", "delete_relations", "open_nodes", "read_graph"),
        "search_nodes",
    ),
    "shapes": ("Edge", "Entity", "GraphOut", "GraphPath", "Observations"),
    "triples": ("derived_of", "error_entity"),
    "writing": ("Graph", "put_derived"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}
"""Where each name is defined."""

__all__ = [
    "FORMATS",
    "Edge",
    "Entity",
    "EntityType",
    "Graph",
    "GraphOut",
    "GraphPath",
    "Observations",
    "RelationType",
    "add_observations",
    "affected_by",
    "causes",
    "create_entities",
    "create_relations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "derived_of",
    "entity_parts",
    "error_entity",
    "fixes_of",
    "neighbourhood",
    "open_nodes",
    "put_derived",
    "read_graph",
    "search_nodes",
    "tests_of",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
