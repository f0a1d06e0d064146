"""What has to be said of a level of isolation before a command runs anything at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from se_agent.config.sections import SandboxSection

_UNLOCKED = (
    "warning: isolation `none` has limits only: a program can read your files and keys, use "
    "the network, start processes, and lie about its results"
)
_TRACED = (
    "warning: this host lets nobody make mounts: a run of a candidate could tell its next one "
    "something by which files it reads; see `se-agent doctor`"
)


def doubts(sandbox: SandboxSection) -> Iterator[str]:
    """Yield where the level is weaker than its name says, or nothing at all."""
    from evaluators.sandbox.isolation.levels import JAIL, NONE
    from evaluators.sandbox.server.probe import leaves_no_trace

    if sandbox.isolation == NONE.name:
        yield _UNLOCKED
    if sandbox.isolation == JAIL.name and not leaves_no_trace():
        yield _TRACED
