"""The parent's end of one fork server: start it, have it fork and reap, end it.

It knows nothing of programs: what a child is told goes past the fork server.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple  # settings are JSON

from evaluators.sandbox.frames import FORK, FORKED, REAP, REAPED, REQUEST

_PATIENCE = 120.0  # seconds until a silent fork server counts as dead; importing takes long
_PROGRAM = Path(__file__).with_name("zygote.py")


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

    Raises:
        LostError: It cannot be started, or died at once.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        with _losing():
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(_PATIENCE)
        with contextlib.ExitStack() as undone:
            undone.callback(self._control.close)
            self._process = _started(theirs)
            undone.callback(self._process.wait)
            undone.callback(self._process.kill)
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
        error = json.loads(self._receive(1 << 16)).get("error", "")
        self._ready = not error
        return str(error)

    def fork(self, descriptors: Sequence[int], memory_bytes: int, file_bytes: int) -> int:
        """Start a child that inherits the descriptors; return its pid.

        Raises:
            LostError: It died, or cannot fork.
        """
        self._send(REQUEST.pack(FORK, memory_bytes, file_bytes), descriptors)
        (pid,) = FORKED.unpack(self._receive(FORKED.size))
        if pid <= 0:
            raise LostError(f"cannot fork: {os.strerror(-pid)}")
        if _parent_of(pid) != self._process.pid:  # we are about to kill what has this number
            raise LostError(f"process {pid} is no child of the fork server")
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
        self._process.kill()

    def close(self) -> None:
        """End it, and with it every child that still runs."""
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _send(self, data: bytes, descriptors: Sequence[int] = ()) -> None:
        with _losing():
            socket.send_fds(self._control, [data], list(descriptors))

    def _receive(self, size: int) -> bytes:
        with _losing():
            data = self._control.recv(size)
        if not data:
            raise LostError(f"the fork server ended with {self._process.poll()}")
        return data


def _started(theirs: socket.socket) -> subprocess.Popen[bytes]:
    with _losing(), theirs, _above_standard(theirs) as passed:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_PROGRAM), str(passed)],
            env={k: v for k, v in os.environ.items() if k == "LD_LIBRARY_PATH"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[passed],
            start_new_session=True,
            cwd="/",
        )


@contextlib.contextmanager
def _above_standard(own: socket.socket) -> Iterator[int]:
    """Yield a duplicate that is not 0, 1 or 2, which the new process has other plans for."""
    descriptor = fcntl.fcntl(own, fcntl.F_DUPFD_CLOEXEC, 3)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _parent_of(pid: int) -> int:
    """Return the parent of a process, 0 when there is no such process."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        return int(file.read().rpartition(b")")[2].split()[1])
    return 0


@contextlib.contextmanager
def _losing() -> Iterator[None]:
    try:
        yield
    except OSError as err:
        raise LostError(str(err)) from err
