"""Orders against sorting by insertion and other slow truths."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import sorting as s

from .agreement import Law, by_name, check, without_law
from .drawn import few, ints, rows, some_words, wide_ints, words


def inserted(xs: list[Any], key: Callable[[Any], Any] = lambda x: x) -> list[Any]:
    """Insertion sort: stable, and obviously so."""
    done: list[Any] = []
    for x in xs:
        at = len(done)
        while at and key(done[at - 1]) > key(x):
            at -= 1
        done.insert(at, x)
    return done


def falling(xs: list[Any], key: Callable[[Any], Any] = lambda x: x) -> list[Any]:
    done: list[Any] = []
    for x in xs:
        at = len(done)
        while at and key(done[at - 1]) < key(x):
            at -= 1
        done.insert(at, x)
    return done


def digit_sum(x: int) -> int:
    return sum(int(c) for c in str(x) if c != "-")


def signed_digit_sum(x: int) -> int:
    digits = [int(c) for c in str(abs(x))]
    return sum(digits) if x >= 0 else sum(digits[1:]) - digits[0]


def ones(x: int) -> int:
    return bin(x).count("1")


def alternating(xs: list[int], picks: tuple[Any, Any]) -> list[int]:
    left, result = list(xs), list[int]()
    while left:
        x = picks[len(result) % 2](left)
        left.remove(x)
        result.append(x)
    return result


def every(xs: list[int], k: int) -> list[int]:
    if k <= 0:
        raise ValueError
    chosen = inserted([x for i, x in enumerate(xs) if i % k == 0])
    return [chosen[i // k] if i % k == 0 else x for i, x in enumerate(xs)]


def first_k(xs: list[int], k: int) -> list[int]:
    if k < 0:
        raise ValueError
    return inserted(xs[:k]) + xs[k:]


def inversions(xs: list[int]) -> int:
    return sum(a > b for a, b in combinations(xs, 2))


def swaps(xs: list[int]) -> int:
    """Selection sort swaps no more than needed, if values are distinct."""
    left, count = list(xs), 0
    for i in range(len(left)):
        at = left.index(min(left[i:]))
        if at != i:
            left[i], left[at] = left[at], left[i]
            count += 1
    return count


def largest_number(xs: list[int]) -> str:
    made = ["".join(map(str, order)) for order in permutations(xs)]
    return str(int(max(made))) if xs else ""


def rising(xs: list[int]) -> bool:
    return all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))


distinct = st.lists(st.integers(-20, 20), unique=True, max_size=8)
maybe_sorted = st.one_of(ints, ints.map(sorted), ints.map(lambda xs: sorted(xs)[::-1]))
LAWS = [
    Law(s.sort_ascending, inserted, st.one_of(ints, words)),
    Law(s.sort_descending, falling, st.one_of(ints, words)),
    Law(s.sort_by_length, lambda xs: inserted(xs, len), words),
    Law(s.sort_by_length_descending, lambda xs: falling(xs, len), words),
    Law(s.sort_by_length_then_value, lambda xs: inserted(xs, lambda x: (len(x), x)), words),
    Law(
        s.sort_by_length_descending_then_value,
        lambda xs: inserted(xs, lambda x: (-len(x), x)),
        words,
    ),
    Law(s.sort_by_absolute_value, lambda xs: inserted(xs, abs), ints),
    Law(s.sort_by_absolute_value_descending, lambda xs: falling(xs, abs), ints),
    Law(
        s.sort_by_frequency_then_value,
        lambda xs: inserted(xs, lambda x: (xs.count(x), x)),
        ints,
    ),
    Law(
        s.sort_by_frequency_then_value_descending,
        lambda xs: inserted(xs, lambda x: (xs.count(x), -x)),
        ints,
    ),
    Law(
        s.sort_by_frequency_descending_then_value,
        lambda xs: inserted(xs, lambda x: (-xs.count(x), x)),
        ints,
    ),
    Law(
        s.sort_by_frequency_descending_then_place,
        lambda xs: inserted(xs, lambda x: (-xs.count(x), xs.index(x))),
        ints,
    ),
    Law(s.sort_by_digit_sum, lambda xs: inserted(xs, digit_sum), wide_ints),
    Law(s.sort_by_signed_digit_sum, lambda xs: inserted(xs, signed_digit_sum), wide_ints),
    Law(
        s.sort_by_digit_sum_then_value,
        lambda xs: inserted(xs, lambda x: (digit_sum(x), x)),
        wide_ints,
    ),
    Law(s.sort_by_bit_count, lambda xs: inserted(xs, ones), wide_ints),
    Law(s.sort_by_last_element, lambda xs: inserted(xs, lambda x: x[-1]), rows | some_words),
    Law(s.sort_by_last_element_descending, lambda xs: falling(xs, lambda x: x[-1]), rows),
    Law(s.sort_by_first_element, lambda xs: inserted(xs, lambda x: x[0]), rows | some_words),
    Law(s.sort_by_second_element, lambda xs: inserted(xs, lambda x: x[1]), rows),
    Law(s.sort_rows_by_sum, lambda xs: inserted(xs, sum), rows),
    Law(s.sort_ignoring_case, lambda xs: inserted(xs, lambda x: x.lower()), words),
    Law(s.evens_before_odds, lambda xs: inserted(xs, lambda x: x % 2), ints),
    Law(s.negatives_first, lambda xs: inserted(xs, lambda x: x >= 0), ints),
    Law(s.zeros_last, lambda xs: inserted(xs, lambda x: x == 0), ints),
    Law(s.sorted_distinct, lambda xs: inserted(list(dict.fromkeys(xs))), ints),
    Law(s.sorted_distinct_descending, lambda xs: falling(list(dict.fromkeys(xs))), ints),
    Law(s.sorting_indices, lambda xs: inserted(list(range(len(xs))), lambda i: xs[i]), ints),
    Law(s.dense_ranks, lambda xs: [1 + len({y for y in xs if y < x}) for x in xs], ints),
    Law(s.counts_of_smaller, lambda xs: [sum(y < x for y in xs) for x in xs], ints),
    Law(s.smallest_largest_alternating, lambda xs: alternating(xs, (min, max)), ints),
    Law(s.largest_smallest_alternating, lambda xs: alternating(xs, (max, min)), ints),
    Law(s.sort_even_places, lambda xs: every(xs, 2), ints),
    Law(s.sort_every_kth_place, every, st.tuples(ints, few)),
    Law(s.sort_first_k, first_k, st.tuples(ints, st.integers(-1, 9))),
    Law(s.merge_two, lambda xs, ys: inserted(xs + ys), st.tuples(ints, ints)),
    Law(s.merge_rows, lambda xs: inserted([x for r in xs for x in r]), st.lists(ints)),
    Law(s.is_ascending, rising, maybe_sorted),
    Law(
        s.is_strictly_ascending,
        lambda xs: rising(xs) and len(set(xs)) == len(xs),
        maybe_sorted,
    ),
    Law(s.is_descending, lambda xs: rising(xs[::-1]), maybe_sorted),
    Law(s.is_monotonic, lambda xs: rising(xs) or rising(xs[::-1]), maybe_sorted),
    Law(s.count_inversions, inversions, ints),
    Law(s.swaps_to_sort, swaps, distinct),
    Law(s.largest_concatenation, largest_number, st.lists(st.integers(0, 120), max_size=5)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) == set()


def test_inversions_across_blocks_are_counted() -> None:
    xs = [(i * 7919) % 1009 for i in range(900)]
    count: Callable[[list[int]], int] = s.count_inversions
    assert count(xs) == inversions(xs)
