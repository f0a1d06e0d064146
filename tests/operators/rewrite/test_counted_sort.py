"""Elements that repeat are counted; where each is sorted for itself, nothing changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.counted_sort import CountedSort
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(first, second):
    if sorted(first) != sorted(second):
        return False
    return True
"""
AFTER = """
from collections import Counter

def solve(first, second):
    if Counter(first) != Counter(second):
        return False
    return True
"""
SHAPES = {
    "equal": "sorted(a) == sorted(b)",
    "parts": "sorted(a[1:]) == sorted(b[:-1])",
    "text": "''.join(sorted(a))",
    "text-falling": "''.join(sorted(b, reverse=True))",
    "ranks": "sorted(a, key=lambda x: ranks[x])",
    "ranks-falling": "sorted([x for x in b if x > 'a'], key=ranks.get, reverse=True)",
    "method": "sorted(a + b, key=ranks.__getitem__)",
    "default": "sorted(a, key=lambda x: ranks.get(x, 7))",
}


class TestContract(RuleContract):
    rule = CountedSort
    slow = SLOW


def test_a_comparison() -> None:
    assert rewritten(CountedSort(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("sorted(a) == b", id="one-side"),
        pytest.param("sorted(a) < sorted(b)", id="an-order"),
        pytest.param("sorted(a, key=len) == sorted(b, key=len)", id="by-a-key"),
        pytest.param("' '.join(sorted(a))", id="words"),
        pytest.param("''.join(sorted(a, key=f))", id="another-order"),
        pytest.param("''.join(sorted(f(a)))", id="no-name"),
        pytest.param("sorted(a, key=lambda x: f(x))", id="no-table"),
        pytest.param("sorted(a, key=lambda x: x[b])", id="an-element-of-it"),
        pytest.param("sorted(a, key=lambda x: (b[x], x))", id="more-than-the-rank"),
    ],
)
def test_must_not_fire(code: str) -> None:
    assert rewritten(CountedSort(), f"c = {code}\n") == []


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(a=st.text("abc"), b=st.text("abc"))
def test_same_answers(shape: str, a: str, b: str) -> None:
    text = f"def solve(a, b):\n    ranks = {{'a': 2, 'b': 0, 'c': 1}}\n    return {shape}\n"
    assert_equivalent(CountedSort(), text, a, b)


@pytest.mark.parametrize(
    "result",
    [
        pytest.param("sorted(xs, key=lambda x: xs[x])", id="keys-by-value"),
        pytest.param("sorted(xs, key=xs.get, reverse=True)", id="keys-by-get"),
        pytest.param("sorted(Counter(xs)) == sorted(Counter(ys))", id="keys-of-counters"),
        pytest.param("sorted({x: 1 for x in xs}) == sorted(ys)", id="keys-of-a-dictionary"),
    ],
)
def test_keys_of_dictionaries_are_not_counted(result: str) -> None:
    assert rewritten(CountedSort(), f"def solve(xs, ys):\n    return {result}\n") == []
