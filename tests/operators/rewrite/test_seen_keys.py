"""Searches for an equal key among what was kept become look-ups in a set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.seen_keys import SeenKeys
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(events):
    kept = []
    for event in events:
        if any(event[0] == earlier[0] for earlier in kept):
            continue
        kept.append(event)  # the first
    return kept
"""
AFTER = """
def solve(events):
    kept = []
    kept_keys = set()
    for event in events:
        if event[0] in kept_keys:
            continue
        kept.append(event)  # the first
        kept_keys.add(event[0])
    return kept
"""
OTHERWISE = """
class Log:
    def first(self, events):
        kept = []
        for event in events:
            for earlier in kept:
                if earlier[1] + 1 == event[1]:
                    break
            else:
                kept.append((event[0], event[1]))
        return kept, all(earlier[1] + 1 != 3 for earlier in kept)

def solve(events):
    return Log().first(events)
"""


class TestContract(RuleContract):
    rule = SeenKeys
    slow = SLOW
    others = (OTHERWISE,)


def test_any_among_what_was_kept() -> None:
    assert rewritten(SeenKeys(), SLOW) == [dedented(AFTER)]


def test_a_loop_with_an_else_in_a_method() -> None:
    (text,) = rewritten(SeenKeys(), OTHERWISE)
    assert (
        "            if event[1] not in kept_keys:\n"
        "                kept.append((event[0], event[1]))\n"
        "                kept_keys.add(kept[-1][1] + 1)\n" in text
    )
    assert "return kept, 3 not in kept_keys" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("==", "<", id="an-order"),
        pytest.param("earlier[0] for", "event[0] for", id="asks-nothing-of-them"),
        pytest.param("earlier[0] for", "(earlier[0], event) for", id="of-both"),
        pytest.param("earlier in kept", "earlier in events", id="among-others"),
        pytest.param("earlier in kept", "earlier in kept if earlier", id="under-a-test"),
        pytest.param("continue", "kept.pop()", id="shrinks"),
        pytest.param("continue", "event[0] = 1", id="is-changed-later"),
        pytest.param("earlier[0] for", "f.pop(earlier) for", id="leaves-a-trace"),
        pytest.param("kept = []", "kept = [1]", id="begins-with-something"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert rewritten(SeenKeys(), SLOW.replace(old, new)) == []


def test_must_not_fire_at_module_level_for_a_list_that_is_walked_over() -> None:
    text = "found = []\nfor x in y:\n    found.append(x)\nfor x in found:\n    print(x)\n"
    assert rewritten(SeenKeys(), text) == []


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_same_answers(events: list[tuple[int, int]]) -> None:
    assert_equivalent(SeenKeys(), SLOW, events)
    assert_equivalent(SeenKeys(), OTHERWISE, events)


FLAG = """
def solve(events):
    kept = []
    for event in events:
        # Is it new?
        known = False
        for earlier in kept:
            if earlier[0] == event[0]:
                known = True
                break
        if not known:
            kept.append(event)
    return kept
"""


def test_a_flag_is_told_by_the_set() -> None:
    (text,) = rewritten(SeenKeys(), FLAG)
    assert "        known = event[0] in kept_keys\n        if not known:\n" in text
    assert_equivalent(SeenKeys(), FLAG, [(1, 2), (1, 3), (2, 2)])
    for old, new in (
        ("known = False", "known = event"),
        ("= True", "= event"),
        ("earlier[0] =", "known ="),
    ):
        assert rewritten(SeenKeys(), FLAG.replace(old, new)) == []


AMONG = """
BARE = "#"

def page(link):
    place = link.find(BARE)
    return link if place < 0 else link[:place]

def solve(links):
    kept = []
    for link in links:
        if page(link) not in [page(other) for other in kept]:
            kept.append(link)
    return kept
"""


def test_a_key_among_those_of_all_that_was_kept() -> None:
    (text,) = rewritten(SeenKeys(), AMONG)
    assert "        if page(link) not in kept_keys:\n" in text
    assert "            kept_keys.add(page(link))\n" in text
    assert_equivalent(SeenKeys(), AMONG, ["a#1", "b", "a", "b#2", ""])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("page(link) not in", "[page(link)] ==", id="compared-whole"),
        pytest.param(
            "in [page(other)", "in [[], page(other)][1:] + [page(other)", id="of-more"
        ),
        pytest.param("for other in kept]", "for other in kept if other]", id="under-a-test"),
        pytest.param("place = link", "print(link); place = link", id="leaves-a-trace"),
        pytest.param("link.find(BARE)", "link.find(marks[0])", id="reads-what-may-change"),
        pytest.param("not in [page", "not in [] < [page", id="of-three"),
    ],
)
def test_keys_that_are_searched_for_otherwise(old: str, new: str) -> None:
    assert old in AMONG
    text = AMONG.replace(old, new).replace("BARE =", "marks = [1]\nBARE =")
    assert rewritten(SeenKeys(), text) == []


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("event.update(id=3)", id="by-a-method"),
        pytest.param("event['id'] = 3", id="by-a-key"),
        pytest.param("event += [1]", id="in-place"),
        pytest.param("fix(event)", id="by-somebody"),
        pytest.param("last = kept[-1]; last['id'] = 3", id="the-last-one"),
        pytest.param("kept[-1].update(id=3)", id="the-last-one-where-it-is"),
        pytest.param("for other in kept: other['id'] += 1", id="all-of-them"),
        pytest.param("heappop(kept)", id="the-list"),
        pytest.param("fix.take(kept)", id="the-list-by-a-method"),
        pytest.param("other = kept or []; other.pop()", id="the-list-by-another-name"),
        pytest.param("yield event", id="by-who-asks"),
    ],
)
def test_what_was_kept_may_not_change(line: str) -> None:
    text = """
    def solve(events, fix):
        kept = []
        for event in events:
            if event["id"] in [earlier["id"] for earlier in kept]:
                continue
            kept.append(event)
            {}
        return kept
    """
    assert len(rewritten(SeenKeys(), text.format("fix(1)"))) == 1
    assert rewritten(SeenKeys(), text.format(line)) == []
