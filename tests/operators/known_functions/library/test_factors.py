"""Factors against trial division."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import factors

from .agreement import INVALID, Law, by_name, check, without_law


def split(n: int) -> list[int]:
    found = []
    for p in range(2, n + 1):
        while n % p == 0:
            found.append(p)
            n //= p
    return found


def is_carmichael(n: int) -> bool:
    return len(split(n)) > 1 and all(pow(a, n, n) == a for a in range(n))


def with_factors(n: int, distinct: int, total: int) -> bool:
    return len(set(split(n))) == distinct and len(split(n)) == total


positive = st.integers(1, 3000)
whole = st.integers(-3, 2000)
LAWS = [
    Law(factors.prime_factors, split, positive),
    Law(factors.distinct_prime_factors, lambda n: sorted(set(split(n))), positive),
    Law(factors.prime_exponents, lambda n: dict(Counter(split(n))), positive),
    Law(factors.prime_powers, lambda n: sorted(Counter(split(n)).items()), positive),
    Law(factors.count_prime_factors, lambda n: len(split(n)), positive),
    Law(factors.count_distinct_prime_factors, lambda n: len(set(split(n))), positive),
    Law(factors.largest_prime_factor, lambda n: split(n)[-1] if n > 1 else INVALID, whole),
    Law(factors.smallest_prime_factor, lambda n: split(n)[0] if n > 1 else INVALID, whole),
    Law(factors.sum_prime_factors, lambda n: sum(split(n)), positive),
    Law(factors.sum_distinct_prime_factors, lambda n: sum(set(split(n))), positive),
    Law(factors.radical, lambda n: math.prod(set(split(n))), positive),
    Law(factors.totient, lambda n: sum(math.gcd(i, n) == 1 for i in range(n)), positive),
    Law(
        factors.mobius,
        lambda n: (-1) ** len(split(n)) if len(set(split(n))) == len(split(n)) else 0,
        positive,
    ),
    Law(factors.is_squarefree, lambda n: all(n % (d * d) for d in range(2, n + 1)), positive),
    Law(
        factors.is_product_of_primes,
        lambda n, k: n > 1 and len(split(n)) == k,
        st.tuples(whole, st.integers(-1, 9)),
    ),
    Law(factors.is_semiprime, lambda n: len(split(n)) == 2, whole),
    Law(factors.is_product_of_two_distinct_primes, lambda n: with_factors(n, 2, 2), whole),
    Law(factors.is_product_of_three_primes, lambda n: len(split(n)) == 3, whole),
    Law(factors.is_product_of_three_distinct_primes, lambda n: with_factors(n, 3, 3), whole),
    Law(factors.is_prime_power, lambda n: len(set(split(n))) == 1, whole),
    Law(factors.is_carmichael_number, is_carmichael, st.sampled_from([561, 1105, *range(60)])),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(factors, LAWS) == {"proper_factor"}


@given(st.integers(2, 10**20))
@settings(max_examples=20)
def test_the_factors_of_large_numbers_multiply_to_them(n: int) -> None:
    assert math.prod(factors.prime_factors(n)) == n


@pytest.mark.parametrize(
    "n", [pytest.param(1009 * 1013, id="two"), pytest.param(1009**2 * 1013, id="a-square")]
)
def test_a_proper_factor_divides(n: int) -> None:
    d = factors.proper_factor(n)
    assert 1 < d < n
    assert n % d == 0


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        pytest.param(1009**3, [1009] * 3, id="cube"),
        pytest.param((10**9 + 7) ** 2, [10**9 + 7] * 2, id="square"),
        pytest.param((10**9 + 7) * (10**9 + 9), [10**9 + 7, 10**9 + 9], id="two-large"),
        pytest.param(1009**4 * 2, [2] + [1009] * 4, id="fourth-power"),
    ],
)
def test_factors_beyond_trial_division(n: int, expected: list[int]) -> None:
    assert factors.prime_factors(n) == expected
