"""`max` and `min` of plain values become comparisons that give the same one of two equals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.inline_min_max import InlineMinMax
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    best, total = 0, 0.0
    d = [0] * len(xs)
    for i in range(1, len(xs)):
        best = max(best, xs[i])  # so far
        d[i] = min(xs[i] * abs(xs[i]), d[i])
        low = min(best, 3, xs[i - 1])
        total += max(low, d[i - 1] + 1)
    return best, d, total
"""
AFTER = """
def solve(xs):
    best, total = 0, 0.0
    d = [0] * len(xs)
    for i in range(1, len(xs)):
        if xs[i] > best:
            best = xs[i]
        value = xs[i] * abs(xs[i])
        if value <= d[i]:
            d[i] = value
        low = best
        if 3 < low:
            low = 3
        if xs[i - 1] < low:
            low = xs[i - 1]
        total += (d[i - 1] + 1 if d[i - 1] + 1 > low else low)
    return best, d, total
"""
RECURSIVE = """
def go(xs, i, room):
    if i == len(xs):
        return 0
    rest = go(xs, i + 1, room)
    taken = 1 + go(xs, i + 1, room - xs[i]) if 0 < xs[i] <= room else 0
    return max(rest, taken)

def solve(xs):
    return go(xs, 0, 9)
"""


class TestContract(RuleContract):
    rule = InlineMinMax
    slow = SLOW


def test_all_of_a_function_at_once() -> None:
    assert rewritten(InlineMinMax(), SLOW) == [dedented(AFTER)]


def test_in_a_recursion() -> None:
    (text,) = rewritten(InlineMinMax(), RECURSIVE)
    assert "return (taken if taken > rest else rest)" in text


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("m = max(xs)", id="of-a-sequence"),
        pytest.param("m = max(x, m, key=f)", id="by-key"),
        pytest.param("m = max(*x)", id="unpacked"),
        pytest.param("m = max(f(x), g(x))", id="calls"),
        pytest.param("m = min(f(x), 1, x)", id="a-call-among-three"),
        pytest.param("m = abs(x)", id="something-else"),
    ],
)
def test_must_not_fire(line: str) -> None:
    assert rewritten(InlineMinMax(), f"for x in xs:\n    {line}\n") == []


def test_must_not_fire_outside_of_loops() -> None:
    assert rewritten(InlineMinMax(), "def f(a, b):\n    return max(a, b)\n") == []


@given(st.lists(st.integers(-9, 9) | st.sampled_from([1.0, 2.5, True]), max_size=7))
def test_same_answers(xs: list[float]) -> None:
    assert_equivalent(InlineMinMax(), SLOW, xs)
    assert_equivalent(InlineMinMax(), RECURSIVE, xs)
