"""What passes between the parent, the fork server and a child, byte by byte.

Only the standard library: all three import this. A child's bytes are never trusted; whoever
reads them checks lengths before it makes room.
"""

from __future__ import annotations

import enum
import struct
from os import readv, writev  # held: a candidate can replace what `os` has

REQUEST = struct.Struct("<BQQ")  # FORK, bytes of memory, bytes of a file; or REAP, pid, 0
FORKED = struct.Struct("<q")  # pid, or -errno
REAPED = struct.Struct("<iq")  # wait status, peak resident memory in bytes
JOB = struct.Struct("<8sBIIIQ4I")
"""Nonce, flags, inputs, how many of them pass at a time, how many come first and apart, cap on
the answers, bytes of the four texts that follow: path, entry point, prelude and program."""

SCRIPT, KEEP_ERRORS, LOAD_APART, SCALARS, OWN_CLASSES, TIES = 1, 2, 4, 8, 16, 32  # of a job
TO_THE_END = 64  # of a job, too
WHOLE, WHOLE_BYTES = b"\n\0\n", 1 << 16
"""Stands before the text of an exception where END cuts it, and bytes of that text."""

LEFT_BYTES = 1 << 12  # of settings that are left other than they were found
TIES_BYTES = 1 << 16  # of a report on what an answer shares; a longer one tells nothing
COMPILED = struct.Struct("<d")  # CPU seconds
INPUT = struct.Struct("<Q")  # bytes that follow
GO = b"\n"  # the clock was read: the arguments may be described
ANSWER = struct.Struct("<8sBQQ")  # nonce, kind, bytes of two parts that follow

FORK, REAP = 1, 2

HELLO = b"\n"  # of a child among other pids than ours: the kernel says who wrote it
ORDERS = struct.Struct("<dQQ")  # CPU seconds, bytes of memory and tasks, of all processes
REPORT = struct.Struct("<BidQ")
"""Ending, wait status of the candidate, CPU seconds of its descendants, peak memory of all."""

_MOST = 1024  # parts of one writing, as the kernel has it

OUT_OF_MEMORY = 81
"""Exit code of a child that has no memory left to say so."""


class FrameKind(enum.IntEnum):
    """What a child's frame says, and what its two parts are."""

    VALUE = 0  # wire bytes of the value, and with TIES its ties; without SCALARS GO is awaited
    ERROR = 1  # text of an exception that was kept, names of its classes; as VALUE
    END = 2  # status, feedback: there will be no other frame
    TOO_LARGE = 3  # nothing, nothing: the value would have broken the cap
    ARGUMENTS = 4  # wire bytes of the arguments as the call left them, if changed; nothing
    LOADED = 5  # nothing, nothing: with LOAD_APART the first input is awaited
    READY = 6  # what compiling took, nothing: no code of the program has run yet
    GIVEN = 7  # nothing, nothing: with OWN_CLASSES inputs were read, and GO is awaited
    RELEASED = 8  # nothing, nothing: with TO_THE_END the program has ended as a script does
    LEFT = 9  # what is left other than it was found, nothing; after the last answers
    CALLED = 10  # nothing, nothing: where calls are timed apart; GO is awaited, answers follow


class Ending(enum.IntEnum):
    """Why a warden ended the processes of its namespace."""

    ASKED = 0
    CPU = 1
    MEMORY = 2
    TASKS = 3


def read_exactly(descriptor: int, count: int) -> bytearray:
    """Read that many bytes, waiting for them.

    Raises:
        EOFError: The other end was closed before.
    """
    data = bytearray(count)
    view = memoryview(data)
    while view:
        got = readv(descriptor, [view])
        if not got:
            raise EOFError
        view = view[got:]
    return data


def write_all(descriptor: int, *parts: bytes) -> None:
    """Write all parts, one after the other."""
    views = [memoryview(part) for part in parts if part]
    while views:
        sent = writev(descriptor, views[:_MOST])
        while views and sent >= len(views[0]):
            sent -= len(views.pop(0))
        if sent:
            views[0] = views[0][sent:]
