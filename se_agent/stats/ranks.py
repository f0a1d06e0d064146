"""Whether two figures put the same things into the same order. Pure, stdlib only."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Spearman's rank correlation, from -1 to 1; equal values share their middle rank.

    None where it is not defined: fewer than two pairs, or one of the two figures is the same
    everywhere.
    """
    if len(pairs) < 2:
        return None
    first, second = (_ranks(side) for side in zip(*pairs, strict=True))
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return statistics.correlation(first, second)


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, from 1; equal values have the mean of their places."""
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(place)
    return [statistics.fmean(places[value]) for value in values]
