"""Matrix products go through numpy and come back as the same Python numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.numpy_product import NumpyProduct
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, rewritten

SLOW = """
def solve(a, b):
    n, m, q = len(a), len(b), len(b[0]) if b else 0
    c = [[0] * q for _ in range(n)]
    for i in range(n):
        for j in range(q):
            # one sum
            for k in range(m):
                c[i][j] += a[i][k] * b[k][j]
    return c
"""
SHAPES = {
    "total": "def solve(a, b):\n    out = []\n    for i in range(len(a)):\n        row = []\n"
    "        for j in range(len(b)):\n            total = 0\n"
    "            for k in range(len(b)):\n                total += b[k][j] * a[i][k]\n"
    "            row.append(total)\n"
    "        out.append(row)\n    return out\n",
    "listed": "def solve(a, b):\n    n = len(a)\n    return [[sum(a[i][k] * b[k][j]"
    " for k in range(n)) for j in range(n)] for i in range(n)]\n",
}


class TestContract(RuleContract):
    rule = NumpyProduct
    slow = SLOW


def test_three_loops() -> None:
    (text,) = rewritten(NumpyProduct(), SLOW)
    assert "            # one sum\n            c[i][j] += product[i][j]\n" in text
    assert "    product = (left @ right).tolist() if" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("c[i][j] += a[i][k] * b[j][k]", id="transposed"),
        pytest.param("c[i][j] += a[i][k] + b[k][j]", id="a-sum"),
        pytest.param("c[i][j] = a[i][k] * b[k][j]", id="the-last"),
        pytest.param("a[i][j] += a[i][k] * b[k][j]", id="in-place"),
        pytest.param("c[i][k] += a[i][k] * b[k][j]", id="other-places"),
        pytest.param("c[i][j] += a[i][k] * b[k][j]\n                n += k", id="more-work"),
        pytest.param("c[i][j] += a[i][k] * b[k + 1][j]", id="shifted"),
    ],
)
def test_must_not_fire(body: str) -> None:
    loops = (
        "    for i in range(n):\n        for j in range(n):\n            for k in range(n):\n"
    )
    text = f"def f(a, b, c, n):\n{loops}                {body}\n    return c\n"
    assert rewritten(NumpyProduct(), text) == []


_NUMBERS = st.integers(-9, 9) | st.integers(-(2**64), 2**64) | st.booleans() | st.just(0.5)
_SQUARES = st.integers(0, 4).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.lists(_NUMBERS, min_size=n, max_size=n), min_size=n, max_size=n)] * 2
    )
)


@pytest.mark.tier("library")
@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(pair=_SQUARES)
def test_same_answers(text: str, pair: tuple[list[list[int]], list[list[int]]]) -> None:
    assert_equivalent(NumpyProduct(), text, *pair)


def test_numbers_are_of_the_same_type() -> None:
    (text,) = rewritten(NumpyProduct(), SLOW)
    for a in ([[1, 2], [3, 4]], [[2**62, 1], [0, 1]], [[0.5, 1], [2, 3]]):
        result, _ = answer(text, (a, a))
        expected, _ = answer(SLOW, (a, a))
        assert [[type(x) for x in row] for row in result] == [
            [type(x) for x in row] for row in expected
        ]
