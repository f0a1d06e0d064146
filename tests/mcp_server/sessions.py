"""Clients of the tests: the SDK's own, over real standard input and output, and real HTTP."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from se_agent.mcp_server.server import TOKEN
from tests.cli.calls import ROOT

SECRET = "0123456789abcdef-of-a-test"
Dialogue = Callable[[Client], Awaitable[None]]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), TOKEN: SECRET}


def command(results: Path, *options: str) -> list[str]:
    return ["-m", "se_agent", "serve", "--results", str(results), *options]


def over_stdio(
    results: Path, dialogue: Dialogue, *options: str, cwd: Path | None = None
) -> None:
    """Speak to a server that is a child of ours."""

    async def speak() -> None:
        child = StdioServerParameters(
            command=sys.executable,
            args=command(results, *options),
            env=environment(),
            cwd=cwd or results,
        )
        async with Client(stdio_client(child)) as client:
            await dialogue(client)

    anyio.run(speak)


@contextmanager
def http_server(results: Path, *options: str) -> Iterator[str]:
    """Start a server over HTTP, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = command(results, "--http", f"127.0.0.1:{port}", *options)
    with subprocess.Popen(
        [sys.executable, *words], env=environment(), stderr=subprocess.DEVNULL, cwd=results
    ) as process:
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()


@asynccontextmanager
async def http_client(address: str, token: str = SECRET) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def over_http(address: str, dialogue: Dialogue) -> None:
    async def speak() -> None:
        async with http_client(address) as client:
            await dialogue(client)

    anyio.run(speak)


async def said(client: Client, tool: str, **arguments: Any) -> Any:
    """Call a tool and return its JSON, or the text of its error."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert len(content.text) <= 20_000
    return content.text if result.is_error else json.loads(content.text)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server has ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not listen")
