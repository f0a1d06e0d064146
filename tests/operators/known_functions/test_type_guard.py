"""What was not seen is left to the old body: types at every level, and new programs with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from operators.known_functions.sources import held
from operators.known_functions.type_guard import type_guard
from tests.operators.known_functions.test_operator import brief, proposed
from tests.operators.known_functions.watching import function_of

PLAIN = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(0, 1) | st.text("ab")
NESTED = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("ab"), inner, max_size=2)
    ),
)

PAIRS = """
def pairs(xs, total):
    count = 0
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            if xs[i] + xs[j] == total:
                count += 1
    return count
"""
ORDER = """
def order(xs):
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if not xs[j] <= xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs
"""
DISTINCT = """
def distinct(xs):
    found = []
    for x in xs:
        if x not in found:
            found.append(x)
    return found
"""
LARGEST = """
def largest(xs):
    best = xs[0]
    for i in range(len(xs)):
        total = 0
        for j in range(i, len(xs)):
            total = total + xs[j]
            if total > best:
                best = total
    return best
"""
INTS = [[(7 * i * j) % 11 - 4 for i in range(j)] for j in range(1, 14)]
TENTHS = st.integers(-9, 9).map(lambda tenths: tenths / 10)
ANY_NUMBERS = TENTHS | st.booleans() | st.integers(-3, 3) | st.just(float("nan"))


@pytest.mark.tier("library")
@given(st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[NESTED] * n), min_size=1)))
def test_it_holds_for_what_was_seen(rows: list[tuple[Any, ...]]) -> None:
    guard = type_guard(rows)
    assert guard is not None
    assert all(held(guard, row) for row in rows)


@pytest.mark.parametrize(
    ("seen", "other"),
    [
        pytest.param(3, 3.0, id="float"),
        pytest.param(1, True, id="bool"),
        pytest.param([1, 2], (1, 2), id="tuple"),
        pytest.param(["a", "b"], "ab", id="text"),
        pytest.param([1, 2], [1, 2.0], id="float-in-list"),
        pytest.param([1, 2], [1, None], id="none-in-list"),
        pytest.param([[1], [2, 3]], [[1], [2, 0.5]], id="float-in-table"),
        pytest.param([(1, [2])], [(1, [True])], id="bool-in-list-in-pair"),
        pytest.param([1, [2]], [1, [0.5]], id="float-in-some-lists"),
        pytest.param({"a": 1}, {"a": 1.0}, id="float-in-dict"),
        pytest.param({"a": [1]}, {"a": [1.0]}, id="float-in-list-in-dict"),
    ],
)  # fmt: skip
def test_it_does_not_hold_for_other_types(seen: Any, other: Any) -> None:
    guard = type_guard([(0, seen)])
    assert guard is not None
    assert held(guard, (0, seen))
    assert not held(guard, (0, other))


def test_all_types_that_were_seen_may_come() -> None:
    guard = type_guard([(None,), ([1],), ([0.5, 2],)])
    assert guard is not None
    assert [held(guard, (value,)) for value in (None, [2.5], [], 1, ["a"])] == [
        *(True, True, True),
        *(False, False),
    ]


@pytest.mark.parametrize(
    ("seen", "other"),
    [
        pytest.param(3, 2, id="a-smaller-number"),
        pytest.param(0.5, -0.5, id="another-sign"),
        pytest.param([1], [], id="an-empty-list"),
        pytest.param("ab", "a", id="a-shorter-text"),
        pytest.param([1, 2], [1, -2], id="another-sign-in-a-list"),
        pytest.param([[1], [0, 3]], [[1], [0, -3]], id="another-sign-in-a-table"),
    ],
)  # fmt: skip
def test_it_does_not_hold_below_what_was_seen(seen: Any, other: Any) -> None:
    guard = type_guard([(0, seen)])
    assert guard is not None
    assert held(guard, (0, seen))
    assert not held(guard, (0, other))


@pytest.mark.parametrize(
    ("seen", "other"),
    [
        pytest.param(3, 10**9, id="a-larger-number"),
        pytest.param([1], [1] * 99, id="a-longer-list"),
        pytest.param(-1, -99, id="less-where-some-was-negative"),
        pytest.param([-1], [-99], id="less-in-a-list-where-some-was-negative"),
    ],
)  # fmt: skip
def test_it_holds_beyond_what_was_seen(seen: Any, other: Any) -> None:
    guard = type_guard([(0, seen)])
    assert guard is not None
    assert held(guard, (0, other))


def test_items_need_not_be_asked() -> None:
    assert type_guard([([1], 2)], items=False) == (
        "type(a0) is list and len(a0) >= 1 and type(a1) is int and a1 >= 2"
    )


def test_a_type_without_a_plain_name_has_no_guard() -> None:
    from collections import Counter

    assert type_guard([(Counter("a"),)]) is None


def _assert_same_as_before(
    text: str, name: str, inputs: list[tuple[Any, ...]], given: Any
) -> None:
    new = proposed(brief(text, name, inputs))
    copies = [list(given[0]), *given[1:]], [list(given[0]), *given[1:]]
    before, after = function_of(text, name)(*copies[0]), function_of(new, name)(*copies[1])
    assert repr((before, copies[0])) == repr((after, copies[1]))


@pytest.mark.tier("library")
@given(st.lists(TENTHS | ANY_NUMBERS, min_size=2, max_size=9))
@example([0.1, 0.2])
def test_pairs_of_floats_are_counted_as_before(xs: list[Any]) -> None:
    calls = [(ints, total) for ints in INTS for total in (0, 1, 4)]
    _assert_same_as_before(PAIRS, "pairs", calls, (xs, xs[0] + xs[1]))


@pytest.mark.tier("library")
@pytest.mark.parametrize(
    ("text", "name"), [(ORDER, "order"), (DISTINCT, "distinct"), (LARGEST, "largest")]
)
@given(st.lists(ANY_NUMBERS, min_size=1, max_size=9))
def test_lists_of_floats_are_answered_as_before(text: str, name: str, xs: list[Any]) -> None:
    _assert_same_as_before(text, name, [(ints,) for ints in INTS], (xs,))


def test_ints_take_the_fast_way() -> None:
    text = proposed(brief(DISTINCT, "distinct", [(ints,) for ints in INTS]))
    guard = "if type(xs) is list and len(xs) >= 1 and ({*map(type, xs)} <= {int}):"
    assert f"    {guard}\n        try:\n" in text
