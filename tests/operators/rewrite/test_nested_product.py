"""The variable that an equation decides is computed; tests stand where they can be decided."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.nested_product import NestedProduct
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n):
    ways = []
    for a in range(n):
        for b in range(a, n):
            # the third one
            for c in range(b, n + 1):
                if a + b + c == n and c % 2 == 0:
                    ways.append((a, b, c))
    return ways
"""
AFTER = """
def solve(n):
    ways = []
    for a in range(n):
        for b in range(a, n):
            # the third one
            for c in [(n) - (a) - (b)]:
                if c in range(b, n + 1) and c % 2 == 0:
                    ways.append((a, b, c))
    return ways
"""
SHAPES = {
    "listed": "def solve(n):\n    return [(a, b) for a in range(n) for b in range(2, n)"
    " if n == a - b + 3]\n",
    "factor": "def solve(n):\n    return [(a, b) for a in range(n) for b in range(n + 1)"
    " if a + 5 * b == n]\n",
    "minus": "def solve(n):\n    k = 0\n    for a in range(n):\n"
    "        for b in range(-n, n):\n            if a - b * 2 == 1:\n"
    "                k += b\n    return k\n",
    "squares": "def solve(n):\n    out = []\n    for a in range(1, n):\n"
    "        for b in range(a, n):\n            for c in range(b, n):\n"
    "                if a * a + b * b == c * c:\n                    out.append((a, b, c))\n"
    "    return out\n",
    "hoisted": "def solve(n):\n    out = []\n    for a in range(n):\n"
    "        for b in range(n):\n            if a % 3 == 1 and a * b > 7:\n"
    "                out.append((a, b))\n"
    "    return out\n",
    "all-hoisted": "def solve(n):\n    out = []\n    for a in range(n):\n"
    "        for b in range(n):\n            if a % 3 == 1:\n"
    "                out.append((a, b))\n    return out\n",
    "filters": "def solve(n):\n    return {(a, b, c) for a in range(n) if a for b in range(a)"
    " for c in range(b) if a % 2 and b % 3 == 1 and c < 4}\n",
    "first": "def solve(n):\n    for a in range(n):\n        for b in range(n):\n"
    "            if a + b == 9:\n                return a, b\n    return None\n",
}


class TestContract(RuleContract):
    rule = NestedProduct
    slow = SLOW


def test_an_equation_is_solved() -> None:
    assert rewritten(NestedProduct(), SLOW) == [dedented(AFTER)]


def test_a_test_moves_out() -> None:
    (text,) = rewritten(NestedProduct(), SHAPES["hoisted"])
    assert "        if a % 3 == 1:\n            for b in range(n):\n" in text
    assert "                if a * b > 7:\n" in text


@pytest.mark.parametrize(
    ("loop", "test"),
    [
        pytest.param("range(n)", "a + b > n", id="no-equation"),
        pytest.param("range(n)", "a + b + b == n", id="twice"),
        pytest.param("range(n)", "a + b == b * 2", id="on-both-sides"),
        pytest.param("range(n)", "a + xs[b] == n", id="an-element"),
        pytest.param("range(n)", "a * b == n", id="a-product"),
        pytest.param("xs", "a + b == n", id="no-range"),
        pytest.param("range(n)", "a + b == f(a)", id="unknown-function"),
        pytest.param("range(-n, n)", "a + b * b == n", id="two-roots"),
        pytest.param("range(n)", "a + b == n or a == 1", id="or"),
    ],
)
def test_must_not_fire(loop: str, test: str) -> None:
    loops = f"    for a in xs:\n        for b in {loop}:\n            if {test}:\n"
    loops += "                out.append(a)\n"
    text = f"def g(n, xs, f):\n    out = []\n{loops}    return out\n"
    assert rewritten(NestedProduct(), text) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("            if a + b == n:\n                n += 1\n", id="bound-moves"),
        pytest.param("            k += 1\n            if a + b == n:\n"
                     "                k += 1\n", id="more-work"),
        pytest.param("            if a + b == n:\n                k += 1\n"
                     "            else:\n                k += 2\n", id="else"),
        pytest.param("            if a + b == n:\n                k = 1\n"
                     "        k += b\n", id="read-later"),
    ],
)  # fmt: skip
def test_must_not_fire_either(body: str) -> None:
    loops = f"    for a in range(n):\n        for b in range(n):\n{body}"
    text = f"def g(n, k):\n{loops}    return k\n"
    assert rewritten(NestedProduct(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(0, 14))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(NestedProduct(), text, n)
