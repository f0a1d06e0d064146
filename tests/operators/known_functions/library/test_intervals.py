"""Stacks of candidates and intervals against nested loops."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import intervals as v
from operators.known_functions.library import stacks as s

from .agreement import Law, by_name, check, without_law
from .drawn import ints

Pairs = list[list[int]]
Order = Callable[[int, int], bool]


def behind(xs: list[int], good: Order) -> list[int]:
    return [[*(y for y in xs[i + 1 :] if good(x, y)), -1][0] for i, x in enumerate(xs)]


def places_behind(xs: list[int], none: int) -> list[int]:
    found = [[j for j in range(i + 1, len(xs)) if xs[j] > xs[i]] for i in range(len(xs))]
    return [at[0] if at else none for at in found]


def span(xs: list[int], i: int) -> int:
    return next(n for n in range(1, i + 2) if n == i + 1 or xs[i - n] > xs[i])


def cuts(xs: list[int]) -> list[list[int]]:
    n = len(xs)
    return [xs[i:j] for i in range(n) for j in range(i + 1, n + 1)]


def rectangle(matrix: list[list[int]]) -> int:
    rows, columns = len(matrix), len(matrix[0]) if matrix else 0
    return max(
        (
            (bottom - top) * (right - left)
            for top, bottom in combinations(range(rows + 1), 2)
            for left, right in combinations(range(columns + 1), 2)
            if all(all(row[left:right]) for row in matrix[top:bottom])
        ),
        default=0,
    )


def fewer_digits(number: str, k: int) -> str:
    if k < 0 or not number:
        raise ValueError
    left = max(len(number) - k, 0)
    return str(min((int("".join(c)) for c in combinations(number, left) if c), default=0))


def collide(xs: list[int]) -> list[int]:
    for i in range(len(xs) - 1):
        a, b = xs[i], xs[i + 1]
        if a > 0 > b:
            return collide(xs[:i] + ([] if a == -b else [a] if a > -b else [b]) + xs[i + 2 :])
    return xs


def fused(pairs: Pairs, good: Callable[[list[int], list[int]], bool]) -> Pairs:
    for a, b in combinations(sorted(map(list, pairs)), 2):
        if good(a, b):
            rest = list(map(list, pairs))
            rest.remove(a)
            rest.remove(b)
            return fused([*rest, [min(a[0], b[0]), max(a[1], b[1])]], good)
    return sorted(map(list, pairs))


def cover(pairs: Pairs, at: float) -> int:
    return sum(a <= at <= b for a, b in pairs)


halves = [x / 2 for x in range(-20, 40)]


def overlap(a: list[int], b: list[int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def apart(pairs: Pairs, clash: Callable[[list[int], list[int]], bool]) -> int:
    return max(
        size
        for size in range(len(pairs) + 1)
        for chosen in combinations(pairs, size)
        if not any(clash(a, b) for a, b in combinations(chosen, 2))
    )


def heaviest(starts: list[int], ends: list[int], weights: list[int]) -> int:
    jobs = list(zip(starts, ends, weights, strict=True))
    return max(
        sum(job[2] for job in chosen)
        for size in range(len(jobs) + 1)
        for chosen in combinations(jobs, size)
        if not any(overlap([*a[:2]], [*b[:2]]) for a, b in combinations(chosen, 2))
    )


def attended(pairs: Pairs) -> int:
    best = 0
    for order in permutations(pairs):
        day = 0
        seen = 0
        for start, end in order:
            day = max(day, start)
            if day <= end:
                seen, day = seen + 1, day + 1
        best = max(best, seen)
    return best


def common(first: Pairs, second: Pairs) -> Pairs:
    parts = [[max(a[0], b[0]), min(a[1], b[1])] for a in first for b in second]
    return [part for part in parts if part[0] <= part[1]]


def gaps(pairs: Pairs) -> Pairs:
    merged = fused(pairs, lambda a, b: b[0] <= a[1])
    return [[merged[i][1], merged[i + 1][0]] for i in range(len(merged) - 1)]


def outermost(pairs: Pairs) -> int:
    distinct = {(a, b) for a, b in pairs}
    return sum(
        not any(c <= a and b <= d and (a, b) != (c, d) for c, d in distinct)
        for a, b in distinct
    )


def spaced(steps: list[int]) -> Pairs:
    ends = [sum(steps[: i + 1]) for i in range(len(steps) // 2 * 2)]
    return [ends[i : i + 2] for i in range(0, len(ends), 2)]


interval = st.tuples(st.integers(-5, 9), st.integers(0, 5)).map(lambda p: [p[0], p[0] + p[1]])
pairs = st.lists(interval, max_size=6)
days = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3)).map(lambda p: [p[0], p[0] + p[1]]),
    max_size=5,
)
solid = st.lists(
    st.tuples(st.integers(-5, 9), st.integers(1, 5)).map(lambda p: [p[0], p[0] + p[1]]),
    max_size=6,
)
disjoint = st.lists(st.integers(1, 3), max_size=8).map(spaced)
weighted = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4), st.integers(0, 9)), max_size=5
)
heights = st.lists(st.integers(0, 6), max_size=8)
matrices = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), max_size=4)
)
somewhere = st.lists(st.integers(-20, 20), unique=True, max_size=8).flatmap(
    lambda xs: st.tuples(st.lists(st.sampled_from(xs)) if xs else st.just([]), st.just(xs))
)
LAWS = [
    Law(s.next_greater, lambda xs: behind(xs, lambda x, y: y > x), ints),
    Law(s.next_smaller, lambda xs: behind(xs, lambda x, y: y < x), ints),
    Law(s.next_not_larger, lambda xs: behind(xs, lambda x, y: y <= x), ints),
    Law(s.previous_greater, lambda xs: behind(xs[::-1], lambda x, y: y > x)[::-1], ints),
    Law(s.previous_smaller, lambda xs: behind(xs[::-1], lambda x, y: y < x)[::-1], ints),
    Law(
        s.next_greater_in_circle,
        lambda xs: behind(xs + xs, lambda x, y: y > x)[: len(xs)],
        ints,
    ),
    Law(
        s.steps_to_next_greater,
        lambda xs: [at - i if at else 0 for i, at in enumerate(places_behind(xs, 0))],
        ints,
    ),
    Law(s.place_of_next_greater, lambda xs: places_behind(xs, -1), ints),
    Law(s.spans, lambda xs: [span(xs, i) for i in range(len(xs))], ints),
    Law(
        s.next_greater_for_some,
        lambda qs, xs: [behind(xs, lambda x, y: y > x)[xs.index(q)] for q in qs],
        somewhere,
    ),
    Law(
        s.largest_rectangle,
        lambda xs: max([0, *(min(cut) * len(cut) for cut in cuts(xs))]),
        heights,
    ),
    Law(s.largest_rectangle_of_ones, rectangle, matrices),
    Law(
        s.trapped_water,
        lambda xs: sum(min(max(xs[: i + 1]), max(xs[i:])) - x for i, x in enumerate(xs)),
        heights,
    ),
    Law(
        s.largest_container,
        lambda xs: max(
            [0, *((j - i) * min(xs[i], xs[j]) for i, j in combinations(range(len(xs)), 2))]
        ),
        heights,
    ),
    Law(
        s.count_visible,
        lambda xs: sum(all(x > y for y in xs[:i]) for i, x in enumerate(xs)),
        ints,
    ),
    Law(s.sum_of_stretch_minima, lambda xs: sum(map(min, cuts(xs))), ints),
    Law(s.sum_of_stretch_maxima, lambda xs: sum(map(max, cuts(xs))), ints),
    Law(s.sum_of_stretch_spreads, lambda xs: sum(max(x) - min(x) for x in cuts(xs)), ints),
    Law(
        s.smallest_without_digits,
        fewer_digits,
        st.tuples(st.text("01239", max_size=7), st.integers(-1, 8)),
    ),
    Law(s.collided, collide, ints.map(lambda xs: [x for x in xs if x])),
    Law(v.merged_intervals, lambda ps: fused(ps, lambda a, b: b[0] <= a[1]), pairs),
    Law(v.merged_overlapping_intervals, lambda ps: fused(ps, lambda a, b: b[0] < a[1]), solid),
    Law(v.merged_integer_ranges, lambda ps: fused(ps, lambda a, b: b[0] <= a[1] + 1), pairs),
    Law(
        v.covered_length,
        lambda ps: sum(cover(ps, at + 0.5) > 0 for at in range(-9, 20)),
        pairs,
    ),
    Law(
        v.count_covered_integers, lambda ps: sum(cover(ps, x) > 0 for x in range(-9, 20)), pairs
    ),
    Law(
        v.most_at_once,
        lambda ps: max(cover(ps, at + 0.5) for at in range(-9, 20)),
        solid,
    ),
    Law(v.most_at_once_with_ends, lambda ps: max(cover(ps, at) for at in halves), pairs),
    Law(
        v.most_at_once_of_times,
        lambda a, d: max(cover([[*p] for p in zip(a, d, strict=True)], at) for at in halves),
        pairs.map(lambda ps: ([a for a, _ in ps], [b for _, b in ps])),
    ),
    Law(v.has_overlap, lambda ps: any(overlap(a, b) for a, b in combinations(ps, 2)), solid),
    Law(
        v.all_disjoint, lambda ps: not any(overlap(a, b) for a, b in combinations(ps, 2)), solid
    ),
    Law(v.most_disjoint, lambda ps: apart(ps, overlap), solid),
    Law(
        v.most_disjoint_not_touching,
        lambda ps: apart(ps, lambda a, b: a[0] <= b[1] and b[0] <= a[1]),
        pairs,
    ),
    Law(v.fewest_removed, lambda ps: len(ps) - apart(ps, overlap), solid),
    Law(
        v.heaviest_disjoint,
        heaviest,
        weighted.map(
            lambda ws: ([a for a, _, _ in ws], [a + b for a, b, _ in ws], [c for _, _, c in ws])
        ),
    ),
    Law(v.common_parts, common, st.tuples(disjoint, disjoint)),
    Law(v.gaps_between, gaps, pairs),
    Law(v.count_not_contained, outermost, pairs),
    Law(v.most_attended, attended, days),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) | without_law(v, LAWS) == set()
