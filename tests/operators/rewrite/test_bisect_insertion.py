"""New elements find their place in a sorted list by bisection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.bisect_insertion import BisectInsertion
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    window = []
    out = []
    for x in xs:
        # in order
        window.append(x)
        window.sort()
        out.append(window[len(window) // 2])
    return out
"""
AFTER = """
from bisect import insort

def solve(xs):
    window = []
    out = []
    for x in xs:
        # in order
        insort(window, x)
        out.append(window[len(window) // 2])
    return out
"""
HEAD = "def solve(xs):\n    a = []\n    for x in xs:\n"
TAIL = "    return a\n"
SHAPES = {
    "append-sort": SLOW,
    "append-sorted": f"{HEAD}        a.append(x)\n        a = sorted(a)\n{TAIL}",
    "sum": f"{HEAD}        a = sorted(a + [x])\n{TAIL}",
    "while": f"{HEAD}        i = 0\n        while i < len(a) and a[i] <= x:\n"
    f"            i += 1\n        a.insert(i, x)\n{TAIL}",
    "while-left": f"{HEAD}        i = 0\n        while i < len(a) and x > a[i]:\n"
    f"            i = i + 1\n        a.insert(i, x)\n{TAIL}",
    "for": f"{HEAD}        for i in range(len(a)):\n            if a[i] > x:\n"
    "                a.insert(i, x)\n                break\n        else:\n"
    f"            a.append(x)\n{TAIL}",
    "for-left": f"{HEAD}        for i in range(len(a)):\n            if a[i] >= x:\n"
    "                a.insert(i, x)\n                break\n        else:\n"
    f"            a.append(x)\n{TAIL}",
}


class TestContract(RuleContract):
    rule = BisectInsertion
    slow = SLOW


def test_append_and_sort() -> None:
    assert rewritten(BisectInsertion(), SLOW) == [dedented(AFTER)]


def test_the_side_of_equal_elements_stays() -> None:
    assert "i = bisect_right(a, x, i)" in rewritten(BisectInsertion(), SHAPES["while"])[0]
    assert "i = bisect_left(a, x, i)" in rewritten(BisectInsertion(), SHAPES["while-left"])[0]
    assert "insort_left(a, x)" in rewritten(BisectInsertion(), SHAPES["for-left"])[0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = [3, 1]\nfor x in r:\n    a.append(x)\n    a.sort()\n", id="no-order"),
        pytest.param(
            "a = []\nfor x in r:\n    a.append(x)\n    a.sort(key=f)\n", id="another-order"
        ),
        pytest.param(
            "a = []\nfor x in r:\n    a.append(x)\n    a.sort()\n    a.append(1)\n", id="others"
        ),
        pytest.param("a = []\nfor x in r:\n    a.append(x)\n    b.sort()\n", id="another-list"),
        pytest.param(
            "while i < len(a) and a[i] < y:\n    i += 1\na.insert(i, x)\n", id="another-value"
        ),
        pytest.param(
            "while i < len(a) and a[i] != x:\n    i += 1\na.insert(i, x)\n", id="find"
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(BisectInsertion(), text) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.one_of(st.integers(0, 6), st.sampled_from([1.0, 3.0])), max_size=9))
def test_same_answers(text: str, xs: list[float]) -> None:
    assert_equivalent(BisectInsertion(), text, xs)
