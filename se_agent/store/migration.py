"""The version of a database, and the steps that bring an older one to the version of today.

All steps are one transaction: a process that is killed leaves the file as it was or as it is to
be. A file is copied before its tables are changed.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from se_agent.store.backup import back_up
from se_agent.store.connection import IN_MEMORY, ForeignError
from se_agent.store.kind import DatabaseKind

_VERSION = "SELECT value FROM meta WHERE key = 'schema'"
_RAISE = "INSERT OR REPLACE INTO meta VALUES ('schema', ?)"


def version_of(db: sqlite3.Connection, kind: DatabaseKind) -> int:
    """Return the version of a database, 0 for an empty file. Nothing is changed.

    Raises:
        ForeignError: It is of another kind.
    """
    named = "SELECT name FROM sqlite_master WHERE type = 'table'"
    tables = {name for (name,) in db.execute(named)}
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if not tables and not application:
        return 0
    if not kind.tables <= tables:
        why = "it has other tables"
        raise ForeignError(why)
    row = db.execute(_VERSION).fetchone()
    if row is None or not re.fullmatch("[0-9]{1,9}", str(row[0])):
        why = "it names no schema version"
        raise ForeignError(why)
    return int(row[0])


def migrate(db: sqlite3.Connection, path: Path, kind: DatabaseKind) -> None:
    """Bring a database to the version of today; other processes may do so at the same time.

    Args:
        db: May write.
        path: Of its file, which is copied first if it has tables.
        kind: Has the steps.

    Raises:
        sqlite3.Error: It cannot be written, and is as it was.
        OSError: It cannot be copied, and is as it was.
    """
    if not kind.migration(version_of(db, kind)):
        return
    with db:
        db.execute("BEGIN IMMEDIATE")
        version = version_of(db, kind)  # another process may have been first
        if version and path != IN_MEMORY and kind.migration(version):
            back_up(path, backup_path(path, version), triggers=kind.triggers)
        while step := kind.migration(version):
            statements, version = step
            for statement in statements:
                db.execute(statement)
            db.execute(_RAISE, (version,))


def backup_path(path: Path, version: int) -> Path:
    """Return where the copy of a file of an older version lies."""
    return path.with_name(f"{path.name}.schema-{version}")
