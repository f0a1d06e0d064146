"""How far two floats may lie apart and still be the same. Not here: comparing (`same`)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Tolerance:
    """What two finite floats, or complex numbers, may differ by: whichever allows more.

    Attributes:
        rel: Share of the larger of the two.
        abs: The difference itself.
    """

    rel: float = 0.0
    abs: float = 0.0

    def __bool__(self) -> bool:
        """Say whether it allows any difference."""
        return self.rel > 0 or self.abs > 0

    def __or__(self, other: Tolerance) -> Tolerance:
        """Return what allows all that one of them allows."""
        return Tolerance(max(self.rel, other.rel), max(self.abs, other.abs))

    def allows(self, gap: float, scale: float) -> bool:
        """Say whether numbers may differ by a gap, of which the larger is `scale`."""
        if not math.isfinite(gap):
            return False
        return gap <= self.abs or (math.isfinite(scale) and gap <= self.rel * scale)

    def __str__(self) -> str:
        """Return it in words, such as `a relative tolerance of 1e-9`."""
        told = [
            f"{article} {name} tolerance of {number(size)}"
            for article, name, size in (
                ("a", "relative", self.rel),
                ("an", "absolute", self.abs),
            )
            if size > 0
        ]
        return " or ".join(told) or "no tolerance"


def number(size: float) -> str:
    """Return a tolerance as people write it, such as `1e-9`."""
    return f"{size:g}".replace("e-0", "e-")


EXACT = Tolerance()
"""To the last bit."""
