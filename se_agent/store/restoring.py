"""Copies of databases are brought back, while others have the database open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from se_agent.store.connection import connect
from se_agent.store.failures import FAILURES, failure_code
from se_agent.store.kind import DatabaseKind
from se_agent.store.migration import version_of


def bring_back(copy: Path, target: Path, kind: DatabaseKind) -> None:
    """Put a copy in place of what a database holds, as one write that others wait for.

    Args:
        copy: Path of the copy, which is left as it is.
        target: Path of the database, which others may have open; made if it is not there.
        kind: What it is.

    Raises:
        sqlite3.Error: The copy cannot be read, or the database cannot be written.
        OSError: One of them is no file.
    """
    with (
        without_traces(copy),
        closing(connect(copy, write=False, triggers=kind.triggers)) as old,
        closing(connect(target, patience=kind.patience, triggers=kind.triggers)) as new,
    ):
        old.backup(new)


def can_be_opened(path: Path, kind: DatabaseKind) -> bool:
    """Say whether a file is a database of a kind, of whatever version, and not damaged.

    One that another process is writing to is taken for one.
    """
    try:
        with closing(connect(path, triggers=kind.triggers)) as db:
            version_of(db, kind)
            return bool(db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except FAILURES as err:
        return failure_code(err) == sqlite3.SQLITE_BUSY


@contextmanager
def without_traces(path: Path) -> Iterator[None]:
    """Take away what SQLite puts beside a database that is only read within."""
    beside = [path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm")]
    made = [one for one in beside if not one.exists()]
    try:
        yield
    finally:
        for one in made:
            with suppress(OSError):
                one.unlink()
