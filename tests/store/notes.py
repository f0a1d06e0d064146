"""A kind of database for tests, with two older versions, and processes that work on one.

`python -m tests.store.notes open PATH ...` opens each file for writing.
`python -m tests.store.notes kill PATH` does so with a copy for each statement that this takes,
in a process that dies before that statement. The copies lie in folders with its number.
`python -m tests.store.notes back_up PATH` copies a file to `copy.db` beside it, and prints what
was made to reach the disk.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from se_agent.errors import MemoryFileError
from se_agent.store.backup import back_up
from se_agent.store.database import Database
from se_agent.store.kind import DatabaseKind

NOTES = DatabaseKind(
    noun="a notebook",
    error=MemoryFileError,
    tables=frozenset({"meta", "notes"}),
    version=3,
    migrations={
        0: (
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
            "CREATE TABLE notes (text TEXT NOT NULL)",
        ),
        1: (
            "ALTER TABLE notes ADD length INTEGER",
            "UPDATE notes SET length = length(text)",
        ),
        2: ("CREATE INDEX by_length ON notes (length)",),
    },
    patience=20.0,
    saved="all notes are saved",
    not_one="choose another file",
    damaged="restore it from a copy",
    newer="update",
)
OLDEST = replace(NOTES, version=1, migrations={0: NOTES.migrations[0]})


def write_oldest(path: Path, count: int = 3) -> None:
    """Make a file as the first version of this kind did."""
    with Database(path, OLDEST) as db, db.transaction():
        db.execute_each("INSERT INTO notes VALUES (?)", [(f"note {n}",) for n in range(count)])


def texts(path: Path) -> list[str]:
    """Return the notes in a file, whatever its version."""
    with closing(sqlite3.connect(path)) as db:
        return [text for (text,) in db.execute("SELECT text FROM notes ORDER BY rowid")]


def state(path: Path) -> tuple[int, tuple[str, ...], bool]:
    """Return the version of a file, its columns, and whether it has the index."""
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("SELECT value FROM meta").fetchone()
        columns = tuple(row[1] for row in db.execute("PRAGMA table_info(notes)"))
        found = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        return int(version), columns, found.fetchone() is not None


STATES = {
    (1, ("text",), False),
    (3, ("text", "length"), True),
}
"""What a file may be, whenever a process was killed."""


def _open_until(path: Path, statement: int) -> None:
    """Open a file, and die before a statement of any connection."""
    left = statement

    def die(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    class Watched(sqlite3.Connection):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self.set_trace_callback(die)

    vars(sqlite3)["connect"] = Watched  # for good: this process ends here
    Database(path, NOTES).close()


def _kill(path: Path) -> int:
    """Return how many processes died; each left its file in a folder with its number."""
    for statement in range(1, 100):
        folder = path.parent / str(statement)
        folder.mkdir()
        shutil.copy(path, folder)
        child = os.fork()
        if child == 0:
            _open_until(folder / path.name, statement)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code != -signal.SIGKILL:
            assert code == 0
            return statement - 1
    raise AssertionError


def _back_up(path: Path) -> None:
    """Print each path that is synced while a copy is made, and whether it had its name then."""
    copy, sync = path.with_name("copy.db"), os.fsync

    def tell(file: int) -> None:
        synced = Path(f"/proc/self/fd/{file}").readlink()
        early = "" if copy.exists() else " before it had its name"
        sys.stdout.write(f"{synced}{early}\n")
        sync(file)

    vars(os)["fsync"] = tell  # for good: this process ends here
    back_up(path, copy)


if __name__ == "__main__":
    if sys.argv[1] == "back_up":
        _back_up(Path(sys.argv[2]))
    elif sys.argv[1] == "kill":
        sys.stdout.write(f"{_kill(Path(sys.argv[2]))}\n")
    else:
        for named in sys.argv[2:]:
            Database(Path(named), NOTES).close()
