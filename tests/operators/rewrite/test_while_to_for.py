"""Loops that count by hand become ranges, where the counter is a counter and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.while_to_for import WhileToFor
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, n):
    total, i = 0, 1
    # every second
    while i < len(xs):
        if xs[i] > 7:
            break
        total += xs[i]  # so far
        i += 2
    return total
"""
AFTER = """
def solve(xs, n):
    total, i = 0, 1
    # every second
    for i in range(i, len(xs), 2):
        if xs[i] > 7:
            break
        total += xs[i]  # so far
    return total
"""
SHAPES = {
    "down": "def solve(xs, n):\n    j = len(xs) - 1\n    out = []\n    while j >= 0:\n"
    "        out.append(xs[j])\n        j = j - 1\n    return out\n",
    "down-to-one": "def solve(xs, n):\n    p = 1\n    k = n\n    while k > 1:\n"
    "        p *= k\n        k -= 1\n    return p\n",
    "up-to-and-with": "def solve(xs, n):\n    p = 0\n    k = 1\n    while k <= n + 1:\n"
    "        p += k\n        k = k + 1\n    return p\n",
    "up-to-the-root": "def solve(xs, n):\n    out = []\n    k = 2\n    while k * k <= n:\n"
    "        if n % k == 0:\n            out.append(k)\n        k += 1\n    return out\n",
    "inner-loops": "def solve(xs, n):\n    c = 0\n    i = 0\n    while i < n:\n"
    "        for x in xs:\n            if x == i:\n                continue\n"
    "            c += 1\n        i += 1\n    return c\n",
    "nested": "def solve(xs, n):\n    c = 0\n    i = 0\n"
    "    while i < n:\n        j = i\n"
    "        while j < n:\n            c += j\n            j += 1\n"
    "        i += 1\n    return c\n",
}


class TestContract(RuleContract):
    rule = WhileToFor
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(WhileToFor(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("total += xs[i]  # so far", "xs.append(1)", id="the-end-moves"),
        pytest.param("total += xs[i]  # so far", "i += 1", id="counts-twice"),
        pytest.param("break", "continue", id="continue"),
        pytest.param("i += 2", "i += total", id="by-a-variable"),
        pytest.param("i += 2", "i *= 2", id="grows"),
        pytest.param("i += 2", "i -= 2", id="the-wrong-way"),
        pytest.param("i < len(xs)", "i < len(xs) / 2", id="no-integer"),
        pytest.param("i < len(xs)", "i < len(xs) and n", id="another-condition"),
        pytest.param("i < len(xs)", "i < next(n)", id="unknown-call"),
        pytest.param("i < len(xs)", "i < n - i", id="its-own-end"),
        pytest.param("return total", "return i", id="asked-for-later"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(WhileToFor(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(-2, 9), max_size=8), n=st.integers(-3, 40))
def test_same_answers(text: str, xs: list[int], n: int) -> None:
    assert_equivalent(WhileToFor(), text, xs, n)
