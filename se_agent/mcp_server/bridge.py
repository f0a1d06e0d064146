"""The knowledge graph of a foreign memory server: written to, and searched (AM-68, AM-74).

Each call is made by a process of its own, which is ended when its time is over. So a server
that hangs, sends a hundred megabytes or lies costs the caller an error of two lines. What it
answers is data: limits and shapes hold for it as for what agents give to us. Not here: the
process (`bridge_process`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from se_agent.environment.child_process import PYTHON, USUAL, environment
from se_agent.environment.process_files import descendants
from se_agent.errors import GraphError
from se_agent.mcp_server.arguments import Added, Entities, FoundTold, Relations
from se_agent.memory.graph import Edge, Entity, GraphOut, Observations

_AT_A_TIME = 100  # rows of one call
_GRACE = 5.0  # seconds in which the process ends the server that it has started
_HINT = "see that it runs, and that it is a memory server; nothing here was changed"


@dataclass(frozen=True, kw_only=True)
class MemoryBridge:
    """A foreign memory server.

    Attributes:
        server: Its address, `http://...`, or the command that starts it.
        token: For its address; empty: it asks for none.
        seconds: Seconds that one call may take, the start of the server included.
    """

    server: str
    token: str = field(default="", repr=False)
    seconds: float = 20.0

    def create_entities(self, entities: Sequence[Entity]) -> list[Entity]:
        """Create entities there, and return those that were new to it.

        Raises:
            GraphError: It gives no answer, or one that cannot be used.
        """
        rows = [one.as_json() for one in entities]
        found = self._rows_of("create_entities", "entities", rows, Entities, "entities")
        return [one.value for one in found]

    def create_relations(self, relations: Sequence[Edge]) -> list[Edge]:
        """Create relations there, and return those that were new to it.

        Raises:
            GraphError: It gives no answer, or one that cannot be used.
        """
        rows = [one.as_json() for one in relations]
        found = self._rows_of("create_relations", "relations", rows, Relations, "relations")
        return [one.value for one in found]

    def add_observations(self, observations: Sequence[Observations]) -> list[Observations]:
        """Add facts there, and return those that were new to it.

        Raises:
            GraphError: It gives no answer, or one that cannot be used.
        """
        rows = [{"entityName": name, "contents": list(facts)} for name, facts in observations]
        found = self._rows_of("add_observations", "observations", rows, Added, "results")
        return [Observations(one.entity, tuple(one.added)) for one in found]

    def search_nodes(self, query: str) -> GraphOut:
        """Return what it knows that holds a text.

        Raises:
            GraphError: It gives no answer, or one that cannot be used.
        """
        found = self._call("search_nodes", {"query": query}, FoundTold, "")
        return GraphOut(
            tuple(one.value for one in found.entities),
            tuple(one.value for one in found.relations),
        )

    def _rows_of(
        self, tool: str, name: str, rows: Sequence[object], shape: Any, key: str
    ) -> list[Any]:
        """Give a tool its rows, some at a time, and return all rows of its answers."""
        groups = (rows[at : at + _AT_A_TIME] for at in range(0, len(rows), _AT_A_TIME))
        answers = (self._call(tool, {name: list(some)}, shape, key) for some in groups)
        return [row for answer in answers for row in answer]

    def _call(self, tool: str, arguments: dict[str, Any], shape: Any, key: str) -> Any:
        """Return what a tool answers, as the shape that is due."""
        answer = self._answer({"tool": tool, "arguments": arguments})
        rows = answer.get(key) if key and isinstance(answer, dict) else answer
        if rows is None and isinstance(answer, list):
            rows = answer
        try:
            return TypeAdapter(shape).validate_python(rows)
        except ValidationError as err:
            told = f"{self._name}: {tool}: not what a memory server answers"
            raise GraphError(told, hint=_HINT) from err

    def _answer(self, asked: dict[str, Any]) -> Any:
        how = {"server": self.server, "token": self.token, "seconds": self.seconds}
        given = json.dumps({**how, **asked})
        with subprocess.Popen(
            [sys.executable, "-m", "se_agent.mcp_server.bridge_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment((*USUAL, *PYTHON)),
            start_new_session=True,
        ) as process:
            try:
                out, _ = process.communicate(given.encode(), timeout=self.seconds + _GRACE)
            except subprocess.TimeoutExpired as err:
                told = f"{self._name}: no answer within {self.seconds:g} seconds"
                raise GraphError(told, hint=_HINT) from err
            finally:
                if process.poll() is None:
                    _end(process.pid)
        try:
            return json.loads(out)["answer"]
        except (ValueError, KeyError, TypeError) as err:
            told = f"{self._name}: {asked['tool']}: it gave no answer"
            raise GraphError(told, hint=_HINT) from err

    @property
    def _name(self) -> str:
        return self.server.partition("?")[0][:80]


def _end(pid: int) -> None:
    """End a process and the server that it has started, which has a session of its own."""
    for each in (*descendants(pid), pid):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
