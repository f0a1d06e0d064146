"""How long a search may go on, by its own clock; what that counts is the search's business."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Allowance:
    """Seconds of a clock; calling it says whether some are left.

    Attributes:
        clock: Returns the seconds so far.
        until: Seconds at which nothing is left.
    """

    clock: Callable[[], float]
    until: float

    def __call__(self) -> bool:
        """Say whether there is time."""
        return self.clock() < self.until

    def part(self, share: float) -> Allowance:
        """Return a share of what is left now."""
        now = self.clock()
        return replace(self, until=now + share * max(self.until - now, 0.0))


ENDLESS = Allowance(lambda: 0.0, math.inf)
"""For who has to know, however long it takes."""
