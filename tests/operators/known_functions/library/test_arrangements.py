"""Arrangements and fractions against recursion and long division."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import arrangements, rationals

from .agreement import INVALID, Law, by_name, check, without_law


def orders(values: list[Any]) -> list[list[Any]]:
    if not values:
        return [[]]
    return [
        [value, *rest]
        for i, value in enumerate(values)
        for rest in orders(values[:i] + values[i + 1 :])
    ]


def once(values: list[Any]) -> list[Any]:
    return [value for i, value in enumerate(values) if value not in values[:i]]


def subsets(values: list[Any]) -> list[list[Any]]:
    if not values:
        return [[]]
    shorter = subsets(values[:-1])
    return shorter + [[*subset, values[-1]] for subset in shorter]


def deeper(values: list[Any], start: int = 0) -> list[list[Any]]:
    """Visit subsets in the order of a depth-first search."""
    found: list[list[Any]] = [[]]
    for i in range(start, len(values)):
        found += [[values[i], *rest] for rest in deeper(values, i + 1)]
    return found


def choose(values: list[Any], k: int, again: int = 0) -> list[list[Any]]:
    if k == 0:
        return [[]]
    return [
        [value, *rest]
        for i, value in enumerate(values)
        for rest in choose(values[i + 1 - again :], k - 1, again)
    ]


def one_each(lists: list[list[Any]]) -> list[list[Any]]:
    if not lists:
        return [[]]
    return [[value, *rest] for value in lists[0] for rest in one_each(lists[1:])]


def texts(n: int) -> Any:
    if n < 1:
        return [""] if n == 0 else INVALID
    return [bit + rest for bit in "01" for rest in texts(n - 1)]


def brackets(n: int) -> Any:
    def grow(text: str, left: int, right: int) -> list[str]:
        if not left and not right:
            return [text]
        found = grow(text + "(", left - 1, right) if left else []
        return found + (grow(text + ")", left, right - 1) if right > left else [])

    return grow("", n, n) if n >= 0 else INVALID


def partitions(n: int, largest: int) -> Any:
    if n < 1:
        return [[]] if n == 0 else INVALID
    parts = range(min(n, largest), 0, -1)
    return [[part, *rest] for part in parts for rest in partitions(n - part, part)]


def after(values: list[int]) -> list[int]:
    later = [order for order in orders(values) if order > values]
    return min(later) if later else sorted(values)


def keypad(digits: str) -> list[str]:
    keys = {"2": "abc", "3": "def", "7": "pqrs", "9": "wxyz"}
    found = [""]
    for digit in digits:
        found = [text + letter for text in found for letter in keys[digit]]
    return found if digits else []


def lowest(number: Fraction) -> tuple[int, int]:
    return (number.numerator, number.denominator)


def period(n: int) -> int:
    rest, seen = 1 % n, []
    while rest and rest not in seen:
        seen.append(rest)
        rest = rest * 10 % n
    return len(seen) - seen.index(rest) if rest else 0


def value_of(text: str) -> Fraction:
    """Read a decimal text with its period in brackets."""
    head, _, tail = text.rstrip(")").partition("(")
    whole, _, digits = head.partition(".")
    size = Fraction(int(whole.lstrip("-") + digits), 10 ** len(digits))
    if tail:
        size += Fraction(int(tail), (10 ** len(tail) - 1) * 10 ** len(digits))
    return -size if text.startswith("-") else size


def greedy(a: int, b: int) -> Any:
    rest, found = Fraction(a, b), []
    while 0 < rest < 1:
        found.append(next(d for d in count(1) if Fraction(1, d) <= rest))
        rest -= Fraction(1, found[-1])
    return found


def surd(n: int) -> int:
    """Expand the root of n as (root + m) / d with exact comparisons, until it repeats."""
    root = next(i for i in count() if (i + 1) ** 2 > n)
    if root * root == n:
        return 0
    m, d, seen = 0, 1, []
    while (m, d) not in seen:
        seen.append((m, d))
        term = (root + m) // d
        m = term * d - m
        d = (n - m * m) // d
    return len(seen) - seen.index((m, d))


def terms(a: int, b: int) -> list[int]:
    number, found = Fraction(a, b), []
    while True:
        found.append(number.numerator // number.denominator)
        number -= found[-1]
        if number == 0:
            return found
        number = 1 / number


values = st.lists(st.integers(0, 5), max_size=5)
distinct = st.lists(st.integers(-9, 9), max_size=5, unique=True)
text = st.text("abc", max_size=5)
above, below = st.integers(-40, 40), st.integers(1, 30)
few = st.integers(-1, 5)
LAWS = [
    Law(arrangements.permutations_by_place, orders, values),
    Law(arrangements.distinct_permutations, lambda xs: once(orders(sorted(xs))), values),
    Law(arrangements.text_permutations, lambda s: ["".join(o) for o in orders(list(s))], text),
    Law(
        arrangements.distinct_text_permutations,
        lambda s: sorted({"".join(o) for o in orders(list(s))}),
        text,
    ),
    Law(arrangements.subsets_by_last, subsets, values),
    Law(
        arrangements.subsets_by_size,
        lambda xs: [s for k in range(len(xs) + 1) for s in choose(xs, k)],
        values,
    ),
    Law(arrangements.subsets_in_dictionary_order, deeper, values),
    Law(arrangements.combinations_of, choose, st.tuples(values, st.integers(0, 6))),
    Law(
        arrangements.combinations_of_numbers,
        lambda n, k: choose(list(range(1, n + 1)), k),
        st.tuples(st.integers(0, 6), st.integers(0, 6)),
    ),
    Law(
        arrangements.combinations_with_repetition,
        lambda xs, k: choose(xs, k, again=1),
        st.tuples(values, st.integers(0, 4)),
    ),
    Law(
        arrangements.choices_of_one_each,
        one_each,
        st.lists(st.lists(st.integers(0, 5), max_size=3), max_size=4),
    ),
    Law(arrangements.binary_texts, texts, st.integers(-1, 7)),
    Law(arrangements.balanced_brackets, brackets, st.integers(-1, 6)),
    Law(arrangements.partitions_descending, lambda n: partitions(n, n), st.integers(-1, 12)),
    Law(arrangements.next_permutation, after, values),
    Law(
        arrangements.kth_permutation,
        lambda n, k: dict(enumerate(orders(list(range(1, n + 1))))).get(k, INVALID),
        st.tuples(st.integers(0, 5), st.integers(-1, 120)),
    ),
    Law(
        arrangements.permutation_rank,
        lambda xs: orders(sorted(xs)).index(xs) if len(once(xs)) == len(xs) else INVALID,
        st.one_of(distinct, values),
    ),
    Law(arrangements.keypad_texts, keypad, st.text("2379", max_size=4)),
    Law(
        rationals.lowest_terms,
        lambda a, b: lowest(Fraction(a, b)) if b else INVALID,
        st.tuples(above, above),
    ),
    Law(
        rationals.fraction_sum,
        lambda a, b, c, d: lowest(Fraction(a, b) + Fraction(c, d)),
        st.tuples(above, below, above, below),
    ),
    Law(
        rationals.decimal_period,
        lambda n: period(n) if n > 0 else INVALID,
        st.integers(-1, 300),
    ),
    Law(
        rationals.longest_decimal_period_below,
        lambda n: max(range(1, n), key=lambda d: (period(d), -d)) if n > 3 else INVALID,
        st.integers(1, 120),
    ),
    Law(rationals.unit_fractions, greedy, st.sampled_from([(1, 2), (2, 3), (4, 13), (5, 6)])),
    Law(rationals.continued_fraction, terms, st.tuples(above, below)),
    Law(rationals.square_root_period, surd, st.integers(0, 300)),
    Law(
        rationals.count_proper_fractions,
        lambda n: len({Fraction(a, b) for b in range(1, n + 1) for a in range(1, b)}),
        st.integers(-1, 30),
    ),
    Law(
        rationals.farey_sequence,
        lambda n: (
            [
                lowest(x)
                for x in sorted({Fraction(a, b) for b in range(1, n + 1) for a in range(b + 1)})
            ]
            or INVALID
        ),
        st.integers(-1, 14),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    without = without_law(arrangements, LAWS) | without_law(rationals, LAWS)
    assert without == {"decimal_text"}


@given(above, below.flatmap(lambda b: st.sampled_from([b, -b])))
def test_a_decimal_text_is_read_as_the_fraction(a: int, b: int) -> None:
    text = rationals.decimal_text(a, b)
    assert value_of(text) == Fraction(a, b)
    period_of = text.partition("(")[2].rstrip(")")
    assert len(period_of) == period(Fraction(a, b).denominator)


@given(st.integers(1, 30), st.integers(31, 60))
def test_unit_fractions_sum_to_the_fraction(a: int, b: int) -> None:
    found = rationals.unit_fractions(a, b)
    assert sum(Fraction(1, d) for d in found) == Fraction(a, b)
    assert len(set(found)) == len(found)
