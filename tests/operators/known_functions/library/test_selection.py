"""Picked values against definitions that a reader can check."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import selection as s

from .agreement import Law, by_name, check, without_law
from .drawn import few, ints, naturals, small


def rank(k: int, xs: list[int]) -> int:
    if not 1 <= k <= len(xs):
        raise ValueError
    return sorted(xs)[k - 1]


def fall(k: int, xs: list[int]) -> int:
    return -rank(k, [-x for x in xs])


def largest_in_order(xs: list[int], k: int) -> list[int]:
    if k < 0:
        raise ValueError
    kept = list(range(len(xs)))
    while len(kept) > k:
        low = min(xs[i] for i in kept)
        kept.remove(max(i for i in kept if xs[i] == low))
    return [xs[i] for i in kept]


def middle(xs: list[int]) -> float:
    left = sorted(xs)
    while len(left) > 2:
        left = left[1:-1]
    return left[0] if len(left) == 1 else (left[0] + left[1]) / 2


def frequent(xs: list[Any]) -> list[Any]:
    return [x for x in dict.fromkeys(xs) if xs.count(x) == max(xs.count(y) for y in xs)]


def first_k(order: list[Any], k: int) -> list[Any]:
    if k < 0:
        raise ValueError
    return [x for x, _ in order[:k]]


def by_count(xs: list[int], *, value: bool = False) -> list[tuple[int, int]]:
    counted = [(x, xs.count(x)) for x in dict.fromkeys(xs)]
    return sorted(counted, key=lambda p: (-p[1], p[0] if value else xs.index(p[0])))


def gaps(xs: list[int]) -> list[int]:
    return [b - a for a, b in pairwise(sorted(xs))]


def closest(xs: list[int]) -> list[list[int]]:
    least = min(abs(a - b) for a, b in combinations(xs, 2))
    return [[a, b] for a, b in pairwise(sorted(xs)) if b - a == least]


def squares(xs: list[int]) -> float:
    centre = sum(xs) / len(xs)
    return sum((x - centre) ** 2 for x in xs) / len(xs)


def first_place(xs: list[int], of: Any) -> int:
    return min(i for i, x in enumerate(xs) if x == of(xs))


long = st.lists(small, max_size=60)
with_k = st.tuples(ints, few)
LAWS = [
    Law(s.kth_smallest, lambda xs, k: rank(k, xs), with_k),
    Law(s.kth_largest, lambda xs, k: fall(k, xs), with_k),
    Law(s.kth_smallest_distinct, lambda xs, k: rank(k, list(set(xs))), with_k),
    Law(s.kth_largest_distinct, lambda xs, k: fall(k, list(set(xs))), with_k),
    Law(s.k_smallest, lambda xs, k: sorted(xs)[: max(k, 0)], st.tuples(long, few)),
    Law(s.k_largest, lambda xs, k: sorted(xs)[::-1][: max(k, 0)], st.tuples(long, few)),
    Law(
        s.k_largest_ascending,
        lambda xs, k: sorted(sorted(xs)[::-1][: max(k, 0)]),
        st.tuples(long, few),
    ),
    Law(s.k_largest_in_order, largest_in_order, with_k),
    Law(s.second_largest_distinct, lambda xs: fall(2, list(set(xs))), ints),
    Law(s.second_smallest_distinct, lambda xs: rank(2, list(set(xs))), ints),
    Law(s.second_largest, lambda xs: fall(2, xs), ints),
    Law(s.second_smallest, lambda xs: rank(2, xs), ints),
    Law(s.median, middle, ints),
    Law(s.median_as_float, lambda xs: float(middle(xs)), ints),
    Law(s.lower_median, lambda xs: rank((len(xs) + 1) // 2, xs), ints),
    Law(s.upper_median, lambda xs: rank(len(xs) // 2 + 1, xs), ints),
    Law(s.running_medians, lambda xs: [middle(xs[: i + 1]) for i in range(len(xs))], ints),
    Law(s.mode, lambda xs: frequent(xs)[0], ints),
    Law(s.smallest_mode, lambda xs: min(frequent(xs)), ints),
    Law(s.largest_mode, lambda xs: max(frequent(xs)), ints),
    Law(s.modes, frequent, ints),
    Law(s.rarest, lambda xs: min(xs, key=xs.count), ints),
    Law(s.mode_and_count, lambda xs: [frequent(xs)[0], xs.count(frequent(xs)[0])], ints),
    Law(s.highest_count, lambda xs: max([0, *map(xs.count, xs)]), ints),
    Law(s.k_most_frequent, lambda xs, k: first_k(by_count(xs), k), with_k),
    Law(
        s.k_most_frequent_then_smallest,
        lambda xs, k: first_k(by_count(xs, value=True), k),
        with_k,
    ),
    Law(s.values_by_frequency, lambda xs: [x for x, _ in by_count(xs)], ints),
    Law(s.counts_by_frequency, by_count, ints),
    Law(s.counts_by_frequency_then_value, lambda xs: by_count(xs, value=True), ints),
    Law(s.counts_by_value, lambda xs: [(x, xs.count(x)) for x in sorted(set(xs))], ints),
    Law(s.spread, lambda xs: max(abs(a - b) for a in xs for b in xs), ints),
    Law(s.index_of_largest, lambda xs: first_place(xs, max), ints),
    Law(s.index_of_smallest, lambda xs: first_place(xs, min), ints),
    Law(
        s.last_index_of_largest,
        lambda xs: max(i for i, x in enumerate(xs) if x == max(xs)),
        ints,
    ),
    Law(s.largest_gap, lambda xs: max([0, *gaps(xs)]), ints),
    Law(s.smallest_gap, lambda xs: min(abs(a - b) for a, b in combinations(xs, 2)), ints),
    Law(s.closest_values, lambda xs: closest(xs)[0], ints),
    Law(s.all_closest_pairs, closest, ints),
    Law(s.largest_product_of_two, lambda xs: max(map(prod, combinations(xs, 2))), ints),
    Law(s.largest_product_of_three, lambda xs: max(map(prod, combinations(xs, 3))), ints),
    Law(
        s.h_index,
        lambda xs: max(h for h in range(len(xs) + 1) if sum(x >= h for x in xs) >= h),
        naturals,
    ),
    Law(s.running_maxima, lambda xs: [max(xs[: i + 1]) for i in range(len(xs))], ints),
    Law(s.running_minima, lambda xs: [min(xs[: i + 1]) for i in range(len(xs))], ints),
    Law(s.mean, lambda xs: sum(xs) / len(xs), ints),
    Law(
        s.mean_absolute_deviation,
        lambda xs: sum(abs(x - sum(xs) / len(xs)) for x in xs) / len(xs),
        ints,
    ),
    Law(s.variance, squares, ints),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) == set()
