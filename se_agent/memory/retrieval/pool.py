"""The items that a search chooses from, by words and, with an embedder, by meaning.

A search sees only the part of the pool that its filter lets through: what else is in the pool
changes neither hits nor scores. Not here: how scores become hits (`fusion`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from se_agent.memory.retrieval.embedders import Embedder
from se_agent.memory.retrieval.full_text import FullText
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.memory.retrieval.vectors import VectorIndex, VectorRow

_AT_ONCE = 64  # texts that are embedded in one call


@dataclass(frozen=True, kw_only=True)
class Query:
    """What is looked for.

    Attributes:
        words: Words of a program (`words_of`) or of a person; those that are there twice
            count twice.
        text: What an embedder reads; empty: the words.
        language: Items of this language, and of any; empty: all items.
        family: Items of this family, and of several; empty: all items.
        kinds: What they are; empty: anything.
        statuses: Where they stand; empty: anywhere.
        most: Items that words, and vectors, may bring into a search.
    """

    words: tuple[str, ...]
    text: str = ""
    language: str = ""
    family: str = ""
    kinds: tuple[str, ...] = ("lesson", "fix")
    statuses: tuple[str, ...] = ("candidate", "active")
    most: int = 100

    def admits(self, item: PoolItem) -> bool:
        """Say whether an item may be a hit at all."""
        return (
            (not self.language or item.language in ("", self.language))
            and (not self.family or item.family in ("", self.family))
            and (not self.kinds or item.kind in self.kinds)
            and (not self.statuses or item.status in self.statuses)
        )

    @property
    def filter(self) -> Query:
        """The query without what is looked for: equal where the same items are admitted."""
        return Query(
            words=(),
            language=self.language,
            family=self.family,
            kinds=self.kinds,
            statuses=self.statuses,
        )


class MatchedItem(NamedTuple):
    """An item that has something in common with a query.

    Attributes:
        item: The item.
        text: Its score by words; 0: it has none of them.
        vector: Its similarity, -1 to 1; None: nobody compares meanings.
    """

    item: PoolItem
    text: float
    vector: float | None = None


class ItemPool:
    """Items that can be searched; an index over words is made once for each filter."""

    def __init__(
        self,
        items: Iterable[PoolItem],
        *,
        embedder: Embedder | None = None,
        vectors: VectorIndex | None = None,
    ) -> None:
        """Take items; vectors that are missing are made and added.

        Args:
            items: In any order; of two with one id the last counts.
            embedder: What turns texts into vectors; None: words alone decide.
            vectors: Where these are kept; needed where there is an embedder.

        Raises:
            EmbedderError: A vector cannot be had, or is none of this embedder.
        """
        self.items: Mapping[str, PoolItem] = {
            item.id: item for item in sorted(items, key=lambda item: item.id)
        }
        self._indexes: dict[Query, FullText] = {}
        self._embedder, self._vectors = embedder, vectors
        self._stored = 0  # vectors, those of items that are not in this pool among them
        if embedder is not None and vectors is not None:
            _fill(vectors, embedder, list(self.items.values()))
            self._stored = len(vectors.about())

    def matches(self, query: Query) -> list[MatchedItem]:
        """Return the items that have something in common with a query, in the order of ids.

        Raises:
            EmbedderError: The query's vector cannot be had.
        """
        texts = self._index(query.filter).scores(query.words, query.most)
        near = self._near(query)
        if near is None:
            return [MatchedItem(self.items[id_], texts[id_]) for id_ in sorted(texts)]
        least = min(near.values(), default=-1.0)  # no other item is nearer than that
        return [
            MatchedItem(self.items[id_], texts.get(id_, 0.0), near.get(id_, least))
            for id_ in sorted({*texts, *near})
        ]

    def _near(self, query: Query) -> dict[str, float] | None:
        """Return the nearest items by meaning; None: nobody compares meanings."""
        if self._embedder is None or self._vectors is None:
            return None
        text = query.text or " ".join(query.words)
        (vector,) = self._embedder.embed([text])
        found = self._vectors.query(vector, self._stored)
        admitted = [
            (id_, similarity)
            for id_, similarity in found
            if id_ in self.items and query.admits(self.items[id_])
        ]
        return dict(admitted[: query.most])

    def _index(self, admitting: Query) -> FullText:
        if admitting not in self._indexes:
            admitted = filter(admitting.admits, self.items.values())
            self._indexes[admitting] = FullText(admitted)
        return self._indexes[admitting]


def _fill(vectors: VectorIndex, embedder: Embedder, items: Sequence[PoolItem]) -> None:
    """Add the vectors of items that have none, or one of another text."""
    known = vectors.about()
    missing = [item for item in items if known.get(item.id, {}).get("text") != _digest(item)]
    for start in range(0, len(missing), _AT_ONCE):
        part = missing[start : start + _AT_ONCE]
        made = embedder.embed([item.text for item in part])
        vectors.add(
            VectorRow(item.id, vector, {"text": _digest(item), "kind": item.kind})
            for item, vector in zip(part, made, strict=True)
        )


def _digest(item: PoolItem) -> str:
    return hashlib.sha256(item.text.encode("utf-8", "replace")).hexdigest()[:16]
