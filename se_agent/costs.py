"""What a run has cost, as far as its events say: the one fold that loop and reports share.

Pure. Not here: the clock (`se_agent.engine.budget`), and what a run may spend.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from se_agent.events import (
    BlockMeasured,
    Challenged,
    Ended,
    Evaluated,
    Event,
    GenerationOpened,
    Observed,
    Resumed,
    Retested,
    RolledBack,
    SearchEnded,
    Started,
)


@dataclass(frozen=True)
class Reading:
    """CPU seconds (engine and children) and wall seconds of a run so far."""

    cpu_seconds: float
    wall_seconds: float


@dataclass
class Costs:
    """The fold.

    Attributes:
        evaluations: Candidates of the search that ran on the tests.
        child_seconds: CPU seconds of candidates.
        engine_seconds: CPU seconds of the engine itself, as last recorded.
        reading: What had been spent when it was last recorded, at `read_at`.
        last: When the run's last event was recorded.
    """

    evaluations: int = 0
    child_seconds: float = 0.0
    engine_seconds: float = 0.0
    reading: Reading = field(default_factory=lambda: Reading(0.0, 0.0))
    read_at: dt.datetime | None = None
    last: dt.datetime | None = None

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        if not isinstance(event, RolledBack):  # by hand, perhaps days after the run stood still
            self.last = event.at
        match event:
            case Started():
                self.read_at = event.at
                self.child_seconds += event.cost_seconds
            case Evaluated():
                self.evaluations += event.slot >= 0
                self.child_seconds += event.evaluation.cost_seconds
            case BlockMeasured():
                self.child_seconds += event.block.cost_seconds
            case Challenged():
                self.child_seconds += event.hunt.cost_seconds
            case Observed():
                self.child_seconds += event.observation.cost_seconds
            case Retested():
                self.child_seconds += event.evaluation.cost_seconds
            case GenerationOpened() | Resumed() | SearchEnded() | Ended():
                self.reading = Reading(event.cpu_seconds, event.wall_seconds)
                self.read_at = event.at
                self.engine_seconds = max(0.0, event.cpu_seconds - self.child_seconds)
            case _:
                pass

    @property
    def cpu_seconds(self) -> float:
        """Engine and candidates, as far as recorded."""
        return self.engine_seconds + self.child_seconds

    def so_far(self) -> Reading:
        """Return what was spent until the last event: a kill gives no time back."""
        since = (self.last - self.read_at).total_seconds() if self.last and self.read_at else 0
        return Reading(self.cpu_seconds, self.reading.wall_seconds + since)
