"""How long a process was ready to run while others had its core, as the scheduler counts it.

A process that sleeps, or waits for something, is not ready: that is a matter of its own. Read
from outside, for its first thread. Not here: what follows from it (`se_agent.stats.waiting`).
"""

from __future__ import annotations

import contextlib
import os

_NANOSECOND = 1e-9


class Delay:
    """Reads the delay of one process, until it is reaped; costs a microsecond a reading.

    Args:
        pid: Id of the process.
    """

    def __init__(self, pid: int) -> None:
        self._file = -1
        # Not by `process_files`: the fork server loads nothing of ours but errors and wire.
        with contextlib.suppress(OSError):  # the kernel was built without it
            self._file = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)

    def seconds(self) -> float | None:
        """Return the seconds so far; None where they cannot be read."""
        if self._file < 0:
            return None
        with contextlib.suppress(OSError, ValueError):  # it is gone
            _, waited, _ = os.pread(self._file, 128, 0).split()
            return int(waited) * _NANOSECOND
        return None

    def close(self) -> None:
        """Give the file back; may be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
