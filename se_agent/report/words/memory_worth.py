"""What memory was worth, in a line: of one run, or of all that a set of problems had."""

from __future__ import annotations

from se_agent.stats.memory_worth import Worth

FEW = 5
"""Judged steps that either side must have before anything is said."""


def line(found: Worth) -> str:
    """Say what memory was worth, and what its tokens brought; nothing where there was none."""
    if not found.has_steps:
        return ""
    rate = found.gain_per_1000
    if rate is None:
        return _compared(found)
    return f"{_compared(found)}; {found.tokens} tokens of it, a gain of {rate:.2g} for 1,000"


def _compared(found: Worth) -> str:
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
