"""Vectors in a Chroma database, for who has one: the seam of `retrieval.vectors` (AM-15 to 17).

Executions and workflow patterns have a collection each, with cosine as distance. Vectors come
from our embedders, never from Chroma's, which would download one. One process at a time opens a
database. It needs the extra `chroma`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from se_agent.chat.escaping import inline
from se_agent.errors import EmbedderError
from se_agent.memory.retrieval.vectors import VectorRow, direction
from se_agent.store.failures import FAILURES
from se_agent.store.kind import DatabaseKind
from se_agent.store.lock import hold_lock

if TYPE_CHECKING:
    from se_agent.memory.retrieval.vectors import Vector

EXECUTIONS, WORKFLOWS = "agent_execution_logs", "workflow_patterns"
MOST_HITS: Mapping[str, int] = {EXECUTIONS: 50, WORKFLOWS: 3}
"""How many hits are asked for, by collection: many executions, few patterns (AM-16)."""

_AT_ONCE = 1000  # rows of one call: Chroma refuses more than some thousands
_ABOUT = "about."
_MENDED = "delete the folder: its vectors are made again from the items"
_KIND = DatabaseKind(
    noun="a Chroma database",
    error=EmbedderError,
    tables=frozenset(),
    version=1,
    migrations={},
    one_writer="the index of vectors",
    saved="the items lie elsewhere",
    not_one=_MENDED,
    damaged=_MENDED,
    newer="update chromadb",
)


class ChromaVectors:
    """Vectors of one embedder in a collection. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        folder: Path,
        embedder: str,
        dimensions: int,
        *,
        collection: str = EXECUTIONS,
        score_threshold: float = 0.0,
    ) -> None:
        """Open a collection, or make it.

        Args:
            folder: Holds the databases, one for each embedder.
            embedder: Name of the embedder.
            dimensions: Numbers in each of its vectors.
            collection: Name of the collection.
            score_threshold: Least similarity of a hit, 1 - distance; 0: any.

        Raises:
            EmbedderError: Chroma is not there, another process has the database open, or it
                cannot be read.
        """
        try:
            import chromadb
        except ImportError as err:
            raise EmbedderError(
                f"vectors in Chroma need a package: {err}",
                hint="pip install 'se-agent[chroma]'",
            ) from err
        self._embedder, self._dimensions = embedder, dimensions
        self._threshold = score_threshold
        self._folder = folder / hashlib.sha256(embedder.encode()).hexdigest()[:12]
        self._folder.mkdir(parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        self._lock = hold_lock(self._folder / "vectors.db", _KIND)
        try:
            with self._readable():
                settings = chromadb.Settings(anonymized_telemetry=False)
                self._client = chromadb.PersistentClient(str(self._folder), settings)
                self._rows: Any = self._client.get_or_create_collection(
                    collection, metadata={"hnsw:space": "cosine"}, embedding_function=None
                )
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, rows: Iterable[VectorRow]) -> None:
        """Keep vectors; see `VectorIndex`."""
        made = {
            row.id: (direction(row.vector, self._dimensions, self._embedder), row.about)
            for row in rows
        }
        names = sorted(made)
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            with self._readable():
                self._rows.upsert(
                    ids=[_key(name) for name in part],
                    embeddings=[made[name][0].astype("float32") for name in part],
                    metadatas=[_metadata(name, made[name][1]) for name in part],
                )

    def query(
        self, vector: Vector, n: int, where: Mapping[str, str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the nearest ids; see `VectorIndex`."""
        asked = direction(vector, self._dimensions, self._embedder).astype("float32")
        with self._readable():
            n = min(n, self._rows.count())
            if n < 1:
                return []
            found = self._rows.query(
                query_embeddings=[asked],
                n_results=n,
                where=_filter(where or {}),
                include=["metadatas", "distances"],
            )
        (told,), (distances,) = found["metadatas"], found["distances"]
        near = [
            (_read(one)[0], 1.0 - float(distance))
            for one, distance in zip(told, distances, strict=True)
        ]
        hits = [hit for hit in near if not self._threshold or hit[1] >= self._threshold]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def about(self) -> Mapping[str, Mapping[str, str]]:
        """Return all ids with their texts; see `VectorIndex`."""
        with self._readable():
            return dict(map(_read, self._rows.get(include=["metadatas"])["metadatas"]))

    def close(self) -> None:
        """Let another process open the database."""
        from chromadb.api.shared_system_client import SharedSystemClient

        self._client.close()
        SharedSystemClient.clear_system_cache()
        self._lock.close()

    @contextmanager
    def _readable(self) -> Iterator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except (ChromaError, *FAILURES, ValueError, RuntimeError) as err:
            told = f"{self._folder}: {inline(str(err))[:200]}"
            raise EmbedderError(told, hint=_MENDED) from err


def _key(id_: str) -> str:
    """Return a key of plain letters: ids may hold any."""
    return hashlib.sha256(id_.encode("utf-8", "surrogatepass")).hexdigest()


def _metadata(id_: str, about: Mapping[str, str]) -> dict[str, str]:
    """Return id and texts as JSON strings, which hold any letter as a plain one."""
    return {"id": json.dumps(id_)} | {
        f"{_ABOUT}{name}": json.dumps(value) for name, value in about.items()
    }


def _read(told: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    about = {
        name.removeprefix(_ABOUT): str(json.loads(value))
        for name, value in told.items()
        if name.startswith(_ABOUT)
    }
    return str(json.loads(told["id"])), about


def _filter(where: Mapping[str, str]) -> dict[str, Any] | None:
    parts = [{f"{_ABOUT}{name}": json.dumps(value)} for name, value in where.items()]
    if len(parts) > 1:
        return {"$and": parts}
    return parts[0] if parts else None
