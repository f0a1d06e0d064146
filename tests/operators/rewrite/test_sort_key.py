"""What a comparison function asks of both elements becomes the key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sort_key import SortKey
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

HEAD = "import functools\nfrom functools import cmp_to_key\n\n\n"
SLOW = """
from functools import cmp_to_key


def compare(a, b):
    if a % 5 < b % 5:
        return -1
    if a % 5 > b % 5:
        return 1
    return 0


def solve(xs):
    # by the rest
    return sorted(xs, key=cmp_to_key(compare))
"""
AFTER = dedented(SLOW).replace("cmp_to_key(compare)", "lambda a: a % 5")
SHAPES = {
    "lambda": "def solve(xs):\n    xs.sort(key=cmp_to_key(lambda p, q: abs(p) - abs(q)))\n"
    "    return xs\n",
    "falling": "def solve(xs):\n"
    "    return sorted(xs, key=functools.cmp_to_key(lambda a, b: b % 7 - a % 7))\n",
    "chosen": "def solve(xs):\n    return sorted(xs, key=cmp_to_key("
    "lambda a, b: 1 if str(a) < str(b) else -1 if str(a) > str(b) else 0))\n",
    "else": "def by(u, v):\n    if u > v:\n        return 1\n    elif u < v:\n"
    "        return -1\n    else:\n        return 0\n\n\n"
    "def solve(xs):\n    return sorted(xs, key=cmp_to_key(by))\n",
}


class TestContract(RuleContract):
    rule = SortKey
    slow = SLOW


def test_a_function() -> None:
    assert rewritten(SortKey(), SLOW) == [AFTER]


def test_a_falling_order_is_reversed() -> None:
    (text,) = rewritten(SortKey(), HEAD + SHAPES["falling"])
    assert "sorted(xs, key=lambda b: b % 7, reverse=True)" in text


@pytest.mark.parametrize(
    "compare",
    [
        pytest.param("lambda a, b: a - b * 2", id="not-the-same"),
        pytest.param("lambda a, b: a % k - a % k", id="one-element"),
        pytest.param("lambda a, b: int(str(a) + str(b)) - int(str(b) + str(a))", id="both"),
        pytest.param("lambda a, b: f(a) - f(b)", id="unknown-function"),
        pytest.param("compare", id="unknown-comparison"),
    ],
)
def test_must_not_fire(compare: str) -> None:
    assert rewritten(SortKey(), f"{HEAD}ys = sorted(xs, key=cmp_to_key({compare}))\n") == []


def test_a_second_key_is_not_forgotten() -> None:
    text = dedented(SLOW).replace("    return 0", "    return a - b")
    assert rewritten(SortKey(), text) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.integers(-20, 20), max_size=12))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(SortKey(), HEAD + text, xs)
    assert_equivalent(SortKey(), SLOW, xs)
