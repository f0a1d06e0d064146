"""Searches for positions, and in beginnings and ends, become look-ups."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.position_table import PositionTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    out = []
    for i, x in enumerate(xs):
        if x not in xs[:i] and xs.index(x) == i:  # new
            out.append(x)
    return out
"""
AFTER = """
def solve(xs):
    out = []
    xs_first = {}
    for place, each in enumerate(xs):
        xs_first.setdefault(each, place)
    for i, x in enumerate(xs):
        if xs_first.get(x, i) >= i and xs_first[x] == i:  # new
            out.append(x)
    return out
"""
SHAPES = {
    "later": "def solve(xs):\n    n = 0\n    for i in range(len(xs)):\n"
    "        if xs[i] in xs[i + 1:] or xs[i] + 1 not in xs[i:]:\n            n += 1\n"
    "    return n\n",
    "earlier": "def solve(xs):\n    return [x for i, x in enumerate(xs) if x in xs[:i]]\n",
    "absent": "def solve(xs):\n"
    "    return [x for i, x in enumerate(xs) if x + 1 in xs[:i + 2] or x - 1 not in xs[:i]]\n",
}


class TestContract(RuleContract):
    rule = PositionTable
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(PositionTable(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("a = xs.index(x, 3)", id="from-somewhere"),
        pytest.param("a = xs.index(f(x))", id="unknown-call"),
        pytest.param("a = x in xs[:-i]", id="from-the-other-end"),
        pytest.param("a = x in xs[1:i]", id="in-between"),
        pytest.param("a = x in xs[:i:2]", id="steps"),
        pytest.param("a = x in xs", id="anywhere"),
        pytest.param("xs.append(xs.index(x))", id="it-grows"),
        pytest.param("xs[0] = xs.index(x)", id="it-is-written"),
    ],
)
def test_must_not_fire(body: str) -> None:
    assert rewritten(PositionTable(), f"for x in vs:\n    {body}\n") == []


def test_must_not_fire_without_a_loop() -> None:
    assert rewritten(PositionTable(), "a = xs.index(x)\n") == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(0, 6), max_size=8))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(PositionTable(), text, xs)
