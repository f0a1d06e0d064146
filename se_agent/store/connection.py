"""SQLite files that may be a stranger's: only plain tables are queried, and not without end.

A view can be endless, a column that is worked out can take a second in each row, and a trigger
can do anything where we write. This is the one place that opens a database. Not here: which
tables there are, and what they hold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from se_agent.files.run_files import LARGEST, require
from se_agent.store.failures import FAILURES

_WORKED_OUT = "SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 1"
_BESIDE = ("", "-wal", "-shm", "-journal")
_AT_A_TIME = 1_000_000  # steps of SQLite's machine, of which it does some 100 million a second
_MOST = 500 * _AT_A_TIME
_NO_ROOM = (  # what SQLite says where it can make no files beside a database
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY),
)
IN_MEMORY = Path(":memory:")
"""Path of a database without a file."""

Connection = sqlite3.Connection
"""An open database."""


class ForeignError(sqlite3.DatabaseError):
    """A database that holds what no database of ours does."""


def connect(
    path: Path, *, write: bool = True, patience: float = 5.0, triggers: Iterable[str] = ()
) -> sqlite3.Connection:
    """Return a connection in which each statement is its own transaction.

    Any thread may use it, one at a time.

    Args:
        path: Path of the file; made if it does not exist and is to be written.
        write: Whether it may be changed.
        patience: Seconds to wait for another process's write.
        triggers: Texts of those that the file may hold.

    Raises:
        sqlite3.Error: It is no database, or holds what none of ours does.
        OSError: It is a link, a device, a pipe or a folder, or one of the files beside it is.
    """
    if path == IN_MEMORY:
        return _opened(":memory:", patience, triggers, write=write)
    for end in _BESIDE:
        require(_beside(path, end))
    if write:
        return _opened(str(path), patience, triggers, write=True)
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        return _opened(address, patience, triggers, write=False)
    except FAILURES as err:
        code = getattr(err, "sqlite_errorcode", 0)
        if code & 0xFF not in _NO_ROOM or not _is_complete(path):
            raise
        return _opened(f"{address}&immutable=1", patience, triggers, write=False)


def scratch() -> Connection:
    """Return an empty database in memory, of which nothing is a stranger's.

    Full-text tables may be in it, unlike in our files. Any thread may use it, one at a time.
    """
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def _opened(
    address: str, patience: float, triggers: Iterable[str], *, write: bool
) -> sqlite3.Connection:
    db = sqlite3.connect(
        address,
        timeout=patience,
        uri=not write,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if not write:
            _bound_steps(db)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        _check(db, {_plain(text) for text in triggers})
    except BaseException:
        db.close()
        raise
    return db


def _is_complete(path: Path) -> bool:
    """Say whether a file holds all that was written to it.

    SQLite makes files beside it even to read it. Where it cannot, on a disk that is full or
    read-only, nobody writes, and the file may be read as it stands.
    """
    beside = [_beside(path, end) for end in ("-wal", "-journal")]
    return not any(one.exists() and one.stat().st_size for one in beside)


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _bound_steps(db: sqlite3.Connection) -> None:
    """End a connection that only reads after so many steps; a run may write for weeks."""
    steps = 0

    def too_many() -> bool:
        nonlocal steps
        steps += _AT_A_TIME
        return steps > _MOST

    db.set_progress_handler(too_many, _AT_A_TIME)


def _check(db: sqlite3.Connection, triggers: set[str]) -> None:
    for kind, name, root, text in db.execute(
        "SELECT type, name, rootpage, sql FROM sqlite_master"
    ):
        plain = _plain(str(text or ""))
        if kind == "view" or (kind == "table" and not root):  # a virtual one has no page
            raise ForeignError(f"it has a view in place of a table: {str(name)[:40]!r}")
        if kind == "table" and db.execute(_WORKED_OUT, (name,)).fetchone():
            raise ForeignError(f"it has a column that is worked out: {str(name)[:40]!r}")
        if kind == "trigger" and plain not in triggers:
            raise ForeignError(f"it has a trigger of somebody else: {str(name)[:40]!r}")


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(";")
