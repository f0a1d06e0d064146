"""The memory server of somebody else: read once as a run begins, written once as it ends.

What it says is data that nobody checked, in a few lines. A server that hangs, lies or sends too
much costs the run its time limit and a note. Not here: how it is asked
(`se_agent.mcp_server.bridge`), which the engine knows by its name only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from se_agent import registry
from se_agent.chat.escaping import inline, shortened_text
from se_agent.config.memory_sections import GraphSection
from se_agent.config.run_file import Run
from se_agent.environment import own
from se_agent.errors import SeAgentError
from se_agent.events import Event
from se_agent.memory.graph import Edge, Entity, GraphOut, derived_of
from se_agent.problem.model import Problem
from se_agent.redaction.patterns import free_of_secrets

TOKEN = "SE_AGENT_MCP_TOKEN"  # noqa: S105 - the name of a variable
"""Environment variable that holds the token of a server with an address."""

MOST_FACTS = 20
"""Facts that a run takes with it at most."""

_BRIDGE = "se_agent.mcp_server.bridge:MemoryBridge"
_FACT = 200  # characters of a fact


class ForeignFacts(NamedTuple):
    """What a server says of a problem, and why it says nothing, if it does not."""

    facts: tuple[str, ...] = ()
    note: str = ""


def foreign_facts(config: Run, problem: Problem) -> ForeignFacts:
    """Ask the server of a run file, if there is one, for what it knows of a problem."""
    section = config.memory.graph
    if not section.server:
        return ForeignFacts()
    try:
        found = _bridge(section).search_nodes(problem.name)
    except SeAgentError as err:
        return ForeignFacts(note=f"the memory server gives nothing to this run: {err}")
    return ForeignFacts(tuple(_facts(found))[:MOST_FACTS])


def send_graph(config: Run, events: Iterable[Event], run: str) -> str:
    """Write what a run found out to the server; return what kept it from that, or nothing."""
    section = config.memory.graph
    if not section.server or not section.send:
        return ""
    found = derived_of(events, run)
    kinds: dict[str, str] = {}
    for triple in found.triples:
        kinds |= dict(zip(triple.relation[:2], triple.types, strict=True))
    facts: dict[str, tuple[str, ...]] = {}
    for fact in found.facts:
        kinds.setdefault(fact.entity, fact.entity_type)
        text = free_of_secrets(fact.content, ())
        facts[fact.entity] = (*facts.get(fact.entity, ()), text)
    try:
        bridge = _bridge(section)
        bridge.create_entities([Entity(n, kind, facts.get(n, ())) for n, kind in kinds.items()])
        bridge.create_relations([Edge(*triple.relation) for triple in found.triples])
    except SeAgentError as err:
        return f"the memory server was not told of this run: {err}"
    return ""


def _bridge(section: GraphSection) -> Any:  # a class of a floor above
    make = registry.load("memory_server", _BRIDGE)
    token = own.given().get(TOKEN, "")
    return make(server=section.server, token=token, seconds=section.seconds)


def _facts(found: GraphOut) -> Iterator[str]:
    for entity in found.entities:
        what = f"{entity.name} ({entity.entity_type})"
        for text in [f"{what}: {said}" for said in entity.observations] or [what]:
            yield shortened_text(inline(free_of_secrets(text, ())), _FACT)
