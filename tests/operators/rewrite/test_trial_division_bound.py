"""A search for any divisor ends at the square root, in all the shapes it is written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.trial_division_bound import TrialDivisionBound
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n):
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False  # found
    return True
"""
AFTER = """
from math import isqrt

def solve(n):
    if n < 2:
        return False
    for i in range(2, isqrt(n) + 1):
        if n % i == 0:
            return False  # found
    return True
"""
SHAPES = {
    "flag": "def solve(n):\n    flag = 0\n    for i in range(2, n - 1):\n"
    "        if not n % i:\n            flag = 1\n    return flag\n",
    "half": "def solve(n):\n    for i in range(2, n // 2 + 1):\n"
    "        if n % i == 0:\n            return 'no'\n    return n > 1\n",
    "just-half": "def solve(n):\n    for i in range(2, n // 2):\n"
    "        if n % i == 0:\n            return 'no'\n    return n > 1\n",
    "else": "def solve(n):\n    for i in range(2, n):\n"
    "        if n % i == 0:\n            break\n    else:\n        return 1\n    return 0\n",
    "while": "def solve(n):\n    i = 2\n    while i < n:\n        if n % i == 0:\n"
    "            return False\n        i += 1\n    return n > 1\n",
    "while-half": "def solve(n):\n    i = 2\n    while i <= n // 2:\n        if n % i == 0:\n"
    "            return False\n        i += 1\n    return n > 1\n",
    "all": "def solve(n):\n    return n > 1 and all(n % i != 0 for i in range(2, n))\n",
    "all-rest": "def solve(n):\n    return n > 1 and all(n % i for i in range(2, n))\n",
    "any": "def solve(n):\n    return not any(n % i == 0 for i in range(2, n))\n",
    "odd": "def solve(n):\n    if n % 2 == 0:\n        return n == 2\n"
    "    for i in range(3, n, 2):\n        if n % i == 0:\n            return False\n"
    "    return n > 1\n",
}


HALF = """
def solve(n):
    i = 2
    while i <= n // 2:
        if n % i == 0:
            return False
        i += 1
    return n > 1
"""


class TestContract(RuleContract):
    rule = TrialDivisionBound
    slow = SLOW
    others = (HALF,)


def test_a_loop() -> None:
    assert rewritten(TrialDivisionBound(), SLOW) == [dedented(AFTER)]


def test_a_bound_in_use_stays_where_it_may_be_the_smaller_one() -> None:
    (text,) = rewritten(TrialDivisionBound(), SHAPES["just-half"])
    assert "range(2, min(n // 2, isqrt(max(n, 0)) + 1))" in text


@pytest.mark.parametrize(
    ("search", "hit"),
    [
        pytest.param("range(2, n + 1)", "return False", id="n-itself"),
        pytest.param("range(1, n)", "return False", id="one"),
        pytest.param("range(2, n)", "return i", id="which-one"),
        pytest.param("range(2, n)", "total += i", id="all-of-them"),
        pytest.param("range(2, n)", "found = i", id="the-last"),
        pytest.param("range(3, n, 2)", "return False", id="odd-steps"),
        pytest.param("range(2, m)", "return False", id="another-bound"),
    ],
)
def test_must_not_fire(search: str, hit: str) -> None:
    text = f"def f(n):\n    for i in {search}:\n        if n % i == 0:\n            {hit}\n"
    assert rewritten(TrialDivisionBound(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "any(n % i for i in range(2, n))",
        "all(n % i == 0 for i in range(2, n))",
        "all(i % n for i in range(2, n))",
    ],
)
def test_must_not_fire_on_another_question(text: str) -> None:
    assert rewritten(TrialDivisionBound(), f"x = {text}\n") == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(-3, 130))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(TrialDivisionBound(), text, n)
