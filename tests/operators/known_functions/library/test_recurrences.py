"""Recurrences, Collatz paths and closed sums against the rules themselves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import collatz, recurrence_kin, recurrences, series

from .agreement import INVALID, Law, agree, by_name, check, without_law


def term(rule: Callable[[list[int]], int], *first: int) -> Callable[[int], Any]:
    """Return the function from n to term n of a recurrence, 0-based."""

    def nth(n: int) -> Any:
        terms = list(first)
        while len(terms) <= n:
            terms.append(rule(terms))
        return terms[n] if n >= 0 else INVALID

    return nth


fib = term(lambda t: t[-1] + t[-2], 0, 1)


def fibs(n: int) -> list[int]:
    return [fib(i) for i in range(n)]


def climbs(n: int, k: int) -> int:
    return sum(climbs(n - step, k) for step in range(1, min(n, k) + 1)) if n else 1


def path(n: int) -> Any:
    steps = [n]
    while n > 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps.append(n)
    return steps if n == 1 else INVALID


def steps(n: int) -> Any:
    return len(path(n)) - 1 if n > 0 else INVALID


def longest(n: int) -> tuple[int, int]:
    best = max(range(1, n + 1), key=lambda i: (steps(i), -i))
    return best, steps(best)


def say(n: int) -> Any:
    text = "1"
    for _ in range(n - 1):
        text = "".join(str(len(list(run))) + digit for digit, run in groupby(text))
    return text if n > 0 else INVALID


def recaman(n: int) -> list[int]:
    found: list[int] = []
    for i in range(n):
        last = found[-1] if found else 0
        found.append(last - i if last - i >= 0 and last - i not in found else last + i)
    return found


def golomb(n: int) -> Any:
    runs = [1, 2, 2]
    for i in range(3, n + 1):
        runs += [i] * runs[i - 1]
    return runs[n - 1] if n > 0 else INVALID


def tilings(n: int) -> int:
    """Fill 3 by n cells column by column with dominoes."""

    def fill(cells: frozenset[tuple[int, int]]) -> int:
        if not cells:
            return 1
        column, row = min(cells)
        ways = 0
        for other in ((column, row + 1), (column + 1, row)):
            if other in cells:
                ways += fill(cells - {(column, row), other})
        return ways

    return fill(frozenset(product(range(n), range(3))))


def trominoes(n: int) -> Any:
    """Fill 2 by n cells with dominoes and bent trominoes."""

    def fill(cells: frozenset[tuple[int, int]]) -> int:
        if not cells:
            return 1
        column, row = min(cells)
        square = [(column + i, row + j) for i in (0, 1) for j in (-1, 0, 1)]
        others = [c for c in square if c in cells and c != (column, row)]
        ways = sum(fill(cells - {(column, row), c}) for c in others if beside(c, column, row))
        for i, a in enumerate(others):
            for b in others[i + 1 :]:
                if bent({(column, row), a, b}):
                    ways += fill(cells - {(column, row), a, b})
        return ways

    return fill(frozenset(product(range(n), range(2)))) if n >= 0 else INVALID


def beside(cell: tuple[int, int], column: int, row: int) -> bool:
    return abs(cell[0] - column) + abs(cell[1] - row) == 1


def bent(cells: set[tuple[int, int]]) -> bool:
    columns, rows = {c for c, _ in cells}, {r for _, r in cells}
    return len(columns) == len(rows) == 2


def by_remainder(numerators: list[list[int]], divisors: list[int], n: int) -> Any:
    if len(numerators) != len(divisors) or 0 in divisors or n < 0:
        return INVALID
    side = n % len(numerators)
    return sum(c * n**i for i, c in enumerate(numerators[side])) // divisors[side]


def total(rule: Callable[[int], int]) -> Callable[[int], int]:
    return lambda n: sum(rule(i) for i in range(1, n + 1))


n = st.integers(-2, 60)
far = st.one_of(n, st.integers(450, 700))
whole = st.integers(-3, 200)
start = st.integers(-1, 500)
small = st.integers(-9, 9)
LAWS = [
    Law(
        recurrences.linear_recurrence,
        lambda cs, first, n: term(
            lambda t: sum(c * t[-j] for j, c in enumerate(cs, 1)), *first
        )(n),
        st.integers(1, 4).flatmap(
            lambda k: st.tuples(
                st.lists(small, min_size=k, max_size=k),
                st.lists(small, min_size=k, max_size=k),
                far,
            )
        ),
    ),
    Law(recurrences.fibonacci, fib, far),
    Law(
        recurrences.fibonacci_modulo,
        lambda n, m: fib(n) % m if n >= 0 < m else INVALID,
        st.tuples(far, st.integers(-1, 99)),
    ),
    Law(recurrences.first_fibonacci_numbers, fibs, n),
    Law(recurrences.fibonacci_numbers_up_to, lambda n: [f for f in fibs(20) if f <= n], start),
    Law(
        recurrences.sum_of_squared_fibonacci_numbers,
        lambda n: sum(f * f for f in fibs(n + 1)),
        st.integers(0, 60),
    ),
    Law(
        recurrences.sum_of_even_fibonacci_numbers_up_to,
        lambda n: sum(f for f in fibs(20) if f <= n and f % 2 == 0),
        start,
    ),
    Law(recurrences.is_fibonacci_number, lambda n: n in fibs(30), st.one_of(start, far)),
    Law(
        recurrences.climbing_ways_by_up_to,
        lambda n, k: climbs(n, k) if n >= 0 < k else INVALID,
        st.tuples(st.integers(-1, 11), st.integers(-1, 12)),
    ),
    Law(
        recurrences.fibonacci_like,
        lambda a, b, n: term(lambda t: t[-1] + t[-2], a, b)(n),
        st.tuples(small, small, n),
    ),
    Law(
        recurrence_kin.hofstadter_q,
        lambda n: term(lambda t: t[-t[-1]] + t[-t[-2]], 1, 1)(n - 1),
        far,
    ),
    Law(
        recurrence_kin.hofstadter_conway,
        lambda n: term(lambda t: t[t[-1] - 1] + t[-t[-1]], 1, 1)(n - 1),
        far,
    ),
    Law(recurrence_kin.golomb, golomb, n),
    Law(recurrence_kin.look_and_say, say, st.integers(-1, 14)),
    Law(recurrence_kin.first_recaman_numbers, recaman, n),
    Law(
        recurrence_kin.thue_morse_text,
        lambda n: "".join(str(i.bit_count() % 2) for i in range(2**n)) if n >= 0 else INVALID,
        st.integers(-1, 8),
    ),
    Law(collatz.collatz_steps, steps, start),
    Law(collatz.collatz_path, path, start),
    Law(collatz.collatz_peak, lambda n: max(path(n)) if n > 0 else INVALID, start),
    Law(collatz.collatz_steps_up_to, lambda n: [steps(i) for i in range(1, n + 1)], n),
    Law(
        collatz.longest_collatz_start_up_to,
        lambda n: longest(n)[0] if n > 0 else INVALID,
        whole,
    ),
    Law(collatz.longest_collatz_path_up_to, lambda n: longest(n) if n > 0 else INVALID, whole),
    Law(collatz.total_collatz_steps_up_to, total(steps), n),
    Law(
        collatz.most_collatz_steps_up_to,
        lambda n: longest(n)[1] if n > 0 else INVALID,
        whole,
    ),
    Law(
        series.polynomial,
        by_remainder,
        st.tuples(
            st.lists(st.lists(small, max_size=4), max_size=3),
            st.lists(small, max_size=3),
            whole,
        ),
    ),
    Law(
        series.sum_of_range,
        lambda a, b: sum(range(a, b + 1)),
        st.tuples(whole, whole),
    ),
    Law(
        series.sum_of_powers_up_to,
        lambda n, k: sum(i**k for i in range(1, n + 1)) if k >= 0 else INVALID,
        st.tuples(whole, st.integers(-1, 12)),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


OF_A_NUMBER = [law for law in LAWS if any(law.arguments is drawn for drawn in (n, far, whole))]


@pytest.mark.parametrize("law", by_name(OF_A_NUMBER))
def test_numbers_around_zero_are_never_left_to_chance(law: Law) -> None:
    for number in range(-2, 4):
        agree(law, (number,))


def test_every_archetype_has_a_law() -> None:
    assert (
        without_law(recurrences, LAWS)
        | without_law(recurrence_kin, LAWS)
        | without_law(collatz, LAWS)
        | without_law(series, LAWS)
        == set()
    )
