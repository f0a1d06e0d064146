"""Whether one of many spans fits is asked by bisection."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.rewrite.interval_table import IntervalTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(spans, xs):
    out = []
    for x in xs:
        for low, high in spans:
            if low <= x < high:
                out.append(x)
                break
        else:
            out.append(None)
    return out
"""
AFTER = """
from bisect import bisect_right
from itertools import accumulate

def solve(spans, xs):
    out = []
    spans_sorted = sorted((low, high) for low, high in spans)
    spans_begin = [span[0] for span in spans_sorted]
    spans_end = [*accumulate((span[1] for span in spans_sorted), max)]
    def has_spans(most):
        number = bisect_right(spans_begin, most)
        return number > 0 and spans_end[number - 1] > most
    for x in xs:
        if has_spans(x):
            out.append(x)
        else:
            out.append(None)
    return out
"""
HEAD = "def solve(spans, xs):\n"
SHAPES = {
    "overlap": f"{HEAD}    return [any(x < s[1] and s[0] < x + 2 for s in spans) for x in xs]",
    "closed": f"{HEAD}    return [x for x in xs if not any([b >= x >= a for a, b in spans])]\n",
    "turned": f"{HEAD}    return [any(x > a and b >= -x for a, b in spans) for x in xs]\n",
    "missed": f"{HEAD}    out = []\n    for x in xs:\n        for a, b in spans:\n"
    "            if a <= x <= b:\n                break\n        else:\n"
    "            out.append(x)\n    return out\n",
    "returned": f"{HEAD}    for x in xs:\n        for a, b in spans:\n"
    "            if a < x and x <= b:\n                print()\n                return x\n",
}


class TestContract(RuleContract):
    rule = IntervalTable
    slow = SLOW
    others = tuple(SHAPES.values())


def test_a_loop_for_the_first_that_fits() -> None:
    assert rewritten(IntervalTable(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("f(any(a <= x for a, b in spans))", id="one-end"),
        pytest.param("f(any(a <= x and b <= x for a, b in spans))", id="both-from-above"),
        pytest.param("f(any(a <= x < b + x for a, b in spans))", id="an-end-that-moves"),
        pytest.param("f(any(a <= x < b < 9 for a, b in spans))", id="three"),
        pytest.param("f(any(a <= x < b for a, b in spans if a))", id="some-of-them"),
        pytest.param("f(any(a <= g(x) < b for a, b in spans))", id="a-trace-perhaps"),
        pytest.param("f(all(a <= x < b for a, b in spans))", id="all"),
        pytest.param("if any(a <= x < b for a, b in spans): spans.append(x)", id="they-grow"),
        pytest.param("for a, b in spans:\n    if a <= x < b:\n        f(a)\n        break",
                     id="the-first-is-used"),
        pytest.param("for a, b in spans:\n    if a <= x < b:\n        f(x)", id="for-each"),
        pytest.param("for a, b in spans:\n    if a <= x < b:\n        break\nf(a)",
                     id="read-later"),
    ],
)  # fmt: skip
def test_must_not_fire(body: str) -> None:
    inner = "".join(f"        {line}\n" for line in body.splitlines())
    assert rewritten(IntervalTable(), f"def f(spans, xs):\n    for x in xs:\n{inner}") == []


def test_what_is_done_for_no_span_alone() -> None:
    (new,) = rewritten(IntervalTable(), SHAPES["missed"])
    assert "        if not has_spans(x):\n            out.append(x)\n" in new


def test_spans_may_be_none() -> None:
    text = """
        def solve(xs, spans=None):
            return [x for x in xs if spans and any(a <= x < b for a, b in spans)]
        """
    assert_equivalent(IntervalTable(), text, [1, 5], [(0, 2)])
    assert_equivalent(IntervalTable(), text, [1, 5], None)


def test_spans_that_are_asked_once_stay_a_list() -> None:
    text = "def f(spans, x):\n    return any(a <= x < b for a, b in spans)\n"
    assert rewritten(IntervalTable(), text) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@settings(max_examples=40)
@given(
    spans=st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9)), max_size=6),
    xs=st.lists(st.integers(-4, 10) | st.sampled_from([0.5, True]), max_size=6),
)
def test_same_answers(text: str, spans: list[tuple[int, int]], xs: list[float]) -> None:
    assert_equivalent(IntervalTable(), text, spans, xs)
