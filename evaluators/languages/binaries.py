"""Compiled programs, kept in memory by what they were made of. The oldest go first.

Each is a sealed file without a name, open for reading only: who executes it can change nothing.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections import OrderedDict
from dataclasses import dataclass

from evaluators.sandbox.frames import write_all

ROOM = 64 << 20
"""Bytes that all programs of one cache may take together."""

_SEALED = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_EXECUTABLE = 0x10  # a kernel may be set up to refuse programs in files without this flag


@dataclass(frozen=True)
class BinaryCache:
    """What became of a text: a descriptor, or (-1) the feedback that says why not, and all."""

    descriptor: int
    size: int = 0
    feedback: str = ""
    full_output: str = ""


class Binaries:
    """A cache, bounded by the bytes of its programs and of what is said of the others.

    Args:
        room: Bytes; what was kept last stays, whatever its size.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._kept: OrderedDict[str, BinaryCache] = OrderedDict()

    def get(self, key: str) -> BinaryCache | None:
        """Return what was kept, and call it used."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(
        self, key: str, program: bytes, feedback: str = "", full_output: str = ""
    ) -> BinaryCache:
        """Keep a program, or why there is none."""
        descriptor = sealed(program) if program else -1
        size = len(program) + len(feedback) + len(full_output)
        kept = BinaryCache(descriptor, size, feedback, full_output)
        self._kept[key] = kept
        while len(self._kept) > 1 and sum(k.size for k in self._kept.values()) > self._room:
            _, old = self._kept.popitem(last=False)
            _close(old)
        return kept

    def close(self) -> None:
        """Forget everything."""
        while self._kept:
            _close(self._kept.popitem()[1])


def sealed(program: bytes) -> int:
    """Return a descriptor of a file in memory that holds the program, for good."""
    writing = _unnamed()
    try:
        write_all(writing, program)
        fcntl.fcntl(writing, fcntl.F_ADD_SEALS, _SEALED)
        # A file that is open for writing cannot be executed.
        return os.open(f"/proc/self/fd/{writing}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(writing)


def _unnamed() -> int:
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    try:
        return os.memfd_create("program", flags | _EXECUTABLE)
    except OSError as err:
        if err.errno != errno.EINVAL:  # a kernel that does not know the flag needs none
            raise
        return os.memfd_create("program", flags)


def _close(kept: BinaryCache) -> None:
    if kept.descriptor >= 0:
        os.close(kept.descriptor)
