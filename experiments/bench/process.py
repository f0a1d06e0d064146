"""What the kernel says of a process that runs. Its CPU time: `se_agent.stats.process_usage`."""

from __future__ import annotations

import contextlib
from pathlib import Path

from se_agent.stats.process_usage import children

_PROC = Path("/proc")


def peak_bytes(pid: int) -> int:
    """Return the most memory that a process held so far; 0 when it is gone."""
    with contextlib.suppress(OSError):
        for line in (_PROC / str(pid) / "status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


def fork_servers(pid: int) -> list[int]:
    """Return the fork servers that a process started."""
    found = []
    for child in children(pid):
        with contextlib.suppress(OSError):
            if b"zygote.py" in (_PROC / str(child) / "cmdline").read_bytes():
                found.append(child)
    return found
