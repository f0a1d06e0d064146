"""Inner loops that start again go on instead, whatever they work out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.fold_table import FoldTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n, xs):
    out = []
    for i in range(1, n + 1):
        p = 1
        for j in range(1, i + 1):
            p *= j  # so far
        out.append(p)
    return out
"""
AFTER = """
def solve(n, xs):
    out = []
    p_table = []
    for i in range(1, n + 1):
        p = 1
        p_table = p_table or [p]
        for j in range(1, i + 1)[len(p_table) - 1 :]:
            p = p_table[-1]
            p *= j  # so far
            p_table.append(p)
        p = p_table[len(range(1, i + 1))]
        out.append(p)
    return out
"""
SHAPES = {
    "any-order": "def solve(n, xs):\n    out = []\n    for x in xs:\n        s = n\n"
    "        for j in range(x):\n            if j % 3:\n                t = j * n\n"
    "                s += t\n            else:\n                s ^= j\n"
    "        out.append(s)\n    return out\n",
    "backwards": "def solve(n, xs):\n    best = 0\n    i = len(xs)\n    while i > 0:\n"
    "        m = xs[0]\n        for j in range(i):\n            m = max(m, xs[j])\n"
    "        best += m\n        i -= 1\n    return best\n",
    "each-beginning": "def solve(n, xs):\n    best = 0\n    for i in range(len(xs)):\n"
    "        for j in range(i, len(xs)):\n            s = 0\n"
    "            for k in range(i, j + 1):\n                s += xs[k]\n"
    "            best = max(best, s)\n    return best\n",
    "steps": "def solve(n, xs):\n    out = 0\n    for i in range(n):\n        s = 0\n"
    "        for j in range(3, i, 2):\n            s += j\n        out += s\n    return out\n",
}


class TestContract(RuleContract):
    rule = FoldTable
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(FoldTable(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("start", "span", "body"),
    [
        pytest.param("s = 0", "range(i)", "s += j\n            i += 0", id="end-changes"),
        pytest.param("s = i", "range(i)", "s += j", id="start-moves"),
        pytest.param("s = 0", "range(i, n)", "s += j", id="beginning-moves"),
        pytest.param("s = 0", "range(n)", "s += j", id="end-stays"),
        pytest.param("s = 0", "range(i)", "s += j * i", id="terms-move"),
        pytest.param("s = 0", "range(i)", "s += j\n            t = s + 1", id="two-results"),
        pytest.param("s = 0", "range(i)", "if j > 3:\n                break", id="leaves"),
        pytest.param("s = 0", "range(i)", "print(j)\n            s += j", id="acts"),
        pytest.param("s = []", "range(i)", "s += [j]", id="a-list"),
        pytest.param("s = 0", "xs[:i]", "s += j", id="no-range"),
        pytest.param("f(s)", "range(i)", "s += j", id="not-set"),
        pytest.param("s = 0", "range(i)", "xs[0] = j\n            s += j", id="writes"),
    ],
)
def test_must_not_fire(start: str, span: str, body: str) -> None:
    text = f"""
    def f(n, xs, s, t):
        for i in range(n):
            {start}
            for j in {span}:
                {body.replace("            ", "                ")}
            g(s, t)
    """
    assert rewritten(FoldTable(), text) == []


def test_must_not_fire_where_the_variable_is_of_use_later() -> None:
    assert rewritten(FoldTable(), SLOW.replace("out.append(p)", "out.append(p + j)")) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(0, 9), xs=st.lists(st.integers(-3, 9), max_size=6))
def test_same_answers(text: str, n: int, xs: list[int]) -> None:
    assert_equivalent(FoldTable(), text, n, xs)
