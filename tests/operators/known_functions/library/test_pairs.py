"""Pairs and triples against all combinations of places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import pairs as p
from operators.known_functions.library import triples as t

from .agreement import Law, by_name, check, without_law
from .drawn import ints, small


def places(xs: list[int], good: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in combinations(range(len(xs)), 2) if good(xs[i], xs[j])]


def with_sum(xs: list[int], target: int) -> list[tuple[int, int]]:
    return places(xs, lambda x, y: x + y == target)


def count(xs: list[int], good: Callable[[int, int], bool]) -> int:
    return len(places(xs, good))


def complete_first(xs: list[int], target: int) -> tuple[int, int]:
    return min(with_sum(xs, target), key=lambda pair: (pair[1], pair[0]))


def disjoint(xs: list[int], target: int) -> int:
    for i, j in with_sum(xs, target):
        return 1 + disjoint(xs[:i] + xs[i + 1 : j] + xs[j + 1 :], target)
    return 0


def apart(xs: list[int], k: int) -> list[tuple[int, int]]:
    if k <= 0:
        raise ValueError
    return places(xs, lambda x, y: abs(x - y) == k)


def divisible(xs: list[int], k: int) -> int:
    if k <= 0:
        raise ValueError
    return count(xs, lambda x, y: (x + y) % k == 0)


def within(xs: list[int], k: int) -> int:
    if k < 0:
        raise ValueError
    return count(xs, lambda x, y: abs(x - y) <= k)


def sets(xs: list[int], size: int, target: int) -> list[list[int]]:
    found = {tuple(sorted(c)) for c in combinations(xs, size) if sum(c) == target}
    return [list(c) for c in sorted(found)]


def closest(xs: list[int], size: int, target: int) -> int:
    return min((abs(sum(c) - target), sum(c)) for c in combinations(xs, size))[1]


def triangles(xs: list[int]) -> Iterator[int]:
    if any(x <= 0 for x in xs):
        raise ValueError
    for a, b, c in combinations(sorted(xs), 3):
        if a + b > c:
            yield a + b + c


def progressions(xs: list[int], k: int) -> int:
    if k <= 0 or len(set(xs)) < len(xs):
        raise ValueError
    return sum(b - a == c - b == k for a, b, c in combinations(sorted(xs), 3))


def right(xs: list[int]) -> bool:
    sides = [sorted(map(abs, c)) for c in combinations(xs, 3) if all(c)]
    return any(a * a + b * b == c * c for a, b, c in sides)


short = st.lists(small, max_size=7)
sided = st.lists(st.integers(0, 9), max_size=7) | st.lists(st.integers(1, 13), max_size=7)
with_target = st.tuples(ints, st.integers(-9, 9))
short_and_target = st.tuples(short, st.integers(-9, 9))
tiny = st.lists(small, max_size=3)
LAWS = [
    Law(p.has_pair_with_sum, lambda xs, k: bool(with_sum(xs, k)), with_target),
    Law(p.first_pair_with_sum, lambda xs, k: list(with_sum(xs, k)[0]), with_target),
    Law(p.earliest_pair_with_sum, lambda xs, k: list(complete_first(xs, k)), with_target),
    Law(
        p.earliest_values_with_sum,
        lambda xs, k: [xs[i] for i in complete_first(xs, k)],
        with_target,
    ),
    Law(p.index_pairs_with_sum, with_sum, with_target),
    Law(
        p.value_pairs_with_sum,
        lambda xs, k: [(xs[i], xs[j]) for i, j in with_sum(xs, k)],
        with_target,
    ),
    Law(
        p.distinct_pairs_with_sum,
        lambda xs, k: [(a, b) for a, b in sets(xs, 2, k)],
        with_target,
    ),
    Law(p.count_pairs_with_sum, lambda xs, k: len(with_sum(xs, k)), with_target),
    Law(p.count_disjoint_pairs_with_sum, disjoint, with_target),
    Law(
        p.count_cross_pairs_with_sum,
        lambda xs, ys, k: sum(x + y == k for x, y in product(xs, ys)),
        st.tuples(ints, ints, small),
    ),
    Law(p.count_pairs_with_difference, lambda xs, k: len(apart(xs, k)), with_target),
    Law(
        p.count_distinct_pairs_with_difference,
        lambda xs, k: len({min(xs[i], xs[j]) for i, j in apart(xs, k)}),
        with_target,
    ),
    Law(p.has_pair_with_difference, lambda xs, k: bool(apart(xs, k)), with_target),
    Law(p.count_equal_pairs, lambda xs: count(xs, lambda x, y: x == y), ints),
    Law(p.count_pairs_divisible, divisible, with_target),
    Law(
        p.count_pairs_with_product,
        lambda xs, k: count(xs, lambda x, y: x * y == k),
        with_target,
    ),
    Law(p.count_pairs_below, lambda xs, k: count(xs, lambda x, y: x + y < k), with_target),
    Law(p.count_pairs_within, within, with_target),
    Law(p.pair_sum_closest_to, lambda xs, k: closest(xs, 2, k), with_target),
    Law(
        p.count_cross_pairs_ascending,
        lambda xs, ys: sum(x < y for x, y in product(xs, ys)),
        st.tuples(ints, ints),
    ),
    Law(p.count_ascending_pairs, lambda xs: count(xs, lambda x, y: x < y), ints),
    Law(p.count_doubled_inversions, lambda xs: count(xs, lambda x, y: x > 2 * y), ints),
    Law(
        p.sum_of_pair_distances,
        lambda xs: sum(abs(x - y) for x, y in combinations(xs, 2)),
        ints,
    ),
    Law(p.sum_of_pair_products, lambda xs: sum(x * y for x, y in combinations(xs, 2)), ints),
    Law(p.largest_rise, lambda xs: max(y - x for x, y in combinations(xs, 2)), ints),
    Law(
        p.all_pairs,
        lambda xs: [(xs[i], xs[j]) for i in range(len(xs)) for j in range(i + 1, len(xs))],
        ints,
    ),
    Law(t.has_triple_with_sum, lambda xs, k: bool(sets(xs, 3, k)), short_and_target),
    Law(t.triples_with_sum, lambda xs, k: sets(xs, 3, k), short_and_target),
    Law(t.triples_with_sum_zero, lambda xs: sets(xs, 3, 0), short),
    Law(t.has_triple_with_sum_zero, lambda xs: bool(sets(xs, 3, 0)), short),
    Law(
        t.count_triples_with_sum,
        lambda xs, k: sum(sum(c) == k for c in combinations(xs, 3)),
        short_and_target,
    ),
    Law(
        t.count_triples_below,
        lambda xs, k: sum(sum(c) < k for c in combinations(xs, 3)),
        short_and_target,
    ),
    Law(t.triple_sum_closest_to, lambda xs, k: closest(xs, 3, k), short_and_target),
    Law(t.count_triangles, lambda xs: len(list(triangles(xs))), sided),
    Law(t.has_right_triangle, right, short | sided),
    Law(
        t.count_ascending_triples,
        lambda xs: sum(a < b < c for a, b, c in combinations(xs, 3)),
        short,
    ),
    Law(
        t.has_ascending_triple,
        lambda xs: any(a < b < c for a, b, c in combinations(xs, 3)),
        short,
    ),
    Law(
        t.count_progressions_of_three,
        progressions,
        st.tuples(short | st.lists(small, unique=True), st.integers(-1, 3)),
    ),
    Law(t.quadruples_with_sum, lambda xs, k: sets(xs, 4, k), short_and_target),
    Law(
        t.count_quadruples_with_sum_zero,
        lambda *lists: sum(sum(c) == 0 for c in product(*lists)),
        st.tuples(tiny, tiny, tiny, tiny),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(p, LAWS) | without_law(t, LAWS) == set()
