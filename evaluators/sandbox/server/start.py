"""How a fork server is started, and what there is of it then: a process and a socket.

Here it inherits the socket; `container` is the other way. Not here: what is said
through it (`connection`).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from evaluators.sandbox.isolation import ordinary
from se_agent.environment.child_process import environment

_ZYGOTE = Path(__file__).parents[1] / "child" / "zygote.py"
PROGRAM = (sys.executable, "-I", "-S", str(_ZYGOTE))
"""Command of the fork server, but for the number of its socket, which comes last."""


class StartedServer(Protocol):
    """A fork server that was started, and may have died since.

    Attributes:
        control: Our end of its socket.
        pid: Id of the process that was started, in our own namespace.
    """

    control: socket.socket
    pid: int

    def kill(self) -> None:
        """Kill it, with every child of it; any thread may, at any time."""
        ...

    def wait(self) -> None:
        """Wait until it is gone, once it was killed; give back what it took."""
        ...

    def ended(self) -> str:
        """Return how it ended, as far as that is known."""
        ...


class Launcher(Protocol):
    """Starts fork servers."""

    def start(self) -> StartedServer:
        """Start one.

        Raises:
            OSError: It cannot be started.
            IsolationError: What shall isolate it cannot be had.
        """
        ...


class Direct:
    """Starts a fork server that inherits its socket, as our child.

    Args:
        prefix: Command that starts it among other pids than ours, and passes descriptors on;
            nothing: it is our own child.
    """

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        self._prefix = tuple(prefix)

    def start(self) -> Child:
        """Start one; see `Launcher.start`."""
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.ExitStack() as undone:
            undone.callback(control.close)
            with theirs, _above_standard(theirs) as passed:
                process = subprocess.Popen(
                    [*self._prefix, *PROGRAM, str(passed)],
                    env=environment(**ordinary.environment("/")),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[passed],
                    start_new_session=True,
                    cwd="/",
                )
            undone.pop_all()
        return Child(process, control)


class Child:
    """A fork server that is our child, or that ends with our child.

    It has the attributes and methods of `StartedServer`.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self.control = control
        self.pid = process.pid
        self._process = process

    def kill(self) -> None:
        """Kill it; see `StartedServer.kill`."""
        self._process.kill()

    def wait(self) -> None:
        """Wait until it is gone."""
        self._process.wait()

    def ended(self) -> str:
        """Return its exit code, or minus the signal that ended it."""
        return str(self._process.poll())


@contextlib.contextmanager
def _above_standard(own: socket.socket) -> Iterator[int]:
    """Yield a duplicate that is not 0, 1 or 2, which the new process has other plans for."""
    descriptor = fcntl.fcntl(own, fcntl.F_DUPFD_CLOEXEC, 3)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


DIRECT: Launcher = Direct()
"""Starts fork servers as our own children."""
