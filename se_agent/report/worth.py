"""What memory was worth to a run, by its own estimate: steps without it against the others.

One slot in eight, drawn by the seed, is asked with no memory at all. Pure. The interval of the
difference of two shares is Newcombe's (1998), from two intervals of Wilson (1927).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from se_agent.report.story import Story

FEW = 5
"""Evaluated steps that either side must have before anything is said."""

_Z = 1.96


class Side(NamedTuple):
    """Evaluated steps, and those among them with a proven gain."""

    gains: int
    steps: int

    @property
    def share(self) -> float:
        """Of the steps that brought a proven gain."""
        return self.gains / self.steps if self.steps else 0.0


class Worth(NamedTuple):
    """What was seen with memory and without it."""

    informed: Side
    withheld: Side

    @property
    def difference(self) -> float:
        """Share of proven gains with memory minus without."""
        return self.informed.share - self.withheld.share

    @property
    def interval(self) -> tuple[float, float]:
        """Of the difference, 95 %."""
        low, high = wilson(self.informed)
        other_low, other_high = wilson(self.withheld)
        down = math.hypot(self.informed.share - low, other_high - self.withheld.share)
        up = math.hypot(high - self.informed.share, self.withheld.share - other_low)
        return self.difference - down, self.difference + up


def worth(story: Story) -> Worth:
    """Return the counts of judged steps; those that memory said nothing to are left out."""
    sides = {told: [0, 0] for told in (True, False)}
    for chapter in story.chapters.values():
        told = chapter.selected.informed if chapter.selected else None
        if told is None or chapter.verdict is None:
            continue
        sides[told][0] += chapter.verdict.significant
        sides[told][1] += 1
    return Worth(Side(*sides[True]), Side(*sides[False]))


def wilson(side: Side) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    n, p, square = side.steps, side.share, _Z * _Z
    middle = (p + square / (2 * n)) / (1 + square / n)
    half = _Z * math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / (1 + square / n)
    return middle - half, middle + half


def line(story: Story) -> str:
    """Say what memory was worth; nothing for a run that had none."""
    found = worth(story)
    informed, withheld = found.informed, found.withheld
    if not informed.steps and not withheld.steps:
        return ""
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
