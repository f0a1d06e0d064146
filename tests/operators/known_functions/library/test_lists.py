"""Reshaped and summed lists against loops over indices."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import lists as ls

from .agreement import Law, by_name, check, without_law
from .drawn import few, ints, small


def turned(xs: list[int], times: int) -> list[int]:
    for _ in range(abs(times) if xs else 0):
        xs = xs[1:] + xs[:1] if times > 0 else xs[-1:] + xs[:-1]
    return xs


def cut(xs: list[int], size: int) -> list[list[int]]:
    if size < 1:
        raise ValueError
    return [xs[:size], *cut(xs[size:], size)] if xs else []


def dealt(xs: list[int], k: int) -> list[list[int]]:
    if k < 1:
        raise ValueError
    return [[x for i, x in enumerate(xs) if i % k == turn] for turn in range(k)]


def in_turn(xs: list[int], ys: list[int]) -> list[int]:
    if not xs or not ys:
        return xs + ys
    return [xs[0], ys[0], *in_turn(xs[1:], ys[1:])]


def opened(x: Any) -> list[Any]:
    return [y for part in x for y in opened(part)] if isinstance(x, list) else [x]


def split_runs(xs: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for x in xs:
        if runs and runs[-1][0] == x:
            runs[-1].append(x)
        else:
            runs.append([x])
    return runs


def prefixes(xs: list[int]) -> list[list[int]]:
    return [xs[: i + 1] for i in range(len(xs))]


def others(xs: list[int]) -> list[list[int]]:
    return [xs[:i] + xs[i + 1 :] for i in range(len(xs))]


def xor_of(xs: list[int]) -> int:
    total = 0
    for x in xs:
        total = (total | x) - (total & x)
    return total


def where(xs: list[int]) -> dict[int, list[int]]:
    return {x: [i for i, y in enumerate(xs) if x == y] for x in xs}


digits = st.lists(st.integers(0, 3), max_size=9)
two = st.tuples(ints, ints)
with_k = st.tuples(ints, few)
nested = st.recursive(small, lambda inner: st.lists(inner, max_size=3), max_leaves=9)
LAWS = [
    Law(ls.rotate_left, turned, st.tuples(ints, st.integers(-12, 12))),
    Law(ls.rotate_right, lambda xs, k: turned(xs, -k), st.tuples(ints, st.integers(-12, 12))),
    Law(ls.reversed_list, lambda xs: [xs[-1 - i] for i in range(len(xs))], ints),
    Law(ls.chunks, cut, with_k),
    Law(ls.every_kth, lambda xs, k: dealt(xs, k)[0], with_k),
    Law(ls.dealt, dealt, with_k),
    Law(ls.interleaved, in_turn, two),
    Law(ls.flattened, lambda rows: [x for row in rows for x in row], st.lists(ints)),
    Law(ls.deeply_flattened, opened, st.lists(nested, max_size=4)),
    Law(ls.without_repeats_in_a_row, lambda xs: [r[0] for r in split_runs(xs)], digits),
    Law(ls.grouped_runs, split_runs, digits),
    Law(ls.run_lengths, lambda xs: [[len(r), r[0]] for r in split_runs(xs)], digits),
    Law(ls.runs_with_lengths, lambda xs: [[r[0], len(r)] for r in split_runs(xs)], digits),
    Law(ls.longest_run, lambda xs: max([0, *map(len, split_runs(xs))]), digits),
    Law(
        ls.longest_run_of,
        lambda xs, v: max(k for k in range(len(xs) + 1) if [v] * k in cut_all(xs, k)),
        st.tuples(digits, st.integers(0, 3)),
    ),
    Law(ls.repeat_each, lambda xs, k: [xs[i // k] for i in range(len(xs) * k)], with_k),
    Law(ls.prefix_sums, lambda xs: [sum(p) for p in prefixes(xs)], ints),
    Law(ls.prefix_sums_from_zero, lambda xs: [0, *(sum(p) for p in prefixes(xs))], ints),
    Law(ls.suffix_sums, lambda xs: [sum(xs[i:]) for i in range(len(xs))], ints),
    Law(ls.prefix_products, lambda xs: [prod(p) for p in prefixes(xs)], ints),
    Law(ls.prefix_xors, lambda xs: [xor_of(p) for p in prefixes(xs)], digits),
    Law(ls.products_of_others, lambda xs: [prod(o) for o in others(xs)], ints),
    Law(ls.sums_of_others, lambda xs: [sum(o) for o in others(xs)], ints),
    Law(
        ls.equilibrium,
        lambda xs: [*(i for i in range(len(xs)) if sum(xs[:i]) == sum(xs[i + 1 :])), -1][0],
        ints,
    ),
    Law(
        ls.count_equal_splits,
        lambda xs: sum(sum(xs[:i]) == sum(xs[i:]) for i in range(1, len(xs))),
        ints,
    ),
    Law(
        ls.leaders,
        lambda xs: [x for i, x in enumerate(xs) if all(x > y for y in xs[i + 1 :])],
        ints,
    ),
    Law(
        ls.leaders_or_equal,
        lambda xs: [x for i, x in enumerate(xs) if all(x >= y for y in xs[i + 1 :])],
        ints,
    ),
    Law(
        ls.largest_behind,
        lambda xs: [max([-1, *xs[i + 1 :]]) for i in range(len(xs))],
        digits,
    ),
    Law(ls.differences, lambda xs: [xs[i] - xs[i - 1] for i in range(1, len(xs))], ints),
    Law(
        ls.sum_of_steps, lambda xs: sum(abs(xs[i] - xs[i - 1]) for i in range(1, len(xs))), ints
    ),
    Law(ls.lowest_prefix_sum, lambda xs: min([0, *(sum(p) for p in prefixes(xs))]), ints),
    Law(ls.sums_by_place, lambda xs, ys: [x + y for x, y in zip(xs, ys, strict=False)], two),
    Law(
        ls.differences_by_place,
        lambda xs, ys: [x - y for x, y in zip(xs, ys, strict=False)],
        two,
    ),
    Law(
        ls.products_by_place, lambda xs, ys: [x * y for x, y in zip(xs, ys, strict=False)], two
    ),
    Law(ls.dot_product, lambda xs, ys: sum(x * y for x, y in zip(xs, ys, strict=False)), two),
    Law(
        ls.count_unequal_places,
        lambda xs, ys: sum(xs[i] != ys[i] for i in range(min(len(xs), len(ys)))),
        two,
    ),
    Law(
        ls.contains_list,
        lambda xs, ys: ys in cut_all(xs, len(ys)),
        st.tuples(digits, st.lists(st.integers(0, 3), max_size=2)),
    ),
    Law(
        ls.reads_both_ways,
        lambda xs: all(xs[i] == xs[-1 - i] for i in range(len(xs))),
        ints | digits.map(lambda xs: xs + xs[::-1]),
    ),
    Law(
        ls.changes_to_read_both_ways,
        lambda xs: sum(xs[i] != xs[-1 - i] for i in range(len(xs))) // 2,
        digits,
    ),
    Law(ls.indices_by_value, where, ints),
]


def cut_all(xs: list[int], size: int) -> list[list[int]]:
    return [xs[i : i + size] for i in range(len(xs) - size + 1)]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(ls, LAWS) == set()
