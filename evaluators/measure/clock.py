"""Net CPU time: what a run cost beyond starting, jailing and answering. Pure.

Not here: reading a clock. The sandbox does that, from outside the process that is timed
(`sandbox.server.running`; where it has children, `sandbox.isolation.init_process`).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

FINEST = 20e-6
"""CPU seconds that no net time goes below, whatever the clock says."""


class Gross(NamedTuple):
    """CPU seconds of a run as the sandbox reads them.

    Attributes:
        answers: CPU seconds of starting, loading, computing and answering.
        after: CPU seconds of describing the arguments once the calls were over.
        loading: CPU seconds of starting and loading, where they are read apart from the rest.
        giving: CPU seconds of making arguments of the program's own classes.
        between: Where calls are timed apart, CPU seconds of all that is done beside them, once
            the first are over; `answers` are those of the calls then.
        first: CPU seconds until the first calls were over: loading, and what is done once.
    """

    answers: float
    after: float = 0.0
    loading: float = 0.0
    giving: float = 0.0
    between: float = 0.0
    first: float = 0.0

    @classmethod
    def mean(cls, runs: Sequence[Gross]) -> Gross:
        """Return the mean of several runs."""
        return cls(*map(statistics.fmean, zip(*runs, strict=True)))


@dataclass(frozen=True)
class Clock:
    """Subtracts what an empty program costs in the same block, part by part.

    The parts are never mixed: a program that leaves out one of them must not be given the time
    for it back in another.

    Attributes:
        startup: CPU seconds of an empty program on the same inputs.
        resolution: Net times below it say nothing, and are raised to it: a gain that is
            reported is then too small, never too large.
    """

    startup: Gross
    resolution: float = FINEST

    @classmethod
    def of(cls, empty: Sequence[Gross]) -> Clock:
        """Return the clock of a block, from the runs of the empty program."""
        startup = Gross(*(statistics.median(part) for part in zip(*empty, strict=True)))
        spread = statistics.median(abs(run.answers - startup.answers) for run in empty)
        return cls(startup, max(FINEST, 2 * spread))

    def net(self, gross: Gross) -> float:
        """Return the CPU seconds of the program itself."""
        answers = max(gross.answers - self.startup.answers, self.resolution)
        more = zip(_beside(gross), _beside(self.startup), strict=True)
        return answers + sum(max(0.0, part - empty) for part, empty in more)

    def net_between(self, gross: Gross) -> float:
        """Return the CPU seconds that lie between calls beyond those of an empty program."""
        return max(0.0, gross.between - self.startup.between)

    def net_of(self, seconds: float) -> float:
        """Return the same of a run of which only the whole is known."""
        return self.net(Gross(seconds - sum(self.startup[1:])))


def _beside(gross: Gross) -> tuple[float, ...]:
    """Return the parts beside the answers that count; between calls it is the difference."""
    return gross.after, gross.loading, gross.giving
