"""The isolation of a tool that a program is handed to: pytest, a compiler, valgrind.

A tool needs files, and some need processes, so this is weaker than the jail of a candidate.
What each tool keeps is for its own module to say; the order of giving up is here.
"""

from __future__ import annotations

import resource
from collections.abc import Iterable, Mapping

from evaluators.sandbox.isolation import landlock, seccomp
from evaluators.sandbox.isolation.kernel import (
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    capabilities,
    drop_capabilities,
    prctl,
)

_KILL = 9


def limit_tool(memory_bytes: int, file_bytes: int) -> None:
    """End with the parent, and take no more than this: at every level."""
    prctl(PR_SET_PDEATHSIG, _KILL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes,) * 2)


def lock_tool(
    rights: int,
    readable: Iterable[str],
    writable: Iterable[str],
    refused: Mapping[str, tuple[int | None, int | None]],
) -> None:
    """Give up what the tool does not need, for good.

    Args:
        rights: What root keeps, by bit of the capability.
        readable: Paths that may be read.
        writable: The only folders that may be written.
        refused: System calls by name, with their numbers on x86-64 and arm64, that are
            refused on top of what every tool is refused.

    Raises:
        OSError: The kernel lacks Landlock or seccomp.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    drop_capabilities(rights & capabilities())
    landlock.restrict(readable, workshop=writable)
    seccomp.tool_filter(dict(refused)).install()
