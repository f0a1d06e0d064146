"""Powers under a modulus are taken by `pow`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.modular_power import ModularPower
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(b, e, m):
    r = 1
    for _ in range(e):
        r = r * b % m
    return r, (3 * b ** e + 1) % m
"""
AFTER = """
def solve(b, e, m):
    r = 1
    if e > 0:
        r = r * pow(b, e, m) % m
    return r, (3 * b ** e + 1) % m
"""
SHAPES = {
    "first": SLOW,
    "two-lines": "def solve(b, e, m):\n    r = 1\n    for _ in range(e):\n"
    "        r *= b\n        r %= m\n    return r\n",
    "from": "def solve(b, e, m):\n    r = 1\n    for i in range(2, e + 1):\n"
    "        r = (b * r) % m\n    return r\n",
    "alone": "def solve(b, e, m):\n    return b ** e % m\n",
    "called": "def solve(b, e, m):\n    return pow(b, e) % m\n",
    "difference": "def solve(b, e, m):\n    return ((b + 1) ** e - b) % (m + 1)\n",
}


class TestContract(RuleContract):
    rule = ModularPower
    slow = SLOW


def test_a_loop_and_an_expression() -> None:
    first, second = rewritten(ModularPower(), SLOW)
    assert first == dedented(AFTER)
    assert "return r, (3 * pow(b, e, m) + 1) % m" in second


def test_alone_the_modulus_goes() -> None:
    assert rewritten(ModularPower(), "y = x ** 300 % m\n") == ["y = pow(x, 300, m)\n"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("y = x ** 2 % m", id="a-square"),
        pytest.param("y = x * 5 % m", id="no-power"),
        pytest.param("y = x ** 9 // k % m", id="divided"),
        pytest.param("y = x ** 9 % f()", id="unknown-call"),
        pytest.param("for i in range(e):\n    r = r * i % m\n", id="factorial"),
        pytest.param("for i in range(e):\n    r = r * r % m\n", id="squares"),
        pytest.param("for i in range(e):\n    r = r * b % m\n    b += 1\n", id="more"),
        pytest.param("for i in range(e):\n    r = r * b % m\nprint(i)\n", id="read-later"),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(ModularPower(), text) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@given(b=st.integers(-9, 99), e=st.integers(0, 12), m=st.integers(1, 50))
def test_same_answers(text: str, b: int, e: int, m: int) -> None:
    assert_equivalent(ModularPower(), text, b, e, m)
