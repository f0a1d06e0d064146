"""Laws of the search, over drawn pools and over words that would be operators elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.context.tokens import counter
from se_agent.memory.retrieval.full_text import FullText
from se_agent.memory.retrieval.fusion import Hit, hit_lines, hits_within, ranked_hits, search
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem

_VOCABULARY = [f"word{n}" for n in range(12)]
_TEXTS = st.lists(st.sampled_from(_VOCABULARY), max_size=6).map(" ".join)
_ITEMS = st.builds(
    PoolItem,
    id=st.integers(0, 30).map("L{:02}".format),
    title=_TEXTS,
    triggers=_TEXTS,
    body=_TEXTS,
    language=st.sampled_from(["", "python", "cpp"]),
    kind=st.sampled_from(["lesson", "fix", "policy"]),
    family=st.sampled_from(["", "graphs"]),
    status=st.sampled_from(["candidate", "active", "retired"]),
    failed=st.booleans(),
)
_POOLS = st.lists(_ITEMS, max_size=20, unique_by=lambda item: item.id)
_QUERIES = st.builds(
    Query,
    words=st.lists(st.sampled_from(_VOCABULARY), min_size=1, max_size=5).map(tuple),
    language=st.sampled_from(["", "python", "cpp"]),
)
HOSTILE = [
    "NEAR(a b, 2)",
    'title: "x" AND body',
    "a OR b NOT c*",
    "^word1",
    "{title body}: word1",
    "'); DROP TABLE texts; --",
    '" OR ""="',
    "word1\nword2",
    "word1\0word2",
    "\ud800",
    "-",
    "*",
    "(" * 500,
]


def item(id_: str, title: str = "word1", **more: object) -> PoolItem:
    return replace(PoolItem(id=id_, title=title), **more)  # type: ignore[arg-type]


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.item.id for hit in hits]


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES, st.randoms(use_true_random=False))
def test_same_pool_and_query_give_same_hits_in_whatever_order_items_come(
    items: list[PoolItem], query: Query, random: object
) -> None:
    first = search(ItemPool(items), query)
    random.shuffle(items)  # type: ignore[attr-defined]
    assert search(ItemPool(items), query) == first


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES)
def test_hits_pass_the_filter_and_have_a_word_of_the_query(
    items: list[PoolItem], query: Query
) -> None:
    for hit in search(ItemPool(items), query, k=9):
        found = hit.item
        assert found.language in ("", query.language) or not query.language
        assert found.kind in query.kinds
        assert found.status in query.statuses
        assert set(query.words) & set(f"{found.title} {found.triggers} {found.body}".split())


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES)
def test_items_of_another_language_change_neither_hits_nor_scores(
    items: list[PoolItem], query: Query
) -> None:
    asked = replace(query, language="python")
    own = [one for one in items if one.language != "cpp"]
    assert search(ItemPool(items), asked) == search(ItemPool(own), asked)


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES)
def test_an_unrelated_item_changes_no_order_but_by_score(
    items: list[PoolItem], query: Query
) -> None:
    stranger = item("L99", "nothing alike", language=query.language)
    before = ranked_hits(ItemPool(items).matches(query), {})
    after = ranked_hits(ItemPool([*items, stranger]).matches(query), {})
    assert sorted(ids(before)) == sorted(ids(after))
    scores = {hit.item.id: hit.score for hit in after}
    places = {hit.item.id: place for place, hit in enumerate(after)}
    for upper, lower in pairwise(before):
        one, other = upper.item.id, lower.item.id
        if places[one] > places[other]:
            assert scores[one] < scores[other] or upper.score == lower.score


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES, st.floats(0.0, 1.0), st.integers(0, 4), st.integers(0, 6))
def test_cut_failures_and_number_hold(
    items: list[PoolItem], query: Query, cut: float, failures: int, k: int
) -> None:
    pool = ItemPool(items)
    hits = search(pool, query, k=k, cut=cut, failures=failures)
    all_hits = ranked_hits(pool.matches(query), {})
    assert len(hits) <= k
    assert sum(hit.item.failed for hit in hits) <= failures
    assert all(hit.score >= cut * all_hits[0].score for hit in hits)


@pytest.mark.tier("runs")
@given(_POOLS, _QUERIES, st.integers(0, 60))
def test_what_is_shown_fits_into_its_room(
    items: list[PoolItem], query: Query, room: int
) -> None:
    hits = search(ItemPool(items), query, k=9, cut=0.0)
    shown = hits_within(hits, room, counter())
    assert counter().count(hit_lines(shown)) <= room
    assert list(shown) == [hit for hit in hits if hit in shown]


@pytest.mark.parametrize("words", HOSTILE)
def test_operators_and_strange_letters_are_words_in_a_query(words: str) -> None:
    pool = ItemPool([item("L1"), item("L2", "other")])
    found = ids(search(pool, Query(words=(words,)), k=9))
    assert found == (["L1"] if "word1" in words else [])


@pytest.mark.parametrize("text", HOSTILE)
def test_operators_and_strange_letters_are_words_in_an_item(text: str) -> None:
    name = text[:20]
    odd = item(name, f"{text} needle", triggers=text, body=text)
    (hit,) = search(ItemPool([odd, item("other")]), Query(words=("needle",)))
    assert hit.item is odd
    assert hit.line.count("\n") == 1
    assert "\0" not in hit.line


def test_title_and_triggers_count_twice_the_body() -> None:
    pool = ItemPool(
        [
            item("in_body", "x", body="needle"),
            item("in_title", "needle x"),
            item("in_triggers", "x", triggers="needle"),
            *(item(f"other{n}", "x") for n in range(9)),
        ]
    )
    found = {hit.item.id: hit.score for hit in search(pool, Query(words=("needle",)), cut=0.0)}
    assert found["in_title"] > found["in_body"]
    assert found["in_triggers"] > found["in_body"]


def test_names_in_snake_case_are_found_by_their_parts_and_as_a_whole() -> None:
    pool = ItemPool([item("L1", "`set_membership` in `solve`"), item("L2", "other")])
    for word in ("set_membership", "membership", "memberships"):
        assert ids(search(pool, Query(words=(word,)))) == ["L1"]


def test_an_item_that_holds_all_words_does_not_beat_one_that_is_about_the_query() -> None:
    many = " ".join(f"topic{n}" for n in range(2000))
    pool = ItemPool(
        [
            item("stuffed", many, triggers=many, body=many),
            *(item(f"L{n}", f"topic{n}", triggers=f"topic{n} cause{n}") for n in range(50)),
        ]
    )
    for n in (0, 7, 49):
        assert ids(search(pool, Query(words=(f"topic{n}", f"cause{n}"))))[0] == f"L{n}"


def test_a_word_that_most_items_have_finds_nobody_where_others_do() -> None:
    items = [item(f"L{n}", "common") for n in range(9)]
    pool = ItemPool([*items, item("rare", "common needle")])
    assert ids(search(pool, Query(words=("common", "needle")))) == ["rare"]
    assert len(search(pool, Query(words=("common",)))) == 3


def test_hits_are_unlike_each_other() -> None:
    twins = [item(f"twin{n}", "needle thread", triggers="sew stitch") for n in range(5)]
    pool = ItemPool([*twins, item("unlike", "needle", triggers="compass north"), *_others()])
    query = Query(words=("needle", "thread", "sew"))
    assert "unlike" in ids(search(pool, query, k=2, cut=0.0, diversity=0.4))
    assert "unlike" not in ids(search(pool, query, k=2, cut=0.0, diversity=1.0))


def test_one_failure_is_among_the_hits_if_one_is_good_enough() -> None:
    won = [item(f"won{n}", "needle thread") for n in range(5)]
    pool = ItemPool([*won, item("lost", "needle", failed=True), *_others()])
    query = Query(words=("needle", "thread"))
    assert ids(search(pool, query, cut=0.0))[-1] == "lost"
    assert "lost" not in ids(search(pool, query, cut=0.95))
    assert "lost" not in ids(search(pool, query, cut=0.0, failures=0))


def test_lift_raises_and_lowers_but_never_bans() -> None:
    pool = ItemPool([item("L1", "needle"), item("L2", "needle"), *_others()])
    query = Query(words=("needle",))
    assert ids(search(pool, query)) == ["L1", "L2"]
    assert ids(search(pool, query, lift={"L2": 0.1})) == ["L2", "L1"]
    (_, worst) = search(pool, query, lift={"L1": -99.0})
    assert worst.item.id == "L1"
    assert worst.factor == pytest.approx(0.5)


def test_nothing_is_found_in_nothing() -> None:
    assert search(ItemPool([]), Query(words=("word1",))) == ()
    assert search(ItemPool([item("L1")]), Query(words=())) == ()
    assert search(ItemPool([item("L1")]), Query(words=("word1",)), k=0) == ()
    assert FullText([item("L1")]).scores(["word1"], 0) == {}


def _others() -> list[PoolItem]:
    return [item(f"other{n}", f"nothing{n}") for n in range(9)]
