"""The state of a run: an append-only table of events. All else is a fold over it.

Texts that are large, or that many events share, lie beside them under their digests. Not here:
what the events mean (`se_agent.engine.state.state`), how those of older versions are read
(`se_agent.events`), and when they are written (the loop).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from se_agent.chat.escaping import inline
from se_agent.chat.events import Replied
from se_agent.errors import JournalError, SeAgentError, place_of
from se_agent.events import SCHEMA_VERSION, Event, dumps, loads, spelled_out
from se_agent.store.blobs import digest_from, digest_of, keep_texts, text_of
from se_agent.store.database import Database
from se_agent.store.kind import DatabaseKind
from se_agent.wire.spelling import encodable
from se_agent.wording import command

_TRIGGERS = tuple(
    f"CREATE TRIGGER no_{act.lower()} BEFORE {act} ON events\n"
    "    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
    for act in ("UPDATE", "DELETE")
)
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE events (
    id INTEGER PRIMARY KEY, slot INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL
)""",
)
_KIND = DatabaseKind(
    noun="a journal",
    error=JournalError,
    tables=frozenset({"meta", "events"}),
    version=SCHEMA_VERSION,
    # The tables of all versions are the same. A version says which events there may be, and so
    # a journal is raised to it by what is appended, never by being opened.
    migrations={0: (*_TABLES, *_TRIGGERS)},
    triggers=_TRIGGERS,
    one_writer="this run",
    saved="everything up to the last event is saved",
    not_one="give the folder of a run, see `se-agent ls`",
    damaged="restore it from a copy, or delete the folder",
    newer="update se_agent, or read it with the version that wrote it",
    full=lambda path: f"make room, then `{command('resume', path.parent)}`",
)

_WHERE = """FROM events
WHERE id > :after AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
    AND (NOT :bests OR kind <> 'proposed' OR NOT json_valid(body)
        OR json_extract(body, '$.proposal.solution.id') IN (
            SELECT json_extract(body, '$.best') FROM events
            WHERE kind = 'learned' AND json_valid(body)))
ORDER BY id"""
_EVENTS = f"SELECT id, kind, CAST(body AS BLOB) {_WHERE}"
_WITHOUT_LESSONS = f"""SELECT id, kind, CAST(
    CASE WHEN kind = 'learned' AND json_valid(body)
    THEN json_remove(body, '$.lesson', '$.bank') ELSE body END AS BLOB
) {_WHERE}"""

LARGE = 16_000
"""Characters of a reply above which the journal keeps it among the texts."""

_RAISE = "UPDATE meta SET value = :new WHERE key = 'schema' AND CAST(value AS INTEGER) < :new"
"""Whoever wrote an older version could not read what is appended to it now."""

_FLUSHED = frozenset(
    {
        "started",
        "surveyed",
        "recalled",
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
        if not write and not path.is_file():
            raise JournalError(f"{path}: no such journal", hint="`se-agent ls` lists the runs")
        self._guard = threading.Lock()
        self._db = Database(path, _KIND, write=write)
        if not write and not self._db.version:
            self._db.close()
            raise JournalError(f"{path}: nothing was written yet", hint="run it again")

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
            self._db.execute(f"PRAGMA synchronous = {'FULL' if flushed else 'NORMAL'}")
            with self._db.transaction():
                self._db.execute(_RAISE, {"new": SCHEMA_VERSION})
                keep_texts(self._db, kept)
                self._db.execute_each(
                    "INSERT INTO events (slot, kind, body) VALUES (?, ?, ?)", rows
                )
        return tuple(event for event, _ in written)

    def events(
        self,
        *,
        after: int = 0,
        kinds: Sequence[str] = (),
        unread: Callable[[str], None] | None = None,
        lessons: bool = True,
        bests: bool = False,
    ) -> Iterator[Event]:
        """Yield every event, oldest first.

        Args:
            after: Number of the event before the first one; events are counted from 1.
            kinds: Kinds of those that are wanted; empty: all.
            unread: Told of each event that cannot be read, in one line; it is left out. None:
                the first one ends it.
            lessons: Whether steps come with what was learned of them, which is most of a long
                journal. Without, they are as if memory were off.
            bests: Whether of all proposals only those are wanted that became the best program.

        Raises:
            JournalError: The file is damaged, or an event is; the message names it.
        """
        found = self.numbered_events(
            after=after, kinds=kinds, unread=unread, lessons=lessons, bests=bests
        )
        return (event for _, event in found)

    def numbered_events(
        self,
        *,
        after: int = 0,
        kinds: Sequence[str] = (),
        unread: Callable[[str], None] | None = None,
        lessons: bool = True,
        bests: bool = False,
    ) -> Iterator[tuple[int, Event]]:
        """Yield every event with its number; see `events`."""
        reached = after
        query = _EVENTS if lessons else _WITHOUT_LESSONS
        wanted = {"after": after, "kinds": json.dumps(kinds), "bests": bests}
        rows = self._db.rows(query, wanted, where=lambda: f"after event {reached}")
        for reached, found, body in rows:
            try:
                event = self._whole(loads(body or b""))
            except (ValidationError, JournalError) as err:
                if unread is None:
                    raise self._unread(reached, err) from err
                unread(_left_out(reached, found, err))
                continue
            yield reached, event

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
        where = f"event {number}"
        row = next(self._db.rows(query, {"id": number}, where=where), None)
        if row is None:
            raise self._db.damage_error(where, "there is none")
        return row[0], digest_of(row[1] or "")

    def text(self, digest: str) -> str:
        """Return the text that is kept under a digest.

        Raises:
            JournalError: There is none, or it is damaged.
        """
        return text_of(self._db, digest)

    def named_text(self, name: str) -> str:
        """Return a text by the first 12 hex digits of its digest, as logs name it; or nothing.

        Raises:
            JournalError: It is damaged.
        """
        if digest := digest_from(self._db, name):
            return self.text(digest)
        replies = (e.text for e in self.events(kinds=["replied"]) if isinstance(e, Replied))
        return next((text for text in replies if digest_of(text).startswith(name)), "")

    def close(self) -> None:
        """Close the file and give the lock back."""
        with self._guard:
            self._db.close()

    def _whole(self, event: Event) -> Event:
        """Return an event with the text that was too large for it."""
        if not (isinstance(event, Replied) and event.digest):
            return event
        return event.model_copy(update={"text": self.text(event.digest), "digest": ""})

    def _unread(self, number: int, err: ValidationError | JournalError) -> SeAgentError:
        """Return the error for an event; a missing text has one already."""
        if isinstance(err, JournalError):
            return err
        return self._db.damage_error(f"event {number}", _said(err))


@contextmanager
def belonging(folder: Path) -> Iterator[None]:
    """Say in two lines that the events of a run, each readable, do not fit together.

    Raises:
        SeAgentError: As what is done with them raises it: it says itself what is wrong.
        JournalError: What is done with them fails as it does where one is missing.
    """
    try:
        yield
    except SeAgentError:  # some are a `LookupError`, too
        raise
    except (LookupError, AttributeError, AssertionError, ArithmeticError) as err:
        raise JournalError(
            f"{folder}: the events of this run do not belong together: "
            f"{type(err).__name__}: {inline(str(err))[:100]}",
            hint="restore it from a copy, or delete the folder",
        ) from err


def _left_out(number: int, kind: object, err: Exception) -> str:
    named = inline(str(kind)[:40])
    return (
        f"event {number} ({named}) cannot be read, and is left out: {inline(_said(err)[:300])}"
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


def _said(err: Exception) -> str:
    """Return an error in one line."""
    if isinstance(err, ValidationError):
        first = err.errors()[0]
        return ": ".join(filter(None, [place_of(first["loc"]), first["msg"]]))
    return str(err)
