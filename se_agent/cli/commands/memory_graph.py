"""`memory graph`: what runs found out, as entities and relations, for other tools."""

from __future__ import annotations

from typing import Annotated

import typer

from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import Screen
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, open_workspace


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
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
) -> None:
    """Print the knowledge graph, or a part: errors, functions, tests, and who mended what.

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
    Screen().quote("\n".join(FORMATS[form](found)))
