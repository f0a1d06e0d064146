"""Mounts that a process sees and nobody else does, for what runs in the host's root.

A fork server of the level `jail` makes all of them read-only. Landlock refuses to write
already. But the kernel notes when a file was read, and any program may ask when that was: what
one run of a candidate reads would tell its next run something. Through a mount that is
read-only nothing is noted. A tool gets shared memory of its own. Not here: which files there
are to see (`landlock`).
"""

from __future__ import annotations

import os
from collections.abc import Callable

from evaluators.sandbox.isolation import kernel

SHARED = "/dev/shm"  # noqa: S108  (where locks and queues between processes lie)
_SHARED_BYTES = 64 << 20


def freeze() -> None:
    """Make all mounts read-only for this process and what it starts; call before Landlock.

    Raises:
        OSError: The kernel, or the host's policy, refuses; all else is as it was.
    """
    _change(lambda: kernel.set_attributes("/", kernel.ATTR_RDONLY))


def own_shared_memory() -> None:
    """Give this process and what it starts an empty place for shared memory; see `freeze`."""
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    _change(
        lambda: kernel.mount(
            "shared", SHARED, "tmpfs", flags, f"size={_SHARED_BYTES},mode=1777"
        )
    )


def _change(mounts: Callable[[], None]) -> None:
    """Change mounts for this process and what it starts.

    Who is not root does it in a user namespace, as the same user, and gives up the rights
    that it has there.
    """
    user, group = os.geteuid(), os.getegid()
    if not user:
        kernel.unshare(kernel.NEW_MOUNTS)
        _apart(mounts)
        return
    kernel.unshare(kernel.NEW_USER | kernel.NEW_MOUNTS)
    try:
        kernel.map_user((user, user), (group, group))
        _apart(mounts)
    finally:
        kernel.drop_capabilities()


def _apart(mounts: Callable[[], None]) -> None:
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    mounts()
