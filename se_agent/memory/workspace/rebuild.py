"""The index of artifacts made anew, out of contents and of what journals say of them (law S1).

What the old index still gives is taken over: pins, and outputs whose journals are gone. What is
made is read back and compared before it takes the place of the old one, which is kept. Not
here: how journals are read (the engine does), and what is wrong with a workspace (`doctor`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from se_agent.errors import ArtifactError, MemoryFileError, reason
from se_agent.files.run_files import content
from se_agent.memory.artifacts.artifact_index import ArtifactIndex, checked_tags
from se_agent.memory.artifacts.artifact_store import HEAD, TAIL
from se_agent.memory.artifacts.schema import (
    BLOBS,
    COLUMNS,
    EPHEMERAL,
    FILE,
    KIND,
    ArtifactRow,
    moment,
    row_of,
)
from se_agent.memory.workspace.backup import look_after, put_database, set_aside
from se_agent.memory.workspace.layout import KeptDatabase
from se_agent.store.blob_files import digest_at, places
from se_agent.store.connection import Connection, connect
from se_agent.store.database import Database
from se_agent.store.failures import FAILURES, is_newer
from se_agent.store.migration import version_of
from se_agent.values.artifact import ArtifactRef

_PART = "artifacts.db.new"
_NAMELESS = "found without a name"
Told = Callable[[int, int], None]


class JournalOutput(NamedTuple):
    """An output that a journal names, and the name of its run in the workspace."""

    group: str
    artifact: ArtifactRef
    at: datetime


@dataclass(frozen=True)
class Rebuilt:
    """What came of it.

    Attributes:
        checksum: SHA-256 over the rows of the new index, but for tags and times.
        was: The same of the old index; empty: it could not be read whole.
        rows: How many the new index has.
        contents: How many contents are whole.
        lost: Outputs that journals name and whose content is gone, by 12 hex digits.
        damaged: Contents that are not what they were; they are left where they are.
        nameless: Contents that neither a journal nor the old index names.
        replaced: Where the old index was put; empty: it was written over, or is as it was.
        pins_known: Whether it is known what was pinned.
    """

    checksum: str
    was: str
    rows: int
    contents: int
    lost: tuple[str, ...]
    damaged: tuple[str, ...]
    nameless: int
    replaced: str
    pins_known: bool

    @property
    def is_equal(self) -> bool:
        """Whether the old index said the same; then it was left as it is."""
        return self.checksum == self.was


class _Row(NamedTuple):
    digest: str
    group: str
    title: str
    author: str
    mime: str


@dataclass
class _Known:
    """What is found out: rows with tags and times, and previews by hash."""

    rows: dict[_Row, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    previews: dict[str, tuple[str, int, str, str, str | None]] = field(default_factory=dict)
    is_whole: bool = True


def rebuild(
    folder: Path, named: Iterable[JournalOutput], now: datetime, *, told: Told | None = None
) -> Rebuilt:
    """Make the index of a workspace anew, and prove that it says what there is.

    Args:
        folder: The workspace; no run writes to it meanwhile.
        named: What the journals of its runs name.
        now: The time: outputs whose time is not known live from now on.
        told: Is told how many contents are checked, and of how many.

    Raises:
        MemoryFileError: Something cannot be read or written; the index is as it was.
    """
    with look_after(folder):
        whole, damaged = _contents(folder / BLOBS, told or (lambda _, __: None))
        old, outputs = _salvaged(folder / FILE), [*named]
        made = _made(old, outputs, whole, folder / BLOBS, now)
        lines = _lines(made.rows, whole)
        was = _checksum(_lines(old.rows, whole)) if old.is_whole else ""
        replaced = ""
        if (checksum := _checksum(lines)) != was:
            replaced = _written(folder, made, whole, checksum, now)
        lost = {one.artifact.digest for one in outputs} - whole.keys()
        nameless = sum(row.title == _NAMELESS for row in made.rows)
        return Rebuilt(
            checksum,
            was,
            len(made.rows),
            len(whole),
            tuple(sorted(digest[:12] for digest in lost)),
            damaged,
            nameless,
            replaced,
            old.is_whole,
        )


def _contents(blobs: Path, told: Told) -> tuple[dict[str, tuple[str, int]], tuple[str, ...]]:
    """Return place and size of each whole content by its hash, and names of damaged ones."""
    found = [(place, digest) for place in places(blobs) if (digest := digest_at(place))]
    whole, damaged = dict[str, tuple[str, int]](), list[str]()
    for number, (place, digest) in enumerate(found, 1):
        data = b""
        with suppress(OSError):
            data = content(blobs / place)
        if hashlib.sha256(data).hexdigest() == digest:
            whole.setdefault(digest, (place, len(data)))
        else:
            damaged.append(digest[:12])
        told(number, len(found))
    return whole, tuple(damaged)


def _salvaged(path: Path) -> _Known:
    """Return what an index still gives, however damaged it is.

    Raises:
        ArtifactError: A newer version wrote it.
    """
    known = _Known()
    try:
        with closing(connect(path, write=False)) as db:
            if (version := version_of(db, KIND)) > KIND.version:
                raise is_newer(KIND, path, version)
            if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                known.is_whole = False
            query = f"SELECT {COLUMNS} FROM artifacts"  # noqa: S608 - a text of our own
            for row in _each(db, query, "id", known):
                known.rows[_key(row)] = (row.tags, row.created_at)
            for digest, *rest in _read(db, "SELECT * FROM tombstones", "rowid", known):
                known.previews[str(digest)] = tuple(rest)  # type: ignore[assignment]
    except FAILURES:
        known.is_whole = False
    return known


def _read(
    db: Connection, query: str, order: str, known: _Known
) -> Iterator[tuple[object, ...]]:
    """Yield rows from both ends, up to where a page is damaged."""
    for way in ("ASC", "DESC"):
        try:
            yield from db.execute(f"{query} ORDER BY {order} {way}")
        except FAILURES:
            known.is_whole = False
        else:
            return


def _each(db: Connection, query: str, order: str, known: _Known) -> Iterator[ArtifactRow]:
    for values in _read(db, query, order, known):
        try:
            row = row_of(values)
            checked_tags(row.tags)
        except (ValueError, TypeError, ArtifactError):
            known.is_whole = False
        else:
            yield row


def _key(row: ArtifactRow) -> _Row:
    return _Row(row.digest, row.group_id, row.title, row.author, row.mime)


def _made(
    old: _Known,
    outputs: Iterable[JournalOutput],
    whole: dict[str, tuple[str, int]],
    blobs: Path,
    now: datetime,
) -> _Known:
    """Return all rows and previews that there should be."""
    made = _Known(previews=dict(old.previews))
    ended = {digest for digest, (*_, at) in old.previews.items() if at}
    for one in outputs:
        ref = one.artifact
        row = _Row(ref.digest, one.group, ref.title, "evaluator", "text/plain")
        if ref.digest in whole and ref.digest not in ended:
            made.rows[row] = (ref.tags, moment(now))
        made.previews.setdefault(
            ref.digest, (ref.title, ref.size, ref.head, ref.tail, moment(now))
        )
    made.rows |= {row: told for row, told in old.rows.items() if row.digest in whole}
    for digest in sorted(whole.keys() - {row.digest for row in made.rows} - ended):
        made.rows[_Row(digest, "", _NAMELESS, "", "text/plain")] = ((EPHEMERAL,), moment(now))
    for row in made.rows:  # what has a row has not ended
        told = made.previews.get(row.digest) or _preview(row, blobs / whole[row.digest][0])
        made.previews[row.digest] = (*told[:4], None)
    return made


def _preview(row: _Row, path: Path) -> tuple[str, int, str, str, str | None]:
    data = content(path)
    text = data.decode("utf-8", "replace")
    tail = text[max(HEAD, len(text) - TAIL) :]
    return row.title, len(data), text[:HEAD], tail, None


def _lines(rows: Iterable[_Row], whole: dict[str, tuple[str, int]]) -> list[str]:
    missing = ("", 0)
    return sorted(json.dumps([*row, *whole.get(row.digest, missing)]) for row in rows)


def _checksum(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _written(
    folder: Path, made: _Known, whole: dict[str, tuple[str, int]], checksum: str, now: datetime
) -> str:
    """Write a new index, read it back, put it in place, and return where the old one lies."""
    part, place = folder / _PART, KeptDatabase(FILE, KIND, folder / FILE)
    try:
        part.unlink(missing_ok=True)  # of a process that was killed
        part.touch(mode=0o600)
        with Database(part, KIND) as db:
            _fill(db, made, whole)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with Database(part, KIND, write=False) as db:
            found = ArtifactIndex(db).find("", "", "")
        read = {_key(row): row for row in found}
        if _checksum(_lines(read, whole)) != checksum:
            raise MemoryFileError(
                f"{part}: the new index does not read as it was written; the old one is left",
                hint="check the disk, and try again",
            )
        aside = set_aside(folder, [place], now)
        put_database(part, place)
    except OSError as err:
        told = f"{part}: cannot be written: {reason(err)}; the index is as it was"
        raise MemoryFileError(told, hint="make room, and try again") from err
    finally:
        for end in ("", "-wal", "-shm"):
            part.with_name(f"{_PART}{end}").unlink(missing_ok=True)
    return str(aside or "")


def _fill(db: Database, made: _Known, whole: dict[str, tuple[str, int]]) -> None:
    index = ArtifactIndex(db)
    with db.transaction():
        db.execute_each(
            "INSERT INTO tombstones VALUES (?, ?, ?, ?, ?, ?)",
            [(digest, *told) for digest, told in made.previews.items()],
        )
        for row, (tags, at) in sorted(made.rows.items()):
            place, size = whole[row.digest]
            ref = ArtifactRef(digest=row.digest, size=size, title=row.title, tags=tags)
            index.add(ref, row[1:], at, f"{BLOBS}/{place}")
