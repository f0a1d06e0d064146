"""What the directions advise a policy: a soft prior on operators, never a ban.

Pure. Directions of a model-written list without a key of ours advise in the prompt only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from se_agent.lessons import Direction

AT, PLUS = "@", "+"
"""A rule's direction has a key such as `set_membership@solve+deque@solve`."""

_NEUTRAL = 0.25  # a try without a proven effect, as a share of a loss
_BOUND = 2.0  # no operator's weight moves by more than this factor


def advice(directions: Sequence[Direction]) -> dict[str, float]:
    """Return a factor by operator: above 1 where its directions gained, below where not."""
    gains: dict[str, float] = {}
    losses: dict[str, float] = {}
    for entry in directions:
        neutral = max(0, entry.tries - entry.gains - entry.losses)
        for name in operators(entry.key):
            gains[name] = gains.get(name, 0.0) + entry.gains
            losses[name] = losses.get(name, 0.0) + entry.losses + _NEUTRAL * neutral
    return {name: _factor(gains[name], losses[name]) for name in gains}


def operators(key: str) -> tuple[str, ...]:
    """Return the rules that a direction's key names, once each; none for other keys."""
    rules = [part.partition(AT)[0] for part in key.split(PLUS) if AT in part]
    return tuple(dict.fromkeys(rules))


def _factor(gains: float, losses: float) -> float:
    return min(_BOUND, max(1 / _BOUND, math.sqrt((1 + gains) / (1 + losses))))
