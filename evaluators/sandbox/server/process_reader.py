"""What is read of one child besides its CPU clock, while it runs and when it has done its work.

Not here: the clock that counts, and when the child ends (`running`).
"""

from __future__ import annotations

import time

from evaluators.sandbox.server.delay import Delay
from evaluators.sandbox.server.memory import Gauge
from evaluators.sandbox.usage import Footprint, ProcessUsage, Watch


class ProcessReader:
    """Takes the time on the wall, and the memory where that is wanted.

    Args:
        watch: What is wanted.

    Attributes:
        after: Seconds on the wall that went into describing arguments, so far.
        giving: Those that went into making inputs with values of the program's classes.
        loading: Those until the program was loaded, where that is told apart.
        first: Those until the first calls were over, where calls are timed apart.
        calls: Those of the calls after these; None where they are not.
        delayed_apart: Those of the first three in which it was ready, and others had its core.
        delayed_calls: Those of `calls` in which it was.
    """

    def __init__(self, watch: Watch) -> None:
        self.after = 0.0
        self.giving = 0.0
        self.loading = 0.0
        self.first = 0.0
        self.calls: float | None = None
        self.delayed_apart = 0.0
        self.delayed_calls = 0.0
        self._delay: Delay | None = None
        self._delayed: float | None = None
        self._watch = watch
        self._from = time.monotonic()
        self._seconds: float | None = None
        self._gauge: Gauge | None = None
        self._footprint: Footprint | None = None

    @property
    def samples(self) -> bool:
        """Whether `sample` shall be called often."""
        return self._watch.integral

    def start(self) -> None:
        """Start the time: a child may run, and even end, before we hear of it."""
        self._from = time.monotonic()

    def begin(self, pid: int) -> None:
        """Begin with a child that was born just now."""
        self._delay = Delay(pid)
        if self._watch:
            self._gauge = Gauge(pid, sampled=self._watch.integral)

    def sample(self, cpu_seconds: float) -> None:
        """Take a sample of its memory, at this reading of its clock, if that is wanted."""
        if self._gauge is not None and self._gauge.sampled:
            self._gauge.sample(cpu_seconds)

    def elapsed(self) -> float:
        """Return the seconds on the wall since it was born."""
        return time.monotonic() - self._from

    def delayed(self) -> float:
        """Return the seconds so far in which it was ready to run, and others had its core."""
        found = self._delay.seconds() if self._delay else None
        return found or 0.0

    def settle(self, cpu_seconds: float) -> None:
        """Stop the time, and read the memory: it has said its last word."""
        if self._seconds is None:
            self._seconds = self.elapsed()
            self._delayed = self._delay.seconds() if self._delay else None
        if self._gauge is not None and self._footprint is None:
            self._footprint = self._gauge.footprint(cpu_seconds)

    def close(self) -> None:
        """Read nothing any more; may be called twice."""
        if self._gauge is not None:
            self._gauge.close()
        if self._delay is not None:
            self._delay.close()

    def usage(self, peak_bytes: int, cpu_seconds: float) -> ProcessUsage:
        """Return what it used, once it was settled, killed and reaped.

        Args:
            peak_bytes: Its peak as the kernel keeps it.
            cpu_seconds: Its CPU clock at the end.
        """
        if self._gauge is not None and self._footprint is None:
            self._footprint = self._gauge.rest(peak_bytes, cpu_seconds)
        return ProcessUsage(
            wall_seconds=self._seconds or 0.0,
            after_wall_seconds=self.after,
            giving_wall_seconds=self.giving,
            loading_wall_seconds=self.loading,
            first_wall_seconds=self.first,
            calls_wall_seconds=self.calls,
            delayed_seconds=self._own_delay(),
            footprint=self._footprint,
        )

    def _own_delay(self) -> float | None:
        if self._delayed is None:
            return None
        if self.calls is not None:
            return self.delayed_calls
        return max(0.0, self._delayed - self.delayed_apart)
