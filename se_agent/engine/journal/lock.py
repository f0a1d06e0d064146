"""The lock of a run: one process writes its journal, and the file says which."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from se_agent.chat.escaping import inline
from se_agent.errors import JournalError
from se_agent.files.run_files import opened


def locked(path: Path) -> IO[str]:
    """Lock the file beside a journal, and write into it who holds it.

    Raises:
        JournalError: Another process holds it, or it cannot be locked.
    """
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        descriptor = opened(path.with_suffix(".lock"), flags)
        lock = os.fdopen(descriptor, "a+", encoding="ascii", errors="replace")
        try:
            _take(lock, path)
        except BaseException:
            lock.close()
            raise
    except OSError as err:
        raise JournalError(
            f"{path.parent}: cannot be locked: {err.strerror}",
            hint="make it a folder that can be written, with room on its disk",
        ) from err
    return lock


def _take(lock: IO[str], path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as err:
        lock.seek(0)
        owner = inline(lock.read(20)) or "unknown"
        raise JournalError(
            f"{path.parent}: this run is open in another process (pid {owner})",
            hint="wait for it, or stop it with Ctrl-C; it saves as it goes",
        ) from err
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
