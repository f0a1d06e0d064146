"""Matrices and grids against index by index."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import matrices, squares

from .agreement import INVALID, Law, by_name, check, without_law

Matrix = list[list[int]]


def rows(m: int, n: int, entries: st.SearchStrategy[int]) -> st.SearchStrategy[Matrix]:
    return st.lists(st.lists(entries, min_size=n, max_size=n), min_size=m, max_size=m)


def shape(matrix: Matrix) -> tuple[range, range]:
    return range(len(matrix)), range(len(matrix[0]) if matrix else 0)


def made(m: Any, n: Any, rule: Any) -> Matrix:
    return [[rule(i, j) for j in n] for i in m]


def times(a: Matrix, b: Matrix) -> Matrix:
    inner = range(len(b))
    return made(shape(a)[0], shape(b)[1], lambda i, j: sum(a[i][k] * b[k][j] for k in inner))


def identity(n: int) -> Matrix:
    return made(range(n), range(n), lambda i, j: int(i == j))


def power(a: Matrix, k: int) -> Matrix:
    result = identity(len(a))
    for _ in range(k):
        result = times(result, a)
    return result


def modulo(a: Matrix, modulus: int) -> Matrix:
    return [[x % modulus for x in row] for row in a]


def leibniz(a: Matrix) -> int:
    total = 0
    for order in permutations(range(len(a))):
        product = 1
        for i, j in enumerate(order):
            product *= a[i][j]
        swaps = sum(order[i] > order[j] for j in range(len(order)) for i in range(j))
        total += -product if swaps % 2 else product
    return total


def magic(a: Matrix) -> bool:
    n = len(a)
    lines = [[(i, j) for j in range(n)] for i in range(n)]
    lines += [[(i, j) for i in range(n)] for j in range(n)]
    lines += [[(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)]]
    return len({sum(a[i][j] for i, j in line) for line in lines}) <= 1


def spiral(n: int) -> Matrix:
    square = made(range(n), range(n), lambda i, j: 0)
    i, j, down, right = 0, 0, 0, 1
    for number in range(1, n * n + 1):
        square[i][j] = number
        a, b = i + down, j + right
        if not (0 <= a < n and 0 <= b < n) or square[a][b]:
            down, right = right, -down
        i, j = i + down, j + right
    return square


def outward(n: int) -> Any:
    if n < 1 or n % 2 == 0:
        return INVALID
    number = total = 1
    for side in range(3, n + 1, 2):
        for _ in range(4):
            number += side - 1
            total += number
    return total


def down_left(a: Matrix) -> Matrix:
    m, n = shape(a)
    return [[a[i][s - i] for i in m if s - i in n] for s in range(len(m) + len(n) - 1)]


def zigzag(a: Matrix) -> list[int]:
    found = []
    for s, diagonal in enumerate(down_left(a)):
        found += diagonal if s % 2 else diagonal[::-1]
    return found


def blocks(a: Matrix) -> list[tuple[int, int, int]]:
    """Height, width and sum of each block."""
    m, n = shape(a)
    return [
        (c - i + 1, d - j + 1, sum(sum(row[j : d + 1]) for row in a[i : c + 1]))
        for i in m
        for j in n
        for c in range(i, len(m))
        for d in range(j, len(n))
    ]


def full_squares(a: Matrix) -> list[int]:
    return [
        height for height, width, total in blocks(a) if height == width and total == height**2
    ]


def perimeter(a: Matrix) -> int:
    m, n = shape(a)
    near = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return sum(
        not (i + u in m and j + v in n and a[i + u][j + v])
        for i in m
        for j in n
        if a[i][j]
        for u, v in near
    )


small, digit, bit = st.integers(-9, 9), st.integers(0, 3), st.integers(0, 1)
side = st.integers(1, 4)
sides = st.tuples(side, side)
matrix = sides.flatmap(lambda s: rows(*s, small))
bits = sides.flatmap(lambda s: rows(*s, st.sampled_from([0, 1, 1])))
square = side.flatmap(lambda n: rows(n, n, small))
two = st.tuples(side, side, side).flatmap(
    lambda s: st.tuples(rows(s[0], s[1], small), rows(s[1], s[2], small))
)
alike = sides.flatmap(lambda s: st.tuples(rows(*s, small), rows(*s, small)))
near_symmetric = square.map(lambda a: made(*shape(a), lambda i, j: a[min(i, j)][max(i, j)]))
toeplitz = square.map(lambda a: made(*shape(a), lambda i, j: a[max(i - j, 0)][max(j - i, 0)]))
ascending = matrix.map(lambda a: sorted(map(sorted, a))).map(
    lambda a: made(
        *shape(a), lambda i, j: max(a[u][v] for u in range(i + 1) for v in range(j + 1))
    )
)
descending = ascending.map(lambda a: [[-x for x in row] for row in a])
LAWS = [
    Law(matrices.transposed, lambda a: made(*shape(a)[::-1], lambda i, j: a[j][i]), matrix),
    Law(
        matrices.turned_right,
        lambda a: made(*shape(a)[::-1], lambda i, j: a[len(a) - 1 - j][i]),
        matrix,
    ),
    Law(
        matrices.turned_left,
        lambda a: made(*shape(a)[::-1], lambda i, j: a[j][len(a[0]) - 1 - i]),
        matrix,
    ),
    Law(
        matrices.turned_half, lambda a: made(*shape(a), lambda i, j: a[-1 - i][-1 - j]), matrix
    ),
    Law(matrices.mirrored, lambda a: made(*shape(a), lambda i, j: a[i][-1 - j]), matrix),
    Law(matrices.matrix_product, times, two),
    Law(
        matrices.matrix_product_modulo,
        lambda a, b, m: modulo(times(a, b), m),
        st.tuples(two, st.integers(1, 9)).map(lambda t: (*t[0], t[1])),
    ),
    Law(
        matrices.matrix_power,
        lambda a, k: power(a, k) if k >= 0 else INVALID,
        st.tuples(square, st.integers(-1, 8)),
    ),
    Law(
        matrices.matrix_power_modulo,
        lambda a, k, m: modulo(power(a, k), m) if k >= 0 < m else INVALID,
        st.tuples(square, st.integers(-1, 8), st.integers(0, 9)),
    ),
    Law(
        matrices.matrix_vector_product,
        lambda a, v: [sum(row[i] * v[i] for i in range(len(v))) for row in a],
        two.map(lambda t: (t[0], [row[0] for row in t[1]])),
    ),
    Law(
        matrices.matrix_sum, lambda a, b: made(*shape(a), lambda i, j: a[i][j] + b[i][j]), alike
    ),
    Law(matrices.determinant, leibniz, (st.one_of(square, near_symmetric, toeplitz))),
    Law(matrices.trace, lambda a: sum(a[i][i] for i in range(len(a))), square),
    Law(
        matrices.sum_of_both_diagonals,
        lambda a: sum(a[i][j] for i in shape(a)[0] for j in {i, len(a) - 1 - i}),
        square,
    ),
    Law(
        matrices.difference_of_diagonals,
        lambda a: abs(
            sum(a[i][i] for i in range(len(a))) - sum(a[i][-1 - i] for i in range(len(a)))
        ),
        square,
    ),
    Law(
        matrices.is_symmetric,
        lambda a: all(a[i][j] == a[j][i] for i in range(len(a)) for j in range(len(a))),
        (st.one_of(square, near_symmetric)),
    ),
    Law(
        squares.has_equal_magic_sums,
        magic,
        (st.one_of(square, st.just([[2, 7, 6], [9, 5, 1], [4, 3, 8]]), st.just([]))),
    ),
    Law(squares.spiral_square, spiral, st.integers(0, 9)),
    Law(squares.sum_of_spiral_diagonals, outward, st.integers(-1, 21)),
    Law(squares.diagonals_down_left, down_left, matrix),
    Law(squares.zigzag_order, zigzag, matrix),
    Law(
        squares.with_zero_lines,
        lambda a: made(
            *shape(a), lambda i, j: 0 if 0 in a[i] or 0 in [row[j] for row in a] else a[i][j]
        ),
        sides.flatmap(lambda s: rows(*s, digit)),
    ),
    Law(
        squares.block_sums_from_corner,
        lambda a: made(*shape(a), lambda i, j: sum(sum(row[: j + 1]) for row in a[: i + 1])),
        matrix,
    ),
    Law(squares.largest_block_sum, lambda a: max(t for _, _, t in blocks(a)), matrix),
    Law(squares.largest_square_side, lambda a: max(full_squares(a), default=0), bits),
    Law(squares.largest_square_area, lambda a: max(full_squares(a), default=0) ** 2, bits),
    Law(squares.count_squares_of_ones, lambda a: len(full_squares(a)), bits),
    Law(
        squares.has_equal_diagonals,
        lambda a: all(
            a[i][j] == a[i - 1][j - 1] for i in shape(a)[0] for j in shape(a)[1] if i * j
        ),
        (st.one_of(matrix, toeplitz)),
    ),
    Law(squares.island_perimeter, perimeter, bits),
    Law(
        squares.is_in_sorted_matrix,
        lambda a, x: any(x in row for row in a),
        st.tuples(ascending, small),
    ),
    Law(
        squares.count_negatives_in_sorted_matrix,
        lambda a: sum(x < 0 for row in a for x in row),
        descending,
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(matrices, LAWS) | without_law(squares, LAWS) == set()


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param(lambda: matrices.matrix_product([[1, 2]], [[1]]), id="product"),
        pytest.param(lambda: matrices.determinant([[1, 2]]), id="determinant"),
        pytest.param(lambda: matrices.matrix_sum([[1, 2]], [[1]]), id="sum"),
        pytest.param(lambda: matrices.transposed([[1, 2], [1]]), id="ragged"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(refused: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"fit|square|shorter"):
        refused()
