"""Digits, kinds of numbers and other bases against arithmetic digit by digit."""

from __future__ import annotations

import math
from itertools import count, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import bases, digit_kinds, digits

from .agreement import INVALID, Law, by_name, check, without_law


def split(n: int, base: int = 10) -> list[int]:
    found = [n % base]
    while n >= base:
        n //= base
        found.insert(0, n % base)
    return found


def join(parts: list[int], base: int = 10) -> int:
    return sum(part * base**i for i, part in enumerate(reversed(parts)))


def mirrored(n: int) -> bool:
    return n >= 0 and split(n) == split(n)[::-1]


def steps(n: int, product: bool) -> int:
    done = 0
    while n > 9:
        n = math.prod(split(n)) if product else sum(split(n))
        done += 1
    return done


def root(n: int) -> int:
    while n > 9:
        n = sum(split(n))
    return n


def larger(n: int) -> int:
    orders = {join(list(order)) for order in permutations(split(n))}
    return min((m for m in orders if m > n), default=INVALID)


def happy(n: int) -> bool:
    seen: set[int] = set()
    while n > 1 and n not in seen:
        seen.add(n)
        n = sum(d * d for d in split(n))
    return n == 1


def factors(n: int) -> list[int]:
    found = []
    for p in range(2, n + 1):
        while n % p == 0:
            found.append(p)
            n //= p
    return found


def smith(n: int) -> bool:
    ends = sum(sum(split(p)) for p in factors(n))
    return len(factors(n)) > 1 and ends == sum(split(n))


def kaprekar(n: int) -> bool:
    square = n * n
    parts = [divmod(square, 10**i) for i in range(1, 9)]
    return n > 0 and any(
        b > 0 and a + b == n and 10**i < 10 * square for i, (a, b) in enumerate(parts, 1)
    )


def routine(n: int) -> int:
    done = 0
    while n != 6174:
        parts = sorted([n // 1000, n // 100 % 10, n // 10 % 10, n % 10])
        n = join(parts[::-1]) - join(parts)
        done += 1
    return done


def written(n: int, base: int, letters: str = "0123456789abcdefghijklmnopqrstuvwxyz") -> str:
    return "".join(letters[d] for d in split(n, base))


def titles(n: int) -> list[str]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found = list(letters)
    longer = list(letters)
    while len(found) < n:
        longer = [a + b for a in longer for b in letters]
        found += longer
    return found


n = st.integers(0, 99999)
signed = st.integers(-99999, 99999)
small = st.integers(0, 600)
digit = st.integers(0, 9)
base = st.integers(2, 36)
text = st.text("0123456789ab -", max_size=60)
long = st.one_of(n, st.integers(10**40, 10**60))
LAWS = [
    Law(digits.digit_sum, lambda n: sum(split(n)), long),
    Law(digits.digit_sum_without_sign, lambda n: sum(split(abs(n))), signed),
    Law(digits.digit_sum_of_text, lambda s: sum(int(c) for c in s if c.isdigit()), text),
    Law(digits.digit_product, lambda n: math.prod(split(n)) if n >= 0 else INVALID, signed),
    Law(digits.count_digits, lambda n: len(split(abs(n))), signed),
    Law(
        digits.reverse_digits,
        lambda n: join(split(abs(n))[::-1]) * (1 if n >= 0 else -1),
        signed,
    ),
    Law(digits.digital_root, root, long),
    Law(digits.additive_persistence, lambda n: steps(n, False), long),
    Law(digits.multiplicative_persistence, lambda n: steps(n, True), long),
    Law(digits.digit_list, split, n),
    Law(digits.reversed_digit_list, lambda n: split(n)[::-1], n),
    Law(
        digits.number_from_digits,
        lambda xs: join(xs) if xs and set(xs) <= set(range(10)) else INVALID,
        st.lists(st.integers(-1, 10), max_size=5),
    ),
    Law(
        digits.largest_number_of_digits,
        lambda n: max(join(list(order)) for order in permutations(split(n))),
        n,
    ),
    Law(
        digits.smallest_number_of_digits,
        lambda n: min(join(list(order)) for order in permutations(split(n))),
        n,
    ),
    Law(digits.next_number_of_digits, larger, n),
    Law(digits.count_digit, lambda n, d: split(abs(n)).count(d), st.tuples(signed, digit)),
    Law(digits.sum_of_even_digits, lambda n: sum(d for d in split(n) if d % 2 == 0), n),
    Law(digits.sum_of_squared_digits, lambda n: sum(d * d for d in split(abs(n))), signed),
    Law(
        digits.count_digit_up_to,
        lambda n, d: sum(split(i).count(d) for i in range(n + 1)),
        st.tuples(small, digit),
    ),
    Law(digits.digit_sum_of_range, lambda n: sum(sum(split(i)) for i in range(n + 1)), small),
    Law(
        digits.count_digits_written,
        lambda n: sum(len(split(i)) for i in range(1, n + 1)),
        st.integers(0, 2000),
    ),
    Law(digit_kinds.is_palindromic_number, mirrored, signed),
    Law(
        digit_kinds.next_palindromic_number,
        lambda n: next(m for m in count(n + 1) if mirrored(m)),
        st.integers(-3, 30000),
    ),
    Law(
        digit_kinds.count_palindromic_numbers_up_to,
        lambda n: sum(mirrored(m) for m in range(1, n + 1)),
        st.integers(0, 3000),
    ),
    Law(
        digit_kinds.palindromic_numbers_up_to,
        lambda n: [m for m in range(n + 1) if mirrored(m)],
        st.integers(-3, 3000),
    ),
    Law(
        digit_kinds.is_narcissistic_number,
        lambda n: sum(d ** len(split(n)) for d in split(n)) == n,
        st.one_of(n, st.sampled_from([153, 370, 1634, 54748])),
    ),
    Law(
        digit_kinds.is_sum_of_its_cubed_digits,
        lambda n: sum(d**3 for d in split(n)) == n,
        st.one_of(n, st.sampled_from([153, 370, 371, 407])),
    ),
    Law(
        digit_kinds.narcissistic_numbers_up_to,
        lambda n: [i for i in range(n + 1) if sum(d ** len(split(i)) for d in split(i)) == i],
        st.integers(-2, 700),
    ),
    Law(digit_kinds.is_happy_number, happy, n),
    Law(digit_kinds.is_harshad_number, lambda n: n > 0 and n % sum(split(n)) == 0, n),
    Law(digit_kinds.is_smith_number, smith, small),
    Law(
        digit_kinds.is_automorphic_number,
        lambda n: split(n * n)[-len(split(n)) :] == split(n),
        st.one_of(n, st.sampled_from([5, 6, 25, 76, 376, 625, 9376])),
    ),
    Law(
        digit_kinds.is_sum_of_its_digit_factorials,
        lambda n: sum(map(math.factorial, split(n))) == n,
        st.one_of(n, st.sampled_from([1, 2, 145, 40585])),
    ),
    Law(
        digit_kinds.is_disarium_number,
        lambda n: sum(split(n)[i] ** (i + 1) for i in range(len(split(n)))) == n,
        st.one_of(n, st.sampled_from([89, 135, 175, 518, 598])),
    ),
    Law(
        digit_kinds.is_spy_number,
        lambda n: sum(split(n)) == math.prod(split(n)),
        st.one_of(n, st.sampled_from([22, 123, 1124])),
    ),
    Law(
        digit_kinds.is_kaprekar_number,
        kaprekar,
        st.one_of(st.integers(-2, 999), st.sampled_from([1, 9, 45, 55, 297, 4879])),
    ),
    Law(
        digit_kinds.has_distinct_digits,
        lambda n: len(set(split(abs(n)))) == len(split(abs(n))),
        signed,
    ),
    Law(
        digit_kinds.is_ugly_number,
        lambda n: n > 0 and set(factors(n)) <= {2, 3, 5},
        st.integers(-2, 700),
    ),
    Law(
        digit_kinds.nth_ugly_number,
        lambda n: [m for m in range(1, 4000) if 30**12 % m == 0][n - 1] if n > 0 else INVALID,
        st.integers(-1, 90),
    ),
    Law(
        digit_kinds.kaprekar_steps,
        lambda n: routine(n) if 0 < n < 10000 and n % 1111 else INVALID,
        st.integers(-2, 12000),
    ),
    Law(bases.to_binary, lambda n: ("-" if n < 0 else "") + written(abs(n), 2), signed),
    Law(
        bases.to_binary_with_prefix,
        lambda n: ("-" if n < 0 else "") + "0b" + written(abs(n), 2),
        signed,
    ),
    Law(
        bases.to_binary_padded,
        lambda n, width: written(n, 2).rjust(width, "0"),
        st.tuples(n, st.integers(0, 30)),
    ),
    Law(bases.to_octal, lambda n: written(n, 8), n),
    Law(bases.to_hexadecimal, lambda n: written(n, 16), n),
    Law(bases.to_upper_hexadecimal, lambda n: written(n, 16).upper(), n),
    Law(bases.to_base, written, st.tuples(n, base)),
    Law(bases.to_base_in_capitals, lambda n, b: written(n, b).upper(), st.tuples(n, base)),
    Law(
        bases.from_base,
        lambda s, b: join(["0123456789abcdefghijklmnopqrstuvwxyz".index(c) for c in s], b),
        st.tuples(n, base).map(lambda pair: (written(*pair), pair[1])),
    ),
    Law(bases.from_binary, lambda s: join([int(c) for c in s], 2), st.text("01", min_size=1)),
    Law(
        bases.from_hexadecimal,
        lambda s: join(["0123456789abcdef".index(c.lower()) for c in s], 16),
        st.text("0123456789abcdefABCDEF", min_size=1),
    ),
    Law(
        bases.from_octal,
        lambda s: join([int(c) for c in s], 8),
        st.text("01234567", min_size=1),
    ),
    Law(bases.binary_digits_as_decimal, lambda n: join(split(n, 2)), n),
    Law(
        bases.decimal_digits_as_binary,
        lambda n: join(split(n), 2) if set(split(n)) <= {0, 1} else INVALID,
        st.one_of(n, n.map(lambda n: join(split(n, 2)))),
    ),
    Law(bases.octal_digits_as_decimal, lambda n: join(split(n, 8)), n),
    Law(bases.digits_in_base, split, st.tuples(n, st.integers(2, 99))),
    Law(bases.digit_sum_in_base, lambda n, b: sum(split(n, b)), st.tuples(n, base)),
    Law(bases.is_binary_palindrome, lambda n: split(n, 2) == split(n, 2)[::-1], n),
    Law(
        bases.column_title,
        lambda n: titles(n)[n - 1] if n > 0 else INVALID,
        st.integers(-1, 900),
    ),
    Law(
        bases.column_number,
        lambda s: titles(703).index(s) + 1 if s else 0,
        st.text("ABYZ", max_size=2),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert (
        without_law(digits, LAWS) | without_law(digit_kinds, LAWS) | without_law(bases, LAWS)
        == set()
    )
