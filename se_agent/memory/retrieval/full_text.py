"""Full text over items, in memory: SQLite's FTS5 with weights for title, triggers and body.

Made anew by whoever searches: our files have no virtual tables, since they may be a stranger's.
Operators of its query language are words like all others. Not here: what is made of the scores
(`fusion`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.store.connection import scratch

MOST_QUERY_WORDS = 96
"""Distinct words of a query that are looked for; the rest adds nothing but time."""

_MOST = {"title": 40, "triggers": 96, "body": 240}  # words: nobody matches everything
_WORD = re.compile(r"\w+")
_MAKE = """CREATE VIRTUAL TABLE texts USING fts5(
    title, triggers, body, content='', tokenize="porter unicode61 tokenchars '_'"
)"""
_FIND = """SELECT rowid, -bm25(texts, 2.0, 2.0, 1.0) AS score FROM texts
    WHERE texts MATCH ? ORDER BY score DESC, rowid LIMIT ?"""


class FullText:
    """Items by words. The order in which they are handed in changes nothing."""

    def __init__(self, items: Iterable[PoolItem]) -> None:
        """Index items; of two with one id the last counts."""
        by_id = {item.id: item for item in items}
        self._ids = sorted(by_id)
        self._db = scratch()
        self._db.execute(_MAKE)
        rows = [indexed_texts(by_id[id_]) for id_ in self._ids]
        self._db.execute("BEGIN")
        self._db.executemany(
            "INSERT INTO texts (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
            ((number, *row) for number, row in enumerate(rows)),
        )
        self._db.execute("COMMIT")

    def scores(self, words: Iterable[str], n: int) -> dict[str, float]:
        """Return the items that hold any of the words, the best first, by id.

        Args:
            words: Words or texts; one that is given twice counts twice.
            n: How many items at most.
        """
        asked = _matching(words)
        if not asked or n < 1:
            return {}
        return {
            self._ids[row]: max(float(score), 0.0)
            for row, score in self._db.execute(_FIND, (asked, n))
        }

    def close(self) -> None:
        """Forget all items."""
        self._db.close()


def indexed_texts(item: PoolItem) -> tuple[str, str, str]:
    """Return what of an item is indexed: title, triggers and body, each cut to its share."""
    return (
        " ".join([*_split_names(item.title)][: _MOST["title"]]),
        " ".join([*_plain(item.triggers)][: _MOST["triggers"]]),
        " ".join([*_split_names(item.body)][: _MOST["body"]]),
    )


def indexed_words(item: PoolItem) -> frozenset[str]:
    """Return the words of an item's title and triggers, in small letters."""
    title, triggers, _ = indexed_texts(item)
    return frozenset(f"{title} {triggers}".lower().split())


def _plain(text: str) -> Sequence[str]:
    return _WORD.findall(text)


def _split_names(text: str) -> Iterator[str]:
    """Yield all words, and behind a name in snake case its parts."""
    for word in _plain(text):
        yield word
        if "_" in word.strip("_"):
            yield from filter(None, word.split("_"))


def _matching(words: Iterable[str]) -> str:
    """Return a query for any of the words, each in quotes: none is an operator."""
    found = [word for text in words for word in _plain(text)]
    return " OR ".join(f'"{word}"' for word in found[:MOST_QUERY_WORDS])
