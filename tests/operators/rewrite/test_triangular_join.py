"""Questions about all pairs are answered by what came earlier, in one pass."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from operators.rewrite.triangular_join import TriangularJoin
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, k):
    n = len(xs)
    count = 0
    # all pairs
    for i in range(n):
        for j in range(i + 1, n):
            if xs[i] + xs[j] == k:
                count += 1
    return count
"""
AFTER = """
def solve(xs, k):
    n = len(xs)
    count = 0
    earlier = {}
    whole = True
    # all pairs
    for j in range(n):
        count += earlier.get(k - xs[j], 0) if whole and type(k - xs[j]) is int else \
sum(1 for i in range(j) if xs[i] + xs[j] == k)
        key = xs[j]
        earlier[key] = earlier.get(key, 0) + 1
        whole = whole and type(xs[j]) is int
    return count
"""
TESTS = (
    "xs[i] == xs[j]", "xs[j] % 5 == xs[i] % 5", "k == xs[j] + xs[i]", "xs[i] - xs[j] == k",
    "xs[j] - xs[i] == k", "abs(xs[i] - xs[j]) == k", "xs[i] ^ xs[j] == k",
    "(xs[i] + xs[j]) % 3 == 0", "(xs[i] - xs[j]) % 4 == 3", "(xs[j] - xs[i]) % 4 == 1",
    "(xs[i] ^ xs[j]) % 2 == 1", "not (xs[i] + xs[j]) & 1", "xs[i] > xs[j]",
    "xs[i] >= 2 * xs[j]", "xs[j] > xs[i]", "xs[j] <= xs[i] + k", "xs[i] * 2 == xs[j] + 1",
)  # fmt: skip
LOOPS = {
    "later-inside": ("range(n)", "range(i + 1, n)"),
    "all-but-the-last": ("range(n - 1)", "range(i + 1, len(xs))"),
    "earlier-inside": ("range(1, len(xs))", "range(i)"),
    "from-zero": ("range(0, n)", "range(0, i)"),
}
ACTIONS = {
    "counts": "count += 1",
    "weighs": "count += 3",
    "states": "count = 7",
    "returns": "return True",
    "leaves": "count = 1\n                break",
}


def program(test: str, loops: str, action: str) -> str:
    outer, inner = LOOPS[loops]
    text = SLOW.replace("range(n):", f"{outer}:").replace("range(i + 1, n):", f"{inner}:")
    return text.replace("xs[i] + xs[j] == k", test).replace("count += 1", ACTIONS[action])


class TestContract(RuleContract):
    rule = TriangularJoin
    slow = SLOW


def test_a_sum() -> None:
    assert rewritten(TriangularJoin(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("== k", "!= k", id="not-equal"),
        pytest.param("xs[i] + xs[j] == k", "xs[i] * xs[j] == k", id="a-product"),
        pytest.param("xs[i] + xs[j] == k", "f(xs[i]) == f(xs[j])", id="unknown-call"),
        pytest.param("(i + 1, n)", "(i, n)", id="with-itself"),
        pytest.param("(i + 1, n)", "(i + 1, k)", id="another-end"),
        pytest.param("count += 1", "count += xs[i]", id="adds-what-is-found"),
        pytest.param("count += 1", "return i, j", id="says-which"),
        pytest.param("count += 1", "xs[0] = 1", id="writes"),
        pytest.param("count += 1", "k += 1", id="changes-the-question"),
        pytest.param("return count", "return count + i", id="the-last-index-is-asked-for"),
        pytest.param(
            "count += 1", "count += 1\n            else:\n                k = 1", id="else"
        ),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(TriangularJoin(), SLOW.replace(old, new)) == []


@pytest.mark.tier("library")
@pytest.mark.parametrize("test", TESTS)
@given(xs=st.lists(st.integers(-4, 9), max_size=7), k=st.integers(-3, 9))
def test_same_answers_to_every_question(test: str, xs: list[int], k: int) -> None:
    assert_equivalent(TriangularJoin(), program(test, "later-inside", "counts"), xs, k)


@pytest.mark.tier("library")
@pytest.mark.parametrize("loops", LOOPS)
@pytest.mark.parametrize("action", ACTIONS)
@given(xs=st.lists(st.integers(-2, 5), max_size=6), k=st.integers(-3, 9))
def test_same_answers_of_every_shape(loops: str, action: str, xs: list[int], k: int) -> None:
    assert_equivalent(TriangularJoin(), program("xs[i] + xs[j] == k", loops, action), xs, k)
    assert_equivalent(TriangularJoin(), program("xs[i] > xs[j]", loops, action), xs, k)


TENTHS = st.integers(-9, 9).map(lambda tenths: tenths / 10) | st.booleans() | st.integers(-3, 3)


@pytest.mark.tier("library")
@pytest.mark.parametrize(
    "test", [test for test in TESTS if "^" not in test and "&" not in test]
)
@given(xs=st.lists(TENTHS, min_size=2, max_size=7), action=st.sampled_from(sorted(ACTIONS)))
@example(xs=[0.1, 0.2], action="counts")
def test_floats_are_answered_as_before(test: str, xs: list[float], action: str) -> None:
    text = program(test, "later-inside", action)
    assert_equivalent(TriangularJoin(), text, xs, xs[0] + xs[1])
    assert_equivalent(TriangularJoin(), text, xs, xs[0] - xs[1])
