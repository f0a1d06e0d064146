"""The clocks of a run, and the end of a phase whose time is up.

A phase has a time limit, and whatever is under way when that is reached is ended: nobody has
to look at the clock. Not here: what may be spent (`budget`).
"""

from __future__ import annotations

import enum
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol, Self

from se_agent.environment.process_files import cpu_seconds
from se_agent.stats import side_processes
from se_agent.stats.costs import Reading

_OFTEN, _SELDOM = 0.05, 1.0  # seconds between two looks at the clocks
_CORES = 2 * (os.cpu_count() or 1)  # CPU time goes by no faster than on all of them, twice


class Act(enum.Enum):
    """What takes time, and is begun only while some is left."""

    OPEN = "open"  # a generation
    SELECT = "select"  # a slot
    CLOSE = "close"  # a step
    TRY = "try"  # whether an edit can be left out
    REWORD = "reword"  # a trial of the best program in plainer words
    CONFIRM = "confirm"


class Meter(Protocol):
    """Reads what a run has spent of time, and ends a phase that has none left."""

    def read(self, child_seconds: float) -> Reading:
        """Return the reading, given the CPU seconds of candidates."""
        ...

    def glance(self, child_seconds: float) -> Reading:
        """Return a reading that is not recorded: what follows from it is on record itself."""
        ...

    def until(
        self, left: Callable[[], float], stop: Callable[[], None]
    ) -> AbstractContextManager[object]:
        """Call `stop`, from another thread, once no seconds are left within the block."""
        ...

    def allows(self, act: Act, number: int = 0) -> bool:
        """Say whether there is time for a slot, step or trial of this number."""
        ...


class LiveMeter:
    """Reads the clocks of this process and of all that it starts.

    Args:
        engine_seconds: CPU seconds of earlier processes of the run.
        child_seconds: CPU seconds of the candidates in them.
        wall_seconds: On the wall.
    """

    def __init__(
        self,
        *,
        engine_seconds: float = 0.0,
        child_seconds: float = 0.0,
        wall_seconds: float = 0.0,
    ) -> None:
        self._engine = engine_seconds - _engine_seconds()
        self._tree = engine_seconds + child_seconds - cpu_seconds(os.getpid())
        self._wall = wall_seconds - time.monotonic()
        self._deadline = Deadline(_endless, _endless)

    def read(self, child_seconds: float) -> Reading:
        """Return CPU and wall time.

        CPU time is what the kernel says of this process and those below it, or what is on
        record, where that is more: a process may not be below this one.
        """
        recorded = self._engine + _engine_seconds() + child_seconds
        told = self._tree + cpu_seconds(os.getpid())
        return Reading(max(recorded, told), self._wall + time.monotonic())

    def glance(self, child_seconds: float) -> Reading:
        """Return the same."""
        return self.read(child_seconds)

    @contextmanager
    def until(self, left: Callable[[], float], stop: Callable[[], None]) -> Iterator[None]:
        """Watch the clocks within the block; see `Meter`."""
        self._deadline = Deadline(left, stop)
        with self._deadline:
            yield

    def allows(self, act: Act, number: int = 0) -> bool:
        """Say whether the phase that was begun last has time left."""
        return not self._deadline.passed


class Deadline:
    """Watches what is left, in a thread of its own, and calls `stop` once nothing is.

    Args:
        left: Returns the seconds; infinite where there is no limit, and no thread then.
        stop: Ends what is under way.

    Attributes:
        passed: Whether nothing is left.
    """

    def __init__(self, left: Callable[[], float], stop: Callable[[], object]) -> None:
        self.passed = False
        self._left = left
        self._stop = stop
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._left() < float("inf"):
            self._thread = threading.Thread(target=self._watch, name="deadline", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        while (left := self._left()) > 0:
            if self._done.wait(min(max(left / _CORES, _OFTEN), _SELDOM)):
                return
        self.passed = True
        self._stop()


def _endless() -> float:
    return float("inf")


def _engine_seconds() -> float:
    return time.process_time() + side_processes.seconds()


if TYPE_CHECKING:
    _: Meter = LiveMeter()
