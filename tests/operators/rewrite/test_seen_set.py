"""Growing lists that are searched get a set, where all that is done to them is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.seen_set import SeenSet
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    seen = []  # so far
    out = []
    for x in xs:
        if x + 1 not in seen:
            seen.append(x + 1)
            out.append(x)
    return out
"""
INSTEAD = """
def solve(xs):
    seen = set()  # so far
    out = []
    for x in xs:
        if x + 1 not in seen:
            seen.add(x + 1)
            out.append(x)
    return out
"""
KEPT = """
def solve(xs):
    seen = [0, 1]
    for x in xs:
        if x not in seen:
            seen.append(x)
    return seen, len(seen), seen[0]
"""
ORDERED = """
def solve(xs):
    out = []
    for x in xs:
        if x % 5 and x + 1 not in out:
            out.append(x + 1)
    out.sort()
    return out
"""
ROWS = """
def solve(xs):
    rows = [[0, 1]]
    for x in xs:
        row = sorted([x, x // 2])
        if row not in rows:
            rows.append(row)
    return rows
"""


class TestContract(RuleContract):
    rule = SeenSet
    slow = SLOW


def test_a_list_that_is_only_searched_becomes_a_set() -> None:
    assert rewritten(SeenSet(), SLOW) == [dedented(INSTEAD)]


def test_a_list_that_is_read_stays() -> None:
    (text,) = rewritten(SeenSet(), KEPT)
    assert "    seen = [0, 1]\n    seen_set = {0, 1}\n" in text
    assert "return seen, len(seen), seen[0]" in text


def test_a_loop_that_only_collects_what_is_new_is_a_dictionary() -> None:
    *_, text = rewritten(SeenSet(), ORDERED)
    assert "    out.extend(dict.fromkeys(x + 1 for x in xs if x % 5))\n    out.sort()" in text


def test_lists_are_searched_as_tuples() -> None:
    (text,) = rewritten(SeenSet(), ROWS)
    assert "rows_set = set(map(tuple, [[0, 1]]))" in text
    assert "if tuple(row) not in rows_set:" in text


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("seen.pop()", id="shrinks"),
        pytest.param("seen = f(x)", id="is-something-else"),
        pytest.param("seen[0] = x", id="is-written"),
        pytest.param("seen += [x]", id="grows-otherwise"),
        pytest.param("del seen[0]", id="is-cut"),
        pytest.param("f(seen)", id="is-passed-on"),
        pytest.param("other = seen", id="has-another-name"),
    ],
)
def test_must_not_fire(use: str) -> None:
    text = (
        f"seen = []\nfor x in xs:\n    if x not in seen:\n        seen.append(x)\n    {use}\n"
    )
    assert rewritten(SeenSet(), text) == []


def test_must_not_fire_without_a_test() -> None:
    assert rewritten(SeenSet(), "seen = []\nfor x in xs:\n    seen.append(x)\n") == []


@given(st.lists(st.integers(0, 9), max_size=20))
def test_same_answers(xs: list[int]) -> None:
    assert_equivalent(SeenSet(), SLOW, xs)
    assert_equivalent(SeenSet(), KEPT, xs)
    assert_equivalent(SeenSet(), ORDERED, xs)
    assert_equivalent(SeenSet(), ROWS, xs)


@pytest.mark.parametrize(
    ("made", "new"),
    [
        pytest.param("out, seen = [], [7]", "out, seen = [], {7}", id="side-by-side"),
        pytest.param("out = []; seen: list[int] = []", None, id="two-on-a-line"),
        pytest.param("seen: list[int] = []", "seen = set()", id="annotated"),
    ],
)
def test_lists_that_are_made_otherwise(made: str, new: str | None) -> None:
    loop = "    for x in xs:\n        if x in seen:\n            g(x)\n        seen.append(x)\n"
    texts = rewritten(SeenSet(), f"def f(xs, g):\n    {made}\n{loop}")
    assert [text.splitlines()[1].strip() for text in texts] == ([new] if new else [])
