"""The lock of a database that one process at a time may write; the file says which one does."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from se_agent.chat.escaping import inline
from se_agent.files.run_files import open_regular
from se_agent.store.kind import DatabaseKind


def hold_lock(path: Path, kind: DatabaseKind) -> IO[str]:
    """Lock the file beside a database, and write into it who holds it.

    Raises:
        SeAgentError: Another process holds it, or it cannot be locked.
    """
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        descriptor = open_regular(_file(path), flags)
        lock = os.fdopen(descriptor, "a+", encoding="ascii", errors="replace")
        try:
            _take(lock, path, kind)
        except BaseException:
            lock.close()
            raise
    except OSError as err:
        raise kind.error(
            f"{path.parent}: cannot be locked: {err.strerror}",
            hint="make it a folder that can be written, with room on its disk",
        ) from err
    return lock


def is_locked(path: Path) -> bool:
    """Say whether a process holds the lock of a database."""
    try:
        held = open_regular(_file(path))
    except OSError:  # there is none, or what is there is no file of ours
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(held)
    return False


def _file(path: Path) -> Path:
    return path.with_suffix(".lock")


def _take(lock: IO[str], path: Path, kind: DatabaseKind) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as err:
        lock.seek(0)
        owner = inline(lock.read(20)) or "unknown"
        raise kind.error(
            f"{path.parent}: {kind.one_writer} is open in another process (pid {owner})",
            hint="wait for it, or stop it with Ctrl-C; it saves as it goes",
        ) from err
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
