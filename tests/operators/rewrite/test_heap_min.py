"""The smallest element comes from a heap, where the loop does nothing else with the list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.heap_min import HeapMin
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    xs = list(xs)
    out = []
    while len(xs) > 1:
        a = min(xs)
        xs.remove(a)  # once
        if a < 20:
            xs.append(a + 7)
        out.append(a)
    return out
"""
AFTER = """
from heapq import heapify, heappop, heappush

def solve(xs):
    xs = list(xs)
    out = []
    heapify(xs)
    while len(xs) > 1:
        a = heappop(xs)
        if a < 20:
            heappush(xs, a + 7)
        out.append(a)
    return out
"""
SORTING = """
def solve(xs):
    todo = [(x, i) for i, x in enumerate(xs)]
    out = []
    while todo:
        todo.sort()
        x, i = todo.pop(0)
        out.append(x)
        if x % 3:
            todo.append((x - 1, i))
    return out
"""
LARGEST = """
def solve(xs):
    xs = list(xs)
    out = []
    for _ in range(len(xs)):
        x = max(xs)
        xs.remove(x)
        out.append(x)
    return out
"""
ENDS = """
def solve(xs):
    xs, out, low = list(xs), [], True
    while xs:
        out.append(min(xs) if low else max(xs))
        xs.remove(out[-1])
        low = not low
    return out
"""


class TestContract(RuleContract):
    rule = HeapMin
    slow = SLOW


def test_min_and_remove() -> None:
    assert rewritten(HeapMin(), SLOW) == [dedented(AFTER)]


def test_without_appends_there_are_more_ways() -> None:
    assert len(rewritten(HeapMin(), LARGEST)) == 2
    (text,) = rewritten(HeapMin(), ENDS)
    assert "out.append(xs.popleft() if low else xs.pop())" in text


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("xs[0] = 1", id="written"),
        pytest.param("f(xs)", id="passed-on"),
        pytest.param("xs.insert(0, 1)", id="inserted"),
        pytest.param("y = xs[-1]", id="indexed"),
        pytest.param("xs = xs[1:]", id="something-else"),
    ],
)
def test_must_not_fire(use: str) -> None:
    text = f"while xs:\n    m = min(xs)\n    xs.remove(m)\n    {use}\n"
    assert rewritten(HeapMin(), text) == []


def test_must_not_fire_when_another_element_goes() -> None:
    assert rewritten(HeapMin(), "while xs:\n    m = min(xs)\n    xs.remove(k)\n") == []


@pytest.mark.parametrize(
    "text", [SLOW, SORTING, LARGEST, ENDS], ids=["min", "sorting", "largest", "ends"]
)
@given(xs=st.lists(st.integers(0, 30), max_size=9))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(HeapMin(), text, xs)
