"""Helpers that scan are written out in a loop where another rule then fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.inlined_return import InlinedReturn
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
LIMIT = 9

def is_new(name, names):
    \"\"\"Whether nobody has the name.\"\"\"
    return name not in names and name < LIMIT

def solve(xs, ys):
    found = []
    for x in xs:
        if is_new(x, ys):  # of all
            found.append(x)
    return found
"""
AFTER = """
LIMIT = 9

def is_new(name, names):
    \"\"\"Whether nobody has the name.\"\"\"
    return name not in names and name < LIMIT

def solve(xs, ys):
    found = []
    ys_set = set(ys)
    for x in xs:
        if x not in ys_set and x < LIMIT:  # of all
            found.append(x)
    return found
"""
COUNTED = """
def share(x, values):
    return values.count(x) / len(values)

def solve(xs, ys):
    return [share(x, ys) for x in xs if ys], len([x for x in ys if share(x, ys) > 1])
"""


class TestContract(RuleContract):
    rule = InlinedReturn
    slow = SLOW
    others = (COUNTED,)


def test_a_set_is_made_once_for_a_helper() -> None:
    assert rewritten(InlinedReturn(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("found = []", "found, LIMIT = [], 3", id="a-name-means-another-thing"),
        pytest.param("(name, names):", "(name, names=()):", id="a-default"),
        pytest.param("def is_new", "@cached\ndef is_new", id="decorated"),
        pytest.param(
            "    return name not", "    print(name)\n    return name not", id="more-lines"
        ),
        pytest.param("is_new(x, ys):", "is_new(x, names=ys):", id="by-keyword"),
        pytest.param("is_new(x, ys):", "is_new(xs.pop(), ys):", id="named-twice"),
        pytest.param("found.append(x)", "ys.append(x)", id="what-is-asked-changes"),
        pytest.param("for x in xs:", "if x := xs:", id="no-loop"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert rewritten(InlinedReturn(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, COUNTED], ids=["set", "counter"])
@given(st.lists(st.integers(0, 12), max_size=6), st.lists(st.integers(0, 12), max_size=6))
def test_same_answers(text: str, xs: list[int], ys: list[int]) -> None:
    assert_equivalent(InlinedReturn(), text, xs, ys)
