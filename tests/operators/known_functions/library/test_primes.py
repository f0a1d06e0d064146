"""Primes against trial division."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import prime_patterns, primes

from .agreement import INVALID, Law, by_name, check, without_law


def prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, n))


def upto(n: int) -> list[int]:
    return [p for p in range(n + 1) if prime(p)]


def first(n: int) -> list[int]:
    return [p for p in range(9 * n + 9) if prime(p)][: max(n, 0)]


def strip_left(n: int) -> bool:
    text = str(n)
    ends = [text[i:] for i in range(len(text))]
    return n > 0 and all(end[0] != "0" and prime(int(end)) for end in ends)


def strip_right(n: int) -> bool:
    text = str(n)
    return n > 0 and all(prime(int(text[: i + 1])) for i in range(len(text)))


def rotations(n: int) -> list[int]:
    text = str(n)
    return [int(text[i:] + text[:i]) for i in range(len(text))] if n >= 0 else [0]


def split(n: int) -> list[tuple[int, int]]:
    return [(p, n - p) for p in range(n + 1) if p <= n - p and prime(p) and prime(n - p)]


def gaps(n: int) -> int:
    found = upto(n)
    return max([0] + [b - a for a, b in pairwise(found)])


def times(values: list[int]) -> int:
    product = 1
    for value in values:
        product *= value
    return product


small = st.integers(-3, 400)
few = st.integers(-2, 30)
tuples = st.tuples(small, small)
lists = st.one_of(
    st.lists(st.integers(-9, 999), max_size=9),
    st.lists(st.integers(-9, 200), min_size=65, max_size=80),
)
LAWS = [
    Law(primes.is_prime, prime, st.integers(-9, 9999)),
    Law(primes.primes_up_to, upto, small),
    Law(primes.primes_below, lambda n: upto(n - 1), small),
    Law(primes.prime_flags, lambda n: [prime(i) for i in range(n + 1)], st.integers(-1, 300)),
    Law(primes.count_primes_up_to, lambda n: len(upto(n)), small),
    Law(primes.count_primes_below, lambda n: len(upto(n - 1)), small),
    Law(primes.sum_primes_up_to, lambda n: sum(upto(n)), small),
    Law(primes.sum_primes_below, lambda n: sum(upto(n - 1)), small),
    Law(primes.primes_between, lambda a, b: [p for p in upto(b) if p >= a], tuples),
    Law(primes.count_primes_between, lambda a, b: len([p for p in upto(b) if p >= a]), tuples),
    Law(primes.sum_primes_between, lambda a, b: sum(p for p in upto(b) if p >= a), tuples),
    Law(primes.first_primes, first, few),
    Law(primes.nth_prime, lambda n: first(n)[-1] if n > 0 else INVALID, few),
    Law(primes.sum_first_primes, lambda n: sum(first(n)), few),
    Law(primes.next_prime, lambda n: min(p for p in upto(2 * abs(n) + 3) if p > n), small),
    Law(
        primes.prime_at_or_after,
        lambda n: min(p for p in upto(2 * abs(n) + 3) if p >= n),
        small,
    ),
    Law(primes.previous_prime, lambda n: (upto(n - 1) or [INVALID])[-1], small),
    Law(
        prime_patterns.twin_primes_up_to,
        lambda n: [(p, p + 2) for p in upto(n - 2) if prime(p + 2)],
        small,
    ),
    Law(
        prime_patterns.count_twin_primes_up_to,
        lambda n: sum(prime(p + 2) for p in upto(n - 2)),
        small,
    ),
    Law(prime_patterns.goldbach_pair, lambda n: (split(n) or [INVALID])[0], small),
    Law(prime_patterns.prime_pairs_with_sum, split, small),
    Law(prime_patterns.count_prime_pairs_with_sum, lambda n: len(split(n)), small),
    Law(prime_patterns.is_sum_of_two_primes, lambda n: split(n) != [], small),
    Law(
        prime_patterns.is_emirp,
        lambda n: n > 0 and prime(n) and str(n) != str(n)[::-1] and prime(int(str(n)[::-1])),
        small,
    ),
    Law(prime_patterns.is_circular_prime, lambda n: all(map(prime, rotations(n))), small),
    Law(prime_patterns.is_left_truncatable_prime, strip_left, small),
    Law(prime_patterns.is_right_truncatable_prime, strip_right, small),
    Law(
        prime_patterns.is_palindromic_prime,
        lambda n: prime(n) and list(str(n)) == list(reversed(str(n))),
        small,
    ),
    Law(prime_patterns.is_sophie_germain_prime, lambda n: prime(n) and prime(2 * n + 1), small),
    Law(
        prime_patterns.is_mersenne_exponent,
        lambda n: n in (2, 3, 5, 7, 13, 17, 19, 31, 61, 89),
        st.integers(-2, 100),
    ),
    Law(prime_patterns.product_primes_up_to, lambda n: times(upto(n)), small),
    Law(prime_patterns.primorial, lambda n: times(first(n)), few),
    Law(
        prime_patterns.prime_counts,
        lambda n: [len(upto(i)) for i in range(n + 1)],
        st.integers(-1, 80),
    ),
    Law(prime_patterns.largest_prime_gap_up_to, gaps, small),
    Law(prime_patterns.primes_in_list, lambda xs: [x for x in xs if prime(x)], lists),
    Law(prime_patterns.count_primes_in_list, lambda xs: sum(map(prime, xs)), lists),
    Law(prime_patterns.sum_primes_in_list, lambda xs: sum(x for x in xs if prime(x)), lists),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(primes, LAWS) | without_law(prime_patterns, LAWS) == set()


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        pytest.param(3215031751, False, id="strong-pseudoprime-to-2-3-5-7"),
        pytest.param(3825123056546413051, False, id="strong-pseudoprime-to-nine-bases"),
        pytest.param(3721, False, id="square-of-a-base"),
        pytest.param(2**61 - 1, True, id="mersenne"),
        pytest.param(10**24 + 7, True, id="large"),
    ],
)
def test_large_numbers(n: int, expected: bool) -> None:
    assert primes.is_prime(n) is expected


def test_counts_and_sums_of_many_primes() -> None:
    many: list[Any] = primes.primes_up_to(10**6)
    assert primes.count_primes_up_to(10**6) == len(many) == 78498
    assert primes.sum_primes_up_to(10**6) == sum(many)
    assert primes.primes_between(990_000, 10**6) == [p for p in many if p >= 990_000]
