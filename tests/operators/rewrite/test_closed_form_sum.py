"""Sums of powers are worked out, for every range and polynomials up to the third degree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.closed_form_sum import ClosedFormSum
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(n, k):
    total = 5
    for i in range(1, n + 1):
        total += i  # one after the other
    return total
"""
AFTER = """
def solve(n, k):
    total = 5
    if type(n) is type(total) is int:
        total += ((max(n, 0)) * ((max(n, 0)) + 1) // 2)
    else:
        for i in range(1, n + 1):
            total += i  # one after the other
    return total
"""
SPANS = ("n", "n + 1", "1, n", "k, n", "-3, k + 1", "2 * k, n - k", "4, 2")
ELEMENTS = (
    "i", "k", "1", "i * i", "i ** 3", "2 * i - 1", "k * i ** 2 - 3 * i + 7", "(2 * i + 1) ** 2",
    "-i * (i - k) * (i + 1)",
)  # fmt: skip


class TestContract(RuleContract):
    rule = ClosedFormSum
    slow = SLOW


def test_a_loop() -> None:
    (text,) = rewritten(ClosedFormSum(), SLOW)
    assert text == dedented(AFTER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("+= i", "+= i ** 4", id="fourth-degree"),
        pytest.param("+= i", "+= i / 2", id="a-fraction"),
        pytest.param("+= i", "+= 1.5 * i", id="a-float"),
        pytest.param("+= i", "+= f(i)", id="unknown"),
        pytest.param("+= i", "+= xs[i]", id="of-a-sequence"),
        pytest.param("+= i", "*= i", id="a-product"),
        pytest.param("n + 1)", "n + 1, 2)", id="in-steps"),
        pytest.param("n + 1)", "total)", id="up-to-the-total"),
        pytest.param("return total", "return total, i", id="asked-for-later"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(ClosedFormSum(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a = sum(i for i in range(n) if i % 3)", id="filtered"),
        pytest.param("a = sum(i * j for i in range(n) for j in b)", id="nested"),
        pytest.param("a = sum(xs)", id="of-a-sequence"),
        pytest.param("a = sum(range(n), 3)", id="from-a-start"),
    ],
)
def test_a_sum_must_not_change(line: str) -> None:
    assert rewritten(ClosedFormSum(), f"{line}\n") == []


@pytest.mark.tier("library")
@pytest.mark.parametrize("span", SPANS)
@given(element=st.sampled_from(ELEMENTS), n=st.integers(-5, 12), k=st.integers(-6, 6))
def test_same_answers(span: str, element: str, n: int, k: int) -> None:
    loop = SLOW.replace("1, n + 1", span).replace("+= i ", f"+= {element} ")
    assert_equivalent(ClosedFormSum(), loop, n, k)
    listed = f"def solve(n, k):\n    return -sum({element} for i in range({span})) * 2\n"
    assert_equivalent(ClosedFormSum(), listed, n, k)
    assert_equivalent(
        ClosedFormSum(), f"def solve(n, k):\n    return sum(range({span}))\n", n, k
    )


@given(k=st.floats(), n=st.integers(0, 9))
def test_same_bits_of_floats(k: float, n: int) -> None:
    loop = SLOW.replace("total = 5", "total = k").replace("+= i ", "+= n * i - 1 ")
    listed = "def solve(n, k):\n    return sum(k * i for i in range(n))\n"
    for text in (loop, listed):
        (new,) = rewritten(ClosedFormSum(), text)
        assert repr(answer(new, (n, k))) == repr(answer(text, (n, k)))


def test_what_is_no_integer_is_refused_as_before() -> None:
    (new,) = rewritten(ClosedFormSum(), SLOW)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted"):
        answer(new, (2.5, 1))


_PASS = "for i in range(n):\n        t += "


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"t = 0\n    if k:\n        t = k\n    {_PASS}i\n", id="set"),
        pytest.param(f"t = 1\n    t *= k\n    {_PASS}i\n", id="multiplied"),
        pytest.param(
            f"t = 0\n    for c in (k, 1): # again\n     {_PASS}c * i\n", id="in-an-earlier-pass"
        ),
    ],
)
def test_a_total_that_becomes_a_float_keeps_its_bits(body: str) -> None:
    text = f"def solve(n, k):\n    {body}    return t\n"
    assert rewritten(ClosedFormSum(), text)
    for new in rewritten(ClosedFormSum(), text):
        assert repr(answer(new, (4, 1e16))) == repr(answer(text, (4, 1e16)))


def test_its_own_guard_is_left_alone() -> None:
    listed = "def solve(n):\n    return sum(range(n))\n"
    for text in (SLOW, listed):
        (new,) = rewritten(ClosedFormSum(), text)
        assert rewritten(ClosedFormSum(), new) == []
