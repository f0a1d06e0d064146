"""Student's distribution: how far a mean of few values may be off. Pure, stdlib only.

Not here: the 99 % intervals of measured blocks, which have a floor (`sequential`).
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_ENOUGH = 1e-15
_TURNS = 500
_HALVINGS = 200


def chance_beyond(t: float, degrees: int) -> float:
    """Return the probability that a value of the distribution is at least as far from 0 as `t`.

    Args:
        t: Number of standard errors; its sign does not matter.
        degrees: Degrees of freedom, 1 or more.
    """
    if math.isinf(t):
        return 0.0
    return _beta_share(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache
def reach(confidence: float, degrees: int) -> float:
    """Return how many standard errors a two-sided interval reaches to each side.

    Args:
        confidence: Confidence of the interval, inside (0, 1).
        degrees: Degrees of freedom, 1 or more.
    """
    low, high = 0.0, 1.0
    while chance_beyond(high, degrees) > 1 - confidence:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if chance_beyond(middle, degrees) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _beta_share(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction."""
    if x in (0.0, 1.0):
        return x
    whole = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(whole + a * math.log(x) + b * math.log1p(-x))
    if x > (a + 1) / (a + b + 2):  # there the fraction of the other side converges
        return 1 - front * _fraction(1 - x, b, a) / b
    return front * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / _far_from_zero(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, _TURNS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _far_from_zero(1 + part * d)
            c = _far_from_zero(1 + part / c)
            found *= c * d
        if abs(c * d - 1) < _ENOUGH:
            break
    return found


def _far_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
