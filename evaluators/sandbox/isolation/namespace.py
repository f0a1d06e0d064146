"""Isolation with room for threads, children and files: a small machine that holds one job.

The fork server moves to a root, a network, an IPC namespace and a host name of its own
(`private_root`), and becomes a user without rights: one job after the other finds those. For
every job it forks a process into new pids and mounts: process 1 there (`init_process`), which
mounts a fresh scratch folder and its own `/proc`, starts the candidate, and takes all that the
candidate started along when it ends. The candidate then has the limits of `jail`, Landlock and
a filter of system calls on top.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
from collections.abc import Iterable
from typing import NoReturn

from evaluators.sandbox.frames import HELLO, write_all
from evaluators.sandbox.isolation import init_process, kernel, landlock, private_root, seccomp
from evaluators.sandbox.isolation.jail import limit_child, limit_server
from evaluators.sandbox.isolation.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl
from evaluators.sandbox.isolation.runtime import OWN, RESERVED, RunTime

SCRATCH_BYTES = 64 << 20
"""Size of the scratch folder; it comes on top of the job's memory."""

_TASKS = 64 + 2  # the fork server and the warden count among the user's processes
_NOBODY = 65534
_FILES = 4096
_HOST = "sandbox"
_APART = kernel.NEW_NETWORK | kernel.NEW_IPC | kernel.NEW_HOST_NAME


class Namespace:
    """The lock of a fork server whose children live in namespaces of their own.

    It has the methods of `jail.Jail`.

    Args:
        run_time: What executes compiled programs; None: they are executed as they are.
    """

    folder = private_root.SCRATCH
    """Where its children run."""

    def __init__(self, run_time: RunTime | None = None) -> None:
        self.locked = True
        self._run_time = run_time
        self._household = seccomp.household_filter()
        self._worker = seccomp.worker_filter()
        self._hosted = seccomp.hosted_filter()
        self._base = 0
        self._covered = private_root.Covered()

    def lock_server(self, readable: Iterable[str], listed: Iterable[str] = ()) -> None:
        """Move to a root, a network and a user of its own; call once, when all is loaded.

        Args:
            readable: Files and folders that are shown; of others a root of its own has not even
                the names.
            listed: Not used here; see `Jail.lock_server`.

        Raises:
            OSError: The kernel, or the host's policy, refuses one of them.
        """
        del listed
        self._base = limit_server()
        readable = [*readable, *(self._run_time.readable if self._run_time else ())]
        if os.geteuid():
            user, group = os.geteuid(), os.getegid()
            kernel.unshare(kernel.NEW_USER | kernel.NEW_MOUNTS | _APART)
            kernel.map_user((_NOBODY, user), (_NOBODY, group))
            socket.sethostname(_HOST)
            self._covered = private_root.enter(readable)
        else:  # root may read what nobody may not: it shows all, then is nobody
            kernel.unshare(kernel.NEW_MOUNTS | _APART)
            socket.sethostname(_HOST)
            self._covered = private_root.enter(readable)
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
            prctl(kernel.PR_SET_DUMPABLE, 1)  # else the maps below are root's to write
            kernel.unshare(kernel.NEW_USER | kernel.NEW_MOUNTS)
            kernel.map_user((_NOBODY, _NOBODY), (_NOBODY, _NOBODY))
        # Not by `process_files`: this process becomes a candidate, which loads nothing of ours.
        with open("/proc/sys/kernel/cap_last_cap", encoding="ascii") as file:  # noqa: PTH123
            for number in range(int(file.read()) + 1):
                prctl(kernel.PR_CAPBSET_DROP, number)
        _rehearse(self._covered)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        self._household.install()

    def fork(self, descriptors: list[int]) -> int:
        """Fork a child into a namespace of its own; see `Jail.fork`.

        Args:
            descriptors: What was received; the last one leads to who asked for the job.

        Returns:
            The pid of the child's warden, and 0 in the child.
        """
        pid = kernel.fork_into(kernel.NEW_PIDS | kernel.NEW_MOUNTS)
        if pid:
            return pid
        main = _begun(descriptors[-1], self._covered)
        if main:
            prctl(kernel.PR_SET_DUMPABLE, 0)  # its memory is none of the candidate's business
            hosted = self._run_time is not None
            own = OWN if hosted else 0
            init_process.keep(descriptors[-1], main, base=self._base + own, resident=hosted)
        write_all(descriptors.pop(), HELLO)
        return 0

    def lock_child(
        self, memory_bytes: int, file_bytes: int, *, executable: int | None = None
    ) -> None:
        """Give up the rest; see `Jail.lock_child`."""
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.chdir(private_root.SCRATCH)
        own, reserved = self._worker, 0
        if executable is not None and self._run_time is not None:
            self._run_time.place(executable)
            own, reserved = self._hosted, RESERVED
        resource.setrlimit(resource.RLIMIT_NPROC, (_TASKS, _TASKS))
        landlock.restrict(["/"], workshop=[private_root.SCRATCH])
        kernel.drop_capabilities()
        size = file_bytes or SCRATCH_BYTES
        compiled = executable is not None
        limit_child(self._base, memory_bytes, size, compiled=compiled, reserved=reserved)
        own.install()

    def execute(self, program: int, memory_bytes: int) -> NoReturn:
        """Become the compiled program of a descriptor; see `Jail.execute`."""
        (self._run_time or RunTime()).execute(program, memory_bytes)


def _begun(watch: int, covered: private_root.Covered) -> int:
    """Make what a job finds and fork its process; return the pid, and 0 in the child."""
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        _mount_own(covered)
        return os.fork()
    except OSError as err:
        write_all(watch, str(err).encode())
        os._exit(1)


def _rehearse(covered: private_root.Covered) -> None:
    """Make a namespace as for a job: what a host refuses shall be known before the first."""
    pid = kernel.fork_into(kernel.NEW_PIDS | kernel.NEW_MOUNTS)
    if pid:
        number = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if number:
            raise OSError(number, f"a job's own mounts: {os.strerror(number)}")
        return
    number = 0
    try:
        _mount_own(covered)
    except OSError as err:
        number = err.errno or errno.EPERM
    finally:
        os._exit(number)


def _mount_own(covered: private_root.Covered) -> None:
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    size = f"size={SCRATCH_BYTES},nr_inodes={_FILES},mode=700"
    kernel.mount("scratch", private_root.SCRATCH, "tmpfs", flags, size)
    covered.uncover()
    kernel.mount("proc", "/proc", "proc", flags)
