"""Divisors against trying every number."""

from __future__ import annotations

import math
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import divisor_sieves, divisors

from .agreement import INVALID, Law, by_name, check, without_law


def of(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def below(n: int) -> int:
    return sum(of(n)[:-1])


def amicable(n: int) -> list[tuple[int, int]]:
    pairs = [(a, below(a)) for a in range(1, n + 1)]
    return [(a, b) for a, b in pairs if a < b <= n and below(b) == a]


def pillai(n: int) -> int:
    return sum(gcd(i, n) for i in range(1, n + 1))


def smallest(n: int) -> int:
    return of(n)[1] if n > 1 else n


def coprime(n: int) -> int:
    return sum(gcd(a, b) == 1 for b in range(n + 1) for a in range(1, b))


def phi(n: int) -> int:
    return sum(gcd(i, n) == 1 for i in range(n)) if n else 0


one = st.integers(1, 1500)
whole = st.integers(-3, 1500)
upto = st.integers(0, 130)
pair = st.tuples(st.integers(1, 300), st.integers(1, 300))
kin = st.sampled_from([220, 284, 1184, 1210, 6, 28, 496, 12])
LAWS = [
    Law(divisors.divisors, of, one),
    Law(divisors.proper_divisors, lambda n: of(n)[:-1], one),
    Law(divisors.divisors_between, lambda n: of(n)[1:-1], one),
    Law(
        divisors.divisor_pairs,
        lambda n: [(a, b) for a in of(n) for b in of(n) if a * b == n and a <= b],
        one,
    ),
    Law(divisors.count_divisors, lambda n: len(of(n)) or INVALID, whole),
    Law(divisors.sum_divisors, lambda n: sum(of(n)) or INVALID, whole),
    Law(divisors.sum_proper_divisors, below, one),
    Law(divisors.product_divisors, lambda n: math.prod(of(n)), one),
    Law(divisors.count_even_divisors, lambda n: sum(d % 2 == 0 for d in of(n)), one),
    Law(divisors.count_odd_divisors, lambda n: sum(d % 2 for d in of(n)) or INVALID, whole),
    Law(divisors.sum_even_divisors, lambda n: sum(d for d in of(n) if d % 2 == 0), one),
    Law(
        divisors.sum_odd_divisors,
        lambda n: sum(d for d in of(n) if d % 2) or INVALID,
        whole,
    ),
    Law(divisors.largest_proper_divisor, lambda n: of(n)[-2] if n > 1 else INVALID, whole),
    Law(divisors.is_perfect_number, lambda n: n > 0 and below(n) == n, st.one_of(whole, kin)),
    Law(divisors.is_abundant_number, lambda n: below(n) > n > 0, st.one_of(whole, kin)),
    Law(divisors.is_deficient_number, lambda n: 0 <= below(n) < n, st.one_of(whole, kin)),
    Law(
        divisors.are_amicable,
        lambda a, b: below(a) == b and below(b) == a,
        st.one_of(pair, st.tuples(kin, kin)),
    ),
    Law(divisors.have_equal_divisor_sums, lambda a, b: below(a) == below(b), pair),
    Law(divisor_sieves.divisor_counts, lambda n: [len(of(i)) for i in range(n + 1)], upto),
    Law(divisor_sieves.proper_divisor_sums, lambda n: [below(i) for i in range(n + 1)], upto),
    Law(
        divisor_sieves.total_divisor_count,
        lambda n: sum(len(of(i)) for i in range(n + 1)),
        upto,
    ),
    Law(
        divisor_sieves.total_divisor_sum, lambda n: sum(sum(of(i)) for i in range(n + 1)), upto
    ),
    Law(
        divisor_sieves.sum_of_remainders,
        lambda n: sum(n % i for i in range(1, n + 1)),
        st.integers(0, 999),
    ),
    Law(
        divisor_sieves.abundant_numbers_up_to,
        lambda n: [i for i in range(1, n + 1) if below(i) > i],
        upto,
    ),
    Law(
        divisor_sieves.perfect_numbers_up_to,
        lambda n: [i for i in range(1, n + 1) if below(i) == i],
        whole,
    ),
    Law(divisor_sieves.amicable_pairs_up_to, amicable, st.sampled_from([0, 1, 200, 284, 1250])),
    Law(
        divisor_sieves.sum_amicable_numbers_up_to,
        lambda n: sum(a + b for a, b in amicable(n)),
        st.sampled_from([0, 283, 284, 1250]),
    ),
    Law(divisor_sieves.totients, lambda n: [phi(i) for i in range(n + 1)], upto),
    Law(divisor_sieves.sum_totients, lambda n: sum(phi(i) for i in range(n + 1)), upto),
    Law(divisor_sieves.count_coprime_pairs_up_to, coprime, st.integers(-2, 80)),
    Law(divisor_sieves.sum_of_gcds, pillai, one),
    Law(
        divisor_sieves.smallest_prime_factors,
        lambda n: [smallest(i) for i in range(n + 1)],
        upto,
    ),
    Law(divisor_sieves.common_divisors, lambda a, b: [d for d in of(a) if b % d == 0], pair),
    Law(
        divisor_sieves.count_common_divisors,
        lambda a, b: sum(b % d == 0 for d in of(a)),
        pair,
    ),
    Law(
        divisor_sieves.sum_common_divisors,
        lambda a, b: sum(d for d in of(a) if b % d == 0),
        pair,
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(divisors, LAWS) | without_law(divisor_sieves, LAWS) == set()
