"""Large numbers, numbers with a property and dates against listing them."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import dates, large_numbers, named_numbers

from .agreement import INVALID, Law, by_name, check, without_law


def digits(n: int) -> list[int]:
    found = [n % 10]
    while n > 9:
        n //= 10
        found.insert(0, n % 10)
    return found


def upto(n: int, rule: Callable[[int], bool]) -> list[int]:
    return [i for i in range(1, n + 1) if rule(i)]


def divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]


def power(base: int, exponent: int) -> int:
    return math.prod([base] * exponent)


def factorial(n: int) -> int:
    return math.prod(range(1, n + 1))


def fibonacci_with(d: int) -> Any:
    a, b, index = 1, 1, 1
    while len(digits(a)) < d:
        a, b, index = b, a + b, index + 1
    return index if d > 0 else INVALID


def stays(n: int, steps: int) -> bool:
    for _ in range(steps):
        n += int("".join(map(str, digits(n)[::-1])))
        if digits(n) == digits(n)[::-1]:
            return False
    return True


def happy(n: int) -> bool:
    while n not in (1, 4):
        n = sum(d * d for d in digits(n))
    return n == 1


def triangle(n: int) -> int:
    return sum(range(n + 1))


def mirrored(n: int) -> bool:
    return digits(n) == digits(n)[::-1]


def products(d: int) -> list[int]:
    factors = range(10 ** (d - 1), 10**d)
    return [a * b for a in factors for b in factors if mirrored(a * b)]


def runs(n: int) -> Any:
    ends = ((a, b) for a in range(1, n + 1) for b in range(a, n + 1))
    return sum(sum(range(a, b + 1)) == n for a, b in ends) if n > 0 else INVALID


def leap(year: int) -> bool:
    return year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)


def length(year: int, month: int) -> int:
    return (31, 28 + leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def place(year: int, month: int, day: int) -> int:
    """The day of the year."""
    return sum(length(year, m) for m in range(1, month)) + day


def since_1970(year: int, month: int, day: int) -> int:
    days = sum(365 + leap(y) for y in range(1970, year))
    return days - sum(365 + leap(y) for y in range(year, 1970)) + place(year, month, day)


def text(day: tuple[int, int, int]) -> str:
    return "{:04}-{:02}-{:02}".format(*day)


def angle(hour: int, minute: int) -> Any:
    if hour < 0 or not 0 <= minute < 60:
        return INVALID
    apart = abs((hour % 12) * 30 + minute / 2 - minute * 6)
    return float(min(apart, 360 - apart))


def clock(seconds: int) -> Any:
    """Count the seconds one by one."""
    h = m = s = 0
    for _ in range(seconds):
        s += 1
        if s == 60:
            m, s = m + 1, 0
        if m == 60:
            h, m = h + 1, 0
    return (h, m, s) if seconds >= 0 else INVALID


def clock_face(seconds: int) -> Any:
    return (
        ":".join(str(part).rjust(2, "0") for part in clock(seconds))
        if seconds >= 0
        else INVALID
    )


small, n = st.integers(-2, 60), st.integers(-2, 400)
dated = st.dates(min_value=date(1900, 1, 1)).map(
    lambda d: (d.year % 300 + 1850, d.month, min(d.day, 28))
)
LAWS = [
    Law(
        large_numbers.digit_sum_of_power,
        lambda b, e: sum(digits(power(b, e))) if b >= 0 <= e else INVALID,
        st.tuples(small, small),
    ),
    Law(
        large_numbers.count_digits_of_power,
        lambda b, e: len(digits(power(b, e))) if b >= 0 <= e else INVALID,
        st.tuples(small, small),
    ),
    Law(
        large_numbers.digit_sum_of_factorial,
        lambda n: sum(digits(factorial(n))) if n >= 0 else INVALID,
        small,
    ),
    Law(
        large_numbers.count_digits_of_factorial,
        lambda n: len(digits(factorial(n))) if n >= 0 else INVALID,
        n,
    ),
    Law(
        large_numbers.sum_of_self_powers_modulo,
        lambda n, m: sum(i**i for i in range(1, n + 1)) % m if m > 0 else INVALID,
        st.tuples(small, n),
    ),
    Law(large_numbers.first_fibonacci_index_with_digits, fibonacci_with, st.integers(-1, 25)),
    Law(
        large_numbers.count_distinct_powers,
        lambda a, b: len({i**j for i in range(2, a + 1) for j in range(2, b + 1)}),
        st.tuples(st.integers(-1, 70), st.integers(-1, 12)),
    ),
    Law(
        large_numbers.champernowne_digit,
        lambda n: int("".join(map(str, range(1, n + 1)))[n - 1]) if n > 0 else INVALID,
        st.integers(-1, 4000),
    ),
    Law(
        large_numbers.stays_unpalindromic,
        lambda n, steps: stays(n, steps) if n >= 0 else INVALID,
        st.tuples(st.one_of(n, st.just(196)), st.integers(0, 12)),
    ),
    Law(
        large_numbers.last_digits_of_power,
        lambda b, e, d: power(b, e) % 10**d if min(b, e, d) >= 0 else INVALID,
        st.tuples(small, small, st.integers(-1, 9)),
    ),
    Law(
        large_numbers.last_nonzero_digit_of_factorial,
        lambda n: [d for d in digits(factorial(n)) if d][-1] if n >= 0 else INVALID,
        n,
    ),
    Law(
        named_numbers.squares_up_to,
        lambda n: upto(n, lambda i: any(j * j == i for j in range(i + 1))),
        n,
    ),
    Law(
        named_numbers.powers_of_two_up_to,
        lambda n: upto(n, lambda i: any(2**j == i for j in range(12))),
        n,
    ),
    Law(
        named_numbers.triangular_numbers_up_to,
        lambda n: upto(n, lambda i: any(triangle(j) == i for j in range(30))),
        n,
    ),
    Law(
        named_numbers.first_triangular_numbers,
        lambda n: [triangle(i) for i in range(1, n + 1)],
        small,
    ),
    Law(
        named_numbers.nth_non_square,
        lambda n: (
            [i for i in range(2, 2 * n + 3) if all(j * j != i for j in range(i))][n - 1]
            if n > 0
            else INVALID
        ),
        small,
    ),
    Law(named_numbers.happy_numbers_up_to, lambda n: upto(n, happy), n),
    Law(
        named_numbers.harshad_numbers_up_to,
        lambda n: upto(n, lambda i: i % sum(digits(i)) == 0),
        st.integers(-2, 2000),
    ),
    Law(
        named_numbers.count_texts_with_digit_sum,
        lambda d, total: sum(sum(digits(i)) == total for i in range(10**d)),
        st.tuples(st.integers(0, 3), st.integers(-1, 30)),
    ),
    Law(
        named_numbers.count_numbers_with_distinct_digits,
        lambda d: sum(len(set(digits(i))) == len(digits(i)) for i in range(10**d)),
        st.integers(0, 4),
    ),
    Law(named_numbers.count_sums_of_consecutive, runs, small),
    Law(
        named_numbers.first_triangular_number_with_more_divisors,
        lambda k: next(t for t in map(triangle, count(1)) if len(divisors(t)) > k),
        st.integers(0, 20),
    ),
    Law(
        named_numbers.largest_palindromic_product,
        lambda d: max(products(d)) if d > 0 else INVALID,
        st.integers(0, 2),
    ),
    Law(
        named_numbers.numbers_with_digits_in_order,
        lambda n: upto(
            n, lambda i: all(a < b for a, b in zip(digits(i), digits(i)[1:], strict=False))
        ),
        st.integers(-2, 2000),
    ),
    Law(
        named_numbers.count_numbers_without_digit,
        lambda n, d: len(upto(n, lambda i: d not in digits(i))) if n >= 0 else INVALID,
        st.tuples(st.integers(-1, 2500), st.integers(0, 9)),
    ),
    Law(dates.weekday, lambda y, m, d: (since_1970(y, m, d) + 2) % 7, dated),
    Law(dates.day_of_year, place, dated),
    Law(
        dates.days_in_month,
        lambda y, m: length(y, m) if 1 <= m <= 12 else INVALID,
        st.tuples(st.integers(1800, 2500), st.integers(0, 13)),
    ),
    Law(
        dates.days_between,
        lambda a, b, c, d, e, f: since_1970(d, e, f) - since_1970(a, b, c),
        st.tuples(dated, dated).map(lambda pair: (*pair[0], *pair[1])),
    ),
    Law(
        dates.days_between_texts,
        lambda a, b: abs(
            since_1970(*map(int, a.split("-"))) - since_1970(*map(int, b.split("-")))
        ),
        st.tuples(dated.map(text), dated.map(text)),
    ),
    Law(dates.clock_angle, angle, st.tuples(st.integers(-1, 25), st.integers(-1, 61))),
    Law(dates.hours_minutes_seconds, clock, st.integers(-1, 9000)),
    Law(dates.clock_text, clock_face, st.integers(-1, 9000)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert (
        without_law(large_numbers, LAWS)
        | without_law(named_numbers, LAWS)
        | without_law(dates, LAWS)
        == set()
    )


@pytest.mark.parametrize("n", [999, 2**16 - 1, 2**16 + 1])
def test_the_digits_of_large_factorials_are_counted(n: int) -> None:
    log = sum(map(math.log10, range(1, n + 1)))
    assert large_numbers.count_digits_of_factorial(n) == int(log) + 1


def test_the_largest_palindromic_product_of_three_digits() -> None:
    assert named_numbers.largest_palindromic_product(3) == 906609
