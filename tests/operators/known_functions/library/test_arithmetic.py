"""Arithmetic, roots and powers against repeated steps."""

from __future__ import annotations

import math
from itertools import count, takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import arithmetic, roots

from .agreement import INVALID, Law, by_name, check, without_law


def shared(a: int, b: int) -> int:
    if a == 0 or b == 0:
        return abs(a + b)
    return max(d for d in range(1, min(abs(a), abs(b)) + 1) if a % d == 0 == b % d)


def shared_by_all(values: list[int]) -> int:
    result = 0
    for value in values:
        result = shared(result, value)
    return result


def multiple_of_all(values: list[int]) -> int:
    result = 1
    for value in values:
        result = abs(result * value) // shared(result, value) if result * value else 0
    return result


def recursive(a: int, b: int) -> tuple[int, int, int]:
    if b == 0:
        return (a, 1, 0)
    g, x, y = recursive(b, a % b)
    return (g, y, x - a // b * y)


def times(base: int, exponent: int) -> int:
    result = 1
    for _ in range(exponent):
        result *= base
    return result


def taken_off(a: int, b: int) -> tuple[int, int]:
    goes = 0
    while a - b >= 0:
        a -= b
        goes += 1
    return goes, a


def order(a: int, n: int) -> Any:
    if n < 2 or shared(a, n) != 1:
        return INVALID
    return next(k for k in count(1) if times(a, k) % n == 1)


def crt(congruences: list[tuple[int, int]]) -> int:
    return next(x for x in count() if all(x % m == r % m for r, m in congruences))


def root(n: int, k: int) -> Any:
    return len(list(takewhile(lambda i: i**k <= n, count(1)))) if n >= 0 < k else INVALID


def log(n: int, base: int) -> Any:
    if n < 1 or base < 2:
        return INVALID
    return len(list(takewhile(lambda e: base**e <= n, count(1))))


def squares(n: int) -> Any:
    best = [0] + [n] * n
    for i in range(1, n + 1):
        best[i] = 1 + min(best[i - j * j] for j in range(1, i + 1) if j * j <= i)
    return best[n] if n > 0 else INVALID


def two_squares(n: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(40) for b in range(a, 40) if a * a + b * b == n]


a, size = st.integers(-90, 90), st.integers(0, 500)
pair, sizes = st.tuples(a, a), st.tuples(size, st.integers(1, 60))
numbers = st.lists(st.integers(-30, 30), max_size=6)
n, k = st.integers(-5, 3000), st.integers(-1, 9)
special = st.one_of(n, st.builds(pow, st.integers(0, 12), st.integers(1, 6)))
LAWS = [
    Law(arithmetic.greatest_common_divisor, shared, pair),
    Law(arithmetic.least_common_multiple, lambda a, b: multiple_of_all([a, b]), pair),
    Law(arithmetic.are_coprime, lambda a, b: shared(a, b) == 1, pair),
    Law(arithmetic.gcd_of_list, shared_by_all, numbers),
    Law(arithmetic.lcm_of_list, multiple_of_all, numbers),
    Law(
        arithmetic.lcm_up_to,
        lambda n: multiple_of_all(list(range(1, n + 1))),
        st.integers(0, 12),
    ),
    Law(
        arithmetic.lcm_of_range,
        lambda a, b: multiple_of_all(list(range(a, b + 1))),
        st.tuples(st.integers(0, 9), st.integers(0, 12)),
    ),
    Law(arithmetic.extended_gcd, recursive, pair),
    Law(arithmetic.power, lambda b, e: times(b, e) if e >= 0 else INVALID, pair),
    Law(
        arithmetic.modular_power,
        lambda b, e, m: times(b, e) % m if e >= 0 else INVALID,
        st.tuples(a, a, st.integers(1, 99)),
    ),
    Law(
        arithmetic.modular_inverse,
        lambda a, m: next((x for x in range(m) if a * x % m == 1 % m), INVALID),
        st.tuples(a, st.integers(-1, 60)),
    ),
    Law(
        arithmetic.last_digit_of_power,
        lambda b, e: times(b, e) % 10 if b >= 0 <= e else INVALID,
        st.tuples(a, st.integers(-3, 50)),
    ),
    Law(arithmetic.product, lambda a, b: sum([a] * b) if b > 0 else -sum([a] * -b), pair),
    Law(arithmetic.quotient, lambda a, b: taken_off(a, b)[0], sizes),
    Law(arithmetic.remainder, lambda a, b: taken_off(a, b)[1], sizes),
    Law(arithmetic.quotient_towards_zero, lambda a, b: int(a / b) if b else INVALID, pair),
    Law(
        arithmetic.chinese_remainder,
        lambda rs, ms: crt(list(zip(rs, ms, strict=True))),
        st.tuples(st.lists(a, min_size=3, max_size=3), st.permutations([3, 7, 10])),
    ),
    Law(
        arithmetic.multiplicative_order,
        order,
        st.tuples(st.integers(-9, 99), st.integers(0, 99)),
    ),
    Law(
        arithmetic.product_modulo,
        lambda xs, m: math.prod(xs) % m if m > 0 else INVALID,
        st.tuples(numbers, st.integers(-1, 20)),
    ),
    Law(
        arithmetic.count_multiples_in_list,
        lambda xs, k: sum(x % k == 0 for x in xs) if k else INVALID,
        st.tuples(numbers, st.integers(-3, 9)),
    ),
    Law(roots.integer_square_root, lambda n: root(n, 2), n),
    Law(
        roots.square_root_rounded_up,
        lambda n: next(i for i in count() if i * i >= n) if n >= 0 else INVALID,
        n,
    ),
    Law(roots.is_perfect_square, lambda n: n in {i * i for i in range(1800)}, special),
    Law(roots.integer_root, root, st.tuples(n, k)),
    Law(roots.integer_cube_root, lambda n: root(n, 3), n),
    Law(roots.is_perfect_cube, lambda n: abs(n) in {i**3 for i in range(1800)}, special),
    Law(
        roots.is_perfect_kth_power,
        lambda n, k: n in {i**k for i in range(3001)},
        st.tuples(n, st.integers(1, 5)),
    ),
    Law(
        roots.is_perfect_power,
        lambda n: n in {i**e for i in range(1, 56) for e in range(2, 12)},
        n,
    ),
    Law(roots.is_power_of_two, lambda n: n in {2**i for i in range(30)}, special),
    Law(roots.is_power_of_four, lambda n: n in {4**i for i in range(30)}, special),
    Law(roots.is_power_of_three, lambda n: n in {3**i for i in range(99)}, special),
    Law(
        roots.is_power_of,
        lambda n, k: n in {k**i for i in range(30)} if k > 1 else INVALID,
        st.tuples(special, k),
    ),
    Law(roots.integer_logarithm, log, st.tuples(special, k)),
    Law(roots.next_power_of_two, lambda n: next(p for p in map(pow2, count()) if p >= n), n),
    Law(
        roots.previous_power_of_two,
        lambda n: max(p for p in map(pow2, range(20)) if p <= n) if n > 0 else INVALID,
        n,
    ),
    Law(
        roots.count_squares_between,
        lambda a, b: sum(a <= i * i <= b for i in range(60)),
        st.tuples(n, n),
    ),
    Law(
        roots.squarefree_part,
        lambda n: next(m for m in count(1) if math.isqrt(m * n) ** 2 == m * n),
        st.integers(1, 500),
    ),
    Law(roots.sums_of_two_squares, two_squares, st.integers(-3, 1500)),
    Law(
        roots.is_sum_of_two_squares,
        lambda n: n in {a * a + b * b for a in range(20) for b in range(20)},
        st.integers(-3, 360),
    ),
    Law(roots.fewest_squares, squares, st.integers(-2, 150)),
]


def pow2(exponent: int) -> int:
    return times(2, exponent)


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(arithmetic, LAWS) | without_law(roots, LAWS) == set()


@given(st.integers(0, 10**60), st.integers(1, 9))
def test_roots_of_large_numbers_are_exact(n: int, k: int) -> None:
    found = roots.integer_root(n, k)
    assert found**k <= n < (found + 1) ** k


def test_a_large_power_of_three_is_told_from_its_neighbour() -> None:
    assert roots.is_power_of_three(3**50)
    assert not roots.is_power_of_three(3**50 + 3)


def test_moduli_with_a_common_divisor_are_refused() -> None:
    with pytest.raises(ValueError, match="moduli are not coprime"):
        arithmetic.chinese_remainder([1, 2], [4, 6])
