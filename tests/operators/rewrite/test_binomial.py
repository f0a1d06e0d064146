"""Quotients of factorials are counted, and come to the same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.binomial import Binomial
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, rewritten

SLOW = """
from math import factorial

def solve(n, k):
    if k > n:
        return 0
    return factorial(n) // (factorial(k) * factorial(n - k)) % 97
"""
FIRST = "factorial(n)"
CHOSEN = "factorial(n) // (factorial(k) * factorial(n - k))"


class TestContract(RuleContract):
    rule = Binomial
    slow = SLOW


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(CHOSEN, "comb(n, k) % 97", id="chosen"),
        pytest.param(
            "factorial(n) // factorial(k) // factorial(n - k)", "comb(n, k)", id="two"
        ),
        pytest.param(
            "factorial(n) // (factorial(n - k) * factorial(k))", "comb(n, k)", id="turned"
        ),
        pytest.param(
            "factorial(n + k) // (factorial(n) * factorial(n + k - n))",
            "comb(n + k, n)",
            id="of-a-sum",
        ),
        pytest.param("factorial(n) // factorial(n - k)", "perm(n, k)", id="in-order"),
    ],
)
def test_forms(old: str, new: str) -> None:
    (found,) = rewritten(Binomial(), SLOW.replace(CHOSEN, old))
    assert f"    return {new}" in found


def test_by_the_name_of_the_module() -> None:
    text = SLOW.replace("from math import factorial", "import math")
    (found,) = rewritten(Binomial(), text.replace("factorial(", "math.factorial("))
    assert "math.comb(n, k)" in found


@given(st.integers(0, 30), st.integers(0, 30))
@pytest.mark.parametrize("text", [SLOW, SLOW.replace("(factorial(k) * ", "(")])
def test_numbers_are_the_same(text: str, n: int, k: int) -> None:
    assert_equivalent(Binomial(), text, n, k)


@pytest.mark.parametrize(
    "new",
    [
        pytest.param(CHOSEN.replace("//", "/"), id="a-float"),
        pytest.param(CHOSEN.replace("n - k", "n - 1"), id="another-rest"),
        pytest.param(CHOSEN.replace("n - k", "k - n"), id="the-other-way"),
        pytest.param(CHOSEN.replace("factorial(k)", "k"), id="no-factorial"),
        pytest.param(CHOSEN.replace("(k)", "(n.pop())"), id="an-effect"),
        pytest.param("factorial(n) // factorial(k)", id="of-no-rest"),
        pytest.param("factorial(n) * factorial(n - k)", id="a-product"),
    ],
)
def test_must_not_fire(new: str) -> None:
    assert rewritten(Binomial(), SLOW.replace(CHOSEN, new)) == []


def test_a_function_of_ones_own_may_be_another() -> None:
    text = SLOW.replace("from math import factorial", "def factorial(n):\n    return n\n")
    assert rewritten(Binomial(), text) == []
