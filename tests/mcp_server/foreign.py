"""Memory servers of somebody else, which behave in a way of their own: `foreign.py hangs`."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from mcp.server.mcpserver import MCPServer

HOW = sys.argv[1]
server: MCPServer[Any] = MCPServer("foreign", log_level="ERROR")


def search_nodes(query: str) -> str:
    """Search."""
    if HOW == "hangs":
        time.sleep(600)
    if HOW == "floods":
        return f'{{"entities": [{{"name": "{"x" * 100_000_000}"}}], "relations": []}}'
    if HOW == "lies":
        return '{"entities": [{"name": 7, "secret": "x"}], "relations": "all"}'
    if HOW == "ends":
        os._exit(1)
    return f'{{"entities": [{{"name": "{query}", "entityType": "x"}}], "relations": []}}'


server.add_tool(search_nodes, structured_output=False)
if HOW == "noise":
    sys.stdout.write("I am no server\n")
    sys.exit(0)
server.add_tool(search_nodes, structured_output=False)
server.run("stdio")
