"""How long a search may still take: by the limit that will be reached first. Pure.

It goes on as it has gone so far; that is a guess, and told as one.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator

from se_agent.report.story import Story
from se_agent.values.objective import seconds

_ROUND = 10.0  # seconds, above which a guess is no finer
_MINUTE, _HOUR = 60.0, 3600.0


def remaining(story: Story, now: dt.datetime | None = None) -> str:
    """Say how long it may take until a limit ends the search; empty: nobody can tell.

    Args:
        story: Story of the run.
        now: The time; None: that of the last event.
    """
    if story.started is None or story.search_ended is not None or story.generation is None:
        return ""
    wall = _wall(story, now)
    left = {name: s for name, s in _left(story, wall) if math.isfinite(s)}
    if not left:
        return ""
    name = min(left, key=lambda name: left[name])
    return f"about {_words(max(left[name], 0.0))} left of budget.{name}"


def _left(story: Story, wall: float) -> Iterator[tuple[str, float]]:
    """Yield the limits that may end the search, each with seconds on the wall until then."""
    assert story.started is not None
    limits = story.started.config.get("budget", {})
    searched = max(wall - story.started.wall_seconds, 0.0)
    asked, number = story.costs.asked.in_all, story.generation
    used = {
        "evaluations": story.costs.evaluations,
        "proposals": story.filled,
        "generations": number.generation - 1 if number else 0,
        "calls": asked.calls,
        "tokens": asked.usage.total,
        "money": asked.money or 0.0,
    }
    for name, spent in used.items():
        if limits.get(name) and spent:
            yield name, searched * (limits[name] / spent - 1)
    spent = story.costs.cpu_seconds
    if limits.get("cpu_seconds") and spent:
        yield "cpu_seconds", wall * (limits["cpu_seconds"] / spent - 1)
    if limits.get("wall_seconds"):
        yield "wall_seconds", limits["wall_seconds"] - wall


def _wall(story: Story, now: dt.datetime | None) -> float:
    costs = story.costs
    told = costs.so_far().wall_seconds
    if now is None or costs.last is None:
        return told
    return told + max((now - costs.last).total_seconds(), 0.0)


def _words(left: float) -> str:
    if left < _MINUTE:
        return seconds(max(_ROUND, _ROUND * round(left / _ROUND)))
    if left < _HOUR:
        return f"{left / _MINUTE:.0f} min"
    return f"{left / _HOUR:.1f} h"
