"""Isolation by bubblewrap: the command that starts a fork server in a container of `bwrap`.

The jail of each child holds inside it as it does without. Only the command line is made here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from evaluators.sandbox.isolation.private_root import DEVICES, SCRATCH
from evaluators.sandbox.isolation.root_view import view

_APART = ("user", "ipc", "pid", "net", "uts", "cgroup-try")


def program() -> str:
    """Return the path of `bwrap`, nothing where it is not installed."""
    return shutil.which("bwrap") or ""


def launcher(bwrap: str, folders: Iterable[str]) -> tuple[str, ...]:
    """Return the command that a fork server's own is appended to.

    Args:
        bwrap: Path of the program.
        folders: Where the packages that programs may import lie.
    """
    places, links = view(folders)
    command = [bwrap, "--die-with-parent", "--hostname", "sandbox", "--chdir", "/"]
    command += [f"--unshare-{kind}" for kind in _APART]
    for place in places:
        command += ["--ro-bind", place.path, place.path]
        for name in sorted(place.hidden):
            command += ["--tmpfs", f"{place.path}/{name}"]
    for path in DEVICES:
        command += ["--dev-bind", path, path]
    for link, target in links.items():
        command += ["--symlink", target, link]
    return (*command, "--proc", "/proc", "--dir", SCRATCH, "--remount-ro", "/", "--")
