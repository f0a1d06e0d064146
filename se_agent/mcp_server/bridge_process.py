"""The process in which a foreign memory server is asked: one call, then it ends.

It reads what to ask from standard input, and writes the answer as JSON. Not here: who starts it
and how long it may take (`bridge`).
"""

from __future__ import annotations

import json
import resource
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

_MEMORY = 1 << 30  # bytes that this process may take, once the server runs
_LONGEST = 1 << 20  # characters of an answer that are handed on


def main() -> None:
    """Make the call that standard input names."""
    import anyio

    asked = json.load(sys.stdin)
    answer = anyio.run(_answer, asked)
    text = json.dumps({"answer": answer})
    if len(text) <= _LONGEST:
        sys.stdout.write(text)


async def _answer(asked: dict[str, Any]) -> Any:
    from anyio import fail_after
    from mcp import Client

    transport = _limited(_transport(asked["server"], asked["token"]))
    with fail_after(asked["seconds"]):  # leaving it ends a server that was started
        async with Client(transport) as client:
            result = await client.call_tool(asked["tool"], asked["arguments"])
    if result.is_error:
        return None
    if result.structured_content is not None:
        return result.structured_content
    texts = [getattr(content, "text", "") for content in result.content]
    return json.loads("".join(texts))


def _transport(server: str, token: str) -> Any:
    from mcp import StdioServerParameters, stdio_client

    if not server.startswith(("http://", "https://")):
        command, *words = shlex.split(server)
        return stdio_client(StdioServerParameters(command=command, args=words))
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return streamable_http_client(server, http_client=httpx2.AsyncClient(headers=headers))


@asynccontextmanager
async def _limited(transport: Any) -> AsyncIterator[Any]:
    """Limit the memory of this process, and not of the server that it has started."""
    async with transport as streams:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.RLIM_INFINITY))
        yield streams


if __name__ == "__main__":
    main()
