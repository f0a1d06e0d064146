"""A root of its own for a fork server: what programs read, read-only, and nothing else.

Mounts only. Who may mount, and what every job mounts on top, is `namespace`'s business.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evaluators.sandbox.isolation import kernel

SCRATCH = "/tmp"  # noqa: S108  (of the private root: every job has its own there)
_OLD = "/old"
_STORE = "/store"  # what is shown below SCRATCH waits there, for a job's own lies over it
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_MANY = 8  # entries of a folder from which on it is shown whole, but for a few others
_OTHERS = 2
_FOLDER = 0o755
_READ_ONLY = kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NODEV


class Shown(NamedTuple):
    """A path without symbolic links, and the entries of it that stay out of sight."""

    path: str
    hidden: frozenset[str] = frozenset()


class Covered(NamedTuple):
    """What is to be seen below SCRATCH, as where a program's packages lie in `/tmp`."""

    paths: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()

    def uncover(self) -> None:
        """Show it in a scratch folder that was just mounted."""
        for path in self.paths:
            _bind(_STORE + path, path)
        for link, target in self.links:
            _link(link, target)


def enter(readable: Iterable[str]) -> Covered:
    """Leave the host's root for good; needs a mount namespace and the right to mount.

    Args:
        readable: Files and folders that stay, at the same path. Python itself and four
            devices stay besides. `/proc` is the host's: a job mounts its own over it.

    Returns:
        What a job has to uncover once it has mounted its own scratch folder.

    Raises:
        OSError: The kernel refused; the message says what.
    """
    wanted = [path for path in (*readable, sys.executable) if path not in DEVICES]
    found = [resolved(path) for path in wanted if os.path.exists(path)]  # noqa: PTH110
    links = dict(link for _, passed in found for link in passed)
    places = [*collapsed(path for path, _ in found)]
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("root", SCRATCH, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")
    os.mkdir(SCRATCH + _OLD)  # noqa: PTH102
    kernel.pivot_root(SCRATCH, SCRATCH + _OLD)
    os.chdir("/")
    for place in places:
        _show(place, _STORE if _below(place.path) else "")
    for device in DEVICES:
        _attach(device, kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NOEXEC)
    for link, target in links.items():
        if not _below(link):
            _link(link, target)
    _link("/dev/shm", SCRATCH)  # noqa: S108
    _attach("/proc", kernel.ATTR_NOSUID)
    os.makedirs(SCRATCH, _FOLDER, exist_ok=True)  # noqa: PTH103
    kernel.detach(_OLD)
    os.rmdir(_OLD)  # noqa: PTH106
    hidden = [f"{place.path}/{name}" for place in places for name in sorted(place.hidden)]
    for path in hidden:  # late, for what is shown inside needed its folders
        kernel.set_attributes(_STORE + path if _below(path) else path, _READ_ONLY)
    kernel.set_attributes("/", _READ_ONLY, beneath=False)  # there all have their own
    return Covered(
        tuple(place.path for place in places if _below(place.path)),
        tuple((link, target) for link, target in links.items() if _below(link)),
    )


def _below(path: str) -> bool:
    return path.startswith(f"{SCRATCH}/")


def resolved(path: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a path without symbolic links, and those that were on the way, as they read."""
    links = []
    here, left = "", deque(path.split("/"))
    while left:
        name = left.popleft()
        if name in ("", "."):
            continue
        if name == "..":
            here = os.path.dirname(here)  # noqa: PTH120
            continue
        step = f"{here}/{name}"
        if not os.path.islink(step):  # noqa: PTH114
            here = step
            continue
        target = os.readlink(step)  # noqa: PTH115
        links.append((step, target))
        here = "" if target.startswith("/") else here
        left.extendleft(reversed(target.split("/")))
        if len(links) > 100:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    return here or "/", links


def collapsed(paths: Iterable[str]) -> Iterator[Shown]:
    """Give what to show, parents first: whole folders in place of nearly all their entries."""
    names = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        names[folder].add(name)
    seen: list[Shown] = []
    for folder in sorted(names):
        for shown in _of_folder(folder, names[folder]):
            if not any(_covers(other, shown.path) for other in seen):
                seen.append(shown)
                yield shown


def _of_folder(folder: str, names: set[str]) -> list[Shown]:
    if len(names) > _MANY:
        others = {*os.listdir(folder)} - names  # noqa: PTH208
        if len(others) <= _OTHERS and all(os.path.isdir(f"{folder}/{name}") for name in others):  # noqa: PTH112
            return [Shown(folder, frozenset(others))]
    return [Shown(f"{folder}/{name}") for name in sorted(names)]


def _covers(shown: Shown, path: str) -> bool:
    if path == shown.path:
        return True
    inside = path.removeprefix(f"{shown.path}/")
    return inside != path and inside.partition("/")[0] not in shown.hidden


def _show(place: Shown, root: str) -> None:
    _attach(place.path, _READ_ONLY, root)
    for name in sorted(place.hidden):
        path = f"{root}{place.path}/{name}"
        kernel.mount("hidden", path, "tmpfs", kernel.MS_NOSUID, "mode=755")


def _attach(path: str, attributes: int, root: str = "") -> None:
    """Show a path of the old root at the same place of the new one, or below `root` there."""
    if os.path.exists(_OLD + path):  # noqa: PTH110  (a host may lack a device)
        _bind(_OLD + path, root + path)
        kernel.set_attributes(root + path, attributes)


def _bind(source: str, path: str) -> None:
    if os.path.isdir(source):  # noqa: PTH112
        os.makedirs(path, _FOLDER, exist_ok=True)  # noqa: PTH103
    elif not os.path.exists(path):  # noqa: PTH110
        os.makedirs(os.path.dirname(path), _FOLDER, exist_ok=True)  # noqa: PTH103, PTH120
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    kernel.mount(source, path, "", kernel.MS_BIND | kernel.MS_REC)


def _link(path: str, target: str) -> None:
    if not os.path.lexists(path):
        os.makedirs(os.path.dirname(path), _FOLDER, exist_ok=True)  # noqa: PTH103, PTH120
        os.symlink(target, path)  # noqa: PTH211
