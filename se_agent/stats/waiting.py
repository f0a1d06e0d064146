"""Whether a program waits instead of computing: its CPU clock against the one on the wall.

A CPU clock stands still while a program sleeps, or waits for something else. Not here: how
either clock is read (the sandbox does that, from outside).
"""

from __future__ import annotations

from typing import NamedTuple

from se_agent.values.objective import seconds

HINT = (
    "CPU time does not see waiting: measure a part that computes, or wall time: `optimize`, "
    "`run` and `check` take --set objective=wall --set sandbox.isolation=namespace"
)
"""What to do where waiting is most of what there is."""

_TIMES = 3.0
_MOSTLY = 10.0
_SECONDS = 0.01  # on the wall, that every start of a process may be late


class Seconds(NamedTuple):
    """What a run took, by either clock."""

    cpu: float
    wall: float


def waits(cpu_seconds: float, wall_seconds: float) -> bool:
    """Say whether more of the time went by than the CPU time explains.

    Other processes on the core stretch the time on the wall, too: give the quickest of
    several runs.
    """
    return wall_seconds > _TIMES * cpu_seconds + _SECONDS


def waits_mostly(cpu_seconds: float, wall_seconds: float) -> bool:
    """Say whether CPU time tells next to nothing of the time that went by."""
    return wall_seconds > _MOSTLY * cpu_seconds + _SECONDS


def waits_beside(run: Seconds, other: Seconds) -> bool:
    """Say whether a program waits, by what others on the core do to another one meanwhile.

    Args:
        run: What it took.
        other: What a program took that computes, at about the same moments.
    """
    return waits(run.cpu * crowding(other), run.wall)


def crowding(other: Seconds) -> float:
    """Return how many times longer others on the core made a program take that computes."""
    return max(1.0, other.wall / other.cpu)


def waiting_finding(cpu_seconds: float, wall_seconds: float) -> str:
    """Return the finding with its figures, such as `it waits: ...`."""
    cpu, wall = seconds(cpu_seconds), seconds(wall_seconds)
    return f"it waits: {cpu} of CPU time in {wall} on the wall"
