"""Neighbours are compared where order was asked for, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sorted_compare import SortedCompare
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    if xs != sorted(xs):
        return False
    return len(xs) > 1
"""
AFTER = """
from operator import le

def solve(xs):
    if not all(map(le, xs, xs[1:])):
        return False
    return len(xs) > 1
"""
SHAPES = {
    "rising": "xs == sorted(xs)",
    "falling": "xs == sorted(xs, reverse=True)",
    "turned": "sorted(xs) != xs",
    "copy": "list(xs) == sorted(xs)",
    "either": "xs == sorted(xs) or xs == sorted(xs, reverse=True)",
    "within": "[xs == sorted(xs), 1]",
    "indices": "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))",
    "indices-back": "all(xs[i-1] < xs[i] for i in range(1, len(xs)))",
    "any": "any(xs[i] > xs[i + 1] for i in range(len(xs) - 1))",
    "late-first": "all([xs[i + 1] > xs[i] for i in range(0, len(xs) - 1)])",
    "different": "all(a != b for a, b in zip(xs, xs[1:]))",
    "zip-late-first": "any(b <= a for a, b in zip(xs, xs[1:]))",
}


class TestContract(RuleContract):
    rule = SortedCompare
    slow = SLOW


def test_a_comparison() -> None:
    assert rewritten(SortedCompare(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("xs == sorted(ys)", id="another-sequence"),
        pytest.param("xs == sorted(xs, key=len)", id="by-a-key"),
        pytest.param("xs == sorted(xs, reverse=k)", id="order-not-known"),
        pytest.param("xs < sorted(xs)", id="no-equality"),
        pytest.param("f() == sorted(f())", id="a-trace"),
        pytest.param("all(xs[i] < xs[i + 2] for i in range(len(xs) - 1))", id="no-neighbours"),
        pytest.param("all(xs[i] < ys[i + 1] for i in range(len(xs) - 1))", id="two-sequences"),
        pytest.param("all(xs[i] < xs[i - 1] for i in range(len(xs)))", id="round-the-end"),
        pytest.param("all(xs[i] < xs[i + 1] for i in range(k))", id="another-end"),
        pytest.param("all(xs[i] < xs[i + 1] for i in range(len(xs) - 1) if i)", id="some"),
        pytest.param("sum(a < b for a, b in zip(xs, xs[1:]))", id="a-number"),
        pytest.param("all(a < b for a, b in zip(xs, xs[2:]))", id="further"),
    ],
)
def test_must_not_fire(test: str) -> None:
    assert rewritten(SortedCompare(), f"a = {test}\n") == []


def test_a_length_with_a_name() -> None:
    test = "all(xs[i] <= xs[i + 1] for i in range(n - 1))"
    text = f"def solve(xs):\n    n = len(xs)\n    return {test}\n"
    assert "all(map(le, xs, xs[1:]))" in rewritten(SortedCompare(), text)[0]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.integers(0, 9), max_size=4) | st.lists(st.integers()).map(sorted))
def test_same_answers(shape: str, xs: list[int]) -> None:
    assert_equivalent(SortedCompare(), f"def solve(xs):\n    return {shape}\n", xs)
