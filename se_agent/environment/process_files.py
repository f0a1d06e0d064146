"""What the kernel says of processes that run: the one reader of `/proc`.

A process may end at any moment, and chooses its own name, in any bytes. Not here: what the
sandbox reads of a candidate, in processes that must load nothing of this package.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
SELF = "self"
"""Stands for this process in place of a number."""
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")

Pid = int | str
"""Number of a process, or `SELF`."""


def process_text(pid: Pid, name: str) -> str:
    """Return what a file of a process holds, such as `status`.

    Raises:
        OSError: The process is gone, or this kernel has no such file.
    """
    return (PROC / str(pid) / name).read_text(encoding="utf-8", errors="replace")


def can_open(name: str, *, write: bool = False) -> bool:
    """Say whether this process may open a file of its own, such as `smaps`."""
    return os.access(PROC / SELF / name, os.W_OK if write else os.R_OK)


def process_ids() -> Iterator[int]:
    """Yield the number of each process of this machine."""
    return (int(path.name) for path in PROC.iterdir() if path.name.isdigit())


def children(pid: Pid) -> list[int]:
    """Return the processes that one started and that are not waited for yet."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it, or a thread of it, ended meanwhile
        for path in (PROC / str(pid) / "task").glob("*/children"):
            found += map(int, path.read_text(encoding="ascii").split())
    return found


def descendants(pid: Pid) -> list[int]:
    """Return all processes below one, each before those below it."""
    return [each for child in children(pid) for each in (child, *descendants(child))]


def stat_fields(pid: Pid) -> list[str]:
    """Return the fields of `stat` after the name of the process: the first is its state.

    Raises:
        OSError: The process is gone.
    """
    return process_text(pid, "stat").rpartition(")")[2].split()


def own_cpu_seconds(pid: Pid) -> float:
    """Return the user and system time of a process alone, to 10 ms.

    Raises:
        OSError: The process is gone.
    """
    return sum(map(int, stat_fields(pid)[11:13])) / _TICK


def cpu_seconds(pid: Pid) -> float:
    """Return the CPU time of a process and of all below it, ended or not, to 10 ms each."""
    total = 0.0
    with contextlib.suppress(OSError):
        own = stat_fields(pid)[11:15]  # user, system, and those of the dead
        total = sum(map(int, own)) / _TICK
    return total + sum(map(cpu_seconds, children(pid)))


def machine_cpu_seconds() -> float:
    """Return the CPU seconds that all processes of the machine have used so far."""
    fields = (PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    user, nice, system, _idle, _waiting, *interrupts = map(int, fields[:8])
    return (user + nice + system + sum(interrupts)) / _TICK


def address_bytes(pid: Pid) -> int:
    """Return the size of the address space of a process.

    Raises:
        OSError: The process is gone.
    """
    return int(process_text(pid, "statm").split()[0]) * _PAGE


def resident_bytes(pid: Pid) -> int:
    """Return the memory that a process holds.

    Raises:
        OSError: The process is gone.
    """
    return int(process_text(pid, "statm").split()[1]) * _PAGE


def peak_bytes(pid: Pid) -> int:
    """Return the most memory that a process held so far; 0 when it is gone."""
    with contextlib.suppress(OSError):
        for line in process_text(pid, "status").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    return 0


def command_words(pid: Pid) -> list[str]:
    """Return the words of a command; none when it is gone."""
    with contextlib.suppress(OSError):
        return process_text(pid, "cmdline").split("\0")[:-1]
    return []


def fork_servers(pid: Pid) -> list[int]:
    """Return the fork servers that a process started."""
    return [
        child
        for child in children(pid)
        if any("zygote.py" in word for word in command_words(child))
    ]


def open_files(pid: Pid = SELF) -> list[str]:
    """Return what each descriptor of a process leads to."""
    found = []
    for path in (PROC / str(pid) / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # that of the folder itself
            found.append(str(path.readlink()))
    return found
