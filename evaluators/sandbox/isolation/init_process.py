"""Process 1 of a job's own namespace: watches all that the candidate started, then ends it.

What a candidate's children take is its own doing: their CPU time and memory count, and none of
them outlives the job. Here this is read and enforced, for the kernel gives the time of a child
only to its parent; what it means is for `server.namespace_job` and the server to say. A
candidate can neither send signals to this process nor read its memory.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import time
from typing import NamedTuple, NoReturn

from evaluators.sandbox.frames import ORDERS, REPORT, Ending

_TICK = 0.01  # seconds between two looks
_SHARE = 10  # a look takes at most one part in so many of the time
_PAGE = resource.getpagesize()
_TICKS = os.sysconf("SC_CLK_TCK")


class _Seen(NamedTuple):
    """All processes of the namespace but process 1, at one moment."""

    cpu_seconds: float
    memory_bytes: int
    tasks: int


class _Limits(NamedTuple):
    cpu_seconds: float
    memory_bytes: int
    tasks: int


def keep(watch: int, main: int, *, base: int, resident: bool) -> NoReturn:
    """Watch until told to end, or until a limit of the whole is passed; then report.

    Args:
        watch: Descriptor that leads to who asked for the job: limits come, the report goes.
        main: Pid of the candidate.
        base: Bytes that the fork server takes itself; not the candidate's.
        resident: Whether memory is counted as it is used, also that of a single process: where
            address space limits nothing. Otherwise a single process needs no counting.
    """
    os.dup2(watch, 0)
    os.closerange(1, 256)
    cpu_seconds, memory_bytes, tasks = ORDERS.unpack(os.read(0, ORDERS.size))
    ending, peak = _watched(
        main, _Limits(cpu_seconds, base + memory_bytes, tasks), resident=resident
    )
    os.kill(-1, signal.SIGKILL)  # everybody but this process
    os.read(0, 1)  # the question, which may still be to come
    os.waitid(os.P_PID, main, os.WEXITED | os.WNOWAIT)
    own = time.clock_gettime((~main << 3) | 2)
    status = 0
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, how = os.wait()
            status = how if pid == main else status
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    others = max(0.0, used.ru_utime + used.ru_stime - own)
    os.write(0, REPORT.pack(ending, status, others, max(peak, 1024 * used.ru_maxrss)))
    os._exit(0)


def _watched(main: int, limits: _Limits, *, resident: bool) -> tuple[Ending, int]:
    """Look after all until told to stop; return why it ended, and the most memory seen."""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    pause, peak = _TICK, 0
    while not poll.poll(1000 * pause):
        begin = time.monotonic()
        seen = _look(main, resident=resident)
        peak = max(peak, seen.memory_bytes)
        if seen.tasks > limits.tasks:
            return Ending.TASKS, peak
        if seen.memory_bytes > limits.memory_bytes:
            return Ending.MEMORY, peak
        if seen.cpu_seconds > limits.cpu_seconds:
            return Ending.CPU, peak
        pause = max(_TICK, _SHARE * (time.monotonic() - begin))
    return Ending.ASKED, peak


def _look(main: int, *, resident: bool) -> _Seen:
    """Read what all processes take, and bury those that nobody waits for."""
    # Not by `process_files`: what stays beside a candidate loads nothing of ours.
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]  # noqa: PTH208
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = memory = tasks = 0
    for pid in pids:
        fields = _status(pid)
        if not fields:
            continue
        ticks += sum(map(int, fields[11:15]))  # its own, and that of children it waited for
        tasks += int(fields[17])
        if resident:  # without what it only maps of files: a run time's own code
            memory += _bytes(pid, "status", b"RssAnon:", b"RssShmem:")
        elif len(pids) > 1:  # what several share is divided among them
            memory += _bytes(pid, "smaps_rollup", b"Pss:")
        if fields[0] == b"Z" and fields[1] == b"1" and pid != main:
            os.waitpid(pid, 0)
    return _Seen(used.ru_utime + used.ru_stime + ticks / _TICKS, memory, tasks)


def _status(pid: int) -> list[bytes]:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        return file.read().rpartition(b")")[2].split()
    return []


def _bytes(pid: int, file: str, *fields: bytes) -> int:
    """Return the sum of fields of a file of its folder below `/proc`; 0 when it is gone."""
    total = 0
    with contextlib.suppress(OSError), open(f"/proc/{pid}/{file}", "rb") as lines:  # noqa: PTH123
        for line in lines:
            if line.startswith(fields):
                total += 1024 * int(line.split()[1])
    return total
