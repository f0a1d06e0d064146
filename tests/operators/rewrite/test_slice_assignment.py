"""Marking loops become one assignment to a slice; anything else in the loop forbids it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.slice_assignment import SliceAssignment
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n):
    marks = [True] * (n + 1)
    for i in range(2, n + 1):
        if marks[i]:
            # its multiples
            for j in range(i * i, n + 1, i):
                marks[j] = False
    return marks
"""
AFTER = """
def solve(n):
    marks = [True] * (n + 1)
    for i in range(2, n + 1):
        if marks[i]:
            # its multiples
            marks[i * i:n + 1:i] = [False] * len(range(i * i, n + 1, i))
    return marks
"""
SHAPES = {
    "bytearray": "def solve(n):\n    marks = bytearray(n + 1)\n"
    "    for i in range(1, n):\n        marks[i] = 1\n    return marks\n",
    "filled": "def solve(n):\n    marks = bytearray([1]) * n\n"
    "    for i in range(n):\n        marks[i] = 0\n    return marks\n",
    "while": "def solve(n):\n    marks = [0] * (n + 1)\n    for i in range(2, n):\n"
    "        j = 2 * i\n        while j <= n:\n            marks[j] = -1\n            j += i\n"
    "    return marks\n",
    "asked": "def solve(n):\n    marks = [i % 3 == 0 for i in range(n)]\n"
    "    for k in range(1, n, 2):\n        if marks[k]:\n            marks[k] = False\n"
    "    return marks\n",
    "row": "def solve(n):\n    rows = [[1] * n for _ in range(n)]\n    for r in range(n):\n"
    "        for c in range(r, n):\n            rows[r][c] = None\n    return rows\n",
}


class TestContract(RuleContract):
    rule = SliceAssignment
    slow = SLOW


def test_a_sieve() -> None:
    assert rewritten(SliceAssignment(), SLOW) == [dedented(AFTER)]


def test_a_bytearray_takes_bytes() -> None:
    (text,) = rewritten(SliceAssignment(), SHAPES["bytearray"])
    assert "marks[1:n] = bytes([1]) * len(range(1, n))" in text


@pytest.mark.parametrize(
    ("loop", "body"),
    [
        pytest.param("for j in range(n)", "s[j] = j", id="not-constant"),
        pytest.param("for j in range(n)", "s[j] = x", id="unknown-value"),
        pytest.param("for j in range(n)", "s[j + 1] = 0", id="shifted"),
        pytest.param("for j in range(n, 0, -1)", "s[j] = 0", id="downwards"),
        pytest.param("for j in range(n)", "s[j][j] = 0", id="diagonal"),
        pytest.param("for j in values", "s[j] = 0", id="no-range"),
        pytest.param("for j in range(n)", "s[j] = 0\n        k += 1", id="more-work"),
        pytest.param("for j in range(n)", "if t[j]:\n            s[j] = 0", id="a-test"),
        pytest.param("for j in range(n)", "s[j] = []", id="an-object"),
    ],
)
def test_must_not_fire(loop: str, body: str) -> None:
    text = f"def f(n, s, t, x, k, values):\n    {loop}:\n        {body}\n    return s\n"
    assert rewritten(SliceAssignment(), text) == []


def test_a_dictionary_has_no_slices() -> None:
    text = "def f(n):\n    s = {}\n    for j in range(n):\n        s[j] = 0\n    return s\n"
    assert rewritten(SliceAssignment(), text) == []


def test_an_index_that_is_read_later_stays() -> None:
    text = "def f(n, s):\n    for j in range(n):\n        s[j] = 0\n    return j\n"
    assert rewritten(SliceAssignment(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(0, 40))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(SliceAssignment(), text, n)
