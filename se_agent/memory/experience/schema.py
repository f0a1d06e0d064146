"""`memory.db`: what the runs of a workspace learned about rules, for the runs to come.

SQLite in WAL mode; a run is written once, as a whole, and writing it again changes nothing. Any
number of runs may read and write at a time. Not here: what follows from it (`operator_counts`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from se_agent.errors import MemoryFileError
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.store.database import connected

FILE = "memory.db"
"""Its name in the folder that holds the run folders."""

SCHEMA_VERSION = 1

_PATIENCE = 30.0  # seconds to wait for another run's short write
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT OR IGNORE INTO meta VALUES ('schema', '1');
CREATE TABLE IF NOT EXISTS trials (
    run TEXT NOT NULL, rule TEXT NOT NULL, family TEXT NOT NULL, traits TEXT NOT NULL,
    tries INTEGER NOT NULL, wins INTEGER NOT NULL, credit REAL NOT NULL, gain REAL NOT NULL,
    cpu_seconds REAL NOT NULL, PRIMARY KEY (run, rule)
);
"""
_READ = (
    "SELECT rule, family, traits, tries, wins, credit, gain, cpu_seconds FROM trials"
    " ORDER BY run, rule"
)


class OperatorMemory(NamedTuple):
    """The rows of a memory, and how many runs they come from."""

    trials: tuple[OperatorCounts, ...]
    runs: int


def read(path: Path) -> OperatorMemory:
    """Return what is known; a file that does not exist knows nothing.

    Raises:
        MemoryFileError: It is damaged, none of ours, or of a newer version.
    """
    if not path.is_file():
        return OperatorMemory((), 0)
    with _opened(path) as db:
        rows = db.execute(_READ).fetchall()
        (runs,) = db.execute("SELECT COUNT(DISTINCT run) FROM trials").fetchone()
        return OperatorMemory(tuple(_trials(row) for row in rows), runs)


def write(path: Path, run: str, trials: Iterable[OperatorCounts]) -> None:
    """Put a run's rows in place of what is known of it.

    Args:
        path: Of the file; made if it does not exist.
        run: What tells this run from all others, for good.
        trials: One row for each operator that was tried.

    Raises:
        MemoryFileError: It is damaged, none of ours, of a newer version, or cannot be written.
    """
    rows = [
        (
            *(run, one.rule, one.family, json.dumps(one.traits)),
            *(one.tries, one.wins, one.credit, one.gain, one.cpu_seconds),
        )
        for one in trials
    ]
    with _opened(path) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM trials WHERE run = ?", (run,))
        db.executemany("INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.execute("COMMIT")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        db = connected(path, patience=_PATIENCE)
        try:
            _check(db, path)
            yield db
        finally:
            db.close()
    except (sqlite3.Error, OSError, ValueError, TypeError) as err:
        raise MemoryFileError(
            f"{path}: not a memory that can be used: {err}",
            hint="delete it to begin anew, or restore it from a copy",
        ) from err


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new file; refuse one that a newer version wrote."""
    db.execute("PRAGMA journal_mode = WAL")
    db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    (version,) = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    if int(version) > SCHEMA_VERSION:
        raise MemoryFileError(
            f"{path}: a newer version wrote it (schema {version}, here {SCHEMA_VERSION})",
            hint="update se_agent, or use another results folder",
        )


def _trials(row: tuple[str, str, str, int, int, float, float, float]) -> OperatorCounts:
    rule, family, traits, tries, wins, credit, gain, cpu_seconds = row
    return OperatorCounts(
        rule=rule,
        family=family,
        traits=tuple(json.loads(traits)),
        tries=tries,
        wins=wins,
        credit=credit,
        gain=gain,
        cpu_seconds=cpu_seconds,
    )
