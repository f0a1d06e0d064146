"""`artifacts.db`: the index of kept outputs, its tables and its rows (SQ-47 to SQ-51).

`tags` is the list that the seed asks for; `artifact_tags` holds the same tags one by one, for
no index serves a search within a list. `tombstones` has the beginning and the end of each
content from the day it comes: what expires, or is lost, still says what it was (SQ-25).
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

from se_agent.errors import ArtifactError
from se_agent.store.kind import DatabaseKind

FILE = "artifacts.db"
"""Its name in a workspace."""

BLOBS = "artifacts/blobs"
"""The folder of contents in a workspace."""

EPHEMERAL = "sys:ephemeral"
"""Tag of what ends after some days (SQ-34)."""

PERSISTENT = "user:persistent"
"""Tag of what only a person may end (SQ-35)."""

_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT NOT NULL, group_id TEXT, title TEXT,
    tags TEXT, author TEXT, created_at TIMESTAMP, path TEXT, size INTEGER, mime TEXT
)""",
    "CREATE INDEX idx_content_hash ON artifacts(content_hash)",
    "CREATE INDEX idx_tags ON artifacts(tags)",
    "CREATE INDEX idx_created ON artifacts(created_at)",
    """CREATE TABLE artifact_tags (
    artifact_id INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (artifact_id, tag)
)""",
    "CREATE INDEX idx_tag ON artifact_tags(tag, artifact_id)",
    """CREATE TABLE tombstones (
    content_hash TEXT PRIMARY KEY, title TEXT, size INTEGER, head TEXT, tail TEXT,
    expired_at TIMESTAMP
)""",
)
KIND = DatabaseKind(
    noun="an index of artifacts that can be used",
    error=ArtifactError,
    tables=frozenset({"meta", "artifacts", "artifact_tags", "tombstones"}),
    version=1,
    migrations={0: _TABLES},
    patience=30.0,  # other processes write for a short time only
    saved="what was kept before is saved",
    not_one="`se-agent memory doctor --rebuild` makes it anew, out of contents and journals",
    damaged="`se-agent memory doctor` says what is lost; `--rebuild` makes the index anew",
    newer="update se_agent, or name another workspace: `--set memory.workspace.path=...`",
)

COLUMNS = "id, content_hash, group_id, title, tags, author, created_at, path, size, mime"


class ArtifactRow(NamedTuple):
    """What the index says of one artifact; several may have one content (SQ-49).

    Attributes:
        id: Number of the row; never used again.
        digest: SHA-256 of the content.
        group_id: The run, or whatever else it belongs to.
        title: What it is, in a line.
        tags: Sorted.
        author: The part that made it, such as `evaluator`.
        created_at: When it was saved last, UTC.
        path: Where its content lies in the workspace.
        size: Bytes.
        mime: Type of the content.
    """

    id: int
    digest: str
    group_id: str
    title: str
    tags: tuple[str, ...]
    author: str
    created_at: str
    path: str
    size: int
    mime: str


class Tombstone(NamedTuple):
    """What is left of a content when the whole has gone; `expired_at` is empty until then."""

    digest: str
    title: str
    size: int
    head: str
    tail: str
    expired_at: str


def row_of(values: tuple[Any, ...]) -> ArtifactRow:
    """Return a row as it was read.

    Raises:
        ValueError: It is damaged.
        TypeError: It is damaged, too.
    """
    number, digest, group, title, tags, author, at, path, size, mime = values
    listed = list(json.loads(tags or "[]"))
    texts = tuple(str(text or "") for text in (group, title, author, at, path, mime))
    group, title, author, at, path, mime = texts
    known = tuple(sorted(map(str, listed)))
    return ArtifactRow(
        int(number), str(digest), group, title, known, author, at, path, int(size), mime
    )


def moment(at: datetime) -> str:
    """Return a time as the index has it: UTC, so that texts are in the order of times."""
    return at.astimezone(UTC).isoformat(timespec="seconds")
