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
"""Of a time limit, what is kept for the confirmation: a quarter, at least this much."""


CONFIRM_RUNS = 2.0
"""Runs of the initial program that an input of a final block costs, right answers included."""

FIRST = 2
"""Slots of the first generation under a time limit: nothing is known of their cost yet."""


@dataclass
class Spent:
    """Counters of a run: a fold over its events.

    Attributes:
        evaluations: Distinct candidates that were evaluated.
        proposals: Slots that were filled.
        child_seconds: CPU seconds of candidates.
    """

    evaluations: int = 0
    proposals: int = 0
    child_seconds: float = 0.0


@dataclass(frozen=True)
class Reading:
    """CPU seconds (engine and children) and wall seconds of a run so far."""

    cpu_seconds: float
    wall_seconds: float


class Meter(Protocol):
    """Reads what a run has spent of time; it is asked before each generation and at the end."""

    def read(self, child_seconds: float) -> Reading:
        """Return the reading, given the CPU seconds of candidates."""
        ...


class LiveMeter:
    """Reads the clocks of this process, on top of what earlier processes of the run spent."""

    def __init__(self, *, engine_seconds: float = 0.0, wall_seconds: float = 0.0) -> None:
        self._engine = engine_seconds - time.process_time()
        self._wall = wall_seconds - time.monotonic()

    def read(self, child_seconds: float) -> Reading:
        """Return engine CPU plus children, and wall time."""
        engine = self._engine + time.process_time()
        return Reading(engine + child_seconds, self._wall + time.monotonic())


@dataclass(frozen=True)
class Limits:
    """A budget, with what must be kept for the confirmation.

    Attributes:
        budget: Of the run file.
        confirmation: CPU seconds that the confirmation is expected to take.
    """

    budget: Budget
    confirmation: float = 0.0

    def ended(self, spent: Spent, reading: Reading, *, generations: int) -> str:
        """Return the name of the limit that ends the search now, or nothing."""
        budget = self.budget
        pairs = (
            ("evaluations", spent.evaluations, budget.evaluations),
            ("proposals", spent.proposals, budget.proposals),
            ("generations", generations, budget.generations),
            ("cpu_seconds", reading.cpu_seconds, self.search_seconds(budget.cpu_seconds)),
            ("wall_seconds", reading.wall_seconds, self.search_seconds(budget.wall_seconds)),
        )
        return next((n for n, used, limit in pairs if limit is not None and used >= limit), "")

    def search_seconds(self, limit: float | None) -> float | None:
        """Return what is left to the search of a time limit, the reserve put aside."""
        if limit is None:
            return None
        reserve = max(RESERVE_SECONDS, RESERVE_SHARE * limit, self.confirmation)
        return max(limit - reserve, 0.0)

    def affordable(self, spent: Spent, reading: Reading, *, wanted: int) -> int:
        """Return how many slots of a generation of `wanted` fit into what is left, at least 1.

        Time limits are kept by what a proposal has cost so far.
        """
        budget, sizes = self.budget, [wanted]
        if budget.evaluations is not None:
            sizes.append(budget.evaluations - spent.evaluations)
        if budget.proposals is not None:
            sizes.append(budget.proposals - spent.proposals)
        for used, limit in (
            (reading.cpu_seconds, self.search_seconds(budget.cpu_seconds)),
            (reading.wall_seconds, self.search_seconds(budget.wall_seconds)),
        ):
            if limit is not None:
                each = used / spent.proposals if spent.proposals else 0.0
                sizes.append(int((limit - used) / each) if each else FIRST)
        return max(1, min(sizes))
