"""Code that only hands on is left out; code that does more stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.direct_callable import DirectCallable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(words):
    order = {"one": 1, "two": 2}
    return sorted(words, key=lambda word: order[word])
"""
AFTER = """
def solve(words):
    order = {"one": 1, "two": 2}
    return sorted(words, key=order.__getitem__)
"""
SHAPES = {
    "item": "sorted(xs, key=lambda x: x[1])",
    "last": "max(xs, key=lambda x: x[-1], default=None)",
    "items": "sorted(xs, key=lambda x: (x[1], x[0]))",
    "call": "sorted(xs, key=lambda x: sum(x))",
    "method": "list(map(lambda x: xs.count(x), xs))",
    "attribute": "[] if not xs else list(map(lambda x: x.imag, xs[0]))",
    "list": "[len(x) for x in xs]",
    "list-of-items": "[x[0] for x in xs]",
    "list-of-sums": "[sum(x) for x in reversed(xs)]",
}


class TestContract(RuleContract):
    rule = DirectCallable
    slow = SLOW


def test_a_key() -> None:
    assert rewritten(DirectCallable(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a = map(lambda x, y: x * y, b, c)", "a = map(mul, b, c)", id="operator"),
        pytest.param("a = [t[x] for x in b]", "a = list(map(t.__getitem__, b))", id="table"),
        pytest.param("a = [int(x) for x in str(b)]", "a = list(map(int, str(b)))", id="digits"),
        pytest.param("a = max(b, key=lambda x: x['n'])", "a = max(b, key=itemgetter('n'))",
                     id="by-name"),
    ],
)  # fmt: skip
def test_shapes(before: str, after: str) -> None:
    (made,) = rewritten(DirectCallable(), before)
    assert made.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = sorted(b, key=lambda x: -x[1])", id="an-operation"),
        pytest.param("a = sorted(b, key=lambda x: f(x, 1))", id="another-argument"),
        pytest.param("a = sorted(b, key=lambda x, y=1: f(x, y))", id="a-default"),
        pytest.param("a = sorted(b, key=lambda *x: f(x))", id="all-arguments"),
        pytest.param("a = sorted(b, key=lambda x: x.lower())", id="a-method-of-its-own"),
        pytest.param("a = sorted(b, key=lambda x: f()(x))", id="a-function-made-anew"),
        pytest.param("a = map(lambda x, y: y - x, b, c)", id="turned"),
        pytest.param("f = lambda x: g(x)", id="with-a-name"),
        pytest.param("a = [int(x) for x in b if x]", id="some"),
        pytest.param("a = [str(x) for x in b]", id="no-faster"),
        pytest.param("a = [f(x) for x in b]", id="a-trace"),
        pytest.param("a = [x for x in b]", id="a-copy"),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(DirectCallable(), text) == []


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(xs=st.lists(st.tuples(st.integers(), st.integers())))
def test_same_answers(shape: str, xs: list[tuple[int, int]]) -> None:
    assert_equivalent(DirectCallable(), f"def solve(xs):\n    return {shape}\n", xs)


@pytest.mark.parametrize("element", ["(x[0], *x[1])", "x.__rank"])
def test_what_a_getter_cannot_tell_stays(element: str) -> None:
    assert (
        rewritten(DirectCallable(), f"def solve(xs):\n    return [{element} for x in xs]\n")
        == []
    )
