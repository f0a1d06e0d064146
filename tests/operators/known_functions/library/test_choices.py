"""Choices against all that could be chosen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import choices as c

from .agreement import Law, by_name, check, without_law
from .drawn import ints, small


def trades(days: int, first: int = 0, rest: int = 0) -> Iterator[list[tuple[int, int]]]:
    """All lists of days of buying and selling, one trade after the other."""
    yield []
    for buy, sell in combinations(range(first, days), 2):
        for later in trades(days, sell + rest, rest):
            yield [(buy, sell), *later]


def best(prices: list[int], most: int = 9, *, rest: int = 0, fee: int = 0) -> int:
    return max(
        sum(prices[sell] - prices[buy] - fee for buy, sell in plan)
        for plan in trades(len(prices), 0, rest)
        if len(plan) <= most
    )


def jumps(xs: list[int]) -> int:
    layer, count = {0}, 0
    while len(xs) - 1 not in layer and xs:
        wider = {j for i in layer for j in range(i, min(i + xs[i] + 1, len(xs)))}
        if wider == layer:
            raise ValueError
        layer, count = wider, count + 1
    return count


def reachable(xs: list[int]) -> bool:
    try:
        return jumps(xs) >= 0
    except ValueError:
        return False


def good_start(gains: list[int], costs: list[int]) -> int:
    n = len(gains)
    for start in range(n):
        left = 0
        for step in range(n):
            left += gains[(start + step) % n] - costs[(start + step) % n]
            if left < 0:
                break
        else:
            return start
    return -1 if n else 0


def sweets(ratings: list[int]) -> int:
    given = [1] * len(ratings)
    for _ in ratings:
        for i, j in product(range(len(ratings)), repeat=2):
            if abs(i - j) == 1 and ratings[i] > ratings[j]:
                given[i] = max(given[i], given[j] + 1)
    return sum(given)


def contented(needs: list[int], sizes: list[int]) -> int:
    return max(
        sum(need <= size for need, size in zip(needs, order, strict=False))
        for order in permutations(sizes + [-9] * max(0, len(needs) - len(sizes)))
    )


def boats(weights: list[int], limit: int) -> int:
    if any(w > limit for w in weights):
        raise ValueError
    if not weights:
        return 0
    first, *rest = weights
    pairs = [rest[:i] + rest[i + 1 :] for i, w in enumerate(rest) if first + w <= limit]
    return 1 + min(boats(left, limit) for left in [rest, *pairs])


def schedule(tasks: list[int], pause: int) -> int:
    """The greedy schedule: of the kinds that may run, the one with most tasks left."""
    left, ready, time = {t: tasks.count(t) for t in tasks}, dict.fromkeys(tasks, 0), 0
    while any(left.values()):
        free = [t for t in left if left[t] and ready[t] <= time]
        if free:
            task = max(free, key=lambda t: left[t])
            left[task], ready[task] = left[task] - 1, time + pause + 1
        time += 1
    return time


def joining(sizes: list[int]) -> int:
    if len(sizes) < 2:
        return 0
    return min(
        a + b + joining([*[x for k, x in enumerate(sizes) if k not in (i, j)], a + b])
        for (i, a), (j, b) in combinations(enumerate(sizes), 2)
    )


def parted(xs: list[int], k: int) -> int:
    if k < 1 or not xs or min(xs) < 0:
        raise ValueError
    n = len(xs)
    return min(
        max(sum(xs[a:b]) for a, b in zip((0, *cuts), (*cuts, n), strict=True))
        for size in range(min(k, n))
        for cuts in combinations(range(1, n), size)
    )


def speed(piles: list[int], hours: int) -> int:
    if not piles or min(piles) <= 0 or len(piles) > hours:
        raise ValueError
    return next(s for s in range(1, 99) if sum((p + s - 1) // s for p in piles) <= hours)


def distance(places: list[int], k: int) -> int:
    if k < 2:
        raise ValueError
    return max(
        min(abs(a - b) for a, b in combinations(chosen, 2))
        for chosen in combinations(places, k)
    )


def shared(xs: list[int]) -> int:
    if not xs or sum(xs) % len(xs):
        raise ValueError
    share = sum(xs) // len(xs)
    return sum(abs(sum(xs[: i + 1]) - share * (i + 1)) for i in range(len(xs)))


def raised(xs: list[int]) -> int:
    taken: set[int] = set()
    steps = 0
    for x in xs:
        free = next(y for y in range(x, x + len(xs)) if y not in taken)
        steps += free - x
        taken.add(free)
    return steps


@cache
def burst(line: tuple[int, ...]) -> int:
    return max(
        (
            (line[i - 1] if i else 1) * x * (line[i + 1] if i + 1 < len(line) else 1)
            + burst(line[:i] + line[i + 1 :])
            for i, x in enumerate(line)
        ),
        default=0,
    )


def lead(xs: list[int]) -> int:
    if len(xs) == 1:
        return xs[0]
    return max(xs[0] - lead(xs[1:]), xs[-1] - lead(xs[:-1]))


prices = st.lists(st.integers(0, 9), max_size=7)
some = st.lists(st.integers(0, 5), max_size=5)
positive = st.lists(st.integers(1, 9), max_size=5) | some
rounds = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=6).map(
    lambda p: ([a for a, _ in p], [b for _, b in p])
)
LAWS = [
    Law(c.profit_of_one_trade, lambda x: best(x, 1), prices),
    Law(c.profit_of_two_trades, lambda x: best(x, 2), prices),
    Law(
        c.profit_of_k_trades,
        lambda x, k: best(x, max(k, 0)),
        st.tuples(prices, st.integers(-1, 4)),
    ),
    Law(c.profit_with_rest_day, lambda x: best(x, rest=2), prices),
    Law(
        c.profit_with_fee, lambda x, fee: best(x, fee=fee), st.tuples(prices, st.integers(0, 4))
    ),
    Law(c.can_reach_end, reachable, some | st.lists(st.integers(0, 2), max_size=9)),
    Law(c.fewest_jumps, jumps, some | st.lists(st.integers(0, 2), max_size=9)),
    Law(c.first_good_start, good_start, rounds),
    Law(c.fewest_sweets, sweets, some),
    Law(c.most_contented, contented, st.tuples(some, some)),
    Law(c.fewest_boats, boats, st.tuples(positive, st.integers(3, 12))),
    Law(
        c.shortest_schedule, schedule, st.tuples(st.lists(st.integers(0, 2)), st.integers(0, 4))
    ),
    Law(c.cheapest_joining, joining, some),
    Law(c.smallest_largest_part, parted, st.tuples(some | ints, st.integers(0, 4))),
    Law(c.slowest_speed, speed, st.tuples(positive, st.integers(0, 12))),
    Law(
        c.largest_smallest_distance,
        distance,
        st.tuples(st.lists(small, max_size=6), st.integers(0, 4)),
    ),
    Law(
        c.steps_to_equal,
        lambda x: min(sum(abs(y - z) for y in x) for z in range(-6, 7)),
        ints,
    ),
    Law(
        c.moves_to_share_equally,
        shared,
        some | st.lists(st.just(2)) | st.permutations([0, 3, 6]),
    ),
    Law(c.steps_to_distinct, raised, ints),
    Law(c.most_coins_of_balloons, lambda x: burst(tuple(x)), some),
    Law(c.lead_of_first_player, lead, ints),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(c, LAWS) == set()
