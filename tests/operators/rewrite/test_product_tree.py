"""Factors are multiplied in pairs where nobody asks for the product so far."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.product_tree import ProductTree
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    total, product = 0, 1
    result = 1
    for x in xs:
        total += x
        result *= x
    return total, result
"""
AFTER = """
from math import prod
from operator import mul

def solve(xs):
    total, product = 0, 1
    result = 1
    result = product_2(xs, result)
    for x in xs:
        total += x
    return total, result
def product_2(factors, start=1):
    factors = [start, *factors]
    if {*map(type, factors)} != {int}:
        return prod(factors)
    while len(factors) > 1:
        rest = factors[len(factors) & ~1:]
        factors = [*map(mul, factors[::2], factors[1::2]), *rest]
    return factors[0]
"""
SHAPES = {
    "alone": "def solve(xs):\n    p = 3\n    for x in xs:\n"
    "        p = p * (x + 1)\n    return p\n",
    "turned": "def solve(xs):\n    p = 1\n    for i in range(len(xs)):\n"
    "        p = xs[i] * p\n    return p\n",
    "call": "import math\ndef solve(xs):\n    return math.prod(x + 1 for x in xs)\n",
    "inner": "def solve(xs):\n    out = []\n    for x in xs:\n        p = 1\n"
    "        for j in range(1, x + 1):\n            p *= j\n        out.append(p)\n"
    "    return out\n",
}


class TestContract(RuleContract):
    rule = ProductTree
    slow = SLOW


def test_a_loop_beside_other_work() -> None:
    assert rewritten(ProductTree(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("total += x", "total += result", id="asked-for"),
        pytest.param("total += x", "x += 1", id="a-factor-that-changes"),
        pytest.param("total += x", "if x > 5:\n            break", id="may-end"),
        pytest.param("in xs", "in map(abs, xs)", id="an-iterator"),
        pytest.param("result = 1", "result = 1.0", id="no-integer"),
        pytest.param("result *= x", "result *= f(x)", id="a-trace"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(ProductTree(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["beside", *SHAPES])
@given(xs=st.lists(st.integers(-9, 9)))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(ProductTree(), text, xs)


@pytest.mark.parametrize("text", [SLOW, SHAPES["alone"], SHAPES["call"]])
@given(xs=st.lists(st.floats()))
def test_same_bits_of_floats(text: str, xs: list[float]) -> None:
    (new,) = rewritten(ProductTree(), text)
    assert repr(answer(new, (xs,))) == repr(answer(text, (xs,)))


@pytest.mark.parametrize("factor", ["x", "(x + 1)", "abs(x)"])
def test_a_factor_of_the_product_so_far_stays(factor: str) -> None:
    loop = f"for _ in range(n):\n        x *= {factor}\n"
    text = f"def solve(n):\n    x = 2\n    {loop}    return x\n"
    assert rewritten(ProductTree(), text) == []


def test_an_iterator_serves_one_loop() -> None:
    text = (
        "def solve(xs):\n    it = iter(xs)\n    q = []\n    p = 1\n"
        "    for x in it:\n        q.append(x)\n        p *= x\n    return p, q\n"
    )
    assert rewritten(ProductTree(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["beside", *SHAPES])
def test_its_own_guard_is_left_alone(text: str) -> None:
    (new,) = rewritten(ProductTree(), text)
    assert rewritten(ProductTree(), new) == []
