"""ET, MP and MI of a run: how much of the reference's time and memory the best one reaches.

Each is min(1, reference / best), and 0 for a run that failed. The reference is the program that
the problem names, or else the initial one, against which a run can only lose: a gain beyond it
is the gain's to tell.
"""

from __future__ import annotations

from se_agent.events import Confirmed, Started
from se_agent.stats.summary import reached_share
from se_agent.values.objective import Quantity

NAMES = ("et", "mp", "mi")
"""Execution time, memory peak, memory integral."""

FAILED = dict.fromkeys(NAMES, 0.0)
"""Shares of a run that failed."""

UNKNOWN: dict[str, float | None] = dict.fromkeys(NAMES)
"""Shares of a run that has not ended, or that has a score."""


def shares(started: Started, confirmed: Confirmed) -> dict[str, float | None]:
    """Return the shares of a run that was confirmed; None for what was not read.

    Where the problem's own reference could not be measured, no other one takes its place.
    """
    if confirmed.gain is None or confirmed.no_reference:
        return UNKNOWN
    found = {f.quantity: f for f in confirmed.against_reference or confirmed.figures}
    if not found and confirmed.solution == started.initial.id and not confirmed.note:
        return dict.fromkeys(NAMES, 1.0)
    wall = started.objective.only is Quantity.WALL
    time = Quantity.WALL if wall else Quantity.CPU
    quantities = (time, Quantity.MEMORY, Quantity.MEMORY_TIME)
    return {
        name: reached_share(found[quantity]) if quantity in found else None
        for name, quantity in zip(NAMES, quantities, strict=True)
    }
