"""Room that is held back for a full disk: a file of no use, which is deleted then.

What frees a disk needs some room itself, for SQLite writes before it deletes. Not here: what
is deleted next (`garbage`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from se_agent.files.run_files import close_to_others, open_regular

FILE = ".gc.room"
"""Its name in a workspace."""

SIZE = 1 << 20
"""Its bytes: some hundred pages of an index, and the files that SQLite makes beside one."""

_PLENTY = 4 * SIZE  # bytes that are free before it is made
_FEW = SIZE // 2  # bytes that are free on a disk that is as good as full


def hold_room(folder: Path) -> None:
    """Make the file, unless it is there, or the disk has little room."""
    path = folder / FILE
    with suppress(OSError):
        if path.exists() or _free(folder) < _PLENTY:
            return
        close_to_others(path)
        descriptor = open_regular(path, os.O_WRONLY)
        try:
            os.posix_fallocate(descriptor, 0, SIZE)
        finally:
            os.close(descriptor)


def give_room(folder: Path) -> bool:
    """Delete the file where the disk is full; say whether it is, or was."""
    with suppress(OSError):
        if _free(folder) < _FEW:
            (folder / FILE).unlink(missing_ok=True)
            return True
    return False


def _free(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
