"""The isolation of a candidate, put together: what the fork server gives up, then the child.

The fork server is locked once: files by `landlock`, system calls by `seccomp`. A child then
gives up starting processes, gets its limits, and has nothing left but computing. Under
isolation `none` only the limits remain.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from evaluators.sandbox.frames import HELLO, write_all
from evaluators.sandbox.isolation import landlock, ordinary, seccomp
from evaluators.sandbox.isolation.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl
from evaluators.sandbox.isolation.levels import LEVELS, NONE
from evaluators.sandbox.isolation.own_mounts import freeze

_DESCRIPTORS = 64
_STACK = 256 << 20  # of a compiled program: recursion is not what is judged
_IMAGE = 8 << 20  # address space of a compiled program before it asks for any
_FIRST_TO_GO = "1000"  # for the kernel, when the machine runs out of memory


class Jail:
    """The lock of a fork server and of every child that it starts.

    Args:
        level: Name of a level but `namespace`. At one that is `foreign` a child introduces
            itself to who asks for jobs, through its last descriptor.
    """

    folder = "/"
    """Where its children run."""

    def __init__(self, level: str) -> None:
        self.locked = level != NONE.name
        self._foreign = LEVELS[level].foreign
        self._filter = seccomp.child_filter() if self.locked else None
        self._base = 0
        self._server = os.getpid()

    def lock_server(self, readable: Iterable[str], listed: Iterable[str] = ()) -> None:
        """Give up what no child may ever have; call once, when all modules are loaded.

        Args:
            readable: Files and folders that may be read, a folder with all beneath it.
            listed: Folders whose names may be read.

        Raises:
            OSError: The kernel lacks Landlock or seccomp.
        """
        self._base = limit_server()
        if self.locked:
            with contextlib.suppress(OSError):  # `doctor` says what that costs
                freeze()
            prctl(PR_SET_NO_NEW_PRIVS, 1)
            landlock.restrict(readable, listed=listed)
            seccomp.server_filter().install()

    def fork(self, descriptors: list[int]) -> int:
        """Fork a child; return its pid, and 0 in the child.

        Args:
            descriptors: What was received for it.
        """
        pid = os.fork()
        if not pid and self._foreign:
            write_all(descriptors.pop(), HELLO)
        return pid

    def lock_child(
        self, memory_bytes: int, file_bytes: int, *, executable: int | None = None
    ) -> None:
        """Give up the rest; the first thing that a child does.

        There is no limit of CPU time here. It would arm a timer, and while one is armed the
        kernel keeps the process's clock in ticks; the parent holds the time, and a child
        does not outlive it.

        Args:
            memory_bytes: Address space on top of the fork server's own.
            file_bytes: Largest file that an inherited descriptor may grow to.
            executable: Descriptor of a program that the child is about to become, with an
                address space of its own.
        """
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._server:  # it died before it could take the child along
            os._exit(1)
        own = self._filter
        if own is not None and executable is not None:
            own = seccomp.program_filter(os.getpid(), executable)
        limit_child(self._base, memory_bytes, file_bytes, compiled=executable is not None)
        if own is not None:
            own.install()

    def execute(self, program: int, memory_bytes: int) -> NoReturn:
        """Become the compiled program of a descriptor, once the child is locked.

        Raises:
            OSError: It cannot be executed.
        """
        around = ordinary.environment(str(Path.cwd()))
        os.execve(program, [ordinary.MODULE], around)  # noqa: S606


def limit_server() -> int:
    """Limit a fork server, and thereby its children; return its address space in bytes."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
        file.write(_FIRST_TO_GO)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, _DESCRIPTORS)
    # Not by `process_files`: a fork server loads nothing of ours but errors and wire.
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * resource.getpagesize()


def limit_child(
    base: int, memory_bytes: int, file_bytes: int, *, compiled: bool, reserved: int = 0
) -> None:
    """Limit memory and files of a child; the last that it does with memory of its own.

    Args:
        base: Address space of the fork server.
        memory_bytes: What the child may take on top of it.
        file_bytes: Largest file that it may write.
        compiled: It is about to become a program with an address space of its own.
        reserved: Address space that it may take besides; what it uses is counted elsewhere.
    """
    _limit(resource.RLIMIT_FSIZE, file_bytes)
    if compiled:
        _limit(resource.RLIMIT_STACK, min(memory_bytes, _STACK))
    _limit(resource.RLIMIT_AS, memory_bytes + reserved + (_IMAGE if compiled else base))


def _limit(kind: int, wanted: int) -> None:
    """Set a limit for good; one of the host that is lower already stays."""
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(kind, (value, value))
