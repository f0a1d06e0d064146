"""Vectors of items: the seam, and rows of SQLite compared exactly by numpy, the default.

Ten thousand vectors are compared in a few milliseconds; an approximate index would miss some
and save nothing. Rows of another embedder, or of another number of dimensions, are left as they
are and never compared. Not here: how texts become vectors (`embedders`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from se_agent.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float16] | NDArray[np.float32]

TABLE = """CREATE TABLE vectors (
    item TEXT, embedder TEXT, dim INTEGER, v BLOB, about TEXT, PRIMARY KEY (item, embedder)
)"""
"""float16 rows; `about` is JSON: texts by name, by which a query may be narrowed."""

_ROWS = "SELECT item, v, about FROM vectors WHERE embedder = ? AND dim = ? ORDER BY item"
_PUT = "INSERT OR REPLACE INTO vectors (item, embedder, dim, v, about) VALUES (?, ?, ?, ?, ?)"


class VectorRow(NamedTuple):
    """One item's vector, and texts by which a query may be narrowed."""

    id: str
    vector: Vector
    about: Mapping[str, str] = {}


class VectorIndex(Protocol):
    """Vectors by id. Adding one again puts it in the place of the old one."""

    def add(self, rows: Iterable[VectorRow]) -> None:
        """Keep vectors.

        Raises:
            EmbedderError: One has another number of dimensions, or is no direction.
        """
        ...

    def query(
        self, vector: Vector, n: int, where: Mapping[str, str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the nearest ids with their cosine, the nearest first; ties by id.

        Args:
            vector: What is looked for; its length may be anything but 0.
            n: How many at most.
            where: Texts that a hit has to have; None: any.

        Raises:
            EmbedderError: It has another number of dimensions, or is no direction.
        """
        ...

    def about(self) -> Mapping[str, Mapping[str, str]]:
        """Return all ids that are kept, with their texts."""
        ...


class Rows(Protocol):
    """What keeps the table `vectors`: `store.database.Database` does."""

    def rows(self, query: str, values: tuple[Any, ...] = (), *, where: str) -> Iterable[Any]:
        """Yield the rows of a query."""
        ...

    def execute_each(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Run a statement with each of these values."""
        ...


class SqliteVectors:
    """Vectors of one embedder in the table `vectors`, compared exactly."""

    def __init__(self, db: Rows, embedder: str, dimensions: int) -> None:
        """Read the vectors of an embedder.

        Args:
            db: Holds the table; read once, and written by `add`.
            embedder: Name of the embedder.
            dimensions: Numbers in each of its vectors.
        """
        import numpy as np

        self._db, self._embedder, self._dimensions = db, embedder, dimensions
        self._known: dict[str, tuple[Vector, Mapping[str, str]]] = {}
        self._matrix: NDArray[np.float32] | None = None
        for id_, blob, about in db.rows(_ROWS, (embedder, dimensions), where="its vectors"):
            texts = _texts(about)
            if isinstance(blob, bytes) and len(blob) == 2 * dimensions and texts is not None:
                vector = np.frombuffer(blob, dtype=np.float16)
                if np.isfinite(vector).all():
                    self._known[str(id_)] = vector, texts

    def add(self, rows: Iterable[VectorRow]) -> None:
        """Keep vectors; see `VectorIndex`."""
        import numpy as np

        made = [
            VectorRow(
                row.id, direction(row.vector, self._dimensions, self._embedder), row.about
            )
            for row in rows
        ]
        self._db.execute_each(
            _PUT,
            (
                (
                    row.id,
                    self._embedder,
                    self._dimensions,
                    row.vector.tobytes(),
                    _json(row.about),
                )
                for row in made
            ),
        )
        self._known |= {row.id: (row.vector.astype(np.float16), row.about) for row in made}
        self._matrix = None

    def query(
        self, vector: Vector, n: int, where: Mapping[str, str] | None = None
    ) -> list[tuple[str, float]]:
        """Return the nearest ids; see `VectorIndex`."""
        import numpy as np

        asked = direction(vector, self._dimensions, self._embedder).astype(np.float32)
        if not self._known or n < 1:
            return []
        ids = sorted(self._known)
        if self._matrix is None:
            self._matrix = np.stack([self._known[id_][0] for id_ in ids]).astype(np.float32)
        near = self._matrix @ asked
        order = np.argsort(-near, kind="stable")
        admitted = (int(place) for place in order if self._admits(ids[place], where))
        return [(ids[at], float(near[at])) for _, at in zip(range(n), admitted, strict=False)]

    def about(self) -> Mapping[str, Mapping[str, str]]:
        """Return all ids with their texts."""
        return {id_: about for id_, (_, about) in self._known.items()}

    def _admits(self, id_: str, where: Mapping[str, str] | None) -> bool:
        about = self._known[id_][1]
        return all(about.get(name) == value for name, value in (where or {}).items())


def direction(vector: Vector, dimensions: int, embedder: str) -> NDArray[np.float16]:
    """Return a vector with the length 1.

    Raises:
        EmbedderError: It has another number of dimensions, is 0, or is no number.
    """
    import numpy as np

    numbers = np.asarray(vector, dtype=np.float32)
    if numbers.shape != (dimensions,):
        found = "x".join(map(str, numbers.shape))
        raise EmbedderError(
            f"a vector of {found} numbers in an index of {dimensions}, by {embedder}",
            hint="vectors of two embedders cannot be compared: search with the one that made"
            " the index, or give the new one another name",
        )
    length = float(np.linalg.norm(numbers))
    if not 0.0 < length < float("inf"):
        raise EmbedderError(
            f"{embedder} made a vector of length {length:g}",
            hint="see that the embedder's model is the one that was meant",
        )
    return (numbers / length).astype(np.float16)


def _json(about: Mapping[str, str]) -> str:
    return json.dumps(dict(sorted(about.items())))


def _texts(told: object) -> Mapping[str, str] | None:
    """Return what stands in a row; None: it is none of ours."""
    try:
        found = json.loads(str(told))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    return {str(name): str(value) for name, value in found.items()}
