"""Tools of the knowledge graph: the nine of the reference server, and `related`.

Not here: what they do (`se_agent.memory.graph`).
"""

from __future__ import annotations

from dataclasses import dataclass

from se_agent.mcp_server.arguments import (
    Contents,
    Deletions,
    Entities,
    Names,
    Page,
    Relations,
    Words,
)
from se_agent.mcp_server.context import ServerContext
from se_agent.memory import graph


@dataclass(frozen=True)
class GraphTools:
    """Each public method is a tool; its docstring is what an agent reads of it."""

    _context: ServerContext

    def create_entities(self, entities: Entities) -> str:
        """Create entities in the knowledge graph; gives the new ones, others are skipped."""
        with self._context.opened() as opened:
            made = graph.create_entities(opened.graph(), [one.value for one in entities])
        return self._context.answer({"entities": [one.as_json() for one in made]})

    def create_relations(self, relations: Relations) -> str:
        """Create relations between entities that exist. Gives the new ones."""
        with self._context.opened() as opened:
            made = graph.create_relations(opened.graph(), [one.value for one in relations])
        return self._context.answer({"relations": [one.as_json() for one in made]})

    def add_observations(self, observations: Contents) -> str:
        """Add facts to entities that exist. Gives those that were new."""
        with self._context.opened() as opened:
            wanted = [one.value for one in observations]
            added = graph.add_observations(opened.graph(), wanted)
        rows = [{"entityName": name, "addedObservations": new} for name, new in added]
        return self._context.answer({"results": rows})

    def delete_entities(self, entityNames: Names) -> str:  # noqa: N803 - the name on the wire
        """End entities, with their facts and relations; their history stays."""
        with self._context.opened() as opened:
            found = graph.delete_entities(opened.graph(), entityNames)
        return self._context.answer({"deleted": found.deleted, "notFound": found.not_found})

    def delete_observations(self, deletions: Deletions) -> str:
        """End facts about entities; their history stays."""
        with self._context.opened() as opened:
            wanted = [one.value for one in deletions]
            found = graph.delete_observations(opened.graph(), wanted)
        missing = {"missingEntities": found.missing_entities}
        return self._context.answer(missing, deletedCount=found.deleted_count)

    def delete_relations(self, relations: Relations) -> str:
        """End relations; their history stays."""
        with self._context.opened() as opened:
            count = graph.delete_relations(opened.graph(), [one.value for one in relations])
        return self._context.answer({}, deletedCount=count)

    def read_graph(self, page: Page = 0) -> str:
        """Read the whole knowledge graph, page by page."""
        with self._context.opened() as opened:
            found = graph.read_graph(opened.graph())
        return self._context.answer(found.as_json(), page)

    def search_nodes(self, query: Words, page: Page = 0) -> str:
        """Search entities by a text in name, type or facts. Gives them and their relations."""
        with self._context.opened() as opened:
            found = graph.search_nodes(opened.graph(), query)
        return self._context.answer(found.as_json(), page)

    def open_nodes(self, names: Names, page: Page = 0) -> str:
        """Open entities by name. Gives them and their relations."""
        with self._context.opened() as opened:
            found = graph.open_nodes(opened.graph(), names)
        return self._context.answer(found.as_json(), page)

    def related(self, names: Names, page: Page = 0) -> str:
        """Give what lies around entities: at most two relations away, in either direction."""
        with self._context.opened() as opened:
            found = graph.neighbourhood(opened.graph(), names)
        return self._context.answer(found.as_json(), page)
