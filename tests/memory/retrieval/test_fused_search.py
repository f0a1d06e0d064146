"""Words and meaning together, with an embedder that knows a few synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from se_agent.errors import EmbedderError
from se_agent.memory.retrieval.embedders import Embedder
from se_agent.memory.retrieval.fusion import search
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.memory.retrieval.vectors import SqliteVectors
from tests.memory.retrieval.test_vectors import Table

_MEANINGS = (("queue", "line", "front"), ("heap", "smallest"), ("text", "string", "letters"))


class Synonyms:
    """An embedder that counts words by what they mean; it remembers what it was asked."""

    def __init__(self, name: str = "synonyms", dimensions: int = len(_MEANINGS) + 1) -> None:
        self.name, self.dimensions = name, dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float16]:
        self.asked += texts
        made = np.zeros((len(texts), self.dimensions), dtype=np.float16)
        for row, text in enumerate(texts):
            made[row, -1] = 0.1
            for column, words in enumerate(_MEANINGS):
                made[row, column] = sum(text.count(word) for word in words)
        return made


ITEMS = [
    PoolItem(id="L1", title="Take from the front of a line"),
    PoolItem(id="L2", title="Keep the smallest at hand"),
    PoolItem(id="L3", title="Join letters once"),
    PoolItem(id="L4", title="Something else", language="cpp"),
]


def pool(embedder: Embedder, table: Table | None = None) -> ItemPool:
    vectors = SqliteVectors(table or Table(), embedder.name, embedder.dimensions)
    return ItemPool(ITEMS, embedder=embedder, vectors=vectors)


def test_meaning_finds_what_shares_no_word() -> None:
    query = Query(words=("queue",))
    assert search(ItemPool(ITEMS), query) == ()
    hit = search(pool(Synonyms()), query)[0]
    assert hit.item.id == "L1"
    assert hit.similarity is not None
    assert hit.similarity > 0.9


def test_both_parts_of_a_score_are_told() -> None:
    query = Query(words=("smallest",), text="heap")
    hit = search(pool(Synonyms()), query)[0]
    assert hit.item.id == "L2"
    assert hit.text > 0
    assert hit.vector > 0
    assert hit.score == pytest.approx(hit.text + hit.vector)


def test_each_text_is_embedded_once_however_often_the_pool_is_opened() -> None:
    table, embedder = Table(), Synonyms()
    pool(embedder, table)
    assert sorted(embedder.asked) == sorted(item.text for item in ITEMS)
    embedder.asked.clear()
    pool(embedder, table)
    assert embedder.asked == []


def test_a_text_that_changed_is_embedded_again() -> None:
    table, embedder = Table(), Synonyms()
    pool(embedder, table)
    embedder.asked.clear()
    vectors = SqliteVectors(table, embedder.name, embedder.dimensions)
    changed = [replace(ITEMS[0], title="Keep the smallest of a heap"), *ITEMS[1:]]
    again = ItemPool(changed, embedder=embedder, vectors=vectors)
    assert embedder.asked == [changed[0].text]
    hits = search(again, Query(words=("nothing",), text="heap"))
    assert {hit.item.id for hit in hits} == {"L1", "L2"}


@pytest.mark.row("SQ-61")
def test_vectors_of_two_embedders_lie_side_by_side_and_never_meet() -> None:
    table = Table()
    first, second = Synonyms("one"), Synonyms("two", dimensions=9)
    assert [hit.item.id for hit in search(pool(first, table), Query(words=("queue",)))] == [
        hit.item.id for hit in search(pool(second, table), Query(words=("queue",)))
    ]
    ((rows,),) = table.db.execute("SELECT COUNT(*) FROM vectors")
    assert rows == 2 * len(ITEMS)


def test_an_embedder_that_breaks_its_word_is_told() -> None:
    table = Table()
    pool(Synonyms(), table)
    liar = Synonyms()
    vectors = SqliteVectors(table, liar.name, liar.dimensions)
    liar.dimensions += 1
    with pytest.raises(EmbedderError, match="5 numbers in an index of 4"):
        search(ItemPool(ITEMS, embedder=liar, vectors=vectors), Query(words=("queue",)))


@pytest.mark.tier("runs")
@given(
    st.lists(st.sampled_from(["queue", "heap", "letters", "other"]), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_no_hit_of_another_language_and_the_same_hits_always(
    words: list[str], random: object
) -> None:
    query = Query(words=tuple(words), language="python")
    embedder = Synonyms()
    found = search(pool(embedder), query, cut=0.0, k=9)
    assert "L4" not in {hit.item.id for hit in found}
    shuffled = list(ITEMS)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    vectors = SqliteVectors(Table(), embedder.name, embedder.dimensions)
    again = ItemPool(shuffled, embedder=embedder, vectors=vectors)
    assert search(again, query, cut=0.0, k=9) == found
