"""A loop ends where its answer is fixed, if the answer is all that it leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.early_exit import EarlyExit
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    found = False
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] == xs[j]:
                found = True  # a pair
    return found
"""
AFTER = """
def solve(xs):
    found = False
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] == xs[j]:
                return True  # a pair
    return found
"""
SHAPES = {
    "negated": "def solve(xs):\n    bad = 0\n    for x in xs:\n        if x > 2:\n"
    "            bad = 1\n    return not bad\n",
    "in-a-loop": "def solve(xs):\n    out = []\n    for y in xs:\n        seen = False\n"
    "        for i in range(3):\n            for x in xs:\n                if x * i > y:\n"
    "                    seen = True\n        out.append(seen)\n    return out\n",
    "broken-inside": "def solve(xs):\n    seen = False\n    for y in xs:\n"
    "        for x in xs:\n            if x > y + 2:\n                seen = True\n"
    "                break\n    return (seen, len(xs))\n",
    "while": "def solve(xs):\n    ok, i = True, 0\n    i = 0\n    while i < len(xs):\n"
    "        if xs[i] == 3:\n            ok = False\n        i += 1\n    return [ok]\n",
    "narrowed": "def solve(xs):\n    ok = True\n    for x in xs:\n        ok = ok and x < 3\n"
    "    return ok\n",
    "widened": "def solve(xs):\n    ok = False\n    for x in xs:\n        for y in xs:\n"
    "            ok = ok or x == y + 1\n    return [ok]\n",
    "at-least": "def solve(xs):\n    n = 0\n    for x in xs:\n        if x % 2:\n"
    "            n += 1\n    return n >= 2\n",
    "at-most": "def solve(xs):\n    n = 0\n    for x in xs:\n        if x % 2:\n"
    "            n += 1\n    return n <= 1\n",
    "exactly": "def solve(xs):\n    n = 0\n    for x in xs:\n        if x % 2:\n"
    "            n += 1\n    return n == 2\n",
    "fewer": "def solve(xs):\n    n = 0\n    for x in xs:\n        if x % 2:\n"
    "            n += 1\n    return n < 2\n",
    "another-flag": "def solve(xs):\n    odd = ok = False\n    for x in xs:\n"
    "        if x % 2:\n            odd = True\n        if x > 2:\n"
    "            ok = True\n    return ok\n",
    "another-number": "def solve(xs):\n    at = ok = 0\n    for x in xs:\n"
    "        if x == 3:\n            ok = 1\n        if x % 2:\n"
    "            at = 2\n    return ok\n",
    "another-text": "def solve(xs):\n    big = last = None\n    for x in xs:\n"
    "        if x > 1:\n            big = 'yes'\n        if x == 1:\n"
    "            last = 'one'\n    return last\n",
    "two-others": "def solve(xs):\n    low = high = seen = 0\n    for x in xs:\n"
    "        if x < 0:\n            low = 1\n        if x > 3:\n"
    "            high = 1\n        if x == 1:\n            seen = 1\n    return seen\n",
    "flag-by-name": "def solve(xs):\n    last = None\n    for x in xs:\n        if x == 1:\n"
    "            last = 'one'\n    return [last]\n",
}


class TestContract(RuleContract):
    rule = EarlyExit
    slow = SLOW


def test_a_flag_that_is_returned() -> None:
    assert rewritten(EarlyExit(), SLOW) == [dedented(AFTER)]


def test_a_loop_in_a_loop_is_left_twice() -> None:
    (text,) = rewritten(EarlyExit(), SHAPES["in-a-loop"])
    assert "                    seen = True\n                    break\n" in text
    assert "            if seen is True:\n                break\n" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if x > 1:\n            ok = x\n", id="the-last-one"),
        pytest.param("ok = x > 1\n", id="of-the-last"),
        pytest.param("if x > 1:\n            ok = True\n        n += 1\n", id="a-count-too"),
        pytest.param("if x > 1:\n            ok = True\n        out.append(x)\n", id="a-list"),
        pytest.param("if f(x):\n            ok = True\n", id="unknown-function"),
        pytest.param("if x > 1:\n            ok = True\n        else:\n"
                     "            ok = False\n", id="of-two-values"),
        pytest.param("if x > 1 and not ok:\n            ok = True\n", id="asks-the-flag"),
        pytest.param("if x > 1:\n            ok = True\n            break\n", id="ends"),
        pytest.param("if x > 1:\n            ok = True\n        if x > 2:\n"
                     "            return 1\n", id="another-answer"),
        pytest.param("print(x)\n        if x > 1:\n            ok = True\n", id="prints"),
        pytest.param("ok = True\n", id="no-test"),
    ],
)  # fmt: skip
def test_must_not_fire(body: str) -> None:
    loop = f"    for x in xs:\n        {body}"
    text = f"def g(xs, out, n, f):\n    ok = False\n{loop}    return ok, n\n"
    assert rewritten(EarlyExit(), text) == []


@pytest.mark.parametrize("last", ["return n > x", "return n, 1", "return n + 1 > 2"])
def test_a_count_that_is_wanted_stays(last: str) -> None:
    loop = "    for x in xs:\n        if x:\n            n += 1\n"
    text = f"def f(xs):\n    n = 0\n{loop}    {last}\n"
    assert rewritten(EarlyExit(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(xs=st.lists(st.integers(0, 5), max_size=7))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(EarlyExit(), text, xs)
