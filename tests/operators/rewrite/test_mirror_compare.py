"""Halves of sequences are compared as a whole, in all the shapes that this is written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.mirror_compare import MirrorCompare
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    n = len(xs)
    for i in range(n // 2):
        if xs[i] != xs[n - 1 - i]:
            return False
    return True
"""
AFTER = """
def solve(xs):
    if xs[: len(xs) // 2] != xs[: (len(xs) - 1) // 2 : -1]:
        return False
    return True
"""
SHAPES = {
    "from-the-end": "def solve(xs):\n    ok = True\n    for i in range(len(xs)):\n"
    "        if xs[-i - 1] != xs[i]:\n            ok = False\n            break\n"
    "    return ok\n",
    "all": "def solve(xs):\n    return all(xs[i] == xs[~i] for i in range(len(xs) // 2))\n",
    "any": "def solve(xs):\n"
    "    return not any(xs[i] != xs[-(i + 1)] for i in range(len(xs)))\n",
    "two-indices": "def solve(xs):\n    i, j = 0, len(xs) - 1\n    while i < j:\n"
    "        if xs[i] != xs[j]:\n            return 'no'\n        i += 1\n        j -= 1\n"
    "    return 'yes'\n",
}


class TestContract(RuleContract):
    rule = MirrorCompare
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(MirrorCompare(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("!=", "==", id="equal-elements"),
        pytest.param("n - 1 - i", "n - i", id="not-mirrored"),
        pytest.param("xs[i] ", "ys[i] ", id="two-sequences"),
        pytest.param("n // 2", "n // 3", id="a-third"),
        pytest.param("return False", "return i", id="says-where"),
        pytest.param("return False", "n += 1", id="counts"),
        pytest.param("return True", "return i", id="asked-for-later"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(MirrorCompare(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("i, j = 0,", "i, j = 1,", id="from-elsewhere"),
        pytest.param("j -= 1", "j -= 2", id="in-other-steps"),
        pytest.param("return 'yes'", "return i", id="asked-for-later"),
    ],
)
def test_two_indices_must_not_change(old: str, new: str) -> None:
    assert old in SHAPES["two-indices"]
    assert rewritten(MirrorCompare(), SHAPES["two-indices"].replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(half=st.text("ab", max_size=4), middle=st.text("abc", max_size=2))
def test_same_answers(text: str, half: str, middle: str) -> None:
    assert_equivalent(MirrorCompare(), text, half + middle + half[::-1])
    assert_equivalent(MirrorCompare(), text, list(half + middle + half))
