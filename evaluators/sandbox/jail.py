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

from evaluators.sandbox import landlock, seccomp
from evaluators.sandbox.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl

_DESCRIPTORS = 64
_FIRST_TO_GO = "1000"  # for the kernel, when the machine runs out of memory


class Jail:
    """The lock of a fork server and of every child that it starts.

    Args:
        level: `jail` or `none`.
    """

    def __init__(self, level: str) -> None:
        self.locked = level == "jail"
        self._filter = seccomp.child_filter() if self.locked else None
        self._base = 0
        self._server = os.getpid()

    def lock_server(self, readable: Iterable[str]) -> None:
        """Give up what no child may ever have; call once, when all modules are loaded.

        Raises:
            OSError: The kernel lacks Landlock or seccomp.
        """
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            self._base = int(file.read().split()[0]) * resource.getpagesize()
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
            file.write(_FIRST_TO_GO)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_NOFILE, _DESCRIPTORS)
        if self.locked:
            prctl(PR_SET_NO_NEW_PRIVS, 1)
            landlock.restrict(readable)
            seccomp.server_filter().install()

    def lock_child(self, memory_bytes: int, file_bytes: int) -> None:
        """Give up the rest; the first thing that a child does.

        There is no limit of CPU time here. It would arm a timer, and while one is armed the
        kernel keeps the process's clock in ticks; the parent holds the time, and a child
        does not outlive it.

        Args:
            memory_bytes: Address space on top of the fork server's own.
            file_bytes: Largest file that an inherited descriptor may grow to.
        """
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._server:  # it died before it could take the child along
            os._exit(1)
        _limit(resource.RLIMIT_AS, self._base + memory_bytes)
        _limit(resource.RLIMIT_FSIZE, file_bytes)
        if self._filter is not None:
            self._filter.install()


def _limit(kind: int, wanted: int) -> None:
    """Set a limit for good; one of the host that is lower already stays."""
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(kind, (value, value))
