"""The artifact store: large outputs kept whole, each content once, and found by its hash.

The content is in its place before its row is written, and the row and the content's place are
settled under the writer's lock of `artifacts.db`, under which a sweep removes, too: so what has
a row has its content. Not here: what ends and when (`garbage`), and what of an output a prompt
shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from se_agent.chat.escaping import inline
from se_agent.errors import ArtifactError, reason
from se_agent.files.run_files import content
from se_agent.memory.artifacts.artifact_index import UNKNOWN, ArtifactIndex, checked_tags
from se_agent.memory.artifacts.schema import (
    BLOBS,
    EPHEMERAL,
    KIND,
    ArtifactRow,
    moment,
)
from se_agent.redaction.patterns import free_of_secrets
from se_agent.store.blob_files import is_intact, make_folders, place_of, write_blob
from se_agent.store.database import Database
from se_agent.store.failures import is_unwritten, two_lines
from se_agent.values.artifact import SHOWN_DIGITS, ArtifactRef
from se_agent.wire.spelling import encodable

HEAD, TAIL = 500, 200
"""Characters of the beginning and of the end that a preview has (SQ-23)."""

_TITLE = 200  # characters


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
        self.folder, self.db, self.index = folder, db, ArtifactIndex(db)
        self.lock, self.blobs = self.index.lock, folder / BLOBS
        self._secrets, self._clock = tuple(secrets), clock

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
        line = inline(free_of_secrets(encodable(title), self._secrets))[:_TITLE]
        ref = ArtifactRef(
            digest=hashlib.sha256(data).hexdigest(),
            size=len(data),
            title=line,
            tags=checked_tags(tags),
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
            digest = self.index.digest_of(ref)
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
            place = self.index.stored_place(digest)
        name = digest[:SHOWN_DIGITS]
        if not place:
            raise ArtifactError(f"artifact {name}: it has expired", hint=UNKNOWN)
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
        return self.index.find(group_id, tag, since)

    def rows_of(self, ref: str) -> list[ArtifactRow]:
        """Return the rows that a name means; see `ArtifactIndex.rows_of`."""
        return self.index.rows_of(ref)

    def retag(self, ref: str, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        """Give tags to an artifact and take tags away: to all rows of a content, or to one.

        Raises:
            ArtifactError: There is none, it has expired, or it cannot be written.
        """
        with self.lock, self.db.transaction():
            rows = self.index.rows_of(ref)
            if not rows:
                name = self.index.digest_of(ref)[:SHOWN_DIGITS]
                told = f"artifact {name}: it has expired, and only its preview is left"
                raise ArtifactError(told, hint=UNKNOWN)
            for row in rows:
                self.index.tag(row.id, checked_tags((set(row.tags) - set(drop)) | set(add)))

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
            return free_of_secrets(encodable(given), self._secrets).encode()
        text = given.decode("utf-8", "surrogateescape")
        return free_of_secrets(text, self._secrets).encode("utf-8", "surrogateescape")

    def _keep(self, ref: ArtifactRef, data: bytes, told: tuple[str, str, str, str]) -> None:
        at = self._clock()
        place = self.index.stored_place(ref.digest) or place_of(ref.digest, at.astimezone(UTC))
        if not is_intact(self.blobs, place, ref.digest):
            self._write(place, data)
        with self.db.transaction():
            # Meanwhile another process may have saved it elsewhere, or swept it away.
            place = self.index.stored_place(ref.digest) or place
            if not (self.blobs / place).is_file():
                self._write(place, data)
            self.index.write(ref, told, moment(at), f"{BLOBS}/{place}")

    def _write(self, place: str, data: bytes) -> None:
        with self.writing():
            make_folders(self.folder, self.blobs)
            write_blob(self.blobs, place, data)

    def _preview(self, digest: str, why: ArtifactError) -> str:
        left = self.index.tombstone(digest)
        if left is None:
            raise why
        ended = f"expired on {left.expired_at[:10]}" if left.expired_at else str(why)
        return (
            f"[{left.title}: {ended}. It had {left.size} bytes; this is what is left of it]\n"
            f"{left.head}\n[...]\n{left.tail}"
        )
