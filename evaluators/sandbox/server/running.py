"""One child as its parent sees it: its clock, its deadline, and frames with a cap.

The clock is the CPU clock of the process, read from outside; the child cannot touch it. Only
what compiling its text took is the child's own word, sent before any of that text runs. Wall
time only ends a child that waits for something that never comes.
"""

from __future__ import annotations

import math
import os
import select
import signal
import socket
import time
from typing import NamedTuple

from evaluators.sandbox.frames import (
    ANSWER,
    COMPILED,
    GO,
    LEFT_BYTES,
    WHOLE,
    WHOLE_BYTES,
    FrameKind,
)
from evaluators.sandbox.server.memory import PERIOD
from evaluators.sandbox.server.process_reader import ProcessReader
from evaluators.sandbox.usage import Watch
from se_agent.problem.model import Limits

_NOTHING = Watch()
_NO_ANSWERS = COMPILED.size + LEFT_BYTES + len(WHOLE) + WHOLE_BYTES  # bytes of a child's words
_KINDS = frozenset(FrameKind)
_AFTER = frozenset({FrameKind.ARGUMENTS})
_CHUNK = 4096  # bytes that are asked for at least
_LARGEST = 1 << 20  # bytes for which room is made at once


class OverrunError(Exception):
    """The child used up its CPU time, or its patience; the message says which."""


class ClosedError(Exception):
    """The child closed its end, most likely by ending."""


class ForgedError(Exception):
    """The child wrote what our code does not write."""


class Frame(NamedTuple):
    """One frame of a child."""

    kind: FrameKind
    first: bytes
    second: bytes


class ProcessSpent(NamedTuple):
    """CPU seconds of a child: in all, and of its parts; see `Outcome`."""

    cpu_seconds: float
    after_seconds: float = 0.0
    loading_seconds: float = 0.0
    giving_seconds: float = 0.0
    compiling_seconds: float = 0.0
    first_seconds: float = 0.0
    calls_seconds: float | None = None


class Running:
    """A child between fork and reaping.

    Args:
        channel: Our end of its socket.
        nonce: What its frames must begin with.
        limits: When to give up, and the bytes that all its frames may hold together.
        patience: Wall seconds granted on top of five times the CPU seconds.
        watch: What is to be read besides the clocks.

    Attributes:
        observed: What is read of it besides.
        after_seconds: CPU seconds that went into describing arguments after calls, so far.
        loading_seconds: CPU seconds until the program was loaded, where that is told apart.
        giving_seconds: CPU seconds in which values of the program's classes were made.
        compiling_seconds: CPU seconds that compiling its text took, before any of it ran.
        first_seconds: CPU seconds until the first calls were over, where calls are timed apart.
        calls_seconds: CPU seconds of all calls after those; None where they are not.
    """

    def __init__(
        self,
        channel: socket.socket,
        nonce: bytes,
        limits: Limits,
        patience: float,
        watch: Watch = _NOTHING,
    ) -> None:
        self._channel = channel
        self._nonce = nonce
        self._limits = limits
        self._room = limits.output_bytes + _NO_ANSWERS
        self._wall_end = time.monotonic() + 5 * limits.cpu_seconds + patience
        self._unsent = memoryview(b"")
        self._pid = 0
        self._clock = 0
        self.after_seconds = 0.0
        self.loading_seconds = 0.0
        self.giving_seconds = 0.0
        self.compiling_seconds = 0.0
        self.first_seconds = 0.0
        self.calls_seconds: float | None = None
        self.observed = ProcessReader(watch)
        self._ahead = memoryview(b"")  # read, and not yet asked for
        channel.setblocking(False)

    def born(self, pid: int) -> None:
        """Take note of its pid, which means no other process until it is reaped."""
        self._pid = pid
        self._clock = (~pid << 3) | 2  # CPUCLOCK_SCHED of another process, as clock ids go
        self.observed.begin(pid)

    def cpu_seconds(self) -> float:
        """Return the CPU seconds since the fork; works until it is reaped."""
        return time.clock_gettime(self._clock)

    def post(self, data: bytes) -> None:
        """Send without waiting, even before it is born; what does not fit goes later."""
        self._unsent = memoryview(bytes(self._unsent) + data if self._unsent else data)
        self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self._channel.send(self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more; what it said before can still be read
            self._unsent = memoryview(b"")

    def receive(self, count: int = 1, kinds: frozenset[FrameKind] = frozenset()) -> list[Frame]:
        """Read the child's next frames, up to one of another kind: no more will come.

        Raises:
            ClosedError: There is none.
            ForgedError: It is not one of ours.
            OverrunError: Its time is up.
        """
        frames: list[Frame] = []
        while not frames or (len(frames) < count and frames[-1].kind in kinds):
            nonce, kind, first, second = ANSWER.unpack(self._read(ANSWER.size))
            if nonce != self._nonce or kind not in _KINDS:
                raise ForgedError
            if first + second > self._room:
                frames.append(Frame(FrameKind.TOO_LARGE, b"", b""))
                continue
            self._room -= first + second
            body = self._read(first + second)
            frames.append(Frame(FrameKind(kind), body[:first], body[first:]))
        return frames

    def after(self, count: int) -> list[Frame]:
        """Read the frames on the arguments after so many calls, as `receive` does.

        Until here the child waits: what it does from now on is none of the calls', and its
        cost goes to `after_seconds`.

        Raises:
            ClosedError: There is none.
            ForgedError: It is not one of ours.
            OverrunError: Its time is up.
        """
        before, moment = self.cpu_seconds(), time.monotonic()
        self.observed.sample(before)
        delayed = self.observed.delayed()
        self.post(GO)
        frames = self.receive(count, _AFTER)
        self.after_seconds += self.cpu_seconds() - before
        self.observed.after += time.monotonic() - moment
        self.observed.delayed_apart += self.observed.delayed() - delayed
        return frames

    def _read(self, count: int) -> bytes:
        """Take from what was read ahead: most frames come whole with their head."""
        taken, self._ahead = self._ahead[:count], self._ahead[count:]
        if len(taken) == count:
            return bytes(taken)
        data = bytearray(taken)
        while len(data) < count:
            data += self._more(max(count - len(data), _CHUNK))
        self._ahead = memoryview(bytes(data[count:]))
        return bytes(memoryview(data)[:count])

    def _more(self, most: int) -> bytes:
        while True:
            try:
                got = self._channel.recv(min(most, _LARGEST))
            except BlockingIOError:
                self._flush()
                more = select.POLLOUT if self._unsent else 0
                self._wait(self._channel.fileno(), select.POLLIN | more)
                continue
            except OSError as err:
                raise ClosedError(str(err)) from None
            if not got:
                raise ClosedError
            return got

    def wait_end(self) -> None:
        """Wait until the process has ended by itself.

        Raises:
            OverrunError: Its time is up.
        """
        descriptor = os.pidfd_open(self._pid)
        try:
            self._wait(descriptor, select.POLLIN)
        finally:
            os.close(descriptor)

    def kill(self) -> None:
        """End it and, where it could start any, the processes of its session."""
        for kill in (os.kill, os.killpg):
            try:
                kill(self._pid, signal.SIGKILL)
            except OSError:
                continue  # it ended before, or never came to have a session of its own
        self.observed.close()

    def _wait(self, descriptor: int, event: int) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        longest = 1000 * PERIOD if self.observed.samples else math.inf
        used = self.cpu_seconds()
        while not poll.poll(min(1000 * _left(self._limits, self._wall_end, used) + 1, longest)):
            used = self.cpu_seconds()
            self.observed.sample(used)


def spent_by(child: Running) -> ProcessSpent:
    """Return what a child spent so far, in all and in parts; works until it is reaped."""
    return ProcessSpent(
        child.cpu_seconds(),
        child.after_seconds,
        child.loading_seconds,
        child.giving_seconds,
        child.compiling_seconds,
        child.first_seconds,
        child.calls_seconds,
    )


def _left(limits: Limits, wall_end: float, used: float) -> float:
    """Return the seconds until a child's time is up, after so many CPU seconds."""
    cpu = limits.cpu_seconds - used
    if cpu <= 0:
        raise OverrunError(f"used more than {limits.cpu_seconds:.3g} s of CPU time")
    wall = wall_end - time.monotonic()
    if wall <= 0:
        raise OverrunError(f"no end after {used:.3g} s of CPU time: it seems to wait")
    return min(cpu, wall)
