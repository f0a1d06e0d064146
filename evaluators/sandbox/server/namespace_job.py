"""The parent's end of a job that runs among other pids than ours: who it is, and its report.

The number of a process in another namespace means nothing here, so the child introduces itself
before it reads a program, and the kernel says who it was that wrote.
"""

from __future__ import annotations

import socket
from typing import NamedTuple, Self

from evaluators.sandbox.frames import HELLO, ORDERS, REPORT, Ending
from evaluators.sandbox.job import Job
from evaluators.sandbox.server.connection import LostError, Reaped, signed
from evaluators.sandbox.server.exchange import Talk
from evaluators.sandbox.server.running import ProcessSpent
from se_agent.values.evaluation import Status

_PATIENCE = 120.0  # seconds; freeing the memory of killed processes takes a while
_LONGEST = 1000

TASKS = 64
"""Processes and threads that a candidate may have at a time, itself included."""


class Report(NamedTuple):
    """What a warden found.

    Attributes:
        ending: Why it ended the job.
        status: Exit status of the candidate, as `os.wait` gives it.
        cpu_seconds: CPU seconds of all processes but the candidate itself, until they were
            gone.
        peak_bytes: Most memory seen of all, or of one as the kernel keeps it.
    """

    ending: Ending
    status: int
    cpu_seconds: float
    peak_bytes: int

    def verdict(self, job: Job) -> Talk | None:
        """Return how the job ended, where the warden ended it by itself."""
        limit = job.limits.cpu_seconds
        return {
            Ending.CPU: Talk(Status.TLE, (), f"used more than {limit:g} s of CPU time"),
            Ending.MEMORY: Talk(Status.MLE, (), "out of memory, all processes together"),
            Ending.TASKS: Talk(Status.RE, (), f"more than {TASKS} processes and threads"),
        }.get(self.ending)

    def settled(
        self, job: Job, talk: Talk, spent: ProcessSpent
    ) -> tuple[Talk, ProcessSpent, Reaped]:
        """Return how the job ended, what all processes spent, and how the candidate ended."""
        ended = self.verdict(job) if talk.status in (None, Status.AC) else None
        calls = spent.calls_seconds
        spent = spent._replace(
            cpu_seconds=spent.cpu_seconds + self.cpu_seconds,
            # When they worked is not known: all of it is work of the calls.
            calls_seconds=None if calls is None else calls + self.cpu_seconds,
        )
        return ended or talk, spent, Reaped(self.status, self.peak_bytes)


class Ward:
    """A line to the child that is about to be started, or to its warden.

    Attributes:
        theirs: Descriptor of the other end; closed by `introduced`.
    """

    def __init__(self) -> None:
        kind = socket.AF_UNIX, socket.SOCK_SEQPACKET
        self._ours, self._theirs = socket.socketpair(*kind)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours.settimeout(_PATIENCE)
        self.theirs = self._theirs.fileno()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._theirs.close()
        self._ours.close()

    def order(self, job: Job) -> None:
        """Tell the warden, even before it is there, what all processes may use together."""
        limits = job.limits
        self._ours.send(ORDERS.pack(limits.cpu_seconds, limits.memory_bytes, TASKS))

    def introduced(self) -> int:
        """Return the child's pid among ours, once it has introduced itself.

        Raises:
            LostError: It could not be started.
        """
        self._theirs.close()
        try:
            said, pid = signed(self._ours, _LONGEST)
        except OSError as err:
            raise LostError(f"a child says nothing: {err}") from err
        if said != HELLO:
            raise LostError(said.decode("utf-8", "replace") or "a child ended at once")
        if pid <= 0:
            raise LostError(f"a child is process {pid} to us: it runs on another kernel")
        return pid

    def finish(self) -> Report:
        """Have the warden end all processes, and return what it found.

        Raises:
            LostError: It is gone.
        """
        try:
            self._ours.send(HELLO)
            data = self._ours.recv(REPORT.size)
        except OSError as err:
            raise LostError(f"the warden of a job is gone: {err}") from err
        if len(data) != REPORT.size:
            raise LostError(f"the warden of a job said {data!r}")
        ending, status, cpu_seconds, peak_bytes = REPORT.unpack(data)
        return Report(Ending(ending), status, cpu_seconds, peak_bytes)
