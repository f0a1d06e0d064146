"""A loop that waits runs only where there is something; one that does more always runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.scan_guard import ScanGuard
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(rows, wanted):
    found = []
    for i in range(len(rows)):
        for j in range(len(rows[i])):
            if rows[i][j] == wanted and i != 1:
                found.append((i, j))
    return found
"""
AFTER = """
def solve(rows, wanted):
    found = []
    for i in range(len(rows)):
        if wanted in rows[i]:
            for j in range(len(rows[i])):
                if rows[i][j] == wanted and i != 1:
                    found.append((i, j))
    return found
"""
SHAPES = {
    "elements": "for x in rows[0]:\n        if x == wanted:\n            return x + 1",
    "backwards": "xs = rows[0]\n    for i in range(len(xs) - 2, 0, -1):\n"
    "        if xs[i] in {1, 2}:\n            if xs[i - 1] != 1:\n                return i",
    "members": "known = [wanted, 3]\n    for x in rows[0]:\n        if x > 1 and x in known:\n"
    "            return x",
    "turned": "for x in rows[0]:\n        if wanted == x:\n            break\n"
    "            return 5",
}


class TestContract(RuleContract):
    rule = ScanGuard
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(ScanGuard(), SLOW) == [dedented(AFTER)]


def test_not_again() -> None:
    assert rewritten(ScanGuard(), AFTER) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("== wanted and", "!= wanted and", id="all-others"),
        pytest.param("== wanted and", "== wanted or", id="or-something-else"),
        pytest.param("== wanted and", "== j and", id="the-index"),
        pytest.param(
            "append((i, j))", "append((i, j))\n                wanted += 1", id="value"
        ),
        pytest.param("append((i, j))", "append(rows[i].pop())", id="the-elements-change"),
        pytest.param("return found", "return found, j", id="the-last-index"),
        pytest.param("rows[i][j] == wanted", "rows[i].pop() == wanted", id="a-trace"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(ScanGuard(), SLOW.replace(old, new)) == []


def test_iterators_are_not_asked_twice() -> None:
    text = "for x in map(f, xs):\n    if x == 1:\n        print(x)\n"
    assert rewritten(ScanGuard(), text) == []


_ROWS = st.lists(st.lists(st.integers(0, 4), max_size=5), min_size=1, max_size=4)


@given(rows=_ROWS, wanted=st.integers(0, 4))
def test_same_answers(rows: list[list[int]], wanted: int) -> None:
    assert_equivalent(ScanGuard(), SLOW, rows, wanted)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(rows=_ROWS, wanted=st.integers(0, 4))
def test_same_answers_of_shapes(shape: str, rows: list[list[int]], wanted: int) -> None:
    text = f"def solve(rows, wanted):\n    {shape}\n    return None\n"
    assert_equivalent(ScanGuard(), text, rows, wanted)


@pytest.mark.parametrize(
    ("made", "loop", "test"),
    [
        pytest.param("known = wanted", "x in xs", "x in known", id="parts-of-a-text"),
        pytest.param("xs = dict(xs)", "i in range(2)", "xs[i] == wanted", id="values-by-key"),
        pytest.param("xs = iter(xs)", "x in xs", "x == wanted", id="an-iterator"),
    ],
)
def test_in_has_to_ask_for_an_element(made: str, loop: str, test: str) -> None:
    loop = f"for {loop}:\n        if {test}:\n            return 1\n"
    text = f"def solve(xs, wanted):\n    {made}\n    {loop}"
    assert rewritten(ScanGuard(), text) == []


@pytest.mark.parametrize("kind", ["set[str]", "list", "dict[str, int]"])
def test_an_annotation_tells_that_there_are_elements(kind: str) -> None:
    loop = "for x in xs:\n        if x in known:\n            return x\n"
    text = f"def solve(xs, known: {kind}):\n    {loop}"
    assert len(rewritten(ScanGuard(), text)) == 1
