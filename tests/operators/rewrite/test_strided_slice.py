"""Only the indices with one remainder are walked over; with others, the loop stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.strided_slice import StridedSlice
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    total = 0
    for i, x in enumerate(xs):
        # every third
        if i % 3 == 1:
            total += x
    return total
"""
AFTER = """
def solve(xs):
    total = 0
    for x in xs[1::3]:
        total += x
    return total
"""
SHAPES = {
    "sum": "sum([x for i, x in enumerate(xs) if i % 2 == 0 and x % 2 == 1])",
    "odd": "[x * x for i, x in enumerate(xs) if i % 2]",
    "index": "[(i, x) for i, x in enumerate(xs) if not i % 4]",
    "copied": "[x for i, x in enumerate(list(xs)) if i & 1]",
    "sorted": "[x for i, x in enumerate(sorted(xs)) if x > 1 and i % 3 == 2]",
}


class TestContract(RuleContract):
    rule = StridedSlice
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(StridedSlice(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a = [x for i, x in enumerate(xs) if i % 2 == 0 and x]",
                     "a = [x for x in xs[::2] if x]", id="more-conditions"),
        pytest.param("a = [x + i for i, x in enumerate(xs) if i % 2]",
                     "a = [x + i for i, x in zip(range(1, len(xs), 2), xs[1::2])]", id="index"),
    ],
)  # fmt: skip
def test_comprehensions(before: str, after: str) -> None:
    assert rewritten(StridedSlice(), before) == [after]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a = [x for i, x in enumerate(xs) if i % 3]", id="two-remainders"),
        pytest.param("a = [x for i, x in enumerate(xs) if i % k == 0]", id="a-step-by-name"),
        pytest.param("a = [x for i, x in enumerate(xs) if x % 2]", id="the-element"),
        pytest.param("a = [x for i, x in enumerate(xs, 1) if i % 2]", id="another-start"),
        pytest.param("a = [x for i, x in enumerate(map(f, xs)) if i % 2]", id="an-iterator"),
        pytest.param(
            "for i, x in enumerate(xs):\n    if i % 2:\n        xs.append(1)", id="grows"
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n    if i % 2:\n        f(x)\nprint(x)", id="last"
        ),
    ],
)
def test_must_not_fire(line: str) -> None:
    assert rewritten(StridedSlice(), f"{line}\n") == []


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.integers(0, 9)))
def test_same_answers(shape: str, xs: list[int]) -> None:
    assert_equivalent(StridedSlice(), f"def solve(xs):\n    return {shape}\n", xs)


@given(xs=st.lists(st.integers(0, 9)))
def test_a_loop_answers_as_before(xs: list[int]) -> None:
    assert_equivalent(StridedSlice(), SLOW, xs)


def test_an_index_that_the_element_of_two_loops_needs() -> None:
    text = (
        "def solve(xs, i):\n"
        "    return [i * x for _ in range(2) for i, x in enumerate(xs) if i % 2 == 0]\n"
    )
    assert_equivalent(StridedSlice(), text, [1, 2, 3], 9)
