"""What is looked at from outside: descriptors, processes, folders, mounts, memory.

Every process that we start carries a mark, wherever it went and whoever adopted it: the
kernel hands down which parts of memory a core dump would hold, to children and through `exec`,
and nothing of ours sets it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from experiments.soak.verdict import Sample
from se_agent.environment.process_files import (
    PROC,
    SELF,
    descendants,
    fork_servers,
    process_text,
    resident_bytes,
    stat_fields,
)
from se_agent.errors import SandboxError
from tests.hostile.yard import ESCAPED, descriptors

_FILTER = "coredump_filter"
_BITS = 9
_KINDS = ("mnt", "pid", "net", "user", "ipc", "uts")
_FILLED = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", ".", "/home", "/root")
_ESCAPES = (ESCAPED, *(Path(folder, "se-agent-filler") for folder in _FILLED))
_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Watch:
    """Takes samples of this process and of all that it started.

    Attributes:
        mark: What our processes carry.
        folder: Where the sandbox makes its temporary folders.
        machine: Counts of what others on this machine use, too.
    """

    mark: int
    folder: Path
    machine: Mapping[str, Callable[[], int]]

    def sample(self, seconds: float, evaluations: int) -> Sample:
        """Look at everything once; nothing of ours should run meanwhile."""
        gc.collect()
        below, marked = descendants(SELF), _marked(self.mark)
        counts = {
            "descriptors": sum(1 for _ in descriptors()),
            "threads": _entries(PROC / SELF / "task"),
            "processes": len(below),
            "marked": len(marked),
            "folders": _entries(self.folder),
            "escaped": sum(path.exists() for path in _ESCAPES),
            "namespaces": len(_namespaces(marked)),
        }
        sizes = {"own": resident_bytes(SELF)}
        servers = _servers()
        if len(servers) > 1:  # oldest first
            sizes |= {
                "oldest": resident_bytes(servers[0]),
                "newest": resident_bytes(servers[-1]),
            }
        counts |= {name: count() for name, count in self.machine.items()}
        return Sample(seconds, evaluations, counts, sizes, servers[0] if servers else 0)


@contextlib.contextmanager
def watched(machine: Mapping[str, Callable[[], int]] | None = None) -> Iterator[Watch]:
    """Mark this process and give it a temporary folder of its own; undone at the end.

    Args:
        machine: Counts of what others use, too; by default `MACHINE`.

    Raises:
        SandboxError: This kernel has nothing to mark processes with.
    """
    path = PROC / SELF / _FILTER
    try:
        usual = int(path.read_text(encoding="ascii"), 16)
    except OSError as err:
        raise SandboxError(
            f"processes cannot be marked here: {err}",
            hint=f"the soak needs a kernel with /proc/self/{_FILTER}",
        ) from err
    mark = next(bits for bits in range(1 << _BITS) if bits != usual and not _marked(bits))
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        path.write_text(hex(mark), encoding="ascii")
        tempfile.tempdir = folder
        try:
            yield Watch(mark, Path(folder), MACHINE if machine is None else machine)
        finally:
            tempfile.tempdir = before
            path.write_text(hex(usual), encoding="ascii")


def _entries(folder: Path) -> int:
    with os.scandir(folder) as entries:
        return sum(1 for _ in entries)


def _marked(mark: int) -> list[int]:
    """Return all other processes of the machine that carry a mark."""
    found = []
    for path in PROC.glob(f"[0-9]*/{_FILTER}"):
        with contextlib.suppress(OSError, ValueError):  # it ended, or has no memory any more
            if int(path.read_text(encoding="ascii"), 16) == mark:
                found.append(int(path.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def _namespaces(pids: list[int]) -> set[str]:
    """Return the namespaces of processes, as far as we may see them."""
    found = set()
    for pid in pids:
        for kind in _KINDS:
            with contextlib.suppress(OSError):
                found.add(str((PROC / str(pid) / "ns" / kind).readlink()))
    return found


def _servers() -> list[int]:
    """Return the fork servers that we started, oldest first."""
    found = []
    for pid in fork_servers(SELF):
        with contextlib.suppress(OSError):
            born = int(stat_fields(pid)[19])  # in ticks
            found.append((born, pid))
    return [pid for _, pid in sorted(found)]


def _mounts() -> int:
    return len(process_text(SELF, "mountinfo").splitlines())


def _cgroups() -> int:
    """Return how many control groups there are below ours; the root of all is not ours."""
    count = 0
    for line in process_text(SELF, "cgroup").splitlines():
        _, names, path = line.split(":", 2)
        for place in (names.removeprefix("name="), "unified", ""):
            own = _CGROUPS / place / path.strip("/")
            if path != "/" and own.is_dir():
                count += sum(len(folders) for _, folders, _ in os.walk(own))
                break
    return count


MACHINE: Mapping[str, Callable[[], int]] = {
    "shm": lambda: _entries(Path("/dev/shm")),
    "mounts": _mounts,
    "cgroups": _cgroups,
}
"""Others make and remove these, too: a soak wants the machine for itself."""
