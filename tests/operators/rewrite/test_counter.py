"""Counting one value at a time becomes one table, where what is counted stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.counter import Counter
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(words):
    freq = {}
    for w in words:
        # all of them
        freq[w] = words.count(w)
    return freq
"""
AFTER = """
from collections import Counter

def solve(words):
    freq = {}
    words_counts = Counter(words)
    for w in words:
        # all of them
        freq[w] = words_counts[w]
    return freq
"""
KEY = "def solve(xs):\n    return max(sorted(xs), key=xs.count, default=None)\n"
OTHERS = """
def solve(xs):
    a = [sum(1 for y in xs if y == x) for x in xs]
    b = [len([y for y in xs if x + 1 == y]) for x in xs]
    c = [sum(y == x for y in xs) for x in xs]
    return a, b, c
"""


class TestContract(RuleContract):
    rule = Counter
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(Counter(), SLOW) == [dedented(AFTER)]


def test_a_name_in_use_is_not_taken() -> None:
    (text,) = rewritten(Counter(), "Counter = 1\nn = [xs.count(x) for x in xs]\n")
    assert "from collections import Counter as Counter_\n" in text
    assert "xs_counts = Counter_(xs)\nn = [xs_counts[x] for x in xs]" in text


def test_an_import_that_is_there_is_used() -> None:
    (text,) = rewritten(
        Counter(), "from collections import Counter\nn = [xs.count(x) for x in xs]\n"
    )
    assert text.count("import Counter") == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("n = xs.count(x)", id="no-loop"),
        pytest.param("for x in xs:\n    xs.append(xs.count(x))\n", id="it-grows"),
        pytest.param("for x in xs:\n    f(xs)\n    xs.count(x)\n", id="it-is-passed-on"),
        pytest.param("for xs in rows:\n    xs.count(1)\n", id="another-each-time"),
        pytest.param("for x in xs:\n    sum(1 for y in xs if y < x)\n", id="no-equality"),
        pytest.param("for x in xs:\n    xs.count(x, 1)\n", id="from-a-place"),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(Counter(), text) == []


@given(st.lists(st.integers(0, 5), max_size=12))
def test_same_answers(xs: list[int]) -> None:
    assert_equivalent(Counter(), SLOW, xs)
    assert_equivalent(Counter(), KEY, xs)
    assert_equivalent(Counter(), OTHERS, xs)
