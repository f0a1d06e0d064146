"""The memory of a child, read from outside: at its end, and while it runs.

A child shares the fork server's memory until it writes to it or gives it back. What it held
beyond that, at any moment, is at most its peak less what it still shares at its end: what is
shared only ever shrinks. So a child that first frees what it was born with, to make room that
does not show, is charged for it. Only anonymous memory counts as shared: a child can map files
as often as it likes, but cannot share anonymous memory without a second process.
"""

from __future__ import annotations

import contextlib
import os
import resource

from evaluators.sandbox.usage import Footprint

PERIOD = 0.001
"""Seconds on the wall between two samples."""

_PAGE = resource.getpagesize()


class Gauge:
    """Reads the memory of one process, which must not have been reaped.

    Args:
        pid: Id of the process.
        sampled: Whether its memory is integrated over its CPU time; then call `sample` often.
    """

    def __init__(self, pid: int, *, sampled: bool) -> None:
        # Not by `process_files`: the fork server loads nothing of ours but errors and wire.
        self._folder = f"/proc/{pid}"
        self._statm = -1
        with contextlib.suppress(OSError):  # it is gone: who waits for it will find out
            self._statm = os.open(f"{self._folder}/statm", os.O_RDONLY | os.O_CLOEXEC)
        self.sampled = sampled
        self._at = 0.0
        self._level = self._resident()
        self._integral = 0.0

    def close(self) -> None:
        """Give the file back; may be called twice."""
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1

    def sample(self, cpu_seconds: float) -> None:
        """Take note of its memory at this reading of its clock."""
        level = self._resident()
        self._integral += (level + self._level) / 2 * (cpu_seconds - self._at)
        self._at, self._level = cpu_seconds, level

    def footprint(self, cpu_seconds: float) -> Footprint | None:
        """Return what it held until now; None when its memory is gone with it."""
        with contextlib.suppress(OSError):
            shared, peak = self._shared(), self._peak()
            if peak:
                if self.sampled:
                    self.sample(cpu_seconds)
                integral = max(0.0, self._integral - shared * cpu_seconds)
                return Footprint(added_bytes=max(0, peak - shared), byte_seconds=integral)
        return None

    def rest(self, peak_bytes: int, cpu_seconds: float) -> Footprint:
        """Return what is known of one that ended in its own way: all of it is charged."""
        integral = self._integral + self._level * (cpu_seconds - self._at)
        seen = integral if self.sampled else 0.0
        return Footprint(added_bytes=peak_bytes, byte_seconds=seen, whole=True)

    def _resident(self) -> int:
        with contextlib.suppress(OSError):
            words = os.pread(self._statm, 128, 0).split()
            return int(words[1]) * _PAGE if len(words) > 1 else 0
        return 0

    def _peak(self) -> int:
        with open(f"{self._folder}/status", "rb") as file:  # noqa: PTH123
            return _kilobytes(file.read(), b"VmHWM:")

    def _shared(self) -> int:
        with open(f"{self._folder}/smaps", "rb") as file:  # noqa: PTH123
            return shared_anonymous(file.read())


def shared_anonymous(smaps: bytes) -> int:
    """Return the bytes of anonymous memory that another process has, too.

    Args:
        smaps: Text of `/proc/PID/smaps`.
    """
    total, anonymous = 0, False
    for line in smaps.splitlines():
        name, _, rest = line.partition(b" ")
        if not name.endswith(b":"):
            anonymous = rest.split(maxsplit=4)[3] == b"0"  # the inode: no file behind it
        elif anonymous and name in (b"Shared_Clean:", b"Shared_Dirty:"):
            total += int(rest.split()[0]) << 10
    return total


def _kilobytes(text: bytes, name: bytes) -> int:
    _, found, rest = text.partition(name)
    return int(rest.split(maxsplit=1)[0]) << 10 if found else 0
