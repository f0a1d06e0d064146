"""Holm's correction (1979): who compares many arms finds a difference by chance. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import TypeVar

_Name = TypeVar("_Name", str, tuple[str, str])

FALSE_AT_MOST = 0.05
"""Probability of any false difference among all arms that is accepted."""


def holm(chances: Mapping[_Name, float]) -> dict[_Name, float]:
    """Return the corrected probability of each arm; the order of the arms changes nothing.

    An arm whose corrected probability is at most `FALSE_AT_MOST` differs; all such statements
    together are wrong with at most this probability, whatever the arms have in common.

    Args:
        chances: By arm, the probability of what was seen of it if it made no difference.
    """
    ordered = sorted(chances.items(), key=lambda pair: (pair[1], pair[0]))
    left = range(len(ordered), 0, -1)
    raised = (min(1.0, n * chance) for n, (_, chance) in zip(left, ordered, strict=True))
    corrected = zip(ordered, accumulate(raised, max), strict=True)
    found = {name: value for (name, _), value in corrected}
    return {name: found[name] for name in chances}
