"""A full-text index over items, in memory: plain words, no vectors.

Made anew by whoever searches. `memory.db` itself has none, since a virtual table of a
stranger's file would be queried with it. Not here: which words describe a program.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Self

_MOST_WORDS = 64  # of a query; the rest adds nothing but time
_WORD = re.compile(r"\w+")
_MAKE = """CREATE VIRTUAL TABLE texts USING fts5(
    key UNINDEXED, title, words, body, tokenize='porter unicode61'
)"""
_FIND = """SELECT key, -bm25(texts, 0.0, 2.0, 2.0, 1.0) AS score FROM texts
    WHERE texts MATCH ? ORDER BY score DESC, key LIMIT ?"""


class WordIndex:
    """Texts by key; a hit in the title or the words counts twice one in the body."""

    def __init__(self, texts: Iterable[tuple[str, str, str, str]]) -> None:
        """Index texts: key, title, words, body."""
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._db.execute(_MAKE)
        clean = (tuple(one.replace("\0", " ") for one in text) for text in texts)
        self._db.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", clean)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def search(self, query: Iterable[str], k: int) -> list[tuple[str, float]]:
        """Return the keys that hold any of the words, the best first, with their scores.

        Args:
            query: Words or texts; operators of the search language are words among them.
            k: How many at most.
        """
        found = dict.fromkeys(word for text in query for word in _WORD.findall(text))
        if not found:
            return []
        asked = " OR ".join(f'"{word}"' for word in list(found)[:_MOST_WORDS])
        return [(str(key), float(score)) for key, score in self._db.execute(_FIND, (asked, k))]

    def close(self) -> None:
        """Forget all texts."""
        self._db.close()
