"""Net CPU time: what a run cost beyond starting, jailing and answering. Pure.

Not here: reading a clock. The sandbox does that, from outside the process that is timed.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

FINEST = 20e-6
"""CPU seconds that no net time goes below, whatever the clock says."""


@dataclass(frozen=True)
class Clock:
    """Subtracts the start-up cost that an empty program has in the same block.

    Attributes:
        startup: CPU seconds of an empty program on the same inputs.
        resolution: Net times below it say nothing, and are raised to it: a gain that is
            reported is then too small, never too large.
    """

    startup: float
    resolution: float = FINEST

    @classmethod
    def of(cls, empty: Sequence[float]) -> Clock:
        """Return the clock of a block, from gross CPU seconds of the empty program."""
        startup = statistics.median(empty)
        spread = statistics.median(abs(seconds - startup) for seconds in empty)
        return cls(startup, max(FINEST, 2 * spread))

    def net(self, gross: float) -> float:
        """Return the CPU seconds of the program itself."""
        return max(gross - self.startup, self.resolution)
