"""The search at a glance: the incumbent's effect over the evaluations, as a line of bars.

Text only, so that it stands in a terminal, a log and a mail alike.
"""

from __future__ import annotations

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"
ASCII = "_.-=+*#@"


def levels(curve: Sequence[tuple[int, float]], width: int) -> list[float]:
    """Return `width` values: the incumbent's effect at evenly spaced evaluations.

    Args:
        curve: Evaluations done and the effect then, in order.
        width: Columns; fewer where there are fewer evaluations.
    """
    if not curve:
        return []
    last = curve[-1][0]
    columns = max(1, min(width, last))
    found, place, value = [], 0, 0.0
    for column in range(columns):
        until = last * (column + 1) / columns
        while place < len(curve) and curve[place][0] <= until:
            value = curve[place][1]
            place += 1
        found.append(value)
    return found


def sparkline(
    curve: Sequence[tuple[int, float]], *, width: int = 60, plain: bool = False
) -> str:
    """Return one character a column, from the lowest bar (no gain) to the highest (the best).

    Args:
        curve: Evaluations done and the effect then, in order.
        width: Columns at most.
        plain: Whether to use ASCII only.
    """
    values = levels(curve, width)
    bars = ASCII if plain else BARS
    top = max(values, default=0.0)
    if top <= 0:
        return bars[0] * len(values)
    scaled = (max(value, 0.0) / top * (len(bars) - 1) for value in values)
    return "".join(bars[round(value)] for value in scaled)
