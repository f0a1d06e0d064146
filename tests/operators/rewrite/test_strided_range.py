"""Loops that wait for a remainder step over all others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.strided_range import StridedRange
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(n, k):
    total = 0
    for i in range(1, n + 1):
        if i % 3 == 0:
            # counts
            total += i
            total ^= 5
    return total
"""
AFTER = """
def solve(n, k):
    total = 0
    for i in range(3, n + 1, 3):
        # counts
        total += i
        total ^= 5
    return total
"""
HEADS = {
    "odd": ("range(n)", "i % 2"),
    "even": ("range(1, n)", "not i % 2"),
    "unequal": ("range(n)", "i % 2 != 0"),
    "bit": ("range(2, n)", "i & 1 == 1"),
    "another-rest": ("range(7, n)", "i % 5 == 3"),
    "from-a-name": ("range(k, n)", "i % 4 == 1"),
    "by-a-name": ("range(n)", "i % k == 0"),
    "by-a-name-from-a-name": ("range(k + 1, n)", "i % k == 0"),
    "and-more": ("range(1, n)", "i > 4 and i % 3 == 1 and i != 10"),
}


class TestContract(RuleContract):
    rule = StridedRange
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(StridedRange(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a = [i for i in range(n) if i % 2 == 1]",
                     "a = [i for i in range(1, n, 2)]", id="comprehension"),
        pytest.param("a = sum(i for i in range(9, n) if i % 4 == 0 and f(i) if i)",
                     "a = sum(i for i in range(12, n, 4) if f(i) if i)", id="more-conditions"),
    ],
)  # fmt: skip
def test_comprehensions(before: str, after: str) -> None:
    assert rewritten(StridedRange(), before) == [after]


@pytest.mark.parametrize(
    ("span", "test"),
    [
        pytest.param("range(0, n, 2)", "i % 3 == 0", id="steps-already"),
        pytest.param("xs", "i % 3 == 0", id="no-range"),
        pytest.param("range(n)", "i % 3", id="two-remainders"),
        pytest.param("range(n)", "i % 3 != 0", id="all-but-one"),
        pytest.param("range(n)", "i % 3 == 4", id="never"),
        pytest.param("range(n)", "i % 3 == 0 or i % 5 == 0", id="either"),
        pytest.param("range(n)", "n % i == 0", id="divisors"),
        pytest.param("range(n)", "i % m == 1", id="a-rest-by-a-name"),
        pytest.param("range(n)", "i % c == 0", id="a-divisor-that-changes"),
    ],
)
def test_must_not_fire(span: str, test: str) -> None:
    text = (
        f"def f(n, m, c, xs):\n    for i in {span}:\n        if {test}:\n            c += 1\n"
    )
    assert rewritten(StridedRange(), text) == []


def test_must_not_fire_where_the_others_matter() -> None:
    assert rewritten(StridedRange(), SLOW.replace("return total", "return i")) == []
    other = SLOW.replace("    return", "        else:\n            total = 0\n    return")
    assert rewritten(StridedRange(), other) == []


@pytest.mark.parametrize(("span", "test"), HEADS.values(), ids=HEADS)
@given(n=st.integers(-2, 40), k=st.integers(1, 9))
def test_same_answers(span: str, test: str, n: int, k: int) -> None:
    text = SLOW.replace("range(1, n + 1)", span).replace("i % 3 == 0", test)
    assert_equivalent(StridedRange(), text, n, k)
    listed = f"def solve(n, k):\n    return [i * i for i in {span} if {test}]\n"
    assert_equivalent(StridedRange(), listed, n, k)
