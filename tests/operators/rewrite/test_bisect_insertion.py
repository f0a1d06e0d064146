"""New elements find their place in a sorted list by bisection."""

from __future__ import annotations

from statistics import StatisticsError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.bisect_insertion import BisectInsertion
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

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
    "key-cut": f"{HEAD}        a.append(x)\n        y = -x\n"
    f"        a = sorted(a, key=lambda x: -x)[:3]\n{TAIL}",
    "beside": f"{HEAD}        a.append(x)\n        b = sorted(a, key=lambda x: -x)\n"
    f"        y = b[len(b) // 2]\n{TAIL}",
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
            "a = sorted(r)\nfor x in r:\n    a.append(x)\n    a.sort(key=f)\n",
            id="another-order",
        ),
        pytest.param(
            "a = []\nfor x in r:\n    k += x\n    a.append(x)\n    a.sort(key=lambda y: y[k])",
            id="an-order-that-changes",
        ),
        pytest.param(
            "a = []\nfor x in r:\n    a.append(x)\n    f(a)\n    a.sort()\n", id="asked-between"
        ),
        pytest.param(
            "a = []\nfor x in r:\n    a.append(x)\n    a.sort()\n    a.reverse()\n",
            id="reversed",
        ),
        pytest.param(
            "a = []\nfor x in r:\n    a.append(x)\n    f(sorted(a, reverse=x))\n",
            id="beside-reversed-perhaps",
        ),
        pytest.param(
            "from statistics import mean\na = []\nfor x in r:\n    a.append(x)\n    f(mean(a))",
            id="beside-a-mean",
        ),
        pytest.param(
            "def f(r, k):\n    a = []\n    for x in r:\n        k = x\n        a.append(x)\n"
            "        g(sorted(a, key=k))\n",
            id="beside-by-a-key-that-changes",
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


@pytest.mark.parametrize(
    ("line", "key", "fires"),
    [
        pytest.param("a[0] += 1", "", False, id="an-element"),
        pytest.param("a[0], a[-1] = a[-1], a[0]", "", False, id="two"),
        pytest.param("a[0][0] = 1", "", False, id="a-part"),
        pytest.param("first = a[0]\n        first.append(1)", "", False, id="under-a-name"),
        pytest.param("a[0].n += 1", "key=lambda e: e.n", False, id="what-is-compared"),
        pytest.param("a[0].grow()", "key=lambda e: e.n", False, id="by-a-method"),
        pytest.param("a[0].seen = True", "key=lambda e: e.n", True, id="something-else"),
    ],
)
def test_elements_that_change_are_sorted_anew(line: str, key: str, *, fires: bool) -> None:
    text = f"""
class One:
    def grow(self):
        self.n += 1
def solve(xs):
    a = []
    for x in xs:
        one = One()
        one.n = x
        a.append(one)
        a.sort({key})
        {line}
"""
    assert bool(rewritten(BisectInsertion(), text)) == fires


BESIDE = """
def solve(xs):
    seen, out = [], []
    for x in xs:
        out.append(sorted(seen))
        seen.append(x)
        row = sorted(seen)
        out.append(row[len(row) // 2])
    return out, seen
"""


def test_one_in_order_is_kept_beside_a_list_that_grows() -> None:
    (new,) = rewritten(BisectInsertion(), BESIDE)
    assert "        out.append(seen_sorted[:])\n" in new, "what is kept is a copy"
    assert "        insort(seen_sorted, seen[-1])\n        row = seen_sorted\n" in new


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("row.append(0)", id="changed"),
        pytest.param("out.append(row)", id="kept"),
        pytest.param("seen.append(0)", id="grows-again"),
    ],
)
def test_what_is_more_than_read_at_once_is_copied(line: str) -> None:
    (new,) = rewritten(
        BisectInsertion(), BESIDE.replace("out.append(row[len(row) // 2])", line)
    )
    assert "        row = seen_sorted[:]\n" in new


TURNED = BESIDE.replace("sorted(seen)", "sorted(seen, key=lambda x: x // 2, reverse=True)")
MEDIANS = """
import statistics as st
from statistics import median, median_low

def solve(xs):
    seen, out = [5, True], []
    for x in xs:
        seen.append(x)
        out.append((median(seen), median_low(seen), st.median_high(seen), sorted(seen)[0]))
    return out
"""


@pytest.mark.parametrize("text", [BESIDE, TURNED, MEDIANS])
@settings(max_examples=30)
@given(xs=st.lists(st.integers(0, 6) | st.sampled_from([1.0, True]), max_size=8))
def test_same_answers_beside(text: str, xs: list[float]) -> None:
    (new,) = rewritten(BisectInsertion(), text)
    assert "seen_sorted" in new
    assert repr(answer(new, (xs,))) == repr(answer(text, (xs,)))


def test_the_middle_is_taken_out_of_the_list_in_order() -> None:
    text = MEDIANS.replace("[5, True]", "[]").replace("        seen.append(x)\n", "")
    text = text.replace("    return", "        seen.append(x)\n    return")
    (new,) = rewritten(BisectInsertion(), text)
    assert (
        "(median(seen_sorted[(len(seen_sorted) - 1) // 2 : len(seen_sorted) // 2 + 1])" in new
    )
    with pytest.raises(StatisticsError, match="no median for empty data"):
        answer(new, ([1],))


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.one_of(st.integers(0, 6), st.sampled_from([1.0, 3.0])), max_size=9))
def test_same_answers(text: str, xs: list[float]) -> None:
    assert_equivalent(BisectInsertion(), text, xs)
