"""Lists grow in place, where nobody holds them under another name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.list_building import ListBuilding
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    kept = [0]
    for x in xs:
        if len(kept) < 5 or x % 2:
            kept = kept + [x, -x]  # both
        else:
            kept.append(1)
    return kept
"""
AFTER = """
def solve(xs):
    kept = [0]
    for x in xs:
        if len(kept) < 5 or x % 2:
            kept.append(x)
            kept.append(-x)  # both
        else:
            kept.append(1)
    return kept
"""
FRONT = """
def solve(xs):
    digits = [7]
    other = []
    for x in xs:
        while x > 0:
            digits.insert(0, x % 10)
            x //= 10
        other = [x, 1] + other
    return digits, other
"""
WHOLE = """
def solve(xs):
    a = []
    for x in xs:
        a = a + [x] + xs[:x]
    return a
"""


class TestContract(RuleContract):
    rule = ListBuilding
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(ListBuilding(), SLOW) == [dedented(AFTER)]


def test_in_front() -> None:
    digits, other = rewritten(ListBuilding(), FRONT)
    assert "    digits_front = []\n    for x in xs:\n" in digits
    assert "            digits_front.append(x % 10)\n" in digits
    assert "    digits[:0] = digits_front[::-1]\n    return" in digits
    assert "        other_front.append(1)\n        other_front.append(x)\n" in other


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("a = b + a", id="a-whole-list-in-front"),
        pytest.param("a += b", id="a-whole-list-in-place"),
        pytest.param("if x: a = g\na = a + b", id="of-another-as-well"),
        pytest.param("a = a + [a[0]]", id="of-itself"),
        pytest.param("a = (*a, x)", id="a-tuple-of-it"),
        pytest.param("a = a + [x]\na = (*a, x)", id="a-tuple-at-last"),
        pytest.param("a.append(x)", id="grows-in-place"),
        pytest.param("a = a + [x]\nold = a", id="has-another-name"),
        pytest.param("a = a + [x]\nc.append(a)", id="is-kept"),
        pytest.param("a.insert(0, x)\nn = len(a)", id="in-front-and-asked"),
        pytest.param("a.insert(1, x)", id="in-between"),
        pytest.param("g = g + [x]", id="not-made-here"),
        pytest.param("c.append(y for y in a)\na = a + [x]", id="walked-over-later"),
        pytest.param("for i, y in enumerate(a):\n    a = a + [y]", id="walked-over"),
    ],
)
def test_must_not_fire(body: str) -> None:
    head = "def f(g, b, c):\n    a = []\n    for x in b:\n"
    inner = "\n".join(f"        {line}" for line in body.splitlines())
    assert rewritten(ListBuilding(), f"{head}{inner}\n    return a\n") == []


@pytest.mark.parametrize("head", ["def size(): return len(a)", "def size(): yield from a"])
def test_a_function_within_may_ask_for_it(head: str) -> None:
    text = f"def f(b):\n    a = []\n    {head}\n    for x in b:\n        a.insert(0, x)\n"
    assert rewritten(ListBuilding(), text) == []


def test_what_may_raise_is_worked_out_before_the_list_grows() -> None:
    text = "def f(b):\n    a = []\n    for x in b:\n        a = a + [x, 1 // x]\n    return a\n"
    (new,) = rewritten(ListBuilding(), text)
    assert "        a += [x, 1 // x]\n" in new


def test_whole_lists_are_added_in_place() -> None:
    lines = [
        "    for x in b:",
        "        a = a + [x] + x + [*g, 1]",
        "        a += x",
        "    return a",
    ]
    (text,) = rewritten(ListBuilding(), "\n".join(["def f(g, b):", "    a = []", *lines, ""]))
    new = ["a.append(x)", "a += x", "a += [*g, 1]", "a += x"]
    assert [line.strip() for line in text.splitlines()[3:-1]] == new


def test_unpacked_copies() -> None:
    text = "def f(b):\n    a = []\n    for x in b:\n        a = [*a, x]\n    return a\n"
    (new,) = rewritten(ListBuilding(), text)
    assert "        a.append(x)\n" in new
    (new,) = rewritten(ListBuilding(), text.replace("[*a, x]", "[x, -x, *a]"))
    assert "        a_front.append(-x)\n        a_front.append(x)\n" in new


def test_must_not_fire_outside_of_loops() -> None:
    assert rewritten(ListBuilding(), "a = []\na = a + [1]\n") == []


@given(st.lists(st.integers(0, 120), max_size=8))
def test_same_answers(xs: list[int]) -> None:
    assert_equivalent(ListBuilding(), SLOW, xs)
    assert_equivalent(ListBuilding(), FRONT, xs)
    assert_equivalent(ListBuilding(), WHOLE, xs)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "def f(xs):\n    a = []\n    old = a\n    for x in xs:\n        a = a + [x]\n",
            id="another-name-before",
        ),
        pytest.param(
            "def f(xs, out):\n    a = []\n    for ys in xs:\n        out.append(a)\n"
            "        for y in ys:\n            a = a + [y]\n",
            id="kept-around-the-loop",
        ),
        pytest.param(
            "def f(xs, out):\n    a = []\n    def keep():\n        out.append(a)\n"
            "    for x in xs:\n        a = a + [x]\n        keep()\n",
            id="kept-by-a-function",
        ),
    ],
)
def test_a_list_that_somebody_else_holds_is_copied(text: str) -> None:
    assert rewritten(ListBuilding(), text) == []


def test_another_name_after_the_loop_does_no_harm() -> None:
    text = "def solve(xs):\n    a = []\n    for x in xs:\n        a = a + [x]\n"
    assert_equivalent(ListBuilding(), f"{text}    b = a\n    return a, b\n", [1, 2])
