"""Choices, tables and coins against trying every choice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import knapsack, tables

from .agreement import INVALID, Law, by_name, check, without_law


def payments(coins: list[int], amount: int) -> list[list[int]]:
    """Each way to pay, as the numbers of each coin."""
    if not coins:
        return [[]] if amount == 0 else []
    most = max(amount, -1) // coins[0]
    return [
        [number, *rest]
        for number in range(most + 1)
        for rest in payments(coins[1:], amount - number * coins[0])
    ]


def sequences(coins: list[int], amount: int) -> int:
    @cache
    def ways(left: int) -> int:
        return int(left == 0) if left <= 0 else sum(ways(left - coin) for coin in coins)

    return ways(amount)


def greedy(coins: list[int], amount: int) -> list[int]:
    taken = []
    while any(coin <= amount for coin in coins):
        taken.append(max(coin for coin in coins if coin <= amount))
        amount -= taken[-1]
    return taken


def subsets(values: list[Any]) -> list[list[Any]]:
    if not values:
        return [[]]
    return [s + end for s in subsets(values[:-1]) for end in ([], [values[-1]])]


def best(capacity: int, weights: list[int], values: list[int]) -> Any:
    items = subsets(list(zip(weights, values, strict=True)))
    return max(sum(v for _, v in s) for s in items if sum(w for w, _ in s) <= capacity)


def repeated(capacity: int, weights: list[int], values: list[int]) -> int:
    items = list(zip(weights, values, strict=True))

    @cache
    def most(left: int) -> int:
        return max([0] + [v + most(left - w) for w, v in items if w <= left])

    return most(capacity)


def in_part(capacity: int, weights: list[int], values: list[int]) -> float:
    """Split each item into units of weight and take the best ones."""
    units = [v / w for w, v in zip(weights, values, strict=True) for _ in range(w)]
    return float(sum(sorted(units, reverse=True)[:capacity]))


def rod(prices: list[int], length: int) -> int:
    @cache
    def most(left: int) -> int:
        pieces = range(1, min(left, len(prices)) + 1)
        return max((prices[i - 1] + most(left - i) for i in pieces), default=0)

    return most(length)


def apart(values: list[int], circle: bool) -> int:
    n = len(values)
    sums = [0]
    for taken in product([0, 1], repeat=n):
        chosen = [i for i in range(n) if taken[i]]
        near = any(b - a == 1 for a in chosen for b in chosen)
        round_ = circle and n > 1 and bool(taken[0] and taken[-1])
        if not near and not round_:
            sums.append(sum(values[i] for i in chosen))
    return max(sums)


def climb(costs: list[int], i: int = -1) -> int:
    if i >= len(costs):
        return 0
    return (costs[i] if i >= 0 else 0) + min(climb(costs, i + 1), climb(costs, i + 2))


def chain(dims: tuple[int, ...]) -> int:
    middles = range(1, len(dims) - 1)
    return min(
        (
            chain(dims[: k + 1]) + chain(dims[k:]) + dims[0] * dims[k] * dims[-1]
            for k in middles
        ),
        default=0,
    )


@cache
def drops(eggs: int, floors: int) -> int:
    if floors == 0 or eggs == 1:
        return floors
    return 1 + min(
        max(drops(eggs - 1, i - 1), drops(eggs, floors - i)) for i in range(1, floors + 1)
    )


def merge(values: tuple[int, ...]) -> int:
    costs = []
    for i in range(len(values)):
        for j in range(i):
            joined = values[i] + values[j]
            rest = [v for k, v in enumerate(values) if k not in (i, j)]
            costs.append(joined + merge((*rest, joined)))
    return min(costs, default=0)


@cache
def parts(n: int) -> int:
    return max((i * max(n - i, parts(n - i)) for i in range(1, n)), default=1)


def fences(posts: int, colours: int) -> int:
    if posts < 1:
        return 0
    painted = product(range(colours), repeat=posts)
    return sum(all(len(set(p[i : i + 3])) > 1 for i in range(posts - 2)) for p in painted)


def decodings(digits: str) -> int:
    if not digits:
        return 1
    heads = [digits[:1]] + ([digits[:2]] if len(digits) > 1 else [])
    return sum(decodings(digits[len(h) :]) for h in heads if h[0] != "0" and int(h) < 27)


@cache
def to_one(n: int) -> int:
    if n == 1:
        return 0
    ways = [n - 1] + [n // d for d in (2, 3) if n % d == 0]
    return 1 + min(map(to_one, ways))


def to_zero(n: int) -> int:
    return 1 + to_zero(n - 1 if n % 2 else n // 2) if n else 0


coins = st.lists(st.integers(1, 12), max_size=3, unique=True)
amount = st.integers(-2, 40)
values = st.one_of(
    st.lists(st.integers(0, 12), max_size=9),
    st.lists(st.sampled_from([10**7, 2 * 10**7, 3 * 10**7 + 1]), max_size=5),
)
signed = st.lists(st.integers(-6, 9), max_size=7)
items = st.lists(st.tuples(st.integers(1, 6), st.integers(-2, 9)), max_size=5)
loads = st.tuples(st.integers(0, 14), items).map(
    lambda t: (t[0], [w for w, _ in t[1]], [v for _, v in t[1]])
)
worthy = st.tuples(
    st.integers(0, 14), st.lists(st.tuples(st.integers(1, 6), st.integers(1, 9)), max_size=5)
).map(lambda t: (t[0], [w for w, _ in t[1]], [v for _, v in t[1]]))
LAWS = [
    Law(
        knapsack.count_coin_change,
        lambda cs, a: len(payments(cs, a)) if a >= 0 else 0,
        st.tuples(coins, amount),
    ),
    Law(
        knapsack.fewest_coins,
        lambda cs, a: min(map(sum, payments(cs, a)), default=-1) if a >= 0 else -1,
        st.tuples(coins, amount),
    ),
    Law(
        knapsack.count_ordered_coin_change,
        sequences,
        st.tuples(coins, st.integers(-2, 14)),
    ),
    Law(knapsack.greedy_change, greedy, st.tuples(coins, amount)),
    Law(
        knapsack.has_subset_with_sum,
        lambda xs, t: any(sum(s) == t for s in subsets(xs)),
        st.tuples(values, amount),
    ),
    Law(
        knapsack.count_subsets_with_sum,
        lambda xs, t: sum(sum(s) == t for s in subsets(xs)),
        st.tuples(signed, st.integers(-9, 20)),
    ),
    Law(
        knapsack.count_signs_with_sum,
        lambda xs, t: sum(
            sum(s * x for s, x in zip(signs, xs, strict=True)) == t
            for signs in product([1, -1], repeat=len(xs))
        ),
        st.tuples(signed, st.integers(-9, 9)),
    ),
    Law(
        knapsack.can_be_halved,
        lambda xs: any(2 * sum(s) == sum(xs) for s in subsets(xs)),
        values,
    ),
    Law(
        knapsack.smallest_difference_of_parts,
        lambda xs: min(abs(2 * sum(s) - sum(xs)) for s in subsets(xs)),
        values,
    ),
    Law(knapsack.subset_sums, lambda xs: sorted({sum(s) for s in subsets(xs)}), values),
    Law(knapsack.sum_of_subset_sums, lambda xs: sum(map(sum, subsets(xs))), signed),
    Law(knapsack.knapsack, best, loads),
    Law(knapsack.unbounded_knapsack, repeated, loads),
    Law(knapsack.fractional_knapsack, in_part, worthy, tolerance=1e-9),
    Law(
        knapsack.best_rod_cutting,
        rod,
        st.tuples(st.lists(st.integers(0, 9), max_size=9), st.integers(0, 9)),
    ),
    Law(knapsack.largest_sum_without_neighbours, lambda xs: apart(xs, False), signed),
    Law(knapsack.largest_sum_without_neighbours_in_circle, lambda xs: apart(xs, True), signed),
    Law(knapsack.cheapest_climb, climb, signed),
    Law(
        tables.matrix_chain_cost,
        lambda dims: chain(tuple(dims)) if len(dims) > 1 else INVALID,
        st.lists(st.integers(1, 9), max_size=6),
    ),
    Law(
        tables.egg_drops,
        lambda e, f: drops(e, f) if e > 0 <= f else INVALID,
        st.tuples(st.integers(0, 5), st.integers(-1, 20)),
    ),
    Law(
        tables.dice_sum_ways,
        lambda d, f, t: sum(sum(p) == t for p in product(range(1, f + 1), repeat=d)),
        st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(-1, 25)),
    ),
    Law(
        tables.cheapest_merge,
        lambda xs: merge(tuple(xs)),
        st.lists(st.integers(1, 9), max_size=5),
    ),
    Law(
        tables.largest_product_of_parts,
        lambda n: parts(n) if n > 1 else INVALID,
        st.integers(-1, 14),
    ),
    Law(tables.fence_colourings, fences, st.tuples(st.integers(-1, 6), st.integers(0, 3))),
    Law(
        tables.count_letter_decodings,
        lambda s: decodings(s) if s else 0,
        st.text("0123", max_size=8),
    ),
    Law(
        tables.fewest_steps_to_one,
        lambda n: to_one(n) if n > 0 else INVALID,
        st.integers(-1, 300),
    ),
    Law(tables.steps_to_zero, to_zero, st.integers(0, 500)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(knapsack, LAWS) | without_law(tables, LAWS) == set()


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param(lambda: knapsack.count_coin_change([0], 3), id="coin-of-nothing"),
        pytest.param(lambda: knapsack.fewest_coins([-1], 3), id="negative-coin"),
        pytest.param(lambda: knapsack.has_subset_with_sum([-1], 3), id="negative-value"),
        pytest.param(lambda: knapsack.knapsack(-1, [], []), id="negative-capacity"),
    ],
)
def test_what_would_not_end_or_be_wrong_is_refused(refused: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="<"):
        refused()
