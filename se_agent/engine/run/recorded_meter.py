"""The clocks of a replay: what a journal says they read, and where it says that time was over.

Not here: what else a journal holds in place of what made it (`recorded`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext

from se_agent.engine.judging.confirm import OUT_OF_TIME
from se_agent.engine.judging.reference import NO_TIME
from se_agent.engine.state.meter import Act
from se_agent.engine.step.restyle import RULE as RESTYLE
from se_agent.errors import RecordEndsError
from se_agent.events import (
    Confirmed,
    Ended,
    Event,
    GenerationOpened,
    SearchEnded,
    Selected,
    Trimmed,
)
from se_agent.stats.costs import Reading


class RecordedMeter:
    """Gives the readings that were recorded, one after the other; time is over where it was.

    Args:
        events: Events of the run, from its start or its last end to its next end.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        read = (GenerationOpened, SearchEnded, Ended)
        self._readings = iter(
            [Reading(e.cpu_seconds, e.wall_seconds) for e in events if isinstance(e, read)]
        )
        selected = [e.slot for e in events if isinstance(e, Selected)]
        self._opened = sum(isinstance(e, GenerationOpened) for e in events)
        self._selected = max(selected, default=-1)
        self._cut = next((e.closed for e in events if isinstance(e, SearchEnded)), None)
        self._trials, self._drops = _trials(events)
        self._confirms = not any(map(unconfirmed, events))

    def read(self, child_seconds: float) -> Reading:
        """Return the next reading."""
        self._opened -= 1
        try:
            return next(self._readings)
        except StopIteration:
            raise RecordEndsError(f"nothing on record after {child_seconds:g} s") from None

    def glance(self, child_seconds: float) -> Reading:
        """Leave all time: whatever was put off for want of it is on record."""
        return Reading(-math.inf, -math.inf)

    def until(
        self, left: Callable[[], float], stop: Callable[[], None]
    ) -> AbstractContextManager[object]:
        """Watch no clock."""
        return nullcontext()

    def allows(self, act: Act, number: int = 0) -> bool:
        """Say whether there was time, as far as the record knows."""
        if act is Act.TRY:
            return number < self._drops
        if act is Act.REWORD:
            return number < self._trials
        if act is Act.CONFIRM:
            return self._confirms
        if self._cut is None:
            return True
        if act is Act.OPEN:
            return self._opened > 0
        return number <= self._selected if act is Act.SELECT else number < self._cut


def _trials(events: Sequence[Event]) -> tuple[float, float]:
    """Return how many trials there were, and how many before the first that only reworded."""
    tried = [event.edit.rule == RESTYLE for event in events if isinstance(event, Trimmed)]
    ended = any(isinstance(event, Confirmed) for event in events)
    every = len(tried) if ended else math.inf
    return every, tried.index(True) if True in tried else every


def unconfirmed(event: Event) -> bool:
    """Say whether time ran out in the middle of a confirmation."""
    return isinstance(event, Confirmed) and (
        event.note == OUT_OF_TIME or event.no_reference == NO_TIME
    )
