"""Progressions, multiples and figured numbers against adding up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import progressions

from .agreement import INVALID, Law, by_name, check, without_law


def multiples(n: int, a: int, b: int) -> Any:
    return sum(i for i in range(n) if i % a == 0 or i % b == 0) if a > 0 < b else INVALID


def polygonal(sides: int, n: int) -> Any:
    grown = (1 + i * (sides - 2) for i in range(n))
    return sum(grown) if sides > 2 and n >= 0 else INVALID


def centred(sides: int, n: int) -> Any:
    return 1 + sum(sides * i for i in range(n)) if sides > 2 and n > 0 else INVALID


def triangle(n: int) -> int:
    return sum(range(n + 1))


def squares(m: int, n: int) -> int:
    sides = range(1, min(m, n) + 1)
    return sum((m - side + 1) * (n - side + 1) for side in sides)


def rectangles(n: int) -> int:
    return sum((n - i) * (n - j) for i in range(n) for j in range(n))


n = st.integers(-3, 40)
wide = st.integers(-20, 300)
small = st.integers(-1, 12)
LAWS = [
    Law(
        progressions.arithmetic_series,
        lambda a, d, n: sum(a + i * d for i in range(n)),
        st.tuples(wide, small, n),
    ),
    Law(
        progressions.geometric_series,
        lambda a, r, n: sum(a * r**i for i in range(n)),
        st.tuples(wide, st.integers(-4, 9), n),
    ),
    Law(
        progressions.sum_of_powers_of,
        lambda b, n: sum(b**i for i in range(n + 1)) if n >= 0 else INVALID,
        st.tuples(st.integers(-4, 9), n),
    ),
    Law(
        progressions.sum_of_powers_modulo,
        lambda b, n, m: sum(b**i for i in range(n + 1)) % m if n >= 0 < m else INVALID,
        st.tuples(st.integers(-4, 9), n, st.integers(-1, 30)),
    ),
    Law(
        progressions.sum_of_multiples_below,
        multiples,
        st.tuples(wide, small, small),
    ),
    Law(
        progressions.sum_of_multiples_up_to,
        lambda n, a, b: multiples(n + 1, a, b),
        st.tuples(wide, small, small),
    ),
    Law(
        progressions.sum_of_multiples_of_three_or_five_below,
        lambda n: multiples(n, 3, 5),
        wide,
    ),
    Law(
        progressions.sum_of_multiples_of_three_or_five_up_to,
        lambda n: multiples(n + 1, 3, 5),
        wide,
    ),
    Law(
        progressions.count_numbers_with_a_divisor,
        lambda n, ds: sum(any(i % d == 0 for d in ds) for i in range(1, n + 1)),
        st.tuples(wide, st.lists(st.integers(1, 12), max_size=5)),
    ),
    Law(
        progressions.count_multiples_between,
        lambda a, b, k: sum(i % k == 0 for i in range(a, b + 1)) if k > 0 else INVALID,
        st.tuples(wide, wide, small),
    ),
    Law(progressions.polygonal_number, polygonal, st.tuples(small, n)),
    Law(progressions.centred_polygonal_number, centred, st.tuples(small, n)),
    Law(
        progressions.is_triangular_number,
        lambda n: n in {triangle(i) for i in range(40)},
        wide,
    ),
    Law(
        progressions.is_pentagonal_number,
        lambda n: n in {polygonal(5, i) for i in range(1, 40)},
        wide,
    ),
    Law(progressions.squares_in_rectangle, squares, st.tuples(n, n)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(progressions, LAWS) == set()
