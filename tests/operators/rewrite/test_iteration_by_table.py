"""Recursions that go down by fixed steps are computed upwards, at no depth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.iteration_by_table import IterationByTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(n):
    '''The number of ways to climb.'''
    if n < 2:
        return 1  # one way
    return solve(n - 1) + solve(n - 2)
"""
AFTER = """
def solve(n):
    '''The number of ways to climb.'''
    def solve_step(n):
        if n < 2:
            return 1  # one way
        return solve_table[n - 1] + solve_table[n - 2]
    solve_table = {}
    for smaller in range(0, n):
        solve_table[smaller] = solve_step(smaller)
    return solve_step(n)
"""
SHAPES = {
    "chain": "def solve(n):\n    if n == 0:\n        return 0\n    elif n == 1 or n == 2:\n"
    "        return n\n    else:\n        return solve(n - 1) + 2 * solve(n - 3)\n",
    "chosen": "def solve(n):\n"
    "    return 1 if n <= 0 else solve(n - 1) * n % 1009 + solve(n - 5)\n",
    "listed": "def solve(n):\n    if n in (0, 1, 2):\n        return [n]\n"
    "    return solve(n - 3) + [len(solve(n - 2))]\n",
    "nested": "def solve(n):\n    def go(values, k):\n        if not k:\n            return 0\n"
    "        return max(go(values, k - 1), values[k - 1] - go(values, k - 1))\n"
    "    return go([3, 1, 4] * 9, n)\n",
    "loop": "def solve(n):\n    if n <= 1:\n        return 1\n    total = 0\n"
    "    for weight in (1, 2):\n        total += weight * solve(n - 2)\n    return total\n",
}


class TestContract(RuleContract):
    rule = IterationByTable
    slow = SLOW


def test_two_calls() -> None:
    assert rewritten(IterationByTable(), SLOW) == [dedented(AFTER)]


def test_no_depth_is_left() -> None:
    twice = "max(solve(n - 1), solve(n - 1))"
    text = f"def solve(n):\n    if not n:\n        return 0\n    return 1 + {twice}\n"
    (candidate,) = rewritten(IterationByTable(), text)
    assert answer(candidate, (5000,))[0] == 5000


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if n < 2: return 1\n    return f(n // 2) + f(n - 1)", id="halved"),
        pytest.param("if n < 2: return 1\n    return f(n - k) + f(n - 1)", id="any-step"),
        pytest.param("if n < 2: return 1\n    return f(n + 1) + f(n + 2)", id="upwards"),
        pytest.param("if n == 1: return 1\n    return f(n - 2) + f(n - 4)", id="too-few-known"),
        pytest.param("if n < 2: return 1\n    return 2 * f(n - 1)", id="a-chain"),
        pytest.param("if n > 2: return 1\n    return f(n - 2) + f(n - 4)", id="known-above"),
        pytest.param("if n < k: return 1\n    return f(n - 2) + f(n - 4)", id="unknown-limit"),
        pytest.param(
            "if n < 2: return 1\n    print(n)\n    return f(n - 1) + f(n-2)", id="trace"
        ),
        pytest.param(
            "if n < 2: return 1\n    n -= 1\n    return f(n - 1) + f(n - 2)", id="moved"
        ),
        pytest.param("if n < 2: return 1\n    return f(n - 1) + f(n - 2) * g(n)", id="another"),
        pytest.param("if n < 2: return 1\n    return map(f, [n - 1])", id="passed-on"),
    ],
)
def test_must_not_fire(body: str) -> None:
    assert rewritten(IterationByTable(), f"def f(n):\n    {body}\n") == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(n=st.integers(0, 12))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(IterationByTable(), text, n)
