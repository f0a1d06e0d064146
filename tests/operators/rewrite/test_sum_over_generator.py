"""One-step loops over elements become one call that runs in C."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.sum_over_generator import SumOverGenerator
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, ys):
    total = 0
    # all products
    for i in range(len(xs)):
        total += xs[i] * ys[i]
    return total
"""
AFTER = """
from operator import mul

def solve(xs, ys):
    total = 0
    # all products
    total = sum(map(mul, xs, ys), total)
    return total
"""
HEAD = "def solve(xs, ys):\n    n, t = 1, 2\n    t = 3\n"
LOOPS = {
    "elements": ("for x in xs:\n        t += x\n", "t = sum(xs, t)"),
    "long-way": ("for x in xs:\n        t = t + x\n", "t = sum(xs, t)"),
    "index": ("for i in range(len(xs)):\n        t += xs[i]\n", "t = sum(xs, t)"),
    "part": ("for i in range(1, len(xs)):\n        t += xs[i]\n", "t = sum(xs[1:], t)"),
    "numbers": ("for i in range(2, 9):\n        t += i\n", "t = sum(range(2, 9), t)"),
    "called": ("for x in xs:\n        t += abs(x)\n", "t = sum(map(abs, xs), t)"),
    "product": ("for x in xs:\n        t *= x\n", "t = prod(xs, start=t)"),
    "factorial": (
        "for i in range(1, 7):\n        t = t * i\n",
        "t = prod(range(1, 7), start=t)",
    ),
    "greatest": ("for x in xs:\n        t = max(t, x)\n", "t = max(chain((t,), xs))"),
    "least": (
        "for i in range(len(xs)):\n        if xs[i] < t:\n            t = xs[i]\n",
        "t = min(chain((t,), xs))",
    ),
    "greatest-of": (
        "for x in xs:\n        if t < abs(x):\n            t = abs(x)\n",
        "t = max(chain((t,), map(abs, xs)))",
    ),
    "count": ("for x in xs:\n        if x == 3:\n            t += 1\n", "t += xs.count(3)"),
    "zip": ("for x, y in zip(xs, ys):\n        t += x - y\n", "t = sum(map(sub, xs, ys), t)"),
    "comprehension": ("t = sum([abs(x) for x in xs])\n", "t = sum(map(abs, xs))"),
    "generator": ("t = sum(x for x in xs)\n", "t = sum(xs)"),
    "join": ("t = ', '.join(repr(x) for x in xs)\n", "t = ', '.join(map(repr, xs))"),
    "products": ("t = sum(x * y for x, y in zip(xs, ys))\n", "t = sum(map(mul, xs, ys))"),
    "counted": ("t = sum(1 for x in xs if 3 == x)\n", "t = xs.count(3)"),
    "length": ("t = len([x for x in xs if x == n])\n", "t = xs.count(n)"),
}


class TestContract(RuleContract):
    rule = SumOverGenerator
    slow = SLOW


def test_a_scalar_product() -> None:
    assert rewritten(SumOverGenerator(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(("loop", "call"), LOOPS.values(), ids=LOOPS)
def test_a_loop(loop: str, call: str) -> None:
    (text,) = rewritten(SumOverGenerator(), f"{HEAD}    {loop}    return t\n")
    assert f"    {call}\n" in text


LENGTHS = {
    "loop": "for x in xs:\n        t += len(x)\n",
    "index": "for i in range(len(xs)):\n        t = t + len(xs[i])\n",
    "generator": "t = sum(len(x) for x in xs)\n",
    "list": "t = 1 + sum([len(x) for x in xs[1:]])\n",
}


@pytest.mark.parametrize("loop", LENGTHS.values(), ids=LENGTHS)
@given(xs=st.lists(st.text("ab", max_size=3), max_size=5))
def test_lengths_of_texts_are_that_of_all_joined(loop: str, xs: list[str]) -> None:
    text = f"{HEAD}    {loop}    return t\n"
    first, second = rewritten(SumOverGenerator(), text)
    assert "sum(map(len, xs" in first
    assert 'len("".join(xs' in second
    assert "sum(" not in second
    assert_equivalent(SumOverGenerator(), text, xs, [])


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param("for x in xs:\n        s += x\n", id="perhaps-a-text"),
        pytest.param("for x in xs:\n        t += x % 3\n", id="an-expression"),
        pytest.param("for x in xs:\n        t += x\n        n += 1\n", id="two-steps"),
        pytest.param("for x in xs:\n        t += f(x)\n", id="unknown-function"),
        pytest.param("for x in xs:\n        if x > 3:\n            t += 1\n", id="a-test"),
        pytest.param("for i in range(n):\n        t += xs[i + 1]\n", id="shifted"),
        pytest.param(
            "for i in range(n):\n        if xs[i] > t:\n            t = n", id="not-it"
        ),
        pytest.param("for x in xs:\n        if x > t:\n            t = x\n", id="no-gain"),
        pytest.param("for x, y in zip(xs, ys):\n        t += y - x\n", id="turned"),
        pytest.param("for i in range(n, -1, -1):\n        t += xs[i]\n", id="downwards"),
        pytest.param("for x in xs:\n        t += x\n    n = x\n", id="read-later"),
        pytest.param("t = sum(x * 2 for x in xs)\n", id="comprehension"),
        pytest.param("t = sum(abs(x) for x in xs if x)\n", id="filtered"),
        pytest.param("t = [abs(x) for x in xs]\n", id="no-call"),
        pytest.param("t = ' '.join([str(x) for x in xs])\n", id="no-faster"),
    ],
)
def test_must_not_fire(loop: str) -> None:
    text = f"def solve(xs, ys, f, s):\n    n = 1\n    t = 3\n    {loop}\n    return t, n\n"
    assert rewritten(SumOverGenerator(), text) == []


@pytest.mark.tier("library")
@pytest.mark.parametrize("loop", [loop for loop, _ in LOOPS.values()], ids=LOOPS)
@given(pairs=st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=7))
def test_same_answers(loop: str, pairs: list[tuple[int, int]]) -> None:
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    assert_equivalent(SumOverGenerator(), f"{HEAD}    {loop}    return t\n", xs, ys)
    assert_equivalent(SumOverGenerator(), SLOW, xs, ys)


_IN_TURN: tuple[str, ...] = ("product", "factorial", "greatest", "least", "greatest-of")
if sys.version_info < (3, 12):  # whose `sum` adds floats as a loop does
    _IN_TURN += ("elements", "long-way", "index", "part", "numbers", "called", "zip")


@pytest.mark.parametrize("shape", _IN_TURN)
@given(pairs=st.lists(st.tuples(st.floats(), st.floats()), max_size=7))
def test_same_bits_of_floats(shape: str, pairs: list[tuple[float, float]]) -> None:
    args = [x for x, _ in pairs], [y for _, y in pairs]
    loop, _ = LOOPS[shape]
    text = f"def solve(xs, ys):\n    t = 0.1\n    {loop}    return t\n"
    (new,) = rewritten(SumOverGenerator(), text)
    assert repr(answer(new, args)) == repr(answer(text, args))


@given(xs=st.lists(st.text(max_size=3)))
def test_pieces_of_a_text(xs: list[str]) -> None:
    text = "def solve(xs):\n    s = ''\n    for x in xs:\n        s += x\n    return s\n"
    assert '    s += "".join(xs)\n' in rewritten(SumOverGenerator(), text)[0]
    assert_equivalent(SumOverGenerator(), text, xs)
    assert rewritten(SumOverGenerator(), text.replace("s = ''", "s = xs")) == []
    assert rewritten(SumOverGenerator(), text.replace("s += x", "s = x + s")) == []
