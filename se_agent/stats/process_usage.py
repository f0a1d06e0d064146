"""What the kernel says of the CPU time of a process that runs, and of those below it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """Return the processes that one started and that are not waited for yet."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it, or a thread of it, ended meanwhile
        for path in (_PROC / str(pid) / "task").glob("*/children"):
            found += map(int, path.read_text(encoding="ascii").split())
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and of all below it, ended or not, to 10 ms each."""
    total = 0.0
    with contextlib.suppress(OSError):
        # Who runs chooses its name, in any bytes.
        stat = (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
        own = stat.rpartition(")")[2].split()[11:15]  # user, system, and those of the dead
        total = sum(map(int, own)) / _TICK
    return total + sum(map(cpu_seconds, children(pid)))
