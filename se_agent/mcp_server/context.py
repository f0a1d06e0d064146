"""What the tools of a server work on: the workspace, the runs, and where functions lie.

Each call opens the workspace anew: two servers, and runs that write meanwhile, are safe. Not
here: the tools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from se_agent.mcp_server.answers import answer
from se_agent.memory import Workspace


@dataclass(frozen=True, kw_only=True)
class ServerContext:
    """What a server serves.

    Attributes:
        folder: The workspace.
        results: The folder of the runs.
        root: The folder below which functions to prove and to optimize lie.
        write: Whether anything may be changed.
        secrets: Known ones; no answer holds any of them.
    """

    folder: Path
    results: Path
    root: Path
    write: bool = False
    secrets: tuple[str, ...] = ()

    def opened(self) -> Workspace:
        """Open the workspace; to be closed by whoever asks.

        Raises:
            MemoryFileError: It cannot be used.
        """
        return Workspace.open(
            self.folder, write=self.write, secrets=self.secrets, results=self.results
        )

    def answer(self, rows: Mapping[str, Sequence[Any]], page: int = 0, **about: object) -> str:
        """Return rows as a page of JSON; see `se_agent.mcp_server.answers`."""
        return answer(rows, page, secrets=self.secrets, about=about)
