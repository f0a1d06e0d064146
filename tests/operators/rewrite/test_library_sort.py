"""Sorts that are written out, of all the usual kinds, are done by the library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.library_sort import LibrarySort
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    n = len(xs)
    # the greatest rise
    for i in range(n):
        for j in range(0, n - i - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs
"""
AFTER = """
def solve(xs):
    # the greatest rise
    xs.sort()
    return xs
"""
SHAPES = {
    "falling": "def solve(a):\n    n = len(a)\n    for i in range(n):\n"
    "        for j in range(n - 1):\n"
    "            if a[j] < a[j + 1]:\n                t = a[j]\n"
    "                a[j] = a[j + 1]\n"
    "                a[j + 1] = t\n    return a\n",
    "close": "def solve(a):\n    for i in range(len(a)):\n        for j in range(i+1,len(a)):\n"
    "            if a[i]>a[j]:\n                a[i],a[j]=a[j],a[i]\n    return a\n",
    "until-done": "def solve(a):\n    swapped = True\n    while swapped:\n"
    "        swapped = False\n        for j in range(1, len(a)):\n"
    "            if a[j - 1] > a[j]:\n                a[j], a[j - 1] = a[j - 1], a[j]\n"
    "                swapped = True\n    return a\n",
    "exchange": "def solve(a):\n    for i in range(len(a)):\n"
    "        for j in range(i + 1, len(a)):\n            if a[j] < a[i]:\n"
    "                a[i], a[j] = a[j], a[i]\n    return a\n",
    "selection": "def solve(a):\n    n = len(a)\n    for i in range(n - 1):\n        m = i\n"
    "        for j in range(i + 1, n):\n            if a[j] < a[m]:\n                m = j\n"
    "        if m != i:\n            a[i], a[m] = a[m], a[i]\n    return a\n",
    "selection-falling": "def solve(a):\n    n = len(a)\n    for i in range(n):\n"
    "        m = i\n        for j in range(i + 1, n):\n            if a[m] < a[j]:\n"
    "                m = j\n        a[m], a[i] = a[i], a[m]\n    return a\n",
    "insertion": "def solve(a):\n    for i in range(1, len(a)):\n        x = a[i]\n"
    "        j = i - 1\n        while j >= 0 and a[j] > x:\n            a[j + 1] = a[j]\n"
    "            j -= 1\n        a[j + 1] = x\n    return a\n",
    "insertion-falling": "def solve(a):\n    for i in range(1, len(a)):\n        x = a[i]\n"
    "        j = i - 1\n        while j >= 0 and x > a[j]:\n            a[j + 1] = a[j]\n"
    "            j = j - 1\n        a[j + 1] = x\n    return a\n",
    "insertion-by-swaps": "def solve(a):\n    for i in range(1, len(a)):\n        j = i\n"
    "        while j > 0 and a[j] < a[j - 1]:\n            a[j], a[j - 1] = a[j - 1], a[j]\n"
    "            j -= 1\n    return a\n",
}
KEYED = """
def solve(rows):
    for i in range(len(rows)):
        for j in range(len(rows) - 1):
            if rows[j][1] > rows[j + 1][1]:
                rows[j], rows[j + 1] = rows[j + 1], rows[j]
    return rows
"""


class TestContract(RuleContract):
    rule = LibrarySort
    slow = SLOW


def test_a_bubble_sort() -> None:
    assert rewritten(LibrarySort(), SLOW) == [dedented(AFTER)]


def test_a_key() -> None:
    (text,) = rewritten(LibrarySort(), KEYED)
    assert "rows.sort(key=lambda item: item[1])" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("a[j] = a[j + 1]", id="no-swap"),
        pytest.param("a[j], a[j + 1] = a[j + 1], a[j]\n                n += 1", id="counts"),
        pytest.param("b[j], b[j + 1] = b[j + 1], b[j]", id="another-list"),
        pytest.param("a[j], a[j + 2] = a[j + 2], a[j]", id="other-places"),
        pytest.param(
            "a[j], a[j + 1] = a[j + 1], a[j]\n                b.append(j)", id="trace"
        ),
        pytest.param(
            "a[j], a[j + 1] = a[j + 1], a[j]\n                return a", id="one-swap"
        ),
    ],
)
def test_must_not_fire(body: str) -> None:
    test = f"            if a[j] > a[j + 1]:\n                {body}\n"
    loops = f"    for i in range(len(a)):\n        for j in range(len(a) - 1):\n{test}"
    assert rewritten(LibrarySort(), f"def f(a, b, n):\n{loops}    return a, n\n") == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(0, 9), max_size=9))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(LibrarySort(), text, xs)


@given(rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), max_size=9))
def test_same_rows(rows: list[tuple[int, int]]) -> None:
    assert_equivalent(LibrarySort(), KEYED, rows)
