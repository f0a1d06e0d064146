"""What a run may spend, and what it has spent. A budget that ends is a normal end.

Not here: the clock itself; `Meter` reads it, and a replay puts the recorded readings in its
place.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from se_agent.config import Budget

RESERVE_SHARE = 0.25
RESERVE_SECONDS = 10.0
"""Of the CPU seconds, what is kept for the confirmation: a quarter, at least this much."""


@dataclass
class Spent:
    """Counters of a run: a fold over its events.

    Attributes:
        evaluations: Distinct candidates that were evaluated.
        proposals: Slots that were filled.
        generations: Generations that were finished.
        child_seconds: CPU seconds of candidates.
    """

    evaluations: int = 0
    proposals: int = 0
    generations: int = 0
    child_seconds: float = 0.0


@dataclass(frozen=True)
class Reading:
    """CPU seconds (engine and children) and wall seconds of a run so far."""

    cpu_seconds: float
    wall_seconds: float


class Meter(Protocol):
    """Reads what a run has spent of time."""

    def read(self, generation: int, child_seconds: float) -> Reading:
        """Return the reading before `generation` starts."""
        ...


class LiveMeter:
    """Reads the clocks of this process, on top of what earlier processes of the run spent."""

    def __init__(self, *, engine_seconds: float = 0.0, wall_seconds: float = 0.0) -> None:
        self._engine = engine_seconds - time.process_time()
        self._wall = wall_seconds - time.monotonic()

    def read(self, generation: int, child_seconds: float) -> Reading:
        """Return engine CPU plus children, and wall time."""
        engine = self._engine + time.process_time()
        return Reading(engine + child_seconds, self._wall + time.monotonic())


def exhausted_limit(budget: Budget, spent: Spent, reading: Reading) -> str:
    """Return the name of the limit that ends the search now, or nothing."""
    pairs = (
        ("evaluations", spent.evaluations, budget.evaluations),
        ("proposals", spent.proposals, budget.proposals),
        ("generations", spent.generations, budget.generations),
        ("cpu_seconds", reading.cpu_seconds, search_seconds(budget)),
        ("wall_seconds", reading.wall_seconds, budget.wall_seconds),
    )
    return next((n for n, used, limit in pairs if limit is not None and used >= limit), "")


def search_seconds(budget: Budget) -> float | None:
    """Return the CPU seconds left to the search when the reserve is put aside."""
    if budget.cpu_seconds is None:
        return None
    reserve = max(RESERVE_SECONDS, RESERVE_SHARE * budget.cpu_seconds)
    return max(budget.cpu_seconds - reserve, 0.0)


def affordable(budget: Budget, spent: Spent, reading: Reading, *, wanted: int) -> int:
    """Return how many slots of a generation of `wanted` fit into what is left, at least 1.

    Time limits are kept by what a proposal has cost so far.
    """
    sizes = [wanted]
    if budget.evaluations is not None:
        sizes.append(budget.evaluations - spent.evaluations)
    if budget.proposals is not None:
        sizes.append(budget.proposals - spent.proposals)
    for used, limit in (
        (reading.cpu_seconds, search_seconds(budget)),
        (reading.wall_seconds, budget.wall_seconds),
    ):
        if limit is not None and spent.proposals:
            sizes.append(int((limit - used) / (used / spent.proposals)))
    return max(1, min(sizes))
