"""Guards move above work that they do not need, and stay below what they rely on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.guard_first import GuardFirst
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, limit):
    if not xs:
        return -1
    total = 0
    for x in xs:
        total += x
    # Too many of them.
    if len(xs) > limit:
        return -1
    return total
"""
AFTER = """
def solve(xs, limit):
    if not xs:
        return -1
    total = 0
    if len(xs) > limit:
        return -1
    for x in xs:
        total += x
    return total
"""
LOOP = """
def solve(xs, limit):
    if sum(xs) > limit:
        return False
    i, j = 0, len(xs) - 1
    while i < j:
        if xs[i] != xs[j]:
            return False
        i += 1
        j -= 1
    return True
"""
DECISION = """
def solve(xs, limit):
    number = {}
    for i in xs:
        number[i] = number.get(i, 0) + 1
    if any(number[i] > limit for i in xs):
        return False
    if all(xs[i - 1] <= xs[i] for i in range(1, len(xs))):
        return True
    else:
        return False
"""
LAST = """
def solve(xs, limit):
    best = max(xs, default=0)
    if len(xs) < limit:
        return best
    return None
"""


class TestContract(RuleContract):
    rule = GuardFirst
    slow = SLOW


def test_a_test() -> None:
    (after,) = rewritten(GuardFirst(), SLOW)
    assert after == dedented(AFTER)


def test_a_loop_takes_its_variables_with_it() -> None:
    (after,) = rewritten(GuardFirst(), LOOP)
    assert after.index("i, j = 0") < after.index("while i < j") < after.index("sum(xs)")


def test_a_decision_is_turned_round() -> None:
    assert (
        "if not (len(xs) < limit):\n        return None\n" in rewritten(GuardFirst(), LAST)[0]
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("len(xs) > limit", "total > limit", id="asks-for-the-work"),
        pytest.param("total += x", "print(x)", id="a-trace"),
        pytest.param("total += x", "if x:\n            return x", id="another-answer"),
        pytest.param("total += x", "if x:\n            raise ValueError", id="raises"),
        pytest.param("for x in xs:\n        total += x", "total += len(xs)", id="no-work"),
        pytest.param(
            "> limit:\n        return -1", "> limit:\n        return limit", id="value"
        ),
        pytest.param("> limit:\n        return -1", "> limit:\n        limit = 0", id="no-end"),
        pytest.param("len(xs) > limit", "limit.pop()", id="a-test-with-a-trace"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(GuardFirst(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", [SLOW, LOOP, DECISION, LAST])
@given(xs=st.lists(st.integers(0, 3), max_size=5), limit=st.integers(0, 6))
def test_same_answers(text: str, xs: list[int], limit: int) -> None:
    assert_equivalent(GuardFirst(), text, xs, limit)


def test_a_guard_stays_below_a_cheap_one_that_it_may_rely_on() -> None:
    text = (
        "def solve(xs):\n    ys = sorted(xs)\n    if not xs:\n        return 0\n"
        "    if xs[0] < 0:\n        return 0\n    return ys[0]\n"
    )
    assert_equivalent(GuardFirst(), text, [])
    assert all(c.index("not xs") < c.index("xs[0]") for c in rewritten(GuardFirst(), text))


def test_a_guard_reads_what_its_functions_read() -> None:
    text = (
        "def solve(xs):\n    total = 0\n    def enough():\n        return total > 3\n"
        "    total = sum(x * x for x in xs)\n    if not enough():\n        return 0\n"
        "    return total\n"
    )
    assert rewritten(GuardFirst(), text) == []
