"""The artifact store: large outputs kept whole, each content once, and found by its hash.

The content is in its place before its row is written, and the row and the content's place are
settled under the writer's lock of `artifacts.db`, under which a sweep removes, too: so what has
a row has its content. Not here: what ends and when (`garbage`), and what of an output a prompt
shows.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

from se_agent.chat.escaping import inline
from se_agent.errors import ArtifactError, reason
from se_agent.files.run_files import content
from se_agent.memory.artifacts.schema import (
    BLOBS,
    COLUMNS,
    EPHEMERAL,
    KIND,
    PERSISTENT,
    ArtifactRow,
    Tombstone,
    moment,
    row_of,
)
from se_agent.redaction.patterns import redacted
from se_agent.store.blob_files import is_intact, is_place, make_folders, place_of, write_blob
from se_agent.store.database import Database
from se_agent.store.failures import is_unwritten, two_lines
from se_agent.values.artifact import SHOWN_DIGITS, ArtifactRef
from se_agent.wire.spelling import encodable

HEAD, TAIL = 500, 200
"""Characters of the beginning and of the end that a preview has (SQ-23)."""

_TITLE = 200  # characters
_TAG = re.compile(r"[\w.:-]{1,64}")
_HEX = re.compile(rf"[0-9a-f]{{64}}|[0-9a-f]{{{SHOWN_DIGITS}}}")
_ROWS = f"SELECT {COLUMNS} FROM artifacts"  # noqa: S608 - texts of our own, as below
_SAME = """SELECT id, tags FROM artifacts
    WHERE content_hash = ? AND group_id = ? AND title = ? AND author = ? AND mime = ?"""
_FIND = f"""{_ROWS} WHERE ? IN ('', group_id) AND created_at >= ?
    AND (? = '' OR id IN (SELECT artifact_id FROM artifact_tags WHERE tag = ?))
    ORDER BY id"""  # noqa: S608
_ADD = f"""INSERT INTO artifacts ({COLUMNS})
    VALUES (NULL, ?, ?, ?, '', ?, ?, ?, ?, ?)"""  # noqa: S608
_ITS_ROWS = "its rows"
_UNKNOWN = "`se-agent artifact ls` lists what is kept"


class ArtifactStore:
    """Contents under `artifacts/blobs`, and their index; any thread may use it."""

    def __init__(
        self,
        folder: Path,
        db: Database,
        *,
        secrets: Iterable[str] = (),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Use an open index.

        Args:
            folder: The workspace.
            db: Its `artifacts.db`.
            secrets: Known ones; nothing that is written holds any of them.
            clock: Tells when something is saved.
        """
        self.folder, self.db, self.lock = folder, db, RLock()
        self._secrets, self._clock = tuple(secrets), clock

    @property
    def blobs(self) -> Path:
        """The folder of contents."""
        return self.folder / BLOBS

    def save_artifact(
        self,
        content: bytes | str,
        *,
        title: str,
        tags: Sequence[str] = (EPHEMERAL,),
        author: str = "",
        group_id: str = "",
        mime: str = "text/plain",
    ) -> ArtifactRef:
        """Keep a content whole, free of secrets; the same artifact again lives anew.

        Raises:
            ArtifactError: It cannot be written; what was kept before is untouched.
        """
        data = self._freed(content)
        text = data.decode("utf-8", "replace")
        line = inline(redacted(encodable(title), self._secrets))[:_TITLE]
        ref = ArtifactRef(
            digest=hashlib.sha256(data).hexdigest(),
            size=len(data),
            title=line,
            tags=_checked(tags),
            head=text[:HEAD],
            tail=text[max(HEAD, len(text) - TAIL) :],
        )
        with self.lock:
            self._keep(ref, data, (group_id, line, encodable(author), mime))
        return ref

    def read_artifact(self, ref: str, *, start: int = 0, size: int = 8000) -> str:
        """Return characters of a content; of one that has gone, what is left: its preview.

        Args:
            ref: Number of a row, a full hash, or its first 12 hex digits.
            start: Characters before the first one.
            size: Characters at most.

        Raises:
            ArtifactError: Nothing of this name was ever kept, or the index is damaged.
        """
        if start < 0 or size < 0:
            raise ArtifactError(
                f"artifact {inline(ref)[:70]!r}: no slice of {size} characters from {start}",
                hint="start and size are counted from 0",
            )
        with self.lock:
            digest = self.digest_of(ref)
            try:
                text = self.content_of(digest).decode("utf-8", "replace")
            except ArtifactError as err:
                text = self._preview(digest, err)
        return text[start : start + size]

    def content_of(self, digest: str) -> bytes:
        """Return a content, byte for byte.

        Args:
            digest: All of it.

        Raises:
            ArtifactError: It has expired, is missing, or is not what it was.
        """
        with self.lock:
            place = self.stored_place(digest)
        name = digest[:SHOWN_DIGITS]
        if not place:
            raise ArtifactError(f"artifact {name}: it has expired", hint=_UNKNOWN)
        try:
            data = content(self.blobs / place)
        except OSError as err:
            raise ArtifactError(
                f"artifact {name}: its content cannot be read: {reason(err)}", hint=KIND.damaged
            ) from err
        if hashlib.sha256(data).hexdigest() != digest:
            raise ArtifactError(
                f"artifact {name}: its content is damaged: it has another hash",
                hint=KIND.damaged,
            )
        return data

    def find(self, *, group_id: str = "", tag: str = "", since: str = "") -> list[ArtifactRow]:
        """Return the rows of a group, with a tag, saved at a time or later; oldest first.

        Args:
            group_id: Empty: of any.
            tag: Empty: with any.
            since: Such as `2026-11-28`; empty: from the first.

        Raises:
            ArtifactError: The index is damaged.
        """
        return self._rows(_FIND, (group_id, since, tag, tag))

    def retag(self, ref: str, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        """Give tags to an artifact and take tags away: to all rows of a content, or to one.

        Raises:
            ArtifactError: There is none, it has expired, or it cannot be written.
        """
        with self.lock, self.db.transaction():
            rows = self.rows_of(ref)
            if not rows:
                name = self.digest_of(ref)[:SHOWN_DIGITS]
                told = f"artifact {name}: it has expired, and only its preview is left"
                raise ArtifactError(told, hint=_UNKNOWN)
            for row in rows:
                self._tag(row.id, _checked((set(row.tags) - set(drop)) | set(add)))

    def rows_of(self, ref: str) -> list[ArtifactRow]:
        """Return the rows that a name means: one for a number, all of its content for a hash.

        Raises:
            ArtifactError: Nothing of this name was ever kept.
        """
        if _is_number(ref):
            if rows := self._rows(f"{_ROWS} WHERE id = ?", (int(ref),)):
                return rows
            raise _unknown(ref)
        return self._rows(f"{_ROWS} WHERE content_hash = ? ORDER BY id", (self.digest_of(ref),))

    def digest_of(self, ref: str) -> str:
        """Return the hash of the content that a name means.

        Raises:
            ArtifactError: Nothing of this name was ever kept, or it means several contents.
        """
        if _is_number(ref):
            return self.rows_of(ref)[0].digest
        if not _HEX.fullmatch(ref):
            raise _unknown(ref)
        known = "SELECT content_hash FROM {} WHERE content_hash BETWEEN ? AND ? || 'g'"
        both = f"{known.format('artifacts')} UNION {known.format('tombstones')}"
        found = [str(one) for (one,) in self.db.rows(both, (ref,) * 4, where="its hashes")]
        if len(found) > 1:
            told = f"artifact {ref}: several contents begin so"
            raise ArtifactError(told, hint="give all 64 digits of the hash")
        if not found:
            raise _unknown(ref)
        return found[0]

    def tombstone(self, digest: str) -> Tombstone | None:
        """Return what is known of a content when the whole has gone."""
        query = """SELECT content_hash, title, size, head, tail, COALESCE(expired_at, '')
            FROM tombstones WHERE content_hash = ?"""
        found = next(self.db.rows(query, (digest,), where="its previews"), None)
        return Tombstone(*found) if found else None

    def stored_place(self, digest: str) -> str:
        """Return where a content with a row lies below `blobs`; empty: it has none.

        Raises:
            ArtifactError: The index names a place that no content can have.
        """
        query = "SELECT path FROM artifacts WHERE content_hash = ? ORDER BY id LIMIT 1"
        (path,) = next(self.db.rows(query, (digest,), where="its paths"), ("",))
        place = str(path).removeprefix(f"{BLOBS}/")
        if path and not is_place(place, digest):
            raise self.db.damage_error(f"artifact {digest[:SHOWN_DIGITS]}", "no such path")
        return place

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Turn what fails on the disk into an error in two lines.

        Raises:
            ArtifactError: What is done within has failed.
        """
        with two_lines(
            KIND, self.blobs, lambda err: is_unwritten(KIND, self.blobs, reason(err))
        ):
            yield

    def _freed(self, given: bytes | str) -> bytes:
        if isinstance(given, str):
            return redacted(encodable(given), self._secrets).encode()
        text = given.decode("utf-8", "surrogateescape")
        return redacted(text, self._secrets).encode("utf-8", "surrogateescape")

    def _keep(self, ref: ArtifactRef, data: bytes, told: tuple[str, str, str, str]) -> None:
        at = self._clock()
        place = self.stored_place(ref.digest) or place_of(ref.digest, at.astimezone(UTC))
        if not is_intact(self.blobs, place, ref.digest):
            self._write(place, data)
        with self.db.transaction():
            # Meanwhile another process may have saved it elsewhere, or swept it away.
            place = self.stored_place(ref.digest) or place
            if not (self.blobs / place).is_file():
                self._write(place, data)
            self._write_row(ref, told, moment(at), f"{BLOBS}/{place}")

    def _write(self, place: str, data: bytes) -> None:
        with self.writing():
            make_folders(self.folder, self.blobs)
            write_blob(self.blobs, place, data)

    def _write_row(
        self, ref: ArtifactRef, told: tuple[str, str, str, str], at: str, path: str
    ) -> None:
        group, title, author, mime = told
        self.db.execute(
            "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?, NULL)",
            (ref.digest, title, ref.size, ref.head, ref.tail),
        )
        same = (ref.digest, group, title, author, mime)
        known = next(self.db.rows(_SAME, same, where=_ITS_ROWS), None)
        if known:
            number, tags = known
            self.db.execute("UPDATE artifacts SET created_at = ? WHERE id = ?", (at, number))
            self._tag(number, _checked({*json.loads(tags), *ref.tags}))
            return
        self.db.execute(
            _ADD,
            (ref.digest, group, title, author, at, path, ref.size, mime),
        )
        (number,) = next(self.db.rows("SELECT last_insert_rowid()", where=_ITS_ROWS))
        self._tag(number, ref.tags)

    def _tag(self, number: int, tags: tuple[str, ...]) -> None:
        listed = json.dumps(tags)
        self.db.execute("UPDATE artifacts SET tags = ? WHERE id = ?", (listed, number))
        self.db.execute("DELETE FROM artifact_tags WHERE artifact_id = ?", (number,))
        self.db.execute_each(
            "INSERT INTO artifact_tags VALUES (?, ?)", [(number, tag) for tag in tags]
        )

    def _rows(self, query: str, values: Sequence[object]) -> list[ArtifactRow]:
        with self.lock:
            try:
                return [row_of(one) for one in self.db.rows(query, values, where=_ITS_ROWS)]
            except (ValueError, TypeError) as err:
                raise self.db.damage_error(_ITS_ROWS, err) from err

    def _preview(self, digest: str, why: ArtifactError) -> str:
        left = self.tombstone(digest)
        if left is None:
            raise why
        ended = f"expired on {left.expired_at[:10]}" if left.expired_at else str(why)
        return (
            f"[{left.title}: {ended}. It had {left.size} bytes; this is what is left of it]\n"
            f"{left.head}\n[...]\n{left.tail}"
        )


def _is_number(ref: str) -> bool:
    return ref.isascii() and ref.isdigit() and len(ref) < SHOWN_DIGITS


def _unknown(ref: str) -> ArtifactError:
    return ArtifactError(f"no artifact {inline(ref[:70])!r}", hint=_UNKNOWN)


def _checked(tags: Iterable[str]) -> tuple[str, ...]:
    known = tuple(sorted(set(tags)))
    for tag in known:
        if not _TAG.fullmatch(tag):
            raise ArtifactError(
                f"no tag: {inline(tag[:70])!r}",
                hint=f"letters, digits, `.`, `:`, `_` and `-`, such as {PERSISTENT}",
            )
    return known
