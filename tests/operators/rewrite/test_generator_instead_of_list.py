"""Questions that one element answers do not wait for the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.generator_instead_of_list import GeneratorInsteadOfList
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, rewritten

SLOW = """
def solve(xs):
    # is there one
    return any([x * x == 4 for x in xs])
"""
CHANGED = {
    "all": ("all([x > 2 for x in xs])", "all((x > 2 for x in xs))"),
    "in": ("3 in [x + 1 for x in xs]", "3 in (x + 1 for x in xs)"),
    "not-in": ("3 not in [x + 1 for x in xs]", "3 not in (x + 1 for x in xs)"),
    "first": (
        "[x for x in [*xs, 7] if x > 2][0]",
        "next(x for x in [*xs, 7] if x > 2)",
    ),
    "some": ("len([x for x in xs if x > 2]) > 0", "any(True for x in xs if x > 2)"),
    "none": ("len([x for x in xs if x > 2]) == 0", "not any(True for x in xs if x > 2)"),
    "sum": ("sum(1 for x in xs if x > 2) >= 1", "any(True for x in xs if x > 2)"),
    "count": ("xs.count(3) > 0", "3 in xs"),
    "no-count": ("xs.count(3) == 0", "3 not in xs"),
}
LOOPS = {
    "list": "def solve(xs):\n    for y in [x * 2 for x in xs]:\n        if y > 4:\n"
    "            return y\n    return None\n",
    "slice": "def solve(xs):\n    out = 0\n    for i in range(len(xs)):\n"
    "        for y in xs[i + 1 :]:\n            if y > 4:\n                break\n"
    "            out += y\n    return out\n",
    "counted": "def solve(xs, start=-3, end=None):\n"
    "    for i, y in enumerate(xs[start:end], start=start):\n        if y > 2:\n"
    "            return i, y\n    return None\n",
    "made": "def solve(xs):\n    n = 0\n    for y in list(map(abs, xs)):\n        n += y\n"
    "        if y > 2:\n            break\n    return n\n",
}


class TestContract(RuleContract):
    rule = GeneratorInsteadOfList
    slow = SLOW


@pytest.mark.parametrize(("old", "new"), CHANGED.values(), ids=CHANGED)
def test_a_question(old: str, new: str) -> None:
    (text,) = rewritten(GeneratorInsteadOfList(), f"def solve(xs):\n    return {old}\n")
    assert new in text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("n = sum([x for x in xs])\n", id="all-are-wanted"),
        pytest.param("n = ''.join([x for x in xs])\n", id="joined"),
        pytest.param("n = any([f(x) for x in xs])\n", id="unknown-function"),
        pytest.param("n = any([x, y])\n", id="no-comprehension"),
        pytest.param("n = [x for x in xs][1]\n", id="the-second"),
        pytest.param("n = len([x for x in xs if x]) > 1\n", id="more-than-one"),
        pytest.param("n = xs.count(3) > 1\n", id="counted"),
        pytest.param("for y in [x for x in xs]:\n    print(y)\n", id="to-the-end"),
        pytest.param("for y in list(xs):\n    if y:\n        break\n", id="a-copy"),
        pytest.param(
            "for y in [x for x in xs]:\n    xs.append(y)\n    if y:\n        break\n",
            id="grows",
        ),
        pytest.param(
            "try:\n    y = [x for x in xs][0]\nexcept IndexError:\n    y = 0\n", id="tried"
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(GeneratorInsteadOfList(), text) == []


def test_a_slice_is_not_copied() -> None:
    (text,) = rewritten(GeneratorInsteadOfList(), LOOPS["slice"])
    assert "for at in range(len(xs))[i + 1 :]:\n            y = xs[at]\n" in text
    (text,) = rewritten(GeneratorInsteadOfList(), LOOPS["counted"])
    assert "for i, at in enumerate(range(len(xs))[start:end], start=start):\n" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("break", "pass", id="to-the-end"),
        pytest.param("out += y", "xs.pop()", id="gets-shorter"),
        pytest.param("out = 0", "out = xs", id="by-another-name"),
        pytest.param("[i + 1 :]", "[i + 1 :: 2]", id="in-steps"),
        pytest.param("for y in", "for y, z in", id="taken-apart"),
    ],
)
def test_but_not_a_slice_that_is_needed(old: str, new: str) -> None:
    text = LOOPS["slice"].replace(old, new)
    if "= xs" in new:
        text = text.replace("out += y", "out.append(y)")
    assert rewritten(GeneratorInsteadOfList(), text) == []


@given(st.lists(st.integers(0, 5), max_size=6))
def test_same_answers(xs: list[int]) -> None:
    for old, _ in CHANGED.values():
        text = f"def solve(xs):\n    return {old}\n"
        assert_equivalent(GeneratorInsteadOfList(), text, xs)
    for text in LOOPS.values():
        assert_equivalent(GeneratorInsteadOfList(), text, xs)
