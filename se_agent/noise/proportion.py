"""Exact bounds of a share: so many of so many, what may the true rate be? Pure, stdlib only."""

from __future__ import annotations

import math
from dataclasses import dataclass

_HALVINGS = 60  # of the unit interval: as fine as a float


@dataclass(frozen=True)
class Share:
    """How often something happened.

    Attributes:
        count: How often it did.
        total: How often it could have.
    """

    count: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total:
            raise ValueError(f"count={self.count}, total={self.total}: not a share")

    @property
    def rate(self) -> float:
        """The share itself; 0 of nothing is 0."""
        return self.count / self.total if self.total else 0.0

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the two-sided Clopper-Pearson interval of the true rate.

        Args:
            confidence: Confidence of the interval; each tail holds half of what is left.
        """
        if not self.total:
            return 0.0, 1.0
        tail = (1 - confidence) / 2
        low = self._bound(self.count - 1, 1 - tail) if self.count else 0.0
        high = self._bound(self.count, tail) if self.count < self.total else 1.0
        return low, high

    def _bound(self, most: int, chance: float) -> float:
        """Return the rate at which `most` or fewer happen with that chance."""
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if at_most(most, self.total, middle) > chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2


def at_most(most: int, total: int, rate: float) -> float:
    """Return the probability of `most` or fewer of `total`, at a rate inside (0, 1)."""
    yes, no = math.log(rate), math.log1p(-rate)
    whole = math.lgamma(total + 1)
    return math.fsum(
        math.exp(
            whole
            - math.lgamma(count + 1)
            - math.lgamma(total - count + 1)
            + count * yes
            + (total - count) * no
        )
        for count in range(most + 1)
    )
