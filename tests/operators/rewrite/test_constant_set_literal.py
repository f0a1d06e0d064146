"""Constants that are compared one after the other become a set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.constant_set_literal import ConstantSetLiteral
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(s):
    n = 0
    for c in s:
        if c in ["a", "e", "i"] or c == "o" or c == "u":  # a vowel
            n += 1
        if c.lower() not in ("x", "y", "z"):
            n += 2
        if c != "a" and c != "b" and c != "c":
            n += 4
    return n
"""
AFTER = """
def solve(s):
    n = 0
    for c in s:
        if c in {"a", "e", "i", "o", "u"}:  # a vowel
            n += 1
        if c.lower() not in {"x", "y", "z"}:
            n += 2
        if c not in {"a", "b", "c"}:
            n += 4
    return n
"""


class TestContract(RuleContract):
    rule = ConstantSetLiteral
    slow = SLOW


def test_all_of_a_function_at_once() -> None:
    assert rewritten(ConstantSetLiteral(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a = (x, y) in [(0, 1), (1, 0), (-1, 2)]",
                     "a = (x, y) in {(0, 1), (1, 0), (-1, 2)}", id="pairs"),
        pytest.param("a = not (x == 1 or x == 2 or x == 1.5)",
                     "a = not (x in {1, 2, 1.5})", id="numbers"),
        pytest.param("a = b and x[0] in (None, True, 'k')",
                     "a = b and x[0] in {None, True, 'k'}", id="names-of-constants"),
    ],
)  # fmt: skip
def test_shapes(before: str, after: str) -> None:
    assert rewritten(ConstantSetLiteral(), before) == [after]


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("x in [1, 2]", id="two"),
        pytest.param("x in [1, 2, y]", id="a-variable"),
        pytest.param("x in {1, 2, 3}", id="a-set"),
        pytest.param("[x] in [[1], [2], [3]]", id="lists"),
        pytest.param("x == 1 or y == 2 or x == 3", id="two-values"),
        pytest.param("x == 1 or x == 2 or x > 3", id="another-question"),
        pytest.param("x != 1 or x != 2 or x != 3", id="always-true"),
        pytest.param("f(x) == 1 or f(x) == 2 or f(x) == 3", id="unknown-call"),
    ],
)
def test_must_not_fire(test: str) -> None:
    assert rewritten(ConstantSetLiteral(), f"a = {test}\n") == []


@given(st.text("aeiouxyzXbcd ", max_size=12))
def test_same_answers(s: str) -> None:
    assert_equivalent(ConstantSetLiteral(), SLOW, s)
