"""A view of all files that nobody can write through, for a fork server of the level `jail`.

Landlock refuses to write already. But the kernel notes when a file was read, and any program
may ask when that was: what one run of a candidate reads would tell its next run something.
Through a mount that is read-only nothing is noted. Not here: which files there are to see
(`landlock`).
"""

from __future__ import annotations

import os

from evaluators.sandbox.isolation import kernel


def freeze() -> None:
    """Make all mounts read-only for this process and what it starts; call before Landlock.

    Who is not root does it in a user namespace, as the same user, and gives up the rights
    that it has there.

    Raises:
        OSError: The kernel, or the host's policy, refuses; all else is as it was.
    """
    user, group = os.geteuid(), os.getegid()
    if not user:
        kernel.unshare(kernel.NEW_MOUNTS)
        _read_only()
        return
    kernel.unshare(kernel.NEW_USER | kernel.NEW_MOUNTS)
    try:
        kernel.map_user((user, user), (group, group))
        _read_only()
    finally:
        kernel.drop_capabilities()


def _read_only() -> None:
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.set_attributes("/", kernel.ATTR_RDONLY)
