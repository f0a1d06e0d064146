"""The server: tools offered over standard input and output, or over HTTP with a token.

The SDK of the protocol is an extra (`mcp`), and is imported when a server is made. Not here:
what the tools do.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

from se_agent.errors import ConfigError, SeAgentError, did_you_mean
from se_agent.mcp_server.context import ServerContext
from se_agent.mcp_server.graph_tools import GraphTools
from se_agent.mcp_server.memory_tools import MemoryTools
from se_agent.mcp_server.proof_tools import ProofTools

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

TOKEN = "SE_AGENT_MCP_TOKEN"  # noqa: S105 - the name of a variable
"""Variable of the environment that has the token of an HTTP server."""

_SHORTEST = 16  # characters of a token
_WRITING = frozenset(
    {
        *("create_entities", "create_relations", "add_observations"),
        *("delete_entities", "delete_observations", "delete_relations", "optimize"),
        "record_execution",
    }
)
_DELETING = frozenset({"delete_entities", "delete_observations", "delete_relations"})
_ABOUT = (
    "What is known of programs from earlier runs of se_agent: lessons, errors and what mended "
    "them, outputs, and proofs of which of two functions is faster."
)

Handler = Callable[[Any, Any, Any], Awaitable[None]]
"""An application of ASGI."""


def tools_of(context: ServerContext) -> Mapping[str, Callable[..., str]]:
    """Return all tools by name, those that change something where that is allowed."""
    found = {}
    for room in (GraphTools(context), MemoryTools(context), ProofTools(context)):
        for name in vars(type(room)):
            if not name.startswith("_") and (context.write or name not in _WRITING):
                found[name] = getattr(room, name)
    return found


def make_server(context: ServerContext, *, tools: Collection[str] = ()) -> MCPServer[Any]:
    """Return a server that no client speaks to yet.

    Args:
        context: What it serves.
        tools: Names of the tools that are offered; empty: all that are allowed.

    Raises:
        ConfigError: The SDK is not installed, or a tool is not there or not allowed.
    """
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError as err:
        told = "the SDK of the Model Context Protocol is not installed"
        raise ConfigError(told, hint='pip install "se-agent[mcp]"') from err
    from mcp_types import ToolAnnotations

    known = tools_of(context)
    for name in tools:
        if name not in known:
            hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
            if name in _WRITING:
                told = f"{name}: this tool changes something"
                raise ConfigError(told, hint="allow it with --write")
            raise ConfigError(f"there is no tool {name!r}", hint=hint)
    server: MCPServer[Any] = MCPServer("se_agent", instructions=_ABOUT, log_level="WARNING")
    for name, tool in known.items():
        if not tools or name in tools:
            hints = ToolAnnotations(
                read_only_hint=name not in _WRITING,
                destructive_hint=name in _DELETING,
                idempotent_hint=name != "optimize",
            )
            server.add_tool(_in_words(tool), annotations=hints, structured_output=False)
    return server


def required_token(environ: Mapping[str, str]) -> str:
    """Return the token of an HTTP server.

    Raises:
        ConfigError: The environment has none, or one that could be guessed.
    """
    token = environ.get(TOKEN, "")
    if len(token) < _SHORTEST:
        what = f"is shorter than {_SHORTEST} characters" if token else "is not set"
        hint = f'export {TOKEN}="$(openssl rand -hex 32)", and give it to the client'
        raise ConfigError(f"a server over HTTP needs a token: {TOKEN} {what}", hint=hint)
    return token


def with_token(app: Handler, token: str) -> Handler:
    """Return an application that answers 401 to whoever does not know the token."""
    wanted = f"Bearer {token}".encode()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"authorization", b"")
        if hmac.compare_digest(given, wanted):
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"a token is needed\n"})

    return guarded


def serve_http(server: MCPServer[Any], host: str, port: int, token: str) -> None:
    """Serve over HTTP at `/mcp` until the process is ended."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    hosts = [f"{host}:{port}", f"localhost:{port}", f"127.0.0.1:{port}"]
    safe = TransportSecuritySettings(allowed_hosts=hosts)
    app = server.streamable_http_app(transport_security=safe, host=host)

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        # Starting and stopping (`lifespan`) is the application's own business.
        handler = app if scope["type"] == "lifespan" else with_token(app, token)
        await handler(scope, receive, send)

    uvicorn.run(guarded, host=host, port=port, log_level="warning", server_header=False)


def _in_words(tool: Callable[..., str]) -> Callable[..., str]:
    """Return a tool whose errors are two lines for an agent, and nothing of ours."""

    @wraps(tool)
    def told(*args: Any, **kwargs: Any) -> str:
        try:
            return tool(*args, **kwargs)
        except SeAgentError as err:
            from mcp.server.mcpserver.exceptions import ToolError

            raise ToolError(f"error: {err}\nhint: {err.hint}") from err

    return told
