"""Divisors are found in pairs, in the order and the range in which they were waited for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.divisor_pairs import DivisorPairs
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n, m):
    total = 0
    for k in range(1, n):
        if n % k == 0:
            total += k  # a divisor
    return total
"""
AFTER = """
from math import isqrt

def solve(n, m):
    total = 0
    for k in sorted({e for d in range(1, isqrt(max(n, 0)) + 1) if n % d == 0 for e in (d, n // d) if e in range(1, n)}):
        if n % k == 0:
            total += k  # a divisor
    return total
"""  # noqa: E501
SHAPES = {
    "comprehension": "def solve(n, m):\n    return [d for d in range(1, n + 1) if not n % d]\n",
    "falling": "def solve(n, m):\n    for i in range(n - 1, 0, -1):\n"
    "        if n % i == 0:\n            return i\n",
    "half": "def solve(n, m):\n    out = [1]\n    for i in range(2, n // 2 + 1):\n"
    "        if n % i == 0 and i % 3:\n            out.append(i)\n    return out\n",
    "two-numbers": "def solve(n, m):\n    best = 1\n    for i in range(1, min(n, m) + 1):\n"
    "        if n % i == 0 and m % i == 0:\n            best = i\n    return best\n",
    "counted": "def solve(n, m):\n    return sum(n % i == 0 for i in range(1, n + 1))\n",
    "many": "def solve(n, m):\n"
    "    return [sum(d for d in range(1, k) if k % d == 0) for k in range(n)]\n",
}


class TestContract(RuleContract):
    rule = DivisorPairs
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(DivisorPairs(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("span", "test", "body"),
    [
        pytest.param("range(n)", "n % k == 0", "f(k)", id="zero"),
        pytest.param("range(1, m)", "n % k == 0", "f(k)", id="another-end"),
        pytest.param("range(1, int(n ** 0.5))", "n % k == 0", "f(k)", id="rooted"),
        pytest.param("range(1, n)", "k % n == 0", "f(k)", id="multiples"),
        pytest.param("range(1, n)", "n % k == 1", "f(k)", id="another-rest"),
        pytest.param("range(1, n)", "n % k == 0 or k > 3", "f(k)", id="not-all"),
        pytest.param("range(1, n)", "n % k == 0", "n //= k", id="n-changes"),
        pytest.param("range(1, n)", "n % k", "f(k)", id="no-divisors"),
        pytest.param("range(2, n)", "n % k == 0", "return False", id="any-divisor-will-do"),
    ],
)
def test_must_not_fire(span: str, test: str, body: str) -> None:
    text = f"def g(n, m):\n    for k in {span}:\n        if {test}:\n            {body}\n"
    assert rewritten(DivisorPairs(), text) == []


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param("        else:\n            g(k)\n", id="something-else"),
        pytest.param("    return k\n", id="the-last-number-is-asked-for"),
    ],
)
def test_must_not_fire_where_the_others_matter(rest: str) -> None:
    text = f"def f(n):\n    for k in range(1, n):\n        if n % k == 0:\n            g(n)\n{rest}"  # noqa: E501
    assert rewritten(DivisorPairs(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(-2, 130), m=st.integers(-2, 60))
def test_same_answers(text: str, n: int, m: int) -> None:
    assert_equivalent(DivisorPairs(), text, n, m)
