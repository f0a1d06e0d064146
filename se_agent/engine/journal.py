"""The state of a run: an append-only table of events. All else is a fold over it.

Not here: what the events mean (`se_agent.engine.state`) and when they are written (the loop).
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from se_agent.errors import JournalError
from se_agent.events import SCHEMA_VERSION, Event, dumps, loads

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
"""

_FLUSHED = frozenset({"started", "replied", "learned", "confirmed", "ended"})
"""Kinds that reach the disk's platter at once; the others are safe from `kill -9` alone."""


class Journal:
    """One run's `run.db`.

    1. An event is durable when `append` returns; `kill -9` loses nothing before that.
    2. Events given to one `append` are all written, or none.
    3. One process writes (the lock beside the file says so); any number may read meanwhile.
    4. `append` may be called from several threads.
    """

    def __init__(self, path: Path, *, write: bool = True) -> None:
        """Open or create a journal; `Path(":memory:")` keeps it in memory.

        Raises:
            JournalError: Not a journal, locked by another process, of a newer version, or the
                disk is full.
        """
        self._path = path
        self._guard = threading.Lock()
        self._lock = _locked(path) if write and str(path) != ":memory:" else None
        try:
            self._db = _opened(path, write=write)
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        err: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def append(self, *events: Event) -> None:
        """Write the events, in this order.

        Raises:
            JournalError: The disk is full, or the file was closed; none of these was written.
        """
        rows = [(e.slot, e.kind, dumps(e)) for e in events]
        flushed = any(event.kind in _FLUSHED for event in events)
        with self._guard:
            try:
                self._db.execute(f"PRAGMA synchronous = {'FULL' if flushed else 'NORMAL'}")
                with self._db:
                    self._db.execute("BEGIN IMMEDIATE")
                    self._db.executemany(
                        "INSERT INTO events (slot, kind, body) VALUES (?, ?, ?)", rows
                    )
            except sqlite3.Error as err:
                raise _write_error(self._path, err) from err

    def events(self) -> Iterator[Event]:
        """Yield every event, oldest first."""
        for (body,) in self._db.execute("SELECT body FROM events ORDER BY id"):
            yield loads(body)

    def close(self) -> None:
        """Close the file and give the lock back."""
        with self._guard:
            self._db.close()
            self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _opened(path: Path, *, write: bool) -> sqlite3.Connection:
    if not write and not path.is_file():
        raise JournalError(f"{path}: no such journal", hint="`se-agent ls` lists the runs")
    db = sqlite3.connect(
        path if write else f"{path.resolve().as_uri()}?mode=ro",
        uri=not write,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        if write:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(_SCHEMA)
            db.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))
        (version,) = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except sqlite3.Error as err:
        db.close()
        if "full" in str(err):
            raise _write_error(path, err) from err
        raise JournalError(
            f"{path}: not a journal: {err}", hint="give the folder of a run, see `se-agent ls`"
        ) from err
    if int(version) > SCHEMA_VERSION:
        db.close()
        raise JournalError(
            f"{path}: a newer version wrote it (schema {version}, here {SCHEMA_VERSION})",
            hint="update se_agent, or read it with the version that wrote it",
        )
    return db


def _locked(path: Path) -> IO[str]:
    lock = path.with_suffix(".lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as err:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise JournalError(
            f"{path.parent}: this run is open in another process (pid {owner})",
            hint="wait for it, or stop it with Ctrl-C; it saves as it goes",
        ) from err
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _write_error(path: Path, err: sqlite3.Error) -> JournalError:
    full = "full" in str(err) or "disk I/O" in str(err)
    what = "the disk is full" if full else str(err)
    return JournalError(
        f"{path}: {what}; everything up to the last event is saved",
        hint=f"make room, then `se-agent resume {path.parent}`" if full else "",
    )
