"""CPU time of processes that parts of the engine start for themselves: budgets count it.

A process-wide sum, like the process's own clock that it stands beside. Not here: candidates,
whose cost is in the events.
"""

from __future__ import annotations

import threading

_guard = threading.Lock()
_sum = 0.0


def add(cpu_seconds: float) -> None:
    """Count CPU seconds that another process of ours took."""
    global _sum  # noqa: PLW0603 - a clock
    with _guard:
        _sum += cpu_seconds


def seconds() -> float:
    """Return all CPU seconds that were counted since this process began."""
    return _sum
