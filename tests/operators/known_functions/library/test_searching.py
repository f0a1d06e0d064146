"""Lookups against scans of the list."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import searching as s

from .agreement import Law, by_name, check, without_law
from .drawn import ascending, ints, small


def first(xs: list[int], x: int) -> int:
    for i, y in enumerate(xs):
        if x == y:
            return i
    return -1


def last(xs: list[int], x: int) -> int:
    found = -1
    for i, y in enumerate(xs):
        if x == y:
            found = i
    return found


def all_places(xs: list[int], x: int) -> list[int]:
    return [i for i in range(len(xs)) if xs[i] == x]


def first_absent(xs: list[int], start: int) -> int:
    while start in xs:
        start += 1
    return start


def only(found: list[int]) -> int:
    return found[0]


def peaks(xs: list[int]) -> list[int]:
    end = len(xs) - 1
    return [
        i
        for i in range(len(xs))
        if (i == 0 or xs[i] >= xs[i - 1]) and (i == end or xs[i] >= xs[i + 1])
    ]


def all_but_one(start: int) -> st.SearchStrategy[list[int]]:
    return st.integers(0, 8).flatmap(
        lambda n: st.permutations(range(start, start + n + 1)).map(lambda xs: xs[:-1])
    )


odd_one = st.tuples(ints, small).map(lambda given: [*given[0], given[1], *given[0]])
in_order = st.tuples(ascending, small)
any_and_one = st.tuples(ints, small)
LAWS = [
    Law(s.first_place_sorted, first, in_order),
    Law(s.last_place_sorted, last, in_order),
    Law(
        s.first_and_last_place_sorted,
        lambda xs, x: [first(xs, x), last(xs, x)],
        in_order,
    ),
    Law(s.contains_sorted, lambda xs, x: first(xs, x) >= 0, in_order),
    Law(s.count_smaller_sorted, lambda xs, x: sum(y < x for y in xs), in_order),
    Law(s.count_not_larger_sorted, lambda xs, x: sum(y <= x for y in xs), in_order),
    Law(s.count_sorted, lambda xs, x: sum(y == x for y in xs), in_order),
    Law(
        s.count_between_sorted,
        lambda xs, a, b: sum(a <= y <= b for y in xs),
        st.tuples(ascending, small, small),
    ),
    Law(s.largest_not_above_sorted, lambda xs, x: max(y for y in xs if y <= x), in_order),
    Law(s.smallest_not_below_sorted, lambda xs, x: min(y for y in xs if y >= x), in_order),
    Law(s.smallest_above_sorted, lambda xs, x: min(y for y in xs if y > x), in_order),
    Law(
        s.closest_sorted,
        lambda xs, x: min((abs(x - y), y) for y in xs)[1],
        in_order,
    ),
    Law(
        s.counts_not_larger,
        lambda xs, qs: [sum(x <= q for x in xs) for q in qs],
        st.tuples(ints, ints),
    ),
    Law(s.first_place, lambda xs, x: min(all_places(xs, x)), any_and_one),
    Law(s.first_place_or_minus_one, first, any_and_one),
    Law(s.last_place_or_minus_one, last, any_and_one),
    Law(s.places, all_places, any_and_one),
    Law(s.contains, lambda xs, x: first(xs, x) >= 0, any_and_one),
    Law(s.count_of, lambda xs, x: sum(y == x for y in xs), any_and_one),
    Law(s.all_below, lambda xs, x: all(y < x for y in xs), any_and_one),
    Law(s.count_above, lambda xs, x: len([y for y in xs if y > x]), any_and_one),
    Law(
        s.closest,
        lambda xs, x: only([y for y in xs if all(abs(y - x) <= abs(z - x) for z in xs)]),
        any_and_one,
    ),
    Law(
        s.closest_then_smallest,
        lambda xs, x: min((abs(x - y), y) for y in xs)[1],
        any_and_one,
    ),
    Law(s.missing_from_zero, lambda xs: first_absent(xs, 0), all_but_one(0)),
    Law(s.missing_from_one, lambda xs: first_absent(xs, 1), all_but_one(1)),
    Law(s.smallest_absent_natural, lambda xs: first_absent(xs, 0), ints),
    Law(s.smallest_absent_positive, lambda xs: first_absent(xs, 1), ints),
    Law(
        s.absent_up_to_length,
        lambda xs: [i for i in range(1, len(xs) + 1) if i not in xs],
        ints,
    ),
    Law(
        s.absent_in_range,
        lambda xs: [i for i in range(-6, 7) if xs and min(xs) < i < max(xs) and i not in xs],
        ints,
    ),
    Law(
        s.only_once,
        lambda xs: only([x for x in xs if xs.count(x) == 1]),
        ints | odd_one,
    ),
    Law(s.odd_count, lambda xs: only([x for x in xs if xs.count(x) % 2]), ints | odd_one),
    Law(
        s.majority,
        lambda xs: only([x for x in xs if xs.count(x) > len(xs) / 2]),
        st.lists(st.integers(0, 1), max_size=7),
    ),
    Law(
        s.above_a_third,
        lambda xs: [x for x in dict.fromkeys(xs) if xs.count(x) > len(xs) / 3],
        st.lists(st.integers(0, 2), max_size=7),
    ),
    Law(s.first_peak, lambda xs: only(peaks(xs)), ints),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) == set()
