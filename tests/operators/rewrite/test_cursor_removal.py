"""Elements that a loop takes out as it goes by leave a gap that is closed once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.cursor_removal import CursorRemoval
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs):
    i, out = 0, 0
    while i < len(xs) - 1:
        if xs[i + 1] - xs[i] < 3:
            xs[i] = max(xs[i], xs.pop(i + 1))
        elif xs[i + 1] == 9:
            break
        else:
            i += 1  # the next one
    return xs, i
"""
AFTER = """
def solve(xs):
    i, out = 0, 0
    read = i + 1
    while read < len(xs):
        if xs[read] - xs[i] < 3:
            xs[i] = max(xs[i], xs[read])
            read += 1
        elif xs[read] == 9:
            break
        else:
            i += 1
            xs[i] = xs[read]
            read += 1  # the next one
    del xs[i + 1:read]
    return xs, i
"""
FILTER = """
def solve(xs):
    i, out = 0, []
    while i < len(xs) and len(out) < 9:
        if xs[i] % 2:
            out.append(xs[i])
            del xs[i]
        elif i and xs[i - 1] == xs[i]:
            xs.pop(i)
        else:
            xs[i] += 1
            i += 1
    return xs, out, i
"""


class TestContract(RuleContract):
    rule = CursorRemoval
    slow = SLOW
    others = (FILTER,)


def test_neighbours_are_merged() -> None:
    assert rewritten(CursorRemoval(), SLOW) == [dedented(AFTER)]


def test_what_is_taken_out_is_left_behind() -> None:
    (text,) = rewritten(CursorRemoval(), FILTER)
    assert "    while read < len(xs) and len(out) < 9:\n" in text
    assert (
        "            xs[read] += 1\n            xs[i] = xs[read]\n            i += 1\n" in text
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("xs[i + 1] == 9", "xs[i + 2] == 9", id="another-element"),
        pytest.param("xs[i + 1] == 9", "f(xs)", id="is-handed-on"),
        pytest.param("xs[i + 1] == 9", "len(xs) == 9", id="how-many-are-left"),
        pytest.param("xs.pop(i + 1)", "xs.pop(i)", id="takes-the-other"),
        pytest.param("xs.pop(i + 1)", "xs.pop()", id="takes-the-last"),
        pytest.param("break", "return i", id="leaves"),
        pytest.param("i += 1", "i += 2", id="leaps"),
        pytest.param("break", "i -= 1", id="goes-back"),
        pytest.param(
            "        else:\n            i +=", "        if i:\n            i +=", id="both"
        ),
        pytest.param(
            "i, out = 0, 0", "i, out = 0, xs\n    g = lambda: xs", id="a-function-asks"
        ),
        pytest.param("break", "ys.append(1)", id="another-may-be-the-same"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace("solve(xs)", "solve(xs, ys)")
    assert rewritten(CursorRemoval(), text)
    assert rewritten(CursorRemoval(), text.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, FILTER], ids=["merge", "filter"])
@given(st.lists(st.integers(0, 9), max_size=8))
def test_same_answers(text: str, xs: list[int]) -> None:
    assert_equivalent(CursorRemoval(), text, xs)
