"""`serve`: memory and proofs as tools for other agents, over the Model Context Protocol."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated

import typer

from se_agent.cli.run_path import RESULTS
from se_agent.cli.screen import say_note
from se_agent.cli.workspace_option import ResultsOption, WorkspaceOption, folder_of
from se_agent.environment import own


def serve(
    http: Annotated[
        str,
        typer.Option("--http", metavar="HOST:PORT", help="Serve over HTTP; else over stdio."),
    ] = "",
    write: Annotated[
        bool, typer.Option("--write", help="Offer tools that change something, too.")
    ] = False,
    tools: Annotated[
        str, typer.Option(metavar="A,B", help="Offer these tools only; else all.")
    ] = "",
    any_host: Annotated[
        bool, typer.Option("--any-host", help="Let HOST be one that others can reach.")
    ] = False,
    root: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of functions to prove and optimize.")
    ] = Path(),
    results: ResultsOption = RESULTS,
    workspace: WorkspaceOption = None,
) -> None:
    """Serve memory and proofs to other agents, over the Model Context Protocol.

    Over HTTP a client needs the token in SE_AGENT_MCP_TOKEN. Without --write nothing changes.
    """
    from se_agent.mcp_server.context import ServerContext
    from se_agent.mcp_server.server import TOKEN, make_server, required_token, serve_http
    from se_agent.redaction.secret_values import secrets_in

    host, port = _address(http, any_host=any_host) if http else ("", 0)
    token = required_token(own.given()) if http else ""
    context = ServerContext(
        folder=folder_of(results, workspace),
        results=results,
        root=root,
        write=write,
        secrets=secrets_in((), own.given(), [TOKEN]),
    )
    server = make_server(context, tools=tuple(filter(None, tools.split(","))))
    if not http:
        server.run("stdio")
        return
    say_note(f"serving at http://{host}:{port}/mcp; Ctrl-C ends it")
    serve_http(server, host, port, token)


def _address(text: str, *, any_host: bool) -> tuple[str, int]:
    from se_agent.errors import ConfigError

    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ConfigError(f"--http {text}: not an address", hint="write it like 127.0.0.1:8765")
    try:
        is_ours = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_ours = False
    if not is_ours and not any_host:
        raise ConfigError(
            f"--http {text}: others can reach this host",
            hint="use 127.0.0.1, or add --any-host; the token is sent in plain text",
        )
    return host, int(port)
