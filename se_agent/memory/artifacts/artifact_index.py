"""The index of artifacts: rows by name, by group and by tag, and what is left of lost contents.

Not here: contents, and which rows there should be (`artifact_store`, `garbage`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from threading import RLock

from se_agent.chat.escaping import inline
from se_agent.errors import ArtifactError
from se_agent.memory.artifacts.schema import (
    BLOBS,
    COLUMNS,
    PERSISTENT,
    ArtifactRow,
    Tombstone,
    row_of,
)
from se_agent.store.blob_files import is_place
from se_agent.store.database import Database
from se_agent.values.artifact import SHOWN_DIGITS, ArtifactRef

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
UNKNOWN = "`se-agent artifact ls` lists what is kept"


class ArtifactIndex:
    """The rows of an open `artifacts.db`; any thread may ask."""

    def __init__(self, db: Database) -> None:
        self.db, self.lock = db, RLock()

    def find(self, group_id: str, tag: str, since: str) -> list[ArtifactRow]:
        """Return the rows that fit, oldest first; an empty text fits all.

        Raises:
            ArtifactError: The index is damaged.
        """
        return self._rows(_FIND, (group_id, since, tag, tag))

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

    def write(
        self, ref: ArtifactRef, told: tuple[str, str, str, str], at: str, path: str
    ) -> None:
        """Write the row of an artifact and its preview; one like it is only dated anew.

        Args:
            ref: What it is.
            told: Group, title, author and type.
            at: When, as of `moment`.
            path: Where its content lies in the workspace.
        """
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
            self.tag(number, checked_tags({*json.loads(tags), *ref.tags}))
            return
        self.add(ref, told, at, path)

    def add(
        self, ref: ArtifactRef, told: tuple[str, str, str, str], at: str, path: str
    ) -> None:
        """Add a row, with its tags; see `write`."""
        group, title, author, mime = told
        self.db.execute(_ADD, (ref.digest, group, title, author, at, path, ref.size, mime))
        (number,) = next(self.db.rows("SELECT last_insert_rowid()", where=_ITS_ROWS))
        self.tag(number, ref.tags)

    def tag(self, number: int, tags: tuple[str, ...]) -> None:
        """Give a row these tags, in place of those it has."""
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


def _is_number(ref: str) -> bool:
    return ref.isascii() and ref.isdigit() and len(ref) < SHOWN_DIGITS


def _unknown(ref: str) -> ArtifactError:
    return ArtifactError(f"no artifact {inline(ref[:70])!r}", hint=UNKNOWN)


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags in their order, each once.

    Raises:
        ArtifactError: One is no word.
    """
    known = tuple(sorted(set(tags)))
    for tag in known:
        if not _TAG.fullmatch(tag):
            raise ArtifactError(
                f"no tag: {inline(tag[:70])!r}",
                hint=f"letters, digits, `.`, `:`, `_` and `-`, such as {PERSISTENT}",
            )
    return known
