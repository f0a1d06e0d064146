"""The state of a run: an append-only table of events. All else is a fold over it.

Texts that are large, or that many events share, lie beside them under their digests. Not here:
what the events mean (`se_agent.engine.state.state`) and when they are written (the loop).
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from se_agent.chat.escaping import inline
from se_agent.chat.events import Replied
from se_agent.engine.journal.lock import locked
from se_agent.errors import JournalError, place_of
from se_agent.events import SCHEMA_VERSION, Event, dumps, loads, spelled_out
from se_agent.files.run_files import LARGEST as LARGEST_FILE
from se_agent.store.database import connected
from se_agent.wire.spelling import encodable
from se_agent.wording import command

_TRIGGERS = tuple(
    f"CREATE TRIGGER no_{act.lower()} BEFORE {act} ON events\n"
    "    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
    for act in ("UPDATE", "DELETE")
)
_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE events (
    id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL
);
{";".join(_TRIGGERS)};
"""

_CONTENTS = "CREATE TABLE IF NOT EXISTS contents (digest TEXT PRIMARY KEY, text BLOB NOT NULL)"
"""Made with the first text: older journals have none."""

LARGE = 16_000
"""Characters of a reply above which the journal keeps it among the texts."""

_RAISE = "UPDATE meta SET value = :new WHERE key = 'schema' AND CAST(value AS INTEGER) < :new"
"""Whoever wrote an older version could not read what is appended to it now."""

_FLUSHED = frozenset(
    {
        "started",
        "replied",
        "learned",
        "rolled_back",
        "told",
        "search_ended",
        "seeded",
        "confirmed",
        "ended",
    }
)
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

        A file of another kind is left as it is.

        Raises:
            JournalError: Not a journal, locked by another process, of a newer version, or the
                disk is full; for a reader, also one that nothing was written to yet.
        """
        self._path = path
        self._guard = threading.Lock()
        self._lock = locked(path) if write and str(path) != ":memory:" else None
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

    def append(self, *events: Event, texts: Iterable[str] = ()) -> tuple[Event, ...]:
        """Write the events, in this order, and the texts that they name by digest.

        Returns:
            The events as they will be read: half a letter, which no file can hold, is spelled
            out. Whoever goes on with them does what a resumed run will do.

        Raises:
            JournalError: The disk is full, the file was closed, or an event could not be read
                again; none of these was written.
        """
        written = [_written(event) for event in events]
        rows = [(e.slot, e.kind, body) for e, body in written]
        replies = (e.text for e, _ in written if isinstance(e, Replied))
        kept = [*texts, *(text for text in replies if len(text) > LARGE)]
        flushed = any(event.kind in _FLUSHED for event in events)
        with self._guard:
            try:
                self._db.execute(f"PRAGMA synchronous = {'FULL' if flushed else 'NORMAL'}")
                with self._db:
                    self._db.execute("BEGIN IMMEDIATE")
                    self._db.execute(_RAISE, {"new": SCHEMA_VERSION})
                    self._keep(kept)
                    self._db.executemany(
                        "INSERT INTO events (slot, kind, body) VALUES (?, ?, ?)", rows
                    )
            except sqlite3.Error as err:
                raise _write_error(self._path, err) from err
        return tuple(event for event, _ in written)

    def events(
        self, *, after: int = 0, unread: Callable[[str], None] | None = None
    ) -> Iterator[Event]:
        """Yield every event, oldest first.

        Args:
            after: Number of the event before the first one; events are counted from 1.
            unread: Told of each event that cannot be read, in one line; it is left out. None:
                the first one ends it.

        Raises:
            JournalError: The file is damaged, or an event is; the message names it.
        """
        reached = after
        query = "SELECT id, kind, CAST(body AS BLOB) FROM events WHERE id > ? ORDER BY id"
        try:
            for row, kind, body in self._db.execute(query, (after,)):
                reached = row
                try:
                    event = self._whole(loads(body or b""))
                except (ValidationError, JournalError) as err:
                    if unread is None:
                        raise
                    unread(_left_out(row, kind, err))
                    continue
                yield event
        except (ValidationError, sqlite3.Error) as err:
            where = f"event {reached}"
            if isinstance(err, sqlite3.Error):
                where = f"after {where}"
            raise _damaged(self._path, where, err) from err

    def mark(self, number: int = 0) -> tuple[int, str]:
        """Return the number and the digest of an event; it holds the time to microseconds.

        Args:
            number: From 1; 0: the newest event's.

        Raises:
            JournalError: There is no such event.
        """
        query = (
            "SELECT id, CAST(body AS TEXT) FROM events WHERE id = :id OR NOT :id "
            "ORDER BY id DESC LIMIT 1"
        )
        try:
            row = self._db.execute(query, {"id": number}).fetchone()
        except sqlite3.Error as err:
            raise _damaged(self._path, f"event {number}", err) from err
        if row is None:
            raise _damaged(self._path, f"event {number}", ValueError("there is none"))
        return row[0], digest_of(row[1] or "")

    def text(self, digest: str) -> str:
        """Return the text that is kept under a digest.

        Raises:
            JournalError: There is none, or it is damaged.
        """
        try:
            query = "SELECT CAST(text AS BLOB) FROM contents WHERE digest = ?"
            (packed,) = self._db.execute(query, (digest,)).fetchone() or (b"",)
            text = _unpacked(packed or b"").decode()
        except (zlib.error, ValueError, sqlite3.Error) as err:
            raise _damaged(self._path, f"text {digest[:12]}", err) from err
        if digest_of(text) != digest:
            raise _damaged(self._path, f"text {digest[:12]}", ValueError("it is another one"))
        return text

    def close(self) -> None:
        """Close the file and give the lock back."""
        with self._guard:
            self._db.close()
            self._unlock()

    def _keep(self, texts: Iterable[str]) -> None:
        packed = {digest_of(text): _compressed(text) for text in texts}
        if packed:
            self._db.execute(_CONTENTS)
            statement = "INSERT OR IGNORE INTO contents VALUES (?, ?)"
            self._db.executemany(statement, packed.items())

    def _whole(self, event: Event) -> Event:
        """Return an event with the text that was too large for it."""
        if not (isinstance(event, Replied) and event.digest):
            return event
        return event.model_copy(update={"text": self.text(event.digest), "digest": ""})

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


@contextmanager
def belonging(folder: Path) -> Iterator[None]:
    """Say in two lines that the events of a run, each readable, do not fit together.

    Raises:
        JournalError: What is done with them fails as it does where one is missing.
    """
    try:
        yield
    except (LookupError, AttributeError, AssertionError, ArithmeticError) as err:
        raise JournalError(
            f"{folder}: the events of this run do not belong together: "
            f"{type(err).__name__}: {inline(str(err))[:100]}",
            hint="restore it from a copy, or delete the folder",
        ) from err


def digest_of(text: str) -> str:
    """Return the name under which a text is kept."""
    return hashlib.sha256(_encoded(text)).hexdigest()


def _encoded(text: str) -> bytes:
    return encodable(text).encode()


@lru_cache(64)  # instructions come again with every call
def _compressed(text: str) -> bytes:
    return zlib.compress(_encoded(text))


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, LARGEST_FILE)
    if not unpacking.eof:
        told = f"it has more than {LARGEST_FILE >> 20} MB, or is cut off"
        raise ValueError(told)
    return text


def _left_out(number: int, kind: object, err: Exception) -> str:
    named = inline(str(kind)[:40])
    return (
        f"event {number} ({named}) cannot be read, and is left out: {inline(_said(err)[:300])}"
    )


def _damaged(path: Path, where: str, err: Exception) -> JournalError:
    return JournalError(
        f"{path}: cannot be read: {where}: {_said(err)}",
        hint="restore it from a copy, or delete the folder",
    )


def _written(event: Event) -> tuple[Event, str]:
    """Return an event as it will be read, and its row."""
    if isinstance(event, Replied) and encodable(event.text) != event.text:
        event = event.model_copy(update={"text": encodable(event.text)})  # it may lie apart
    try:
        body = dumps(_light(event))
    except PydanticSerializationError:
        event = spelled_out(event)
        body = dumps(_light(event))
    try:
        read = loads(body)
    except ValidationError as err:
        raise JournalError(
            f"an event {event.kind} of slot {event.slot} is not written, for it could not be "
            f"read again: {_said(err)}",
            hint="`se-agent resume` goes on from the last event; please report this",
        ) from err
    return _with_text_of(event, read), body


def _with_text_of(event: Event, read: Event) -> Event:
    """Return an event as it was read, with the text that lies apart."""
    if isinstance(event, Replied) and isinstance(read, Replied) and read.digest:
        return read.model_copy(update={"text": event.text, "digest": ""})
    return read


def _light(event: Event) -> Event:
    """Return an event without a text that is too large for it."""
    if not (isinstance(event, Replied) and len(event.text) > LARGE):
        return event
    return event.model_copy(update={"text": "", "digest": digest_of(event.text)})


def _opened(path: Path, *, write: bool) -> sqlite3.Connection:
    if not write and not path.is_file():
        raise JournalError(f"{path}: no such journal", hint="`se-agent ls` lists the runs")
    try:
        db = connected(path, write=write, triggers=_TRIGGERS)
        try:
            _check(db, path, write=write)
        except BaseException:
            db.close()
            raise
    except OSError as err:
        raise _foreign(path, err.strerror) from err
    except sqlite3.Error as err:
        raise _write_error(path, err) if "full" in str(err) else _foreign(path, err) from err
    return db


def _check(db: sqlite3.Connection, path: Path, *, write: bool) -> None:
    """Make the tables of a new journal; refuse what is none, before anything is written."""
    version = _version(db, path)
    if version is None and not write:
        raise JournalError(f"{path}: nothing was written yet", hint="run it again")
    if version is not None and version > SCHEMA_VERSION:
        raise JournalError(
            f"{path}: a newer version wrote it (schema {version}, here {SCHEMA_VERSION})",
            hint="update se_agent, or read it with the version that wrote it",
        )
    if write:
        db.execute("PRAGMA journal_mode = WAL")
    if version is None:
        # All or nothing: whoever opens it after a kill finds a journal, or an empty file.
        with db:
            db.executescript("BEGIN IMMEDIATE;" + _SCHEMA)
            db.execute("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))


def _version(db: sqlite3.Connection, path: Path) -> int | None:
    """Return the schema version of a journal, None for an empty file."""
    named = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    tables = {name for (name,) in db.execute(named)}
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if not tables and not application:
        return None
    if not {"meta", "events"} <= tables:
        raise _foreign(path, "it has other tables")
    row = db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    if row is None or not re.fullmatch("[0-9]{1,9}", str(row[0])):
        raise _foreign(path, "it names no schema version")
    return int(row[0])


def _foreign(path: Path, why: object) -> JournalError:
    return JournalError(
        f"{path}: not a journal: {why}", hint="give the folder of a run, see `se-agent ls`"
    )


def _write_error(path: Path, err: sqlite3.Error) -> JournalError:
    full = "full" in str(err) or "disk I/O" in str(err)
    what = "the disk is full" if full else str(err)
    return JournalError(
        f"{path}: {what}; everything up to the last event is saved",
        hint=f"make room, then `{command('resume', path.parent)}`" if full else "",
    )


def _said(err: Exception) -> str:
    """Return an error in one line."""
    if isinstance(err, ValidationError):
        first = err.errors()[0]
        return ": ".join(filter(None, [place_of(first["loc"]), first["msg"]]))
    return str(err)
