"""A command that runs shut in (`confine`): started, waited for, and ended with its session.

Not here: what the command is for, and what its output means.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.environment.child_process import environment

_ENCLOSURE = Path(__file__).with_name("confine.py")
_PATIENCE = 5.0  # seconds on the wall, on top of three times the CPU seconds
_TICK = 100  # ms between two looks whether it is called off


@dataclass(frozen=True, kw_only=True)
class Order:
    """What shall run, and what it may use.

    Attributes:
        command: Its words; the first is an absolute path.
        isolation: `none`: only time, memory and the size of files are limited. Under every
            other level files, network and system calls are restricted as well.
        folder: Where it runs; it may be read, and programs in it may be run.
        scratch: The only folder that may be written.
        shared_memory: Whether its processes may have locks and queues between them, in a place
            of their own. Where the host refuses one they have none.
        readable: What may be read besides Python's library and the system's programs.
        environment: All that its environment holds.
        cpu_seconds: CPU seconds of each of its processes.
        memory_bytes: Address space of each of its processes.
        file_bytes: Largest file that it may write, standard output among them.
    """

    command: Sequence[str]
    isolation: str
    folder: Path
    scratch: Path
    readable: Sequence[str]
    environment: Mapping[str, str]
    cpu_seconds: float
    memory_bytes: int
    file_bytes: int
    shared_memory: bool = False


@dataclass(frozen=True, kw_only=True)
class ProcessEnd:
    """How it ended.

    Attributes:
        code: Exit code, or minus the signal that ended it.
        late: Whether its time was up.
        cpu_seconds: CPU seconds of it and of the processes that it waited for.
        peak_bytes: Largest resident memory of one of them.
    """

    code: int
    late: bool
    cpu_seconds: float
    peak_bytes: int


def shut_in(order: Order, *, one_session: bool = True) -> list[str]:
    """Return the command that shuts itself in, then becomes what was ordered.

    Args:
        order: What runs.
        one_session: Whether its processes may not leave the session that it is started in.
    """
    settings = {
        "isolation": order.isolation,
        "seconds": order.cpu_seconds,
        "memory": order.memory_bytes,
        "file": order.file_bytes,
        "readable": [str(order.folder), *order.readable],
        "scratch": str(order.scratch),
        "folder": str(order.folder),
        "command": list(order.command),
        "environment": dict(order.environment),
        "shared_memory": order.shared_memory,
        "one_session": one_session,
    }
    return [sys.executable, "-I", "-S", str(_ENCLOSURE), json.dumps(settings)]


def enclosed(order: Order, out: Path, err: Path, stopped: threading.Event) -> ProcessEnd:
    """Run a command to its end, and end all of its session that is left.

    Args:
        order: What runs.
        out: File that its standard output goes to.
        err: The same for standard error.
        stopped: Set by another thread, it ends the command at once.
    """
    with out.open("wb") as told, err.open("wb") as complained:
        process = subprocess.Popen(
            shut_in(order),
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=complained,
            env=environment(),
            start_new_session=True,
        )
    by_itself = False
    try:
        by_itself = ends(process.pid, 3 * order.cpu_seconds + _PATIENCE, stopped)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        usage = reaped(process)
    code = process.returncode
    return ProcessEnd(
        code=code,
        late=not by_itself or code in (-signal.SIGXCPU, -signal.SIGKILL),
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_bytes=1024 * usage.ru_maxrss,
    )


def ends(pid: int, seconds: float, stopped: threading.Event | None = None) -> bool:
    """Wait for a process; say whether it ended by itself, before its time was up.

    Args:
        pid: Id of a child that nobody has reaped.
        seconds: On the wall.
        stopped: Set by another thread, it ends the waiting at once.

    Raises:
        OSError: There is no such process.
    """
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        for _ in range(int(seconds * 1000 / _TICK)):
            if poll.poll(_TICK):
                return True
            if stopped is not None and stopped.is_set():
                return False
        return False
    finally:
        os.close(descriptor)


def reaped(process: subprocess.Popen[bytes]) -> resource.struct_rusage:
    """Wait for a process that ended or was killed; return what it and its own children used.

    `RUSAGE_CHILDREN` would have the children of all our threads.
    """
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage
