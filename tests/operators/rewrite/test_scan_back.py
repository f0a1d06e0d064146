"""Where a key was seen is kept, not searched for among all that came earlier."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.scan_back import ScanBack
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(users):
    events = [(user, time * time) for time, user in enumerate(users)]
    waits = []
    for i, (user, time) in enumerate(events):
        wait = -1
        for j in range(i - 1, -1, -1):  # back
            if events[j][0] == user:
                # the last one
                wait = time - events[j][1]
                break
        waits.append(wait)
    return waits
"""
AFTER = """
def solve(users):
    events = [(user, time * time) for time, user in enumerate(users)]
    waits = []
    last_by_key = {}
    for i, (user, time) in enumerate(events):
        wait = -1
        j = last_by_key.get(user)
        last_by_key[events[i][0]] = i
        if j is not None:
            # the last one
            wait = time - events[j][1]
        waits.append(wait)
    return waits
"""
FIRST = """
def solve(xs):
    found = []
    for i in range(len(xs)):
        for j in range(i):
            if xs[j] % 3 == xs[i] % 3:
                found.append((j, i))
                break
        else:
            if xs[i] > 4:
                continue
        found.append(i)
    return found
"""
NEW = """
def solve(xs):
    found = []
    for i in range(len(xs)):
        for j in reversed(range(i)):
            if xs[i] == xs[j]:
                break
        else:
            found.append(xs[i])
    return found
"""


class TestContract(RuleContract):
    rule = ScanBack
    slow = SLOW
    others = (FIRST, NEW)


def test_the_last_one_is_looked_up() -> None:
    assert rewritten(ScanBack(), SLOW) == [dedented(AFTER)]


def test_the_first_one_is_kept() -> None:
    (text,) = rewritten(ScanBack(), FIRST)
    assert "first_by_key.setdefault(xs[i] % 3, i)\n" in text


def test_whether_there_is_one_is_asked_of_the_table() -> None:
    (text,) = rewritten(ScanBack(), NEW)
    assert "        seen = xs[i] in last_by_key\n        last_by_key[xs[i]] = i\n" in text
    assert "        if not seen:\n            found.append(xs[i])\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("range(i - 1, -1, -1)", "range(i + 1)", id="not-only-earlier-ones"),
        pytest.param("enumerate(events)", "enumerate(events, 1)", id="counts-from-one"),
        pytest.param("enumerate(events)", "enumerate(events[1:])", id="others"),
        pytest.param("== user", "> user", id="not-equal"),
        pytest.param("== user", "== events[j][1]", id="nothing-is-wanted"),
        pytest.param("                break", "                wait += 1", id="all-of-them"),
        pytest.param("wait = time -", "i = time -", id="the-index-is-set"),
        pytest.param("waits.append(wait)", "events[0] = wait", id="the-elements-change"),
        pytest.param("waits.append(wait)", "waits.append(j)", id="the-place-is-asked-for"),
        pytest.param("wait = -1", "if time: continue", id="some-are-passed-over"),
        pytest.param("# the last one", "if time: continue", id="goes-on"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(ScanBack(), SLOW.replace(old, new, 1)) == []


@pytest.mark.parametrize("text", [SLOW, FIRST, NEW], ids=["last", "first", "whether"])
@given(st.lists(st.integers(0, 6), max_size=8))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(ScanBack(), text, xs)
