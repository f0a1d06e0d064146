"""The parent's end of one fork server: start it, have it fork and reap, end it.

It knows nothing of programs: what a child is told goes past the fork server.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple  # settings are JSON

from evaluators.sandbox.frames import FORK, FORKED, REAP, REAPED, REQUEST
from evaluators.sandbox.server.start import DIRECT, Launcher
from se_agent.errors import IsolationError

_PATIENCE = 120.0  # seconds until a silent fork server counts as dead; importing takes long
_CREDENTIALS = struct.Struct("3i")  # pid, user, group


class LostError(Exception):
    """The fork server is gone, or does not speak as it should."""


class Reaped(NamedTuple):
    """How a child ended: the status that `os.wait` gives, and its peak memory in bytes."""

    status: int
    peak_bytes: int


class Link:
    """A running fork server.

    Args:
        settings: What it shall load and grant, as `zygote` documents it.
        launcher: Starts it; by default as our child.

    Raises:
        LostError: It cannot be started, or died at once.
        IsolationError: What shall isolate it cannot be had.
    """

    def __init__(self, settings: Mapping[str, Any], launcher: Launcher = DIRECT) -> None:
        with _losing():
            self._server = launcher.start()
        self._control = self._server.control
        with contextlib.ExitStack() as undone:
            undone.callback(self.close)
            self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            self._control.settimeout(_PATIENCE)
            self._cpu_seconds = 0.0
            self._pid = self._server.pid
            self._send(json.dumps(settings).encode())
            undone.pop_all()
        self._ready = False

    def wait_ready(self) -> str:
        """Wait until it can fork; return what went wrong, or nothing.

        Raises:
            LostError: It died.
        """
        if self._ready:
            return ""
        with _losing():
            data, self._pid = signed(self._control, 1 << 16)
        error = json.loads(self._whole(data)).get("error", "")
        self._ready = not error
        return str(error)

    def fork(self, descriptors: Sequence[int], memory_bytes: int, file_bytes: int) -> int:
        """Start a child that inherits the descriptors; return its pid, or its warden's.

        Behind a launcher it is the fork server's number for it.

        Raises:
            LostError: It died, or cannot fork.
        """
        self._send(REQUEST.pack(FORK, memory_bytes, file_bytes), descriptors)
        with _losing():
            data, writer = signed(self._control, FORKED.size)
        (pid,) = FORKED.unpack(self._whole(data))
        if pid <= 0:
            raise LostError(f"cannot fork: {os.strerror(-pid)}")
        if writer != self._pid:  # we are about to kill what has the number
            raise LostError(f"process {pid} was not told by the fork server")
        return int(pid)

    def reap(self, pid: int) -> Reaped:
        """Wait for a child that was killed, or is about to end.

        Raises:
            LostError: It died.
        """
        self._send(REQUEST.pack(REAP, pid, 0))
        return Reaped(*REAPED.unpack(self._receive(REAPED.size)))

    def kill(self) -> None:
        """Kill it, from any thread; whoever waits for it meets a `LostError`."""
        self._server.kill()

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of the fork server itself: starting, importing and forking."""
        with contextlib.suppress(OSError):  # it ended by itself: what was read last stands
            self._cpu_seconds = time.clock_gettime((~self._pid << 3) | 2)
        return self._cpu_seconds

    def close(self) -> None:
        """End it, and with it every child that still runs."""
        self._control.close()
        self._server.kill()
        self._server.wait()

    def _send(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        with _losing():
            socket.send_fds(self._control, [data], list(descriptors))

    def _receive(self, size: int) -> bytes:
        with _losing():
            data = self._control.recv(size)
        return self._whole(data)

    def _whole(self, data: bytes) -> bytes:
        if not data:
            raise LostError(f"the fork server ended with {self._server.ended()}")
        return data


def signed(own: socket.socket, size: int) -> tuple[bytes, int]:
    """Read one message; return it, and the pid of its writer as we know it, 0 for none.

    The kernel says who wrote, whatever the numbers are where that process lives.

    Raises:
        OSError: Nothing can be read.
    """
    data, extra, _, _ = own.recvmsg(size, socket.CMSG_SPACE(_CREDENTIALS.size))
    return data, next((_CREDENTIALS.unpack(found)[0] for _, _, found in extra), 0)


@contextlib.contextmanager
def _losing() -> Iterator[None]:
    try:
        yield
    except IsolationError:  # an OSError, but no loss: it would be refused again
        raise
    except OSError as err:
        raise LostError(str(err)) from err
