"""What the parent asks a child for, as it is read from the pipe.

Not here: how it is written (`evaluators.sandbox.server.exchange`), and what is done (`entry`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evaluators.sandbox.frames import JOB, read_exactly

JOB_DESCRIPTOR = 3
"""Where a job is read from, and answered to."""


class JobRequest(NamedTuple):
    """What the parent asked for."""

    nonce: bytes
    flags: int
    inputs: int
    group: int
    warm: int
    room: int
    path: str
    entry_point: str
    prelude: str
    program: str
    jailed: bool

    def groups(self) -> Iterator[tuple[int, int]]:
        """Yield where each group of inputs begins and ends, those that come first apart."""
        for first, last in ((0, self.warm), (self.warm, self.inputs)):
            for begin in range(first, last, self.group):
                yield begin, min(begin + self.group, last)


def read_request(jailed: bool) -> JobRequest:
    """Return what waits at `JOB_DESCRIPTOR`."""
    head = read_exactly(JOB_DESCRIPTOR, JOB.size)
    nonce, flags, inputs, group, warm, room, *sizes = JOB.unpack(head)
    path, entry_point, prelude, program = (
        read_exactly(JOB_DESCRIPTOR, size).decode("utf-8", "surrogatepass") for size in sizes
    )
    return JobRequest(
        nonce, flags, inputs, group, warm, room, path, entry_point, prelude, program, jailed
    )
