"""Pieces and separators that a loop adds one by one are joined at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.separated_join import SeparatedJoin
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    line = "<"
    for i in range(len(xs)):
        if i > 0:
            line += ", "  # between
        line += str(xs[i])
    return line
"""
AFTER = """
def solve(xs):
    line = "<"
    line += ", ".join(map(str, xs))
    return line
"""
HEAD = "def solve(xs, n=2):\n    t = ''\n    size = len(xs)\n"
FORMS = {
    "enumerated": (
        (
            "for i, x in enumerate(xs):\n        if i:\n            t += ';'\n"
            "        t += repr(x)\n"
        ),
        "t += ';'.join(map(repr, xs))",
    ),
    "long-way": (
        (
            "for i in range(len(xs)):\n        if i != 0:\n            t = t + ';'\n"
            "        t = t + xs[i]\n"
        ),
        "t += ';'.join(xs)",
    ),
    "behind": (
        (
            "for i in range(len(xs)):\n        t += chr(xs[i])\n        if i < len(xs) - 1:\n"
            "            t += ';'\n"
        ),
        "t += ';'.join(map(chr, xs))",
    ),
    "length-with-a-name": (
        (
            "for i in range(size):\n        t += xs[i]\n        if i + 1 < size:\n"
            "            t += ';'\n"
        ),
        "t += ';'.join(xs)",
    ),
    "expression": (
        (
            "for i in range(len(xs)):\n        if 0 < i:\n            t += ';'\n"
            "        t += str(xs[i] + n) + '.'\n"
        ),
        "t += ';'.join([str(item + n) + '.' for item in xs])",
    ),
    "enumerated-expression": (
        (
            "for i, x in enumerate(xs):\n        t += f'{x:03}'\n        if i != len(xs) - 1:\n"
            "            t += ';'\n"
        ),
        "t += ';'.join([f'{x:03}' for x in xs])",
    ),
}


class TestContract(RuleContract):
    rule = SeparatedJoin
    slow = SLOW


def test_a_line_of_numbers() -> None:
    assert rewritten(SeparatedJoin(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(("loop", "call"), FORMS.values(), ids=FORMS)
def test_a_loop(loop: str, call: str) -> None:
    (text,) = rewritten(SeparatedJoin(), f"{HEAD}    {loop}    return t\n")
    assert f"    {call}\n" in text
    assert "for i " not in text
    assert "for i," not in text


NUMBERS = [name for name in FORMS if name not in ("long-way", "length-with-a-name")]


@pytest.mark.parametrize("name", NUMBERS)
@given(xs=st.lists(st.integers(0, 200), max_size=5))
def test_numbers_come_out_the_same(name: str, xs: list[int]) -> None:
    assert_equivalent(SeparatedJoin(), f"{HEAD}    {FORMS[name][0]}    return t\n", xs)


@pytest.mark.parametrize("name", ["long-way", "length-with-a-name"])
@given(xs=st.lists(st.text(max_size=3), max_size=5))
def test_texts_come_out_the_same(name: str, xs: list[str]) -> None:
    assert_equivalent(SeparatedJoin(), f"{HEAD}    {FORMS[name][0]}    return t\n", xs)


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(
            "for i in range(len(xs)):\n        if i > 1:\n            t += ';'\n"
            "        t += xs[i]\n",
            id="from-the-third-on",
        ),
        pytest.param(
            "for i in range(1, len(xs)):\n        if i > 0:\n            t += ';'\n"
            "        t += xs[i]\n",
            id="without-the-first",
        ),
        pytest.param(
            "for i in range(len(xs)):\n        if i > 0:\n            t += ';'\n"
            "        t += xs[i] * i\n",
            id="the-counter-counts",
        ),
        pytest.param(
            "for i in range(len(xs)):\n        if i > 0:\n            t += ';'\n"
            "        t += xs[i - 1]\n",
            id="another-place",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            t += n\n"
            "        t += x\n",
            id="perhaps-a-number",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            n += ';'\n"
            "        t += x\n",
            id="two-texts",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            t += ';'\n"
            "        t += x + t\n",
            id="asks-for-the-text",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            t += ';'\n"
            "        t += f(x)\n",
            id="may-do-anything",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            t += ';'\n"
            "        else:\n            t += '-'\n        t += x\n",
            id="a-first-one",
        ),
        pytest.param(
            "for i, x in enumerate(xs):\n        if i > 0:\n            t += ';'\n"
            "        t += x\n    t += str(i)\n",
            id="read-later",
        ),
        pytest.param(
            "for i, x in enumerate(xs, 1):\n        if i > 0:\n            t += ';'\n"
            "        t += x\n",
            id="counted-from-one",
        ),
        pytest.param(
            "try:\n        for i, x in enumerate(xs):\n            if i > 0:\n"
            "                t += ';'\n            t += x\n    except TypeError:\n"
            "        t += '!'\n",
            id="goes-on-after-an-error",
        ),
    ],
)
def test_other_loops_stay(loop: str) -> None:
    assert rewritten(SeparatedJoin(), f"{HEAD}    {loop}    return t\n") == []
