"""What memory was worth, in a line: of one run, or of all that a set of problems had."""

from __future__ import annotations

from se_agent.stats.memory_worth import Worth

FEW = 5
"""Judged steps that either side must have before anything is said."""


def line(found: Worth) -> str:
    """Say what memory was worth; nothing where there was none."""
    if not found.has_steps:
        return ""
    informed, withheld = found.informed, found.withheld
    seen = (
        f"memory: {informed.gains} of {informed.steps} steps with it brought a gain, "
        f"{withheld.gains} of {withheld.steps} without"
    )
    if min(informed.steps, withheld.steps) < FEW:
        return f"{seen}: too few to say what it was worth"
    low, high = (round(100 * end) for end in found.interval)
    points = f"{100 * found.difference:+.0f} points, 95 % interval {low:+d} to {high:+d}"
    if low > 0:
        return f"{seen}: it helped, {points}"
    if high < 0:
        return f"{seen}: it did harm, {points}"
    return f"{seen}: no difference is shown ({points})"
