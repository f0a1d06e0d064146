"""Counting loops are counted in C; the type stays `dict`, and the order of its keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.dictionary_default import DictionaryDefault
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    seen = {}
    for x in xs:
        if x in seen:
            seen[x] += 1
        else:
            seen[x] = 1
    return list(seen.items())
"""
AFTER = """
from collections import Counter

def solve(xs):
    seen = {}
    for x, number in Counter(xs).items():
        seen[x] = seen.get(x, 0) + number
    return list(seen.items())
"""
HEAD = "def solve(xs):\n    d = {3: 7}\n"
LOOPS = {
    "get": "    for x in xs:\n        d[x] = d.get(x, 0) + 1\n",
    "index": "    for i in range(len(xs)):\n        d[xs[i]] = d.get(xs[i], 0) + 1\n",
    "made-first": "    for x in xs:\n        if x not in d.keys():\n            d[x] = 0\n"
    "        d[x] += 1\n",
    "missing": "    for x in xs:\n        if x not in d:\n            d[x] = 1\n"
    "        else:\n            d[x] = d[x] + 1\n",
    "known-first": "    for x in xs:\n        if x in d:\n            d[x] = d[x] + 1\n"
    "        else:\n            d[x] = 1\n",
}


class TestContract(RuleContract):
    rule = DictionaryDefault
    slow = SLOW


def test_a_count() -> None:
    assert rewritten(DictionaryDefault(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("d[x] = d.get(x, 1) + 1", id="from-one"),
        pytest.param("d[x] = d.get(x, 0) + 2", id="twos"),
        pytest.param("d[x] = d.get(y, 0) + 1", id="another-key"),
        pytest.param("d[x] = e.get(x, 0) + 1", id="another-table"),
        pytest.param("d[x] = d.get(x, 0) + 1\n        k += 1", id="more-work"),
        pytest.param("d[x + 1] = d.get(x + 1, 0) + 1", id="a-computed-key"),
        pytest.param("d[x] = 1", id="no-count"),
        pytest.param("d[x] = d.get(x, 0) + 1\n    k = x", id="read-later"),
        pytest.param("if x not in d:\n            d[x] = 1\n        d[x] += 1", id="one-more"),
    ],
)  # fmt: skip
def test_must_not_fire(body: str) -> None:
    text = f"def solve(xs, d, e, y, k):\n    for x in xs:\n        {body}\n    return d, k\n"
    assert rewritten(DictionaryDefault(), text) == []


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@given(xs=st.lists(st.integers(0, 6), max_size=9))
def test_same_answers(loop: str, xs: list[int]) -> None:
    for text in (SLOW, f"{HEAD}{loop}    return list(d.items())\n"):
        assert_equivalent(DictionaryDefault(), text, xs)


@pytest.mark.parametrize(
    "made", ["defaultdict(int)", "Counter()", "{x: 0 for x in xs}", "dict.fromkeys(xs, 0)"]
)
@given(xs=st.lists(st.integers(0, 6), max_size=9))
def test_tables_of_noughts(made: str, xs: list[int]) -> None:
    text = (
        "from collections import Counter, defaultdict\n\n"
        f"def solve(xs):\n    d = {made}\n    for x in xs:\n        d[x] += 1\n    return d\n"
    )
    assert_equivalent(DictionaryDefault(), text, xs)
    assert rewritten(DictionaryDefault(), text.replace(made, "{}")) == []
    assert rewritten(DictionaryDefault(), text.replace(made, "defaultdict(list)")) == []


@pytest.mark.parametrize("made", ["{x: 0 for x in known}", "dict.fromkeys(known, 0)"])
def test_a_key_that_a_filled_table_does_not_have_raises(made: str) -> None:
    text = (
        f"def solve(xs, known):\n    table = {made}\n    try:\n        for x in xs:\n"
        "            table[x] += 1\n    except KeyError:\n        return None\n"
        "    return table\n"
    )
    assert_equivalent(DictionaryDefault(), text, [1, 2, 1], [1, 2])
    assert_equivalent(DictionaryDefault(), text, [1, 2, 1], [1])
