"""What SQLite says when something goes wrong, in two lines: the one place that catches it."""

from __future__ import annotations

import errno
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from se_agent.errors import SeAgentError, reason
from se_agent.store.kind import DatabaseKind

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_SYSTEM = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
    errno.EROFS: sqlite3.SQLITE_READONLY,
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_PAUSE = 0.01  # seconds until what others were at is tried again

FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What SQLite raises for a file; the last one where a text in it is damaged."""

Else = Callable[[Exception], SeAgentError]
"""Makes the error of a failure that has no words of its own."""


@contextmanager
def two_lines(kind: DatabaseKind, path: Path, otherwise: Else) -> Iterator[None]:
    """Turn a failure of SQLite or of the system into the error of a kind.

    Args:
        kind: Has the class of the error and the words.
        path: Path of the file that the error names.
        otherwise: Makes the error where neither the disk, nor another process, nor the rights
            of the file are to blame.

    Raises:
        SeAgentError: What is done within has failed.
    """
    try:
        yield
    except FAILURES as err:
        raise _known(kind, path, err) or otherwise(err) from err


def write_ahead(db: sqlite3.Connection, *, patience: float) -> None:
    """Let readers and a writer not wait for each other, now and whenever the file is opened.

    SQLite itself does not wait here for a process that does the same at the same time.

    Args:
        db: May write.
        patience: Seconds to wait for other processes.

    Raises:
        sqlite3.Error: It cannot be written, or others are at it for too long.
    """
    end = time.monotonic() + patience
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as err:
            if failure_code(err) not in _BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
        else:
            return


def is_not_one(kind: DatabaseKind, path: Path, why: object) -> SeAgentError:
    """Return the error that a file is of another kind."""
    said = reason(why) if isinstance(why, Exception) else why
    return kind.error(f"{path}: not {kind.noun}: {said}", hint=kind.not_one)


def is_newer(kind: DatabaseKind, path: Path, version: int) -> SeAgentError:
    """Return the error that a newer version of this package wrote a file."""
    return kind.error(
        f"{path}: a newer version wrote it (schema {version}, here {kind.version})",
        hint=kind.newer,
    )


def is_damaged(kind: DatabaseKind, path: Path, where: str, why: object) -> SeAgentError:
    """Return the error that a part of a file cannot be read."""
    return kind.error(f"{path}: cannot be read: {where}: {why}", hint=kind.damaged)


def is_unwritten(kind: DatabaseKind, path: Path, why: object) -> SeAgentError:
    """Return the error that something was not written."""
    return kind.error(f"{path}: {why}; {kind.saved}", hint=kind.damaged)


def _known(kind: DatabaseKind, path: Path, err: Exception) -> SeAgentError | None:
    """Return the error for what lies outside of a file, None for what lies in it."""
    code = failure_code(err)
    if code in _FULL:
        fails = "" if code == sqlite3.SQLITE_FULL else " or fails"
        return kind.error(
            f"{path}: the disk is full{fails}; {kind.saved}", hint=kind.full(path)
        )
    if code in _BUSY:
        return kind.error(
            f"{path}: another process is writing to it; {kind.saved}",
            hint="wait until it is done, and try again",
        )
    if code in _CLOSED:
        return kind.error(
            f"{path}: cannot be opened or written: {reason(err)}",
            hint="make its folder one that can be written, or use a copy of the folder",
        )
    return None


def failure_code(err: Exception) -> int:
    """Return SQLite's number of a failure, or 0; the rest of it says which call has failed."""
    if isinstance(err, OSError):
        return _SYSTEM.get(err.errno or 0, 0)
    return getattr(err, "sqlite_errorcode", 0) & 0xFF
