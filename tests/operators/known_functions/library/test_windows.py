"""Windows, stretches and climbs against all slices of the list."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from math import prod
from operator import xor
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import climbs as c
from operators.known_functions.library import stretches as s
from operators.known_functions.library import windows as w

from .agreement import Law, by_name, check, without_law
from .drawn import bits, few, ints, naturals, small


def slides(xs: list[int], width: int) -> list[list[int]]:
    if width < 1:
        raise ValueError
    return [xs[i : i + width] for i in range(len(xs)) if i + width <= len(xs)]


def cuts(xs: list[int]) -> list[list[int]]:
    n = len(xs)
    return [xs[i:j] for i in range(n) for j in range(i + 1, n + 1)]


def count(xs: list[int], good: Callable[[list[int]], bool]) -> int:
    return sum(map(good, cuts(xs)))


def longest(xs: list[int], good: Callable[[list[int]], bool]) -> int:
    return max([0, *(len(cut) for cut in cuts(xs) if good(cut))])


def positive(xs: list[int]) -> list[int]:
    if any(x <= 0 for x in xs):
        raise ValueError
    return xs


def centred(xs: list[int], radius: int) -> list[int]:
    if radius < 0:
        raise ValueError
    size = 2 * radius + 1
    fits = range(radius, len(xs) - radius)
    return [
        sum(xs[i - radius : i + radius + 1]) // size if i in fits else -1
        for i in range(len(xs))
    ]


def middle(xs: list[int]) -> float:
    return median(xs)


def circular(xs: list[int]) -> int:
    turns = [(xs + xs)[i : i + len(xs)] for i in range(len(xs))]
    return max(sum(cut) for turn in turns for cut in cuts(turn))


def without_one(xs: list[int]) -> int:
    shorter = [cut[:i] + cut[i + 1 :] for cut in cuts(xs) for i in range(len(cut))]
    return max(sum(cut) for cut in [*cuts(xs), *filter(None, shorter)])


def first_with_sum(xs: list[int], target: int) -> list[int]:
    n = len(xs)
    found = [[i, j] for i in range(n) for j in range(i, n) if sum(xs[i : j + 1]) == target]
    return found[0]


def best_cut(xs: list[int]) -> list[int]:
    top = max(map(sum, cuts(xs)))
    found = [cut for cut in cuts(xs) if sum(cut) == top]
    return found[0]


def up(xs: list[int]) -> bool:
    return all(x < y for x, y in pairwise(xs))


def mountain(xs: list[int]) -> bool:
    top = xs.index(max(xs))
    return 0 < top < len(xs) - 1 and up(xs[: top + 1]) and up(xs[top:][::-1])


def zigzag(xs: list[int]) -> bool:
    steps = [y - x for x, y in pairwise(xs)]
    return all(steps) and all(a * b < 0 for a, b in pairwise(steps))


def arithmetic(xs: list[int]) -> bool:
    return len(xs) > 2 and len({y - x for x, y in pairwise(xs)}) == 1


def consecutive(xs: list[int]) -> int:
    return max([0, *(n for x in xs for n in range(14) if all(x + i in xs for i in range(n)))])


def ranges(xs: list[int]) -> list[list[int]]:
    starts = [x for x in xs if x - 1 not in xs]
    return [[x, max(y for y in range(x, 8) if set(range(x, y + 1)) <= set(xs))] for x in starts]


def one_change(xs: list[int]) -> bool:
    tries = [[*xs[:i], v, *xs[i + 1 :]] for i in range(len(xs)) for v in range(-6, 7)]
    return not xs or any(t == sorted(t) for t in tries)


width = st.tuples(ints, few)
target = st.tuples(ints, small)
positives = st.tuples(st.lists(st.integers(1, 6), max_size=9) | ints, st.integers(-1, 20))
ones = st.lists(st.integers(1, 6), max_size=8) | ints
bits_and_k = st.tuples(bits, few)
digits_and_k = st.tuples(st.lists(st.integers(0, 3), max_size=9), few)
LAWS = [
    Law(w.window_sums, lambda xs, k: [sum(x) for x in slides(xs, k)], width),
    Law(w.window_means, lambda xs, k: [sum(x) / k for x in slides(xs, k)], width),
    Law(w.largest_window_sum, lambda xs, k: max(sum(x) for x in slides(xs, k)), width),
    Law(w.smallest_window_sum, lambda xs, k: min(sum(x) for x in slides(xs, k)), width),
    Law(w.largest_window_mean, lambda xs, k: max(sum(x) for x in slides(xs, k)) / k, width),
    Law(
        w.count_windows_at_least,
        lambda xs, k, total: sum(sum(x) >= total for x in slides(xs, k)),
        st.tuples(ints, few, small),
    ),
    Law(w.window_maxima, lambda xs, k: [max(x) for x in slides(xs, k)], width),
    Law(w.window_minima, lambda xs, k: [min(x) for x in slides(xs, k)], width),
    Law(w.window_medians, lambda xs, k: [middle(x) for x in slides(xs, k)], width),
    Law(w.window_distinct_counts, lambda xs, k: [len({*x}) for x in slides(xs, k)], width),
    Law(w.windows_of, slides, width),
    Law(
        w.first_negatives,
        lambda xs, k: [[*(y for y in x if y < 0), 0][0] for x in slides(xs, k)],
        width,
    ),
    Law(w.centred_window_means, centred, st.tuples(ints, st.integers(-1, 4))),
    Law(s.largest_stretch_sum, lambda xs: max(map(sum, cuts(xs))), ints),
    Law(s.largest_stretch_sum_or_zero, lambda xs: max([0, *map(sum, cuts(xs))]), ints),
    Law(s.smallest_stretch_sum, lambda xs: min(map(sum, cuts(xs))), ints),
    Law(s.largest_stretch_sum_in_circle, circular, ints),
    Law(s.largest_stretch_product, lambda xs: max(map(prod, cuts(xs))), ints),
    Law(s.best_stretch, best_cut, ints),
    Law(s.largest_stretch_sum_without_one, without_one, ints),
    Law(s.count_stretches_with_sum, lambda xs, k: count(xs, lambda x: sum(x) == k), target),
    Law(s.has_stretch_with_sum, lambda xs, k: k in map(sum, cuts(xs)), target),
    Law(s.first_stretch_with_sum, first_with_sum, target),
    Law(s.longest_stretch_with_sum, lambda xs, k: longest(xs, lambda x: sum(x) == k), target),
    Law(
        s.count_stretches_divisible,
        lambda xs, k: count(xs, lambda x: sum(x) % k == 0),
        st.tuples(ints, st.integers(1, 5)),
    ),
    Law(
        s.longest_stretch_divisible,
        lambda xs, k: longest(xs, lambda x: sum(x) % k == 0),
        st.tuples(ints, st.integers(1, 5)),
    ),
    Law(
        s.count_stretches_with_xor,
        lambda xs, k: count(xs, lambda x: reduce(xor, x) == k),
        st.tuples(naturals, st.integers(0, 9)),
    ),
    Law(
        s.longest_balanced_stretch,
        lambda xs: longest(xs, lambda x: 2 * x.count(0) == len(x)),
        bits,
    ),
    Law(
        s.count_stretches_with_odds,
        lambda xs, k: count(xs, lambda x: sum(y % 2 for y in x) == k),
        st.tuples(ints, few),
    ),
    Law(
        s.shortest_stretch_reaching,
        lambda xs, k: min((len(x) for x in cuts(positive(xs)) if sum(x) >= k), default=0),
        positives,
    ),
    Law(
        s.count_stretches_with_product_below,
        lambda xs, k: count(positive(xs), lambda x: prod(x) < k),
        positives,
    ),
    Law(
        s.count_stretches_with_sum_below,
        lambda xs, k: count(positive(xs), lambda x: sum(x) < k),
        positives,
    ),
    Law(
        s.longest_ones_with_flips,
        lambda xs, k: longest(xs, lambda x: x.count(0) <= k),
        bits_and_k,
    ),
    Law(
        s.longest_stretch_with_distinct,
        lambda xs, k: longest(xs, lambda x: len({*x}) <= k),
        digits_and_k,
    ),
    Law(
        s.count_stretches_with_distinct,
        lambda xs, k: count(xs, lambda x: len({*x}) == k),
        digits_and_k,
    ),
    Law(
        s.longest_stretch_without_repeats,
        lambda xs: longest(xs, lambda x: len({*x}) == len(x)),
        ints,
    ),
    Law(
        s.longest_stretch_within,
        lambda xs, k: longest(xs, lambda x: max(x) - min(x) <= k),
        width,
    ),
    Law(s.sum_over_all_stretches, lambda xs: sum(map(sum, cuts(xs))), ints),
    Law(
        s.sum_over_odd_stretches,
        lambda xs: sum(sum(cut) for cut in cuts(xs) if len(cut) % 2),
        ints,
    ),
    Law(c.longest_rise, lambda xs: longest(xs, up), ints),
    Law(c.longest_rise_or_level, lambda xs: longest(xs, lambda x: x == sorted(x)), ints),
    Law(c.first_longest_rise, lambda xs: max(filter(up, cuts(xs)), key=len, default=[]), ints),
    Law(c.count_rises, lambda xs: count(xs, up), ints),
    Law(
        c.largest_rise_sum,
        lambda xs: max(map(sum, filter(up, cuts(positive(xs)))), default=0),
        ones,
    ),
    Law(c.longest_mountain, lambda xs: longest(xs, mountain), ints),
    Law(c.longest_zigzag_stretch, lambda xs: longest(xs, zigzag), ints),
    Law(c.count_arithmetic_stretches, lambda xs: count(xs, arithmetic), bits | ints),
    Law(c.longest_consecutive, consecutive, ints),
    Law(
        c.is_consecutive,
        lambda xs: bool(xs) and sorted(xs) == [min(xs) + i for i in range(len(xs))],
        ints | st.permutations([2, 3, 4, 5]),
    ),
    Law(c.consecutive_ranges, ranges, ints.map(lambda xs: sorted(set(xs)))),
    Law(
        c.peaks,
        lambda xs: [
            i for i in range(len(xs)) if 0 < i < len(xs) - 1 and mountain(xs[i - 1 : i + 2])
        ],
        ints,
    ),
    Law(c.sum_of_rises, lambda xs: sum(max(0, y - x) for x, y in pairwise(xs)), ints),
    Law(c.ascends_after_one_change, one_change, st.lists(small, max_size=5)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(w, LAWS) | without_law(s, LAWS) | without_law(c, LAWS) == set()
