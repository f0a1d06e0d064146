"""Counts against listing what is counted."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import combinatorics, counting_ways

from .agreement import INVALID, Law, by_name, check, without_law


def times(numbers: range) -> int:
    result = 1
    for number in numbers:
        result *= number
    return result


def fact(n: int) -> Any:
    return times(range(1, n + 1)) if n >= 0 else INVALID


def double(n: int) -> Any:
    return times(range(n % 2 or 2, n + 1, 2)) if n >= -1 else INVALID


def exponent(n: int, p: int) -> int:
    found = 0
    while n % p == 0:
        n //= p
        found += 1
    return found


@cache
def set_partitions(n: int) -> list[list[list[int]]]:
    if n == 0:
        return [[]]
    found = []
    for parts in set_partitions(n - 1):
        found.append([*parts, [n]])
        found += [
            [[*part, n] if i == j else part for j, part in enumerate(parts)]
            for i in range(len(parts))
        ]
    return found


def cycles(order: tuple[int, ...]) -> int:
    seen: set[int] = set()
    count = 0
    for start in range(len(order)):
        count += start not in seen
        at = start
        while at not in seen:
            seen.add(at)
            at = order[at]
    return count


def brackets(n: int) -> list[str]:
    """Texts of n balanced pairs."""
    if n == 0:
        return [""]
    return [f"({a}){b}" for i in range(n) for a in brackets(i) for b in brackets(n - 1 - i)]


@cache
def partitions(n: int, largest: int) -> list[list[int]]:
    if n == 0:
        return [[]]
    return [
        [part, *rest]
        for part in range(1, min(n, largest) + 1)
        for rest in partitions(n - part, part)
    ]


def chords(n: int) -> int:
    if n < 2:
        return 1
    return chords(n - 1) + sum(chords(i) * chords(n - 2 - i) for i in range(n - 1))


def schroeder(n: int) -> int:
    """Count paths right, up and diagonal that stay on or below the diagonal."""

    @cache
    def ways(x: int, y: int) -> int:
        if y > x or y < 0:
            return 0
        return 1 if x == 0 else ways(x - 1, y) + ways(x, y - 1) + ways(x - 1, y - 1)

    return ways(n, n)


def king(m: int, n: int) -> int:
    if 0 in (m, n):
        return 1
    return king(m - 1, n) + king(m, n - 1) + king(m - 1, n - 1)


def ascents(order: tuple[int, ...]) -> int:
    return sum(order[i] < order[i + 1] for i in range(len(order) - 1))


def walks(grid: list[list[int]]) -> list[list[tuple[int, int]]]:
    """All ways right and down from corner to corner."""
    rows, columns = len(grid), len(grid[0])
    found = []
    for downs in combinations(range(rows + columns - 2), rows - 1):
        i = j = 0
        walk = [(0, 0)]
        for step in range(rows + columns - 2):
            i, j = (i + 1, j) if step in downs else (i, j + 1)
            walk.append((i, j))
        found.append(walk)
    return found


def sums(grid: list[list[int]]) -> list[int]:
    return [sum(grid[i][j] for i, j in walk) for walk in walks(grid)]


def triangle_sums(triangle: list[list[int]], i: int = 0, j: int = 0) -> list[int]:
    if i == len(triangle) - 1:
        return [triangle[i][j]]
    below = triangle_sums(triangle, i + 1, j) + triangle_sums(triangle, i + 1, j + 1)
    return [triangle[i][j] + total for total in below]


def pascal(n: int) -> list[list[int]]:
    rows = [[1]]
    while len(rows) <= n:
        rows.append([a + b for a, b in zip([0, *rows[-1]], [*rows[-1], 0], strict=True)])
    return rows


def involutions(n: int) -> int:
    orders = permutations(range(n))
    return sum(all(order[order[i]] == i for i in range(n)) for order in orders)


def grids(values: st.SearchStrategy[int]) -> st.SearchStrategy[list[list[int]]]:
    return st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda s: st.lists(
            st.lists(values, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0]
        )
    )


n, k = st.integers(-2, 30), st.integers(-2, 12)
few = st.integers(0, 6)
pair = st.tuples(st.integers(0, 7), st.integers(0, 7))
prime = st.sampled_from([2, 3, 5, 7, 13])
costs = grids(st.integers(-5, 9))
triangle = st.integers(1, 6).flatmap(
    lambda rows: st.tuples(
        *[st.lists(st.integers(-9, 9), min_size=i, max_size=i) for i in range(1, rows + 1)]
    ).map(lambda t: (list(t),))
)
word = st.text("abc", max_size=6)
LAWS = [
    Law(combinatorics.factorial, fact, n),
    Law(combinatorics.double_factorial, double, n),
    Law(
        combinatorics.superfactorial,
        lambda n: math.prod(fact(i) for i in range(n + 1)) if n >= 0 else INVALID,
        st.integers(-1, 12),
    ),
    Law(combinatorics.sum_of_factorials, lambda n: sum(fact(i) for i in range(1, n + 1)), n),
    Law(
        combinatorics.factorial_modulo,
        lambda n, m: fact(n) % m if n >= 0 < m else INVALID,
        st.tuples(n, n),
    ),
    Law(
        combinatorics.zeros_of_factorial,
        lambda n: exponent(fact(n), 10) if n >= 0 else INVALID,
        st.integers(-1, 150),
    ),
    Law(
        combinatorics.exponent_in_factorial,
        lambda n, p: exponent(fact(n), p),
        st.tuples(st.integers(0, 60), prime),
    ),
    Law(combinatorics.binomial, lambda n, k: len(list(combinations(range(n), k))), pair),
    Law(
        combinatorics.binomial_modulo,
        lambda n, k, p: pascal(n)[n][k] % p if k <= n else 0,
        st.tuples(st.integers(0, 40), st.integers(0, 45), prime),
    ),
    Law(
        combinatorics.permutation_count, lambda n, k: len(list(permutations(range(n), k))), pair
    ),
    Law(
        combinatorics.multiset_count,
        lambda n, k: len(list(combinations_with_replacement(range(n), k))),
        pair,
    ),
    Law(
        combinatorics.multinomial,
        lambda counts: fact(sum(counts)) // math.prod(map(fact, counts)),
        st.lists(st.integers(0, 9), max_size=5),
    ),
    Law(
        combinatorics.distinct_orders,
        lambda word: len(set(permutations(word))),
        st.one_of(word, word.map(list)),
    ),
    Law(
        combinatorics.catalan_number,
        lambda n: len(brackets(n)) if n >= 0 else INVALID,
        st.integers(-1, 7),
    ),
    Law(combinatorics.central_binomial, lambda n: pascal(2 * n)[2 * n][n], st.integers(0, 30)),
    Law(combinatorics.bell_number, lambda n: len(set_partitions(n)), few),
    Law(
        combinatorics.stirling_second,
        lambda n, k: sum(len(parts) == k for parts in set_partitions(n)),
        st.tuples(few, few),
    ),
    Law(
        combinatorics.stirling_first,
        lambda n, k: sum(cycles(order) == k for order in permutations(range(n))),
        st.tuples(few, few),
    ),
    Law(
        combinatorics.derangement_count,
        lambda n: sum(all(i != o[i] for i in range(n)) for o in permutations(range(n))),
        few,
    ),
    Law(combinatorics.pairings_or_alone, involutions, few),
    Law(counting_ways.partition_count, lambda n: len(partitions(n, n)), st.integers(0, 22)),
    Law(
        counting_ways.partitions_with_parts_up_to,
        lambda n, k: len(partitions(n, k)),
        st.tuples(st.integers(0, 16), k),
    ),
    Law(
        counting_ways.partitions_into,
        lambda n, k: sum(len(parts) == k for parts in partitions(n, n)),
        st.tuples(st.integers(0, 16), k),
    ),
    Law(
        counting_ways.partitions_into_distinct,
        lambda n: sum(len(set(parts)) == len(parts) for parts in partitions(n, n)),
        st.integers(0, 20),
    ),
    Law(counting_ways.motzkin_number, chords, st.integers(0, 9)),
    Law(counting_ways.schroeder_number, schroeder, st.integers(0, 12)),
    Law(counting_ways.delannoy_number, king, st.tuples(few, few)),
    Law(
        counting_ways.eulerian_number,
        lambda n, k: sum(ascents(order) == k for order in permutations(range(n))),
        st.tuples(few, few),
    ),
    Law(
        counting_ways.narayana_number,
        lambda n, k: sum(text.count("()") == k for text in brackets(n)),
        st.tuples(st.integers(1, 6), st.integers(1, 8)),
    ),
    Law(counting_ways.pascal_triangle, lambda n: pascal(n)[: max(n, 0)], n),
    Law(counting_ways.pascal_row, lambda n: pascal(n)[n] if n >= 0 else INVALID, n),
    Law(
        counting_ways.grid_paths,
        lambda m, n: len(walks([[0] * n] * m)) if m > 0 < n else INVALID,
        st.tuples(few, few),
    ),
    Law(
        counting_ways.lattice_paths,
        lambda m, n: len(walks([[0] * (n + 1)] * (m + 1))),
        st.tuples(few, few),
    ),
    Law(
        counting_ways.grid_paths_around,
        lambda grid: sum(not any(grid[i][j] for i, j in walk) for walk in walks(grid)),
        grids(st.sampled_from([0, 0, 0, 1])),
    ),
    Law(counting_ways.cheapest_grid_path, lambda grid: min(sums(grid)), costs),
    Law(counting_ways.dearest_grid_path, lambda grid: max(sums(grid)), costs),
    Law(counting_ways.largest_triangle_path, lambda t: max(triangle_sums(t)), triangle),
    Law(counting_ways.smallest_triangle_path, lambda t: min(triangle_sums(t)), triangle),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(combinatorics, LAWS) | without_law(counting_ways, LAWS) == set()
