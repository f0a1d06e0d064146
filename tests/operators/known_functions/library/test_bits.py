"""Bits and pairs against binary digits and all pairs."""

from __future__ import annotations

from functools import reduce
from itertools import combinations, count
from operator import and_, xor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import bits, pair_sums, single_bits

from .agreement import INVALID, Law, by_name, check, without_law


def digits(n: int) -> list[int]:
    """Binary digits, the lowest first; none of 0."""
    found = []
    while n > 0:
        found.append(n % 2)
        n //= 2
    return found


def join(found: list[int]) -> int:
    return sum(2**i for i, digit in enumerate(found) if digit)


def padded(n: int) -> list[int]:
    return digits(n) + [0] * (32 - len(digits(n)))


def ones(n: int) -> int:
    return sum(digits(n))


def fold(numbers: Any) -> int:
    return reduce(xor, numbers, 0)


def subsets(values: list[int]) -> list[tuple[int, ...]]:
    return [s for size in range(len(values) + 1) for s in combinations(values, size)]


def gray(n: int) -> list[int]:
    """Codes with n bits by reflection."""
    if n == 0:
        return [0]
    shorter = gray(n - 1)
    return shorter + [code + 2 ** (n - 1) for code in reversed(shorter)]


def longest(found: list[int], digit: int) -> int:
    best = run = 0
    for each in found:
        run = run + 1 if each == digit else 0
        best = max(best, run)
    return best


def trimmed(found: list[int]) -> list[int]:
    while found and found[0] == 0:
        found = found[1:]
    return found


def swapped(n: int) -> int:
    found = padded(n)
    return join([found[i ^ 1] for i in range(32)])


def of_pairs(rule: Any) -> Any:
    return lambda values: sum(rule(a, b) for a, b in combinations(values, 2))


def counted(rule: Any) -> Any:
    return lambda values, k: sum(bool(rule(a, b, k)) for a, b in combinations(values, 2))


n = st.integers(0, 5000)
word = st.integers(0, 2**32 - 1)
small = st.integers(-1, 200)
whole = st.lists(st.integers(0, 60), max_size=9)
signed = st.lists(st.integers(-30, 30), max_size=9)
with_k = st.tuples(signed, st.integers(1, 7))
LAWS = [
    Law(bits.count_ones, ones, n),
    Law(bits.count_zeros, lambda n: digits(n).count(0), n),
    Law(bits.count_binary_digits, lambda n: len(digits(n)), n),
    Law(
        bits.hamming_distance,
        lambda a, b: sum(x != y for x, y in zip(padded(a), padded(b), strict=True)),
        st.tuples(n, n),
    ),
    Law(bits.has_odd_parity, lambda n: ones(n) % 2 == 1, n),
    Law(bits.ones_up_to, lambda n: [ones(i) for i in range(n + 1)], small),
    Law(
        bits.total_ones_up_to,
        lambda n: sum(ones(i) for i in range(n + 1)) if n >= 0 else INVALID,
        small,
    ),
    Law(bits.xor_up_to, lambda n: fold(range(n + 1)) if n >= 0 else INVALID, small),
    Law(
        bits.xor_of_range,
        lambda a, b: fold(range(a, b + 1)),
        st.tuples(st.integers(0, 200), small),
    ),
    Law(
        bits.and_of_range,
        lambda a, b: reduce(and_, range(a, b + 1)) if 0 <= a <= b else INVALID,
        st.tuples(small, small),
    ),
    Law(bits.xor_of_list, fold, signed),
    Law(
        bits.single_among_triples,
        lambda xs: next(x for x in xs if xs.count(x) == 1),
        st.lists(st.integers(-20, 20), min_size=1, max_size=5, unique=True).flatmap(
            lambda xs: st.permutations(xs[:1] + 3 * xs[1:])
        ),
    ),
    Law(bits.sum_of_subset_xors, lambda xs: sum(map(fold, subsets(xs))), signed),
    Law(bits.largest_subset_xor, lambda xs: max(map(fold, subsets(xs))), whole),
    Law(bits.gray_code, lambda n: gray(9)[n], st.integers(0, 511)),
    Law(bits.gray_code_list, gray, st.integers(0, 7)),
    Law(bits.gray_code_index, lambda code: gray(9).index(code), st.integers(0, 511)),
    Law(bits.flip_bits, lambda n: join([1 - d for d in digits(n)]), n),
    Law(
        single_bits.reverse_32_bits,
        lambda n: join(padded(n)[::-1]) if 0 <= n < 2**32 else INVALID,
        st.one_of(word, st.just(2**32)),
    ),
    Law(single_bits.reverse_binary_digits, lambda n: join(digits(n)[::-1]), n),
    Law(
        single_bits.lowest_one,
        lambda n: 2 ** digits(n).index(1) if n > 0 else INVALID,
        small,
    ),
    Law(single_bits.trailing_zeros, lambda n: digits(n).index(1) if n > 0 else INVALID, small),
    Law(single_bits.without_lowest_one, lambda n: n - 2 ** digits(n).index(1) if n else 0, n),
    Law(
        single_bits.has_alternating_bits,
        lambda n: all(a != b for a, b in zip(digits(n), digits(n)[1:], strict=False)),
        st.one_of(n, st.sampled_from([5, 10, 21, 42, 85, 170])),
    ),
    Law(
        single_bits.has_neighbouring_ones,
        lambda n: any(a == b == 1 for a, b in zip(digits(n), digits(n)[1:], strict=False)),
        st.one_of(n, st.sampled_from([5, 9, 21, 42])),
    ),
    Law(single_bits.longest_run_of_ones, lambda n: longest(digits(n), 1), n),
    Law(single_bits.longest_gap_of_zeros, lambda n: longest(trimmed(digits(n)), 0), n),
    Law(single_bits.swap_neighbouring_bits, swapped, word),
    Law(
        single_bits.rotate_32_bits_left,
        lambda n, k: join([padded(n)[(i - k) % 32] for i in range(32)]),
        st.tuples(word, st.integers(0, 70)),
    ),
    Law(
        single_bits.rotate_32_bits_right,
        lambda n, k: join([padded(n)[(i + k) % 32] for i in range(32)]),
        st.tuples(word, st.integers(0, 70)),
    ),
    Law(
        single_bits.next_number_with_as_many_ones,
        lambda n: next(m for m in count(n + 1) if ones(m) == ones(n)) if n > 0 else INVALID,
        small,
    ),
    Law(single_bits.sorted_by_ones, lambda xs: sorted(xs, key=lambda x: (ones(x), x)), whole),
    Law(
        pair_sums.total_hamming_distance,
        of_pairs(lambda a, b: ones(a ^ b)),
        whole,
    ),
    Law(pair_sums.sum_of_pair_xors, of_pairs(lambda a, b: a ^ b), whole),
    Law(pair_sums.sum_of_pair_ands, of_pairs(lambda a, b: a & b), whole),
    Law(pair_sums.sum_of_pair_ors, of_pairs(lambda a, b: a | b), whole),
    Law(
        pair_sums.largest_pair_xor,
        lambda xs: max((a ^ b for a, b in combinations(xs, 2)), default=0),
        whole,
    ),
    Law(
        pair_sums.smallest_pair_xor,
        lambda xs: min((a ^ b for a, b in combinations(xs, 2)), default=INVALID),
        whole,
    ),
    Law(
        pair_sums.count_pairs_with_xor,
        counted(lambda a, b, k: a ^ b == k),
        st.tuples(signed, st.integers(0, 9)),
    ),
    Law(pair_sums.count_pairs_with_odd_sum, of_pairs(lambda a, b: (a + b) % 2), signed),
    Law(
        pair_sums.count_pairs_with_even_sum,
        of_pairs(lambda a, b: int((a + b) % 2 == 0)),
        signed,
    ),
    Law(
        pair_sums.count_pairs_with_even_product,
        of_pairs(lambda a, b: int(a * b % 2 == 0)),
        signed,
    ),
    Law(
        pair_sums.count_pairs_with_difference_divisible,
        counted(lambda a, b, k: (a - b) % k == 0),
        with_k,
    ),
    Law(pair_sums.count_unequal_pairs, of_pairs(lambda a, b: int(a != b)), signed),
    Law(pair_sums.sum_of_squared_pair_differences, of_pairs(lambda a, b: (a - b) ** 2), signed),
    Law(pair_sums.sum_of_pair_maxima, of_pairs(max), signed),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert (
        without_law(bits, LAWS) | without_law(single_bits, LAWS) | without_law(pair_sums, LAWS)
        == set()
    )


@pytest.mark.parametrize("law", by_name([law for law in LAWS if law.arguments in (n, whole)]))
def test_negative_numbers_are_refused(law: Law) -> None:
    with pytest.raises(ValueError, match=r"< 0|negative|no two"):
        law.fast([-1] if law.arguments is whole else -1)
