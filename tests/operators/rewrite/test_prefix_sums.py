"""Sums of slices are read off prefix sums; bounds that are data may be any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.prefix_sums import PrefixSums
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
def solve(a, queries):
    out = []
    for l, r in queries:  # each
        out.append(2 * sum(a[l:r]))
    return out
"""
AFTER = """
from itertools import accumulate

def solve(a, queries):
    out = []
    a_sums = [*accumulate(a, initial=0)]
    for l, r in queries:  # each
        out.append(2 * (TOTAL if type(a_sums[-1]) is int and WITHIN else sum(a[l:r])))
    return out
""".replace("TOTAL", "a_sums[r] - a_sums[l]").replace("WITHIN", "0 <= l <= r < len(a_sums)")
LOOP = """
def solve(a):
    best = 0
    for i in range(len(a)):
        for j in range(i, len(a)):
            s = 1
            for k in range(i, j + 1):
                s += a[k]
            best = max(best, s, sum(a[k] for k in range(i)), sum(a[j:]))
    return best
"""
PARTS = """
def solve(a):
    rows = [{"size": n} for n in a]
    found = []
    for i in range(len(rows)):
        total = 0
        for k in range(i, len(rows)):
            total += rows[k]["size"]
        found.append((sum(row["size"] for row in rows[:i]), total))
    return found
"""


class TestContract(RuleContract):
    rule = PrefixSums
    slow = SLOW
    others = (LOOP, PARTS)


COUNTED = """
def solve(a):
    found, k = [], 0
    for each in a:
        while k < each and found.count(k) < 3:
            k += 1
            found.append(sum(a[:k]) + sum(a[k + 1:]))
    return found
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum(a[:k])", "a_sums[min(k, len(a))]"),
        ("sum(a[k + 1:])", "a_sums[-1] - a_sums[min(k + 1, len(a))]"),
    ],
)
def test_a_counter_from_nought_is_at_most_the_end(old: str, new: str) -> None:
    (made,) = rewritten(PrefixSums(), COUNTED)
    assert f"({new} if type(a_sums[-1]) is int else {old})" in made
    for values in ([3, 9, 1, 0, 4], [2.5, 7.0], []):
        assert_equivalent(PrefixSums(), COUNTED, values)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[sum(a[:k + 2]) for k in range(len(a))]", id="too-far"),
        pytest.param("[sum(a[:k]) for k in range(len(b))]", id="another-length"),
    ],
)
def test_a_place_beyond_the_end_is_the_end(text: str) -> None:
    whole = f"def solve(a, b, m):\n    n = len(a)\n    return {text}\n"
    (made,) = rewritten(PrefixSums(), whole)
    assert "< len(a_sums)" not in made
    assert_equivalent(PrefixSums(), whole, [3, 1, 4], [1] * 9, 2)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("sum(a[i] for i in range(k))", id="beyond the end is an error"),
        pytest.param("sum(a[k:k + 2])", id="two bounds"),
        pytest.param("sum(a[:k - 1])", id="it may be negative"),
        pytest.param("sum(a[:max(a, default=0)])", id="the largest of some may be negative"),
        pytest.param("sum(a[:max(k, 0, key=abs)])", id="the largest by a key may be negative"),
    ],
)
def test_other_bounds_are_asked_for_still(text: str) -> None:
    (made,) = rewritten(PrefixSums(), COUNTED.replace("sum(a[:k]) + sum(a[k + 1:])", text))
    assert "min(" not in made
    assert "< len(a_sums) else" in made


@pytest.mark.parametrize("hidden", ["min = 7\n", "from numpy import min\n"])
def test_names_that_are_no_builtins_are_not_called(hidden: str) -> None:
    (made,) = rewritten(PrefixSums(), hidden + COUNTED.replace(" + sum(a[k + 1:])", ""))
    assert "min(" not in made


def test_a_loop() -> None:
    assert rewritten(PrefixSums(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("text", "test"),
    [
        pytest.param("sum(a[k:])", "and 0 <= k < len(a_sums) else", id="from"),
        pytest.param("sum(a[:k + 2])", "and 0 <= k + 2 < len(a_sums) else", id="to"),
        pytest.param("sum(a[k:k if k else 1])", "<= (k if k else 1) <", id="a-choice"),
        pytest.param("sum(a[k:k or 1])", "<= (k or 1) <", id="a-default"),
        pytest.param("sum(a[k:not k])", "<= (not k) <", id="a-negation"),
        pytest.param(
            "sum(a[\n  k\n  + 0 : k  # on\n  + 2\n])", "0 <= k + 0 <= k + 2 <", id="lines"
        ),
        pytest.param("sum(a[i] for i in range(0, k % 5))", "and 0 <= k % 5 <", id="zero"),
    ],
)
def test_bounds_are_asked_for(text: str, test: str) -> None:
    whole = f"def solve(a):\n    return [{text} for k in range(-3, 9)]\n"
    (guarded,) = rewritten(PrefixSums(), whole)
    assert test in guarded
    assert answer(guarded, ([3, -1, 4, 1],)) == answer(whole, ([3, -1, 4, 1],))


@pytest.mark.parametrize("text", ["sum(a[next(i):])", "sum(a[:(k := k + 1)])"])
def test_bounds_are_not_evaluated_twice(text: str) -> None:
    assert rewritten(PrefixSums(), f"for k in r:\n    x = {text}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[sum(a[:]) for k in r]", id="whole"),
        pytest.param("[sum(a[:k]) for k in range(len(a))]", id="to"),
        pytest.param("[sum(a[k + 1:]) for k, x in enumerate(a)]", id="behind"),
        pytest.param("[sum(a[k:k + 3]) for k in range(n - 2)]", id="windows"),
        pytest.param(
            "[sum(a[i:j]) for i in range(n) for j in range(i + 1, n + 1)]", id="pairs"
        ),
    ],
)
def test_bounds_that_loops_count_are_not_asked_for(text: str) -> None:
    whole = f"def solve(a, r=[1]):\n    n = len(a)\n    return {text}\n"
    (plain,) = rewritten(PrefixSums(), whole)
    assert "< len(" not in plain
    for size in range(6):
        a = [3, -1, 4, 1, 5][:size]
        assert answer(plain, (a,)) == answer(whole, (a,))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[sum(a[k - 1:]) for k in range(len(a))]", id="too-early"),
        pytest.param("[sum(a[k:k + m]) for k in range(len(a) - m + 1)]", id="a-width"),
        pytest.param("[sum(a[:k]) for k in range(0, len(a), m)]", id="steps"),
        pytest.param("[sum(a[j:i]) for i in range(9) for j in range(i)]", id="of-no-length"),
        pytest.param("[sum(a[j + 1:i]) for i in range(n) for j in range(i + 1)]", id="order"),
        pytest.param("[sum(a[:k]) for k in range(m, len(a))]", id="from-data"),
    ],
)
def test_other_bounds_are_asked_for(text: str) -> None:
    whole = f"def solve(a, b, m):\n    n = len(a)\n    return {text}\n"
    (guarded,) = rewritten(PrefixSums(), whole)
    assert "< len(a_sums)" in guarded
    for m in (-2, -1, 1, 3, 7):
        given = ([3, -1, 4, 1], [0] * 6, m)
        assert answer(guarded, given) == answer(whole, given)


def test_a_counter_of_another_loop_by_the_same_name_tells_nothing() -> None:
    whole = """
    def solve(a, k):
        found = []
        for i in range(k):
            for k in range(len(a)):
                found.append(sum(a[i:k]))
        return found
    """
    (guarded,) = rewritten(PrefixSums(), dedented(whole))
    given = ([1, 2, 3], 3)
    assert answer(guarded, given) == answer(dedented(whole), given)


def test_a_counter_that_is_set_anew_is_no_counter() -> None:
    whole = """
    def solve(a):
        found = []
        for k in range(len(a)):
            k -= 3
            found.append(sum(a[:k]))
        return found
    """
    (guarded,) = rewritten(PrefixSums(), dedented(whole))
    assert "< len(a_sums)" in guarded


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("sum(a[i:j])", id="no-loop"),
        pytest.param("for i in r:\n    a[i] = sum(a[:i])\n", id="it-changes"),
        pytest.param("for i in r:\n    sum(a[i:j:2])\n", id="steps"),
        pytest.param("for i in r:\n    sum(a[-3:])\n", id="from-the-end"),
        pytest.param("for i in r:\n    s += a[i]\n", id="one-pass"),
        pytest.param("for i in r:\n    sum(a[k] for k in range(i) if k)\n", id="a-condition"),
        pytest.param("def f(a): return [sum(a[:i]) for i in range(3)]", id="no-line-before"),
        pytest.param("def f(a):\n    return (sum(a[:i]) for i in range(3))", id="asked-later"),
        pytest.param(
            "for i in r:\n    heapq.heapreplace(a, i)\n    x = sum(a[:2])", id="by-a-function"
        ),
        pytest.param("from math import fsum as sum\nx = [sum(a[:i]) for i in r]", id="another"),
        pytest.param(
            "a = {k: k + 1 for k in r}\nfor i in r:\n    sum(a[k] for k in range(i))\n",
            id="keys",
        ),
        pytest.param(
            "def f(a, n):\n    for i in range(n):\n        s = 0\n"
            "        for k in range(i, n):\n            s += a[k]\n    return k\n",
            id="where-it-ended",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(PrefixSums(), text) == []


@pytest.mark.parametrize(("noted", "found"), [("list[int]", 1), ("list[float]", 0), ("int", 1)])
def test_of_floats_nothing_would_be_gained(noted: str, found: int) -> None:
    text = f"def solve(a: {noted}, parts):\n    return [sum(a[i:j]) for i, j in parts]\n"
    assert len(rewritten(PrefixSums(), text)) == found


@given(st.lists(st.one_of(st.floats(), st.integers(), st.booleans()), max_size=9))
def test_same_bits_of_floats(a: list[float]) -> None:
    (new,) = rewritten(PrefixSums(), LOOP)
    assert repr(answer(new, (a,))) == repr(answer(LOOP, (a,)))


def test_truths_are_added_up_to_numbers() -> None:
    for new in rewritten(PrefixSums(), SLOW):
        assert repr(answer(new, ([True, False], [(0, 1)]))[0]) == "[2]"
    text = "def solve(a):\n    return [sum(a[:i]) for i in range(len(a) + 1)]\n"
    for new in rewritten(PrefixSums(), text):
        assert repr(answer(new, ([True, False],))[0]) == "[0, 1, 1]"


@pytest.mark.parametrize("text", [SLOW, LOOP])
def test_its_own_guard_is_left_alone(text: str) -> None:
    for new in rewritten(PrefixSums(), text):
        assert rewritten(PrefixSums(), new) == []


numbers = st.lists(st.integers(-9, 9), max_size=9)


@pytest.mark.parametrize("text", [LOOP, PARTS], ids=["values", "parts"])
@given(numbers)
def test_same_answers_in_bounds(text: str, a: list[int]) -> None:
    assert_equivalent(PrefixSums(), text, a)


def test_parts_of_elements_are_added_up_too() -> None:
    by_value, by_row = rewritten(PrefixSums(), PARTS)
    made = 'rows_size_sums = [*accumulate(({0}["size"] for {0} in rows), initial=0)]'
    assert made.format("value") in by_value
    assert made.format("row") in by_row


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("        total = 0", '        total = rows[i]["size"] = 0', id="set"),
        pytest.param('row["size"] for', "row[i] for", id="no-fixed-part"),
        pytest.param('row["size"] for', 'row.get("size", 0) for', id="asked-of-a-method"),
        pytest.param("row in rows[:i])", "row in rows[:i] if row)", id="not-all"),
    ],
)
def test_parts_must_stay_and_be_seen(old: str, new: str) -> None:
    assert old in PARTS
    texts = rewritten(PrefixSums(), PARTS.replace(old, new))
    assert not any("for row in rows), initial" in text for text in texts)


def test_bounds_of_what_is_no_integer_are_not_asked_for() -> None:
    a, queries = [1.5, 2.5, 3], [(0, None), (None, 2)]
    for new in rewritten(PrefixSums(), SLOW):
        assert answer(new, (a, queries)) == answer(SLOW, (a, queries))


bounds = st.integers(-12, 12)


@given(numbers, st.lists(st.tuples(bounds, bounds), max_size=4))
def test_bounds_count_as_those_of_a_slice(a: list[int], queries: list[tuple[int, int]]) -> None:
    (guarded,) = rewritten(PrefixSums(), SLOW)
    assert answer(guarded, (a, queries)) == answer(SLOW, (a, queries))
