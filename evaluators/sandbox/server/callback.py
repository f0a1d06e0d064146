"""A fork server that calls us from a container: waited for, watched, and ended.

The client that started the container is our child, the fork server is not: killing the client
leaves the container running, so the fork server itself is killed, by a handle that never means
another process. It also ends by itself once its socket to us is closed.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from evaluators.sandbox.isolation.levels import CONTAINER, JAIL
from se_agent.environment.child_process import CONTAINERS, USUAL, environment
from se_agent.errors import IsolationError

CONTROL, EMPTY = "control", "empty"
"""Entries of the folder of a meeting: where to call, and a folder that stays empty."""

_PATIENCE = 120.0  # seconds until a container that does not call counts as dead
_LEAVING = 20.0  # seconds that a client may take to clear away a container that has ended
_ELSEWHERE = "its processes are not among ours: we are in a container, or it has its own kernel"
_CREDENTIALS = struct.Struct("3i")  # pid, user, group


def called(command: Callable[[str], Sequence[str]]) -> CallbackServer:
    """Start a client, and wait until the program in its container called.

    Args:
        command: Returns the client's command, given the folder where we can be called.

    Raises:
        OSError: The client cannot be started.
        IsolationError: It ended before, or what called is out of our reach.
    """
    with (
        tempfile.TemporaryDirectory(prefix="se-agent-meeting-") as folder,
        tempfile.TemporaryFile() as said,
        socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener,
    ):
        Path(folder, EMPTY).mkdir()
        listener.bind(f"{folder}/{CONTROL}")
        listener.listen(1)
        with contextlib.ExitStack() as undone:
            client = subprocess.Popen(
                command(folder),
                env=environment(USUAL + CONTAINERS),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,
                cwd="/",
            )
            undone.callback(client.wait)
            undone.callback(client.kill)
            control = undone.enter_context(_awaited(listener, client, said))
            server = CallbackServer(client, control)
            undone.pop_all()
    return server


def refusal(why: str) -> IsolationError:
    """Return what to raise where a container cannot be had."""
    return IsolationError(
        f"isolation `{CONTAINER.name}` cannot be had here: {why}",
        hint="start docker's daemon or install podman, or use "
        f"`--set sandbox.isolation={JAIL.name}`",
    )


def reason(output: str) -> str:
    """Return the line of a client's output that says what is wrong; the last, or nothing."""
    lines = [line.strip() for line in output.splitlines() if "--help" not in line]
    return next((line for line in reversed(lines) if line), "")


class CallbackServer:
    """A fork server in a container; it has the attributes and methods of `start.Started`.

    Raises:
        IsolationError: Its process cannot be seen, or not be ended, from here.
    """

    def __init__(self, client: subprocess.Popen[bytes], control: socket.socket) -> None:
        self.control = control
        size = _CREDENTIALS.size
        peer = control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        self.pid = _CREDENTIALS.unpack(peer)[0]
        if self.pid <= 0:
            raise refusal(_ELSEWHERE)
        self._client = client
        self._using = threading.Lock()
        self._handle = os.pidfd_open(self.pid)
        try:
            signal.pidfd_send_signal(self._handle, 0)
        except OSError as err:
            os.close(self._handle)
            raise refusal(f"its processes cannot be ended from here: {err.strerror}") from err

    def kill(self) -> None:
        """Kill it; process 1 of its container takes all others along."""
        with self._using, contextlib.suppress(ProcessLookupError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self) -> None:
        """Wait until the container is cleared away."""
        try:
            self._client.wait(_LEAVING)
        except subprocess.TimeoutExpired:
            self._client.kill()
            self._client.wait()
        with self._using:
            if self._handle >= 0:
                os.close(self._handle)
            self._handle = -1

    def ended(self) -> str:
        """Return the exit code of its client."""
        return str(self._client.poll())


def _awaited(
    listener: socket.socket, client: subprocess.Popen[bytes], said: IO[bytes]
) -> socket.socket:
    """Return the socket to what called, once it did."""
    ended = os.pidfd_open(client.pid)
    try:
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        poll.register(ended, select.POLLIN)
        ready = [descriptor for descriptor, _ in poll.poll(1000 * _PATIENCE)]
    finally:
        os.close(ended)
    if listener.fileno() in ready:
        return listener.accept()[0]
    if not ready:
        raise refusal(f"nothing called from it within {_PATIENCE:g} s")
    said.seek(0)
    told = reason(said.read().decode("utf-8", "replace"))
    raise refusal(told or f"its client ended with exit code {client.wait()}")
