"""`memory graph`: what runs found out, as entities and relations, for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace
from se_agent.environment import own
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.memory.graph import GraphOut


def graph(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Only what lies around these entities."),
    ] = None,
    form: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="cypher, ntriples, mermaid or json."),
    ] = "json",
    depth: Annotated[
        int, typer.Option(metavar="N", min=0, max=6, help="Relations from there, at most.")
    ] = 2,
    send_to: Annotated[
        str,
        typer.Option(
            metavar="SERVER", help="Send it to a memory server: an address, or a command."
        ),
    ] = "",
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
) -> None:
    """Print the knowledge graph, or a part: errors, functions, tests and repairs.

    An entity has a name such as `error:0123456789abcdef` or `function:PROBLEM:FILE:NAME`.
    """
    from se_agent.errors import ConfigError, did_you_mean
    from se_agent.memory.graph import FORMATS, neighbourhood, read_graph

    if form not in FORMATS:
        known = f"choose one of {', '.join(FORMATS)}"
        hint = did_you_mean(form, FORMATS) or known
        raise ConfigError(f"--format: there is no format {form!r}", hint=hint)
    with open_workspace(results, workspace, write=False) as opened:
        kept = opened.graph()
        found = neighbourhood(kept, names, depth) if names else read_graph(kept)
    missing = [
        one for one in names or () if one not in {entity.name for entity in found.entities}
    ]
    if missing:
        hint = "`se-agent memory graph` prints all of them"
        raise ConfigError(f"there is no entity {missing[0]!r}", hint=hint)
    if send_to:
        _send(found, send_to)
        return
    Screen().quote("\n".join(FORMATS[form](found)))


def _send(found: GraphOut, server: str) -> None:
    """Write a graph to a foreign memory server, and say what was new to it."""
    from se_agent.mcp_server.bridge import MemoryBridge
    from se_agent.mcp_server.server import TOKEN
    from se_agent.memory.graph import Observations

    bridge = MemoryBridge(server=server, token=own.given().get(TOKEN, ""))
    made = bridge.create_entities(found.entities)
    facts = [Observations(one.name, one.observations) for one in found.entities]
    bridge.add_observations([one for one in facts if one.contents])
    joined = bridge.create_relations(found.relations)
    entities = "1 entity" if len(made) == 1 else f"{len(made)} entities"
    Screen().say(f"new there: {entities}, {counted(len(joined), 'relation')}")
