"""The garbage collector: what ends, in two phases (SQ-36), so that the store does not swell.

Phase 1 takes rows out of the index, in one transaction. Phase 2 takes away contents that no row
names: of rows that have ended, and of processes that were killed between a content and its row.
Both work on a full disk, for some room is held back.
It looks again and removes under the writer's lock, so no content with a row is ever taken, in
whatever order saves, sweeps and kills come. Not here: how contents and rows come (the store).
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from se_agent.errors import reason
from se_agent.files.run_files import content, open_regular, replace_whole
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.schema import BLOBS, KIND, moment
from se_agent.memory.artifacts.spare_room import give_room, hold_room
from se_agent.store.blob_files import PART, digest_at, places
from se_agent.store.failures import is_unwritten, two_lines
from se_agent.wording import counted

LOCK, STATE = ".gc.lock", ".gc_state"
"""Names in a workspace: of the lock of collectors, and of when they were last at work."""

GRACE = timedelta(hours=24)
"""How old a content that never had a row is before it is taken: it may be on its way to one."""

FAR = timedelta(days=180)
"""How far a clock may be ahead of the last collection before it is taken for wrong."""

_BATCH = 500  # contents that are looked at, and taken, under one lock
_MANY, _FEW = 10_000, 16  # rows that end in one write; few where the disk is full
_DUE = """created_at < ?1 AND (?2 IS NULL OR group_id = ?2)
    AND id IN (SELECT artifact_id FROM artifact_tags WHERE tag = 'sys:ephemeral')
    AND id NOT IN (SELECT artifact_id FROM artifact_tags WHERE tag = 'user:persistent')"""
_FIRST = f"SELECT id, content_hash FROM artifacts WHERE {_DUE} LIMIT ?3"  # noqa: S608 - ours
_IDS = "(SELECT value FROM json_each(?))"
_END = (
    f"DELETE FROM artifacts WHERE id IN {_IDS}",  # noqa: S608 - texts of our own
    f"DELETE FROM artifact_tags WHERE artifact_id IN {_IDS}",  # noqa: S608
)
_BURY = """UPDATE tombstones SET expired_at = ?1 WHERE expired_at IS NULL
    AND content_hash IN (SELECT value FROM json_each(?2))
    AND content_hash NOT IN (
        SELECT content_hash FROM artifacts
        WHERE content_hash IN (SELECT value FROM json_each(?2))
    )"""
_ENDED = f"""SELECT content_hash FROM tombstones
    WHERE expired_at IS NOT NULL AND content_hash IN {_IDS}"""  # noqa: S608
_EVER = f"SELECT content_hash FROM tombstones WHERE content_hash IN {_IDS}"  # noqa: S608
_NAMED = """SELECT path FROM artifacts
    WHERE content_hash IN (SELECT value FROM json_each(?))"""


@dataclass(frozen=True, kw_only=True)
class SweepReport:
    """What a collection has done, or would do.

    Attributes:
        expired: Rows that ended.
        removed: Contents that were taken, unfinished ones among them.
        freed: Bytes of these.
        swept: Whether phase 2 was due.
        note: Why something was left for later; empty: nothing was.
    """

    expired: int = 0
    removed: int = 0
    freed: int = 0
    swept: bool = False
    note: str = ""


class GarbageCollector:
    """Ends what is ephemeral after some days, and takes contents that nobody names."""

    def __init__(
        self,
        store: ArtifactStore,
        *,
        retention_days: float = 3,
        sweep_days: float = 7,
        grace: timedelta = GRACE,
        group_id: str | None = None,
        named: Callable[[], Iterable[str]] = tuple,
        told: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Look after a store that may be written.

        Args:
            store: The store of an open workspace.
            retention_days: Days that an ephemeral artifact lives (SQ-34).
            sweep_days: Days from one phase 2 to the next (SQ-39).
            grace: How old a content without a row is before it is taken.
            group_id: Phase 1 ends outputs of this run only, for another one may keep its own
                for longer; None: of all.
            named: Returns the hashes of outputs that journals name. Nothing goes where the
                index never had one of them: it was lost, and not the outputs.
            told: Is told now and then how many contents were looked at.
        """
        self._store, self._told, self._named = store, told, named
        self._retention, self._every = (
            timedelta(days=retention_days),
            timedelta(days=sweep_days),
        )
        self._grace, self._group = grace, group_id

    def collect(
        self, now: datetime, *, force: bool = False, dry_run: bool = False
    ) -> SweepReport:
        """Carry out phase 1, and phase 2 where it is due; one process at a time does (SQ-42).

        Args:
            now: The time.
            force: Phase 2 is due, and the clock is right.
            dry_run: Nothing is changed; what would be is counted.

        Raises:
            ArtifactError: The store is damaged, or cannot be written.
        """
        if dry_run:
            orphans = self._removed(now, dry_run=True)
            return replace(orphans, expired=self.due(now))
        with alone(self._store.folder) as is_alone:
            if not is_alone:
                return SweepReport(note="another process is collecting")
            last = _last(self._store)
            if not force and (note := self._doubt(now, last)):
                return SweepReport(note=note)
            is_full = give_room(self._store.folder)
            swept = last.get("swept")
            due = force or is_full or swept is None or abs(now - swept) >= self._every
            if due and (note := _gap(self._store, self._named())):
                return SweepReport(note=note)
            expired = self.expire(now, at_once=_FEW if is_full else _MANY)
            report = self.sweep(now) if due else SweepReport()
            _write_state(self._store, now, last | ({"swept": now} if report.swept else {}))
            hold_room(self._store.folder)
            return replace(report, expired=expired)

    def expire(self, now: datetime, *, at_once: int = _MANY) -> int:
        """End ephemeral rows that have had their days; what is left says what they were.

        Args:
            now: The time.
            at_once: Rows that end in one write. Each needs some room on the disk.

        Returns:
            How many have ended.
        """
        ended = 0
        while found := self._end(now, at_once):
            ended += found
        return ended

    def _end(self, now: datetime, most: int) -> int:
        store, db = self._store, self._store.db
        due = (self._before(now), self._group, most)
        with store.lock, db.transaction():
            rows = [*db.rows(_FIRST, due, where="its rows")]
            ids = json.dumps([number for number, _ in rows])
            for statement in _END:
                db.execute(statement, (ids,))
            digests = json.dumps([digest for _, digest in rows])
            db.execute(_BURY, (moment(now), digests))
        if most == _FEW:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that the next write needs none
        return len(rows)

    def due(self, now: datetime) -> int:
        """Return how many rows have had their days."""
        query = f"SELECT COUNT(*) FROM artifacts WHERE {_DUE}"  # noqa: S608 - our own text
        ((number,),) = self._store.db.rows(
            query, (self._before(now), self._group), where="its rows"
        )
        return int(number)

    def sweep(self, now: datetime) -> SweepReport:
        """Take contents whose rows have ended, and those older than the grace without any."""
        return self._removed(now, dry_run=False)

    def _removed(self, now: datetime, *, dry_run: bool) -> SweepReport:
        seen = removed = freed = 0
        before = (now - self._grace).timestamp()
        for batch in _batches(places(self._store.blobs)):
            sizes = self._of_nobody(batch, before)
            if sizes and not dry_run:
                with self._store.lock, self._store.writing(), self._store.db.transaction():
                    sizes = self._of_nobody(sizes, before)  # some may have a row by now
                    self._take(sizes)
            removed += len(sizes)
            freed += sum(sizes.values())
            seen += len(batch)
            self._told(seen)
        return SweepReport(removed=removed, freed=freed, swept=True)

    def _of_nobody(self, batch: Iterable[str], before: float) -> dict[str, int]:
        """Return those whose rows have ended, and old ones without any, with their sizes."""
        digests = {place: digest_at(place) for place in batch}
        asked = (json.dumps([*filter(None, digests.values())]),)
        with self._store.lock:
            named = {path for (path,) in self._store.db.rows(_NAMED, asked, where="its paths")}
            ended = {one for (one,) in self._store.db.rows(_ENDED, asked, where="its previews")}
        sizes = {}
        for place, digest in digests.items():
            ours = digest or place.rpartition("/")[2].startswith(PART)
            if ours and f"{BLOBS}/{place}" not in named:
                with suppress(FileNotFoundError):
                    found = os.lstat(f"{self._store.blobs}/{place}")
                    if found.st_mtime < before or digest in ended:
                        sizes[place] = found.st_size
        return sizes

    def _take(self, batch: Iterable[str]) -> None:
        """Take contents, and the folders that are empty then; as texts, for they are many."""
        for place in batch:
            with suppress(FileNotFoundError):
                os.unlink(f"{self._store.blobs}/{place}")  # noqa: PTH108
            folder = place
            while folder := folder.rpartition("/")[0]:
                try:
                    os.rmdir(f"{self._store.blobs}/{folder}")  # noqa: PTH106
                except OSError:
                    break  # it holds others

    def _before(self, now: datetime) -> str:
        return moment(now - self._retention)

    def _doubt(self, now: datetime, last: dict[str, datetime]) -> str:
        """Return why the clock may be wrong: nothing should end for that."""
        latest = last.get("collected") or self._oldest() or now
        if now - latest <= FAR:
            return ""
        days = (now - latest).days
        return (
            f"the clock is {days} days past the last collection, so nothing has ended; "
            "if it is right: `se-agent memory gc --force`"
        )

    def _oldest(self) -> datetime | None:
        query = "SELECT MIN(created_at) FROM artifacts"
        ((at,),) = self._store.db.rows(query, where="its times")
        return _time(at)


def _gap(store: ArtifactStore, named: Iterable[str]) -> str:
    """Return why contents may have lost their rows: none should go for that."""
    wanted = {*named}
    with store.lock:
        asked = (json.dumps(sorted(wanted)),)
        missing = len(wanted) - len([*store.db.rows(_EVER, asked, where="its previews")])
    if not missing:
        return ""
    return (
        f"the index does not know {counted(missing, 'output')} of runs that lie beside it, so "
        "nothing may go: `se-agent memory doctor --rebuild`"
    )


def _last(store: ArtifactStore) -> dict[str, datetime]:
    """Return when a collection, and a sweep, was last; what cannot be read never was."""
    try:
        told = json.loads(content(store.folder / STATE))
    except (OSError, ValueError):
        return {}
    known = told.items() if isinstance(told, dict) else ()
    return {key: at for key, value in known if (at := _time(value))}


def _write_state(store: ArtifactStore, now: datetime, last: dict[str, datetime]) -> None:
    told = {key: moment(at) for key, at in {**last, "collected": now}.items()}
    with store.writing():
        replace_whole(store.folder / STATE, json.dumps(told).encode())
        (store.folder / STATE).chmod(0o600)


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Hold the lock of collectors: nothing ends meanwhile; False: another process has it.

    Args:
        folder: The workspace.

    Raises:
        ArtifactError: It cannot be locked.
    """
    path = folder / LOCK
    with two_lines(KIND, path, lambda err: is_unwritten(KIND, path, reason(err))):
        lock = open_regular(path, os.O_RDWR | os.O_CREAT)
    try:
        os.fchmod(lock, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(lock)


def _batches(found: Iterator[str]) -> Iterator[list[str]]:
    while batch := [*islice(found, _BATCH)]:
        yield batch


def _time(text: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo else None
