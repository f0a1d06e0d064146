"""Subsequences of one list and alignments of two against all choices of places."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import alignment as a
from operators.known_functions.library import subsequences as s

from .agreement import Law, by_name, check, without_law
from .drawn import few, small

Step = Callable[[Any, Any], bool]


def chosen(xs: Sequence[Any]) -> list[tuple[Any, ...]]:
    return [c for size in range(1, len(xs) + 1) for c in combinations(xs, size)]


def steps(xs: Sequence[Any], good: Step) -> bool:
    return all(good(x, y) for x, y in pairwise(xs))


def longest(xs: Sequence[Any], good: Step) -> int:
    return max((len(c) for c in chosen(xs) if steps(c, good)), default=0)


def below(x: Any, y: Any) -> bool:
    return bool(x < y)


def lengths(xs: list[int]) -> list[int]:
    """Longest strictly ascending subsequences that end at each place, the usual way."""
    best: list[int] = []
    for i, x in enumerate(xs):
        best.append(1 + max([best[j] for j in range(i) if xs[j] < x], default=0))
    return best


def first_rising(xs: list[int]) -> list[int]:
    best = lengths(xs)
    if not xs:
        return []
    at, result = best.index(max(best)), list[int]()
    while True:
        result.insert(0, xs[at])
        before = [j for j in range(at) if best[j] == best[at] - 1 and xs[j] < xs[at]]
        if not before:
            return result
        at = before[0]


def rises(xs: list[int]) -> list[tuple[int, ...]]:
    return [c for c in chosen(xs) if steps(c, below)]


def hill(xs: Sequence[int]) -> bool:
    top = xs.index(max(xs))
    return steps(xs[: top + 1], below) and steps(xs[top:][::-1], below)


def zigzag(xs: Sequence[int]) -> bool:
    moves = [y - x for x, y in pairwise(xs)]
    return all(moves) and all(p * q < 0 for p, q in pairwise(moves))


def divisible(xs: list[int]) -> int:
    if any(x <= 0 for x in xs):
        raise ValueError
    return longest(sorted(set(xs)), lambda x, y: bool(y % x == 0))


def chain(pairs: list[list[int]], good: Step) -> int:
    return max(
        len(c) for n in range(len(pairs) + 1) for c in permutations(pairs, n) if steps(c, good)
    )


def apart(xs: list[int]) -> Any:
    return max(sum(c) for c in [(), *chosen(xs)] if all(abs(x - y) != 1 for x in c for y in c))


def common(x: str, y: str) -> int:
    return max(len(c) for c in [(), *chosen(x)] if c in [(), *chosen(y)])


@cache
def edits(x: str, y: str, *, swaps: bool = False) -> int:
    if not x or not y:
        return len(x) + len(y)
    ways = [
        edits(x[1:], y, swaps=swaps) + 1,
        edits(x, y[1:], swaps=swaps) + 1,
        edits(x[1:], y[1:], swaps=swaps) + (x[0] != y[0]),
    ]
    if swaps and len(x) > 1 and x[:2] == y[1::-1] and len(y) > 1:
        ways.append(edits(x[2:], y[2:], swaps=swaps) + 1)
    return min(ways)


def spelled(x: str, y: str) -> str:
    if not x or not y:
        return ""
    if x[-1] == y[-1]:
        return spelled(x[:-1], y[:-1]) + x[-1]
    one, other = spelled(x[:-1], y), spelled(x, y[:-1])
    return one if len(one) >= len(other) else other


def dot(xs: list[int], ys: list[int]) -> Any:
    return max(
        sum(p * q for p, q in zip(c, d, strict=True))
        for c in chosen(xs)
        for d in chosen(ys)
        if len(c) == len(d)
    )


def part(x: Sequence[Any], y: Sequence[Any]) -> Any:
    n = len(x)
    found = [x[i:j] for i in range(n) for j in range(i + 1, n + 1)]
    both = [c for c in found if any(y[k : k + len(c)] == c for k in range(len(y)))]
    return max(both, key=len, default=x[:0])


def cuts(text: str, words: list[str]) -> int:
    if "" in words:
        raise ValueError
    heads = [w for w in set(words) if text.startswith(w)]
    return sum(cuts(text[len(w) :], words) for w in heads) if text else 1


def interleaved(x: str, y: str, text: str) -> bool:
    if not text:
        return not x and not y
    one = x[:1] == text[0] and interleaved(x[1:], y, text[1:])
    return one or (y[:1] == text[0] and interleaved(x, y[1:], text[1:]))


short = st.lists(small, max_size=7)
levels = st.lists(st.integers(0, 3), max_size=7)
positive = st.lists(st.integers(1, 12), max_size=7) | short
naturals = st.lists(st.integers(0, 6), max_size=7)
pairs = st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), max_size=4)
text = st.text("abc", max_size=6)
two = st.tuples(text, text)
regular = st.lists(st.sampled_from(["a", "b", ".", "a*", ".*", "b*"]), max_size=4).map("".join)
words = st.lists(st.text("ab", max_size=3), max_size=4)
shuffled = st.tuples(st.text("ab", max_size=4), st.text("ab", max_size=4)).flatmap(
    lambda p: st.tuples(*map(st.just, p), st.permutations(p[0] + p[1]).map("".join))
)
LAWS = [
    Law(s.longest_rising_subsequence, lambda x: longest(x, below), short),
    Law(
        s.longest_level_or_rising_subsequence, lambda x: longest(x, lambda p, q: p <= q), levels
    ),
    Law(s.longest_falling_subsequence, lambda x: longest(x, lambda p, q: p > q), short),
    Law(
        s.longest_level_or_falling_subsequence,
        lambda x: longest(x, lambda p, q: p >= q),
        levels,
    ),
    Law(s.first_rising_subsequence, first_rising, short | levels),
    Law(
        s.count_longest_rising_subsequences,
        lambda x: [len(c) for c in rises(x)].count(max(map(len, rises(x)), default=0)),
        short | levels,
    ),
    Law(s.largest_rising_sum, lambda x: max(map(sum, rises(x))), short | levels),
    Law(
        s.longest_hill_subsequence,
        lambda x: max((len(c) for c in chosen(x) if hill(c)), default=0),
        short,
    ),
    Law(
        s.longest_zigzag_subsequence,
        lambda x: max((len(c) for c in chosen(x) if zigzag(c)), default=0),
        short | levels,
    ),
    Law(
        s.longest_progression,
        lambda x: max(
            (len(c) for c in chosen(x) if len({q - p for p, q in pairwise(c)}) < 2), default=0
        ),
        short | levels,
    ),
    Law(
        s.longest_progression_with_step,
        lambda x, k: longest(x, lambda p, q: bool(q - p == k)),
        st.tuples(short | levels, few),
    ),
    Law(s.largest_divisible_set, divisible, positive),
    Law(s.deepest_nesting, lambda x: chain(x, lambda p, q: p[0] < q[0] and p[1] < q[1]), pairs),
    Law(
        s.longest_chain_of_pairs,
        lambda x: chain(x, lambda p, q: bool(p[1] < q[0])),
        pairs.map(lambda x: [sorted(p) for p in x]),
    ),
    Law(s.removals_to_rise, lambda x: len(x) - longest(x, below), short),
    Law(s.count_distinct_subsequences, lambda x: len(set(chosen(x))), levels),
    Law(s.largest_sum_without_adjacent_values, apart, naturals),
    Law(a.common_subsequence_length, common, two),
    Law(a.indel_distance, lambda x, y: len(x) + len(y) - 2 * common(x, y), two),
    Law(a.common_supersequence_length, lambda x, y: len(x) + len(y) - common(x, y), two),
    Law(a.common_subsequence, spelled, two),
    Law(a.edit_distance, edits, two | st.tuples(text, text)),
    Law(a.edit_distance_with_swaps, lambda x, y: edits(x, y, swaps=True), two),
    Law(
        a.is_one_edit_away,
        lambda x, y: edits(x, y) == 1,
        two
        | st.tuples(text, st.text("abc", max_size=1), text).map(
            lambda p: (p[0] + p[2], "".join(p))
        ),
    ),
    Law(a.largest_aligned_product, dot, st.tuples(*[st.lists(small, max_size=4)] * 2)),
    Law(a.longest_common_part_length, lambda x, y: len(part(x, y)), two),
    Law(a.longest_common_part, part, two),
    Law(a.longest_common_stretch, lambda x, y: len(part(x, y)), st.tuples(levels, levels)),
    Law(
        a.count_subsequence_places,
        lambda x, y: sum("".join(c) == y for c in combinations(x, len(y))),
        st.tuples(text, st.text("abc", max_size=3)),
    ),
    Law(
        a.matches_wildcards,
        fnmatchcase,
        st.tuples(st.text("ab", max_size=6), st.text("ab?*", max_size=6)),
    ),
    Law(
        a.matches_dots_and_stars,
        lambda x, y: re.fullmatch(y, x) is not None,
        st.tuples(st.text("ab", max_size=5), regular),
    ),
    Law(
        a.can_be_cut_into_words,
        lambda x, y: cuts(x, [w for w in y if w]) > 0,
        st.tuples(st.text("ab", max_size=7), words),
    ),
    Law(a.count_cuts_into_words, cuts, st.tuples(st.text("ab", max_size=7), words)),
    Law(a.is_interleaving, interleaved, shuffled | st.tuples(text, text, text)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(s, LAWS) | without_law(a, LAWS) == set()
