"""Factors are the same and in the same order, found below the root of what is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.factor_bound import FactorBound
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n):
    out = []
    d = 2
    while n > 1:
        if n % d == 0:
            out.append(d)
            n //= d
        else:
            d += 1  # the next
    return out, n, d
"""
AFTER = """
def solve(n):
    out = []
    d = 2
    while n > 1:
        if n % d == 0:
            out.append(d)
            n //= d
        else:
            d = d + 1 if d * d <= n else max(d + 1, n)  # the next
    return out, n, d
"""
RANGE = """
def solve(n):
    out = []
    for d in range(2, n + 1):
        if n % d == 0:
            out.append(d)
            while n % d == 0:
                n //= d
    return out, n
"""
SHAPES = {
    "up-to-what-is-left": SLOW.replace("n > 1", "d <= n"),
    "inner-while": "def solve(n):\n    out, most = [], 0\n    p = 2\n    while p <= n:\n"
    "        while n % p == 0:\n            most = p\n            out.append(p)\n"
    "            n = n // p\n        p = p + 1\n    return out, most, p\n",
    "range": RANGE,
    "range-while": "def solve(n):\n    most = 1\n    for d in range(2, n + 1):\n"
    "        while not n % d:\n            most = max(most, d)\n            n //= d\n"
    "    return most\n",
}


class TestContract(RuleContract):
    rule = FactorBound
    slow = SLOW


def test_a_while() -> None:
    assert rewritten(FactorBound(), SLOW) == [dedented(AFTER)]


def test_a_range_has_what_is_left_behind_it() -> None:
    (text,) = rewritten(FactorBound(), RANGE)
    assert "chain(range(2, isqrt(max(n, 0)) + 1), (rest for once in (0,)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("d = 2", "d = 3", id="from-another-number"),
        pytest.param("d += 1", "d += 2", id="in-other-steps"),
        pytest.param("n //= d", "n -= d", id="not-divided"),
        pytest.param("out.append(d)", "d = 2", id="starts-again"),
        pytest.param("else:\n", "else:\n            out.append(0)\n", id="the-others-matter"),
        pytest.param("n > 1", "n > 3", id="another-end"),
        pytest.param("n % d", "d % n", id="multiples"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(FactorBound(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("n + 1", "n", id="without-the-last"),
        pytest.param("while n % d == 0:", "if n:", id="divided-once"),
        pytest.param("out, n", "out, d", id="asked-for-later"),
        pytest.param("        if n", "        out.append(0)\n        if n", id="in-every-pass"),
    ],
)
def test_a_range_must_not_change(old: str, new: str) -> None:
    assert old in RANGE
    assert rewritten(FactorBound(), RANGE.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(1, 3000))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(FactorBound(), text, n)
