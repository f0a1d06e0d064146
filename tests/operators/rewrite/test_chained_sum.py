"""Sums of lists and tuples become chains of their elements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.chained_sum import ChainedSum
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(rows):
    flat = sum(rows, [])  # all
    return flat, sum((row[:2] for row in rows), start=[])
"""
AFTER = """
from itertools import chain

def solve(rows):
    flat = list(chain.from_iterable(rows))  # all
    return flat, sum((row[:2] for row in rows), start=[])
"""
REDUCED = """
import functools
import itertools

def solve(rows):
    return sorted(functools.reduce(lambda a, b: a + b, map(tuple, rows), ()))
"""


class TestContract(RuleContract):
    rule = ChainedSum
    slow = SLOW


def test_each_sum_by_itself() -> None:
    first, second = rewritten(ChainedSum(), SLOW)
    assert first == dedented(AFTER)
    assert "list(chain.from_iterable((row[:2] for row in rows)))" in second


def test_what_only_takes_the_elements_out_needs_no_list() -> None:
    (text,) = rewritten(ChainedSum(), REDUCED)
    assert "return sorted(itertools.chain.from_iterable(map(tuple, rows)))" in text
    assert "from itertools" not in text


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("sum(rows)", id="numbers"),
        pytest.param("sum(rows, 0)", id="from-nought"),
        pytest.param("sum(rows, [0])", id="from-a-list-with-an-element"),
        pytest.param("sum(rows, first)", id="from-a-name"),
        pytest.param("reduce(lambda a, b: b + a, rows, [])", id="turned-round"),
        pytest.param("reduce(f, rows, [])", id="another-function"),
        pytest.param("sum(*rows, [])", id="unpacked"),
    ],
)
def test_must_not_fire(code: str) -> None:
    assert rewritten(ChainedSum(), f"def f(rows, first):\n    return {code}\n") == []


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=5))
def test_same_answers(rows: list[list[int]]) -> None:
    assert_equivalent(ChainedSum(), SLOW, rows)
    assert_equivalent(ChainedSum(), REDUCED, rows)
