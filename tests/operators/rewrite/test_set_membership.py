"""Membership tests of lists become look-ups, where the list stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.set_membership import SetMembership
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

COMMON = """
def solve(a, b):
    out = []
    # every x
    for x in a:
        if x in b:  # seen
            out.append(x)
    return out
"""
ROWS = """
def solve(adj):
    count = 0
    for i in range(len(adj)):
        for j in range(len(adj)):
            if j in adj[i] and i not in adj[j]:
                count += 1
    return count
"""


class TestContract(RuleContract):
    rule = SetMembership
    slow = ROWS
    others = ("def solve(rows):\n    return [1 for i in rows for j in rows if j in rows[i]]\n",)


def test_a_loop() -> None:
    after = """
    def solve(a, b):
        out = []
        b_set = set(b)
        # every x
        for x in a:
            if x in b_set:  # seen
                out.append(x)
        return out
    """
    assert rewritten(SetMembership(), COMMON) == [dedented(after)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "kept = [c for c in s if c not in t]",
            "t_set = set(t)\nkept = [c for c in s if c not in t_set]",
            id="comprehension",
        ),
        pytest.param(
            "t_set = 0\nn = sum(c in t for c in s)",
            "t_set = 0\nt_set_2 = set(t)\nn = sum(c in t_set_2 for c in s)",
            id="a-name-in-use",
        ),
        pytest.param(
            "for a in r:\n    while a not in s[1:]:\n        a += 1\n",
            "s_set = set(s[1:])\nfor a in r:\n    while a not in s_set:\n        a += 1\n",
            id="outermost-loop",
        ),
        pytest.param(
            "for a in r:\n    t = f(a)\n    for b in a:\n        b in t\n",
            "for a in r:\n    t = f(a)\n    t_set = set(t)\n    for b in a:\n        b in t_set\n",  # noqa: E501
            id="where-it-is-bound",
        ),
    ],
)
def test_shapes(before: str, after: str) -> None:
    assert rewritten(SetMembership(), before) == [after]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x in b", id="no-loop"),
        pytest.param("for x in a:\n    if x in b:\n        b.append(x)\n", id="it-grows"),
        pytest.param("for x in a:\n    if x in b:\n        b[0] = x\n", id="it-is-written"),
        pytest.param("for x in a:\n    if x in b:\n        b = x\n", id="it-is-bound-anew"),
        pytest.param("for x in a:\n    if x in b:\n        f(b)\n", id="it-is-passed-on"),
        pytest.param("def f(x):\n    b.append(x)\nfor x in a:\n    if x in b:\n        f(x)\n",
                     id="it-grows-elsewhere"),
        pytest.param("f = b.append\nfor x in a:\n    if x in b:\n        f(x)\n",
                     id="it-grows-by-another-name"),
        pytest.param("b = iter(c)\nall(x in b for x in a)", id="it-is-an-iterator"),
        pytest.param("b = c.lower()\nfor x in a:\n    x in b\n", id="it-is-a-text"),
        pytest.param("def f(a, b: str):\n    return [x for x in a if x in b]\n",
                     id="it-is-said-to-be-a-text"),
        pytest.param("b = set(c)\nfor x in a:\n    x in b\n", id="it-is-a-set"),
        pytest.param("b = {}\nfor x in a:\n    x in b\n", id="it-is-a-dictionary"),
        pytest.param("for x in a:\n    x in f(b)\n", id="unknown-call"),
        pytest.param("if a in b:\n    pass\n", id="an-if"),
    ],
)  # fmt: skip
def test_must_not_fire(text: str) -> None:
    assert rewritten(SetMembership(), text) == []


numbers = st.lists(st.integers(0, 9), max_size=8)


@given(numbers, numbers)
def test_same_answers(a: list[int], b: list[int]) -> None:
    assert_equivalent(SetMembership(), COMMON, a, b)


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=6))
def test_same_answers_for_rows(rows: list[list[int]]) -> None:
    assert_equivalent(SetMembership(), ROWS, rows)
