"""Puzzles against playing them."""

from __future__ import annotations

import calendar
from collections import deque
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import puzzles

from .agreement import INVALID, Law, by_name, check, without_law

Grid = list[list[int]]


def out(n: int, k: int) -> list[int]:
    circle, order = deque(range(1, n + 1)), []
    while circle:
        circle.rotate(1 - k)
        order.append(circle.popleft())
    return order


def queens(n: int) -> int:
    return sum(
        len({i + j for i, j in enumerate(order)})
        == len({i - j for i, j in enumerate(order)})
        == n
        for order in permutations(range(n))
    )


def hanoi(n: int, a: str, b: str, c: str) -> list[tuple[str, str]]:
    return [*hanoi(n - 1, a, c, b), (a, b), *hanoi(n - 1, c, b, a)] if n else []


def doors(n: int) -> list[int]:
    is_open = dict.fromkeys(range(1, n + 1), False)
    for k in range(1, n + 1):
        for door in range(k, n + 1, k):
            is_open[door] = not is_open[door]
    return [door for door in is_open if is_open[door]]


@cache
def nim(heaps: tuple[int, ...]) -> bool:
    after = [
        tuple(sorted((*heaps[:i], left, *heaps[i + 1 :])))
        for i, heap in enumerate(heaps)
        for left in range(heap)
    ]
    return not all(map(nim, after))


@cache
def taking(n: int, most: int) -> bool:
    return not all(taking(n - k, most) for k in range(1, min(n, most) + 1))


def life(grid: Grid, steps: int, torus: bool) -> Grid:
    for _ in range(steps):
        m, n = len(grid), len(grid[0])
        cells = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        after = []
        for i in range(m):
            row = []
            for j in range(n):
                around = [(i + u, j + v) for u, v in cells]
                if torus:
                    around = [(u % m, v % n) for u, v in around]
                alive = sum(grid[u][v] for u, v in around if 0 <= u < m and 0 <= v < n)
                row.append(int(alive == 3 or (alive == 2 and grid[i][j] == 1)))
            after.append(row)
        grid = after
    return grid


def jumps(x: int, y: int) -> int:
    steps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    reached, number = {(0, 0)}, 0
    while (x, y) not in reached:
        reached = {(u + a, v + b) for u, v in reached for a, b in steps}
        number += 1
    return number


def measures(a: int, b: int, wanted: int) -> bool:
    seen, waiting = set(), [(0, 0)]
    while waiting:
        x, y = waiting.pop()
        if (x, y) in seen:
            continue
        seen.add((x, y))
        waiting += [(a, y), (x, b), (0, y), (x, 0)]
        to_b, to_a = min(x, b - y), min(y, a - x)
        waiting += [(x - to_b, y + to_b), (x + to_a, y - to_a)]
    return any(x + y == wanted for x, y in seen)


def valid(board: list[list[str]]) -> bool:
    rows = [[(i, j) for j in range(9)] for i in range(9)]
    columns = [[(i, j) for i in range(9)] for j in range(9)]
    blocks = [
        [(i, j) for i in range(9) for j in range(9) if i // 3 == a and j // 3 == b]
        for a in range(3)
        for b in range(3)
    ]
    for area in rows + columns + blocks:
        digits = [board[i][j] for i, j in area if board[i][j] != "."]
        if len(set(digits)) < len(digits):
            return False
    return True


def fizz(i: int) -> str:
    words = ("Fizz" if i % 3 == 0 else "") + ("Buzz" if i % 5 == 0 else "")
    return words or str(i)


def board(places: list[tuple[int, int, int]]) -> list[list[str]]:
    rows = [["."] * 9 for _ in range(9)]
    for i, j, digit in places:
        rows[i][j] = str(digit)
    return rows


cell = st.integers(0, 1)
grids = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda s: st.lists(
        st.lists(cell, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0]
    )
)
place = st.integers(0, 8)
year = st.integers(1, 3000)
small = st.integers(0, 12)
LAWS: list[Any] = [
    Law(
        puzzles.josephus,
        lambda n, k: out(n, k)[-1] - 1 if n > 0 < k else INVALID,
        st.tuples(st.integers(-1, 150), st.integers(-1, 20)),
    ),
    Law(
        puzzles.josephus_by_two,
        lambda n: out(n, 2)[-1] if n > 0 else INVALID,
        st.integers(-1, 150),
    ),
    Law(puzzles.josephus_order, out, st.tuples(st.integers(0, 40), st.integers(1, 20))),
    Law(puzzles.count_queens, lambda n: queens(n) if n >= 0 else INVALID, st.integers(-1, 7)),
    Law(
        puzzles.hanoi_moves,
        hanoi,
        st.tuples(st.integers(0, 7), st.just("A"), st.just("C"), st.just("B")),
    ),
    Law(puzzles.open_doors, doors, st.integers(-1, 120)),
    Law(
        puzzles.first_player_wins_nim,
        lambda heaps: nim(tuple(sorted(heaps))),
        st.lists(st.integers(0, 4), max_size=4),
    ),
    Law(puzzles.life_step, lambda grid: life(grid, 1, torus=False), grids),
    Law(
        puzzles.life_after,
        lambda grid, steps: life(grid, steps, torus=False),
        st.tuples(grids, st.integers(0, 4)),
    ),
    Law(
        puzzles.life_on_torus_after,
        lambda grid, steps: life(grid, steps, torus=True),
        st.tuples(grids, st.integers(0, 4)),
    ),
    Law(
        puzzles.is_valid_sudoku,
        valid,
        st.lists(st.tuples(place, place, st.integers(1, 9)), max_size=12).map(board),
    ),
    Law(puzzles.knight_moves, jumps, st.tuples(st.integers(-7, 7), st.integers(-7, 7))),
    Law(
        puzzles.first_player_wins_taking,
        lambda n, most: taking(n, most) if n > 0 < most else INVALID,
        st.tuples(st.integers(-1, 30), st.integers(-1, 6)),
    ),
    Law(puzzles.can_measure, measures, st.tuples(small, small, st.integers(-1, 25))),
    Law(puzzles.is_leap_year, calendar.isleap, year),
    Law(
        puzzles.count_leap_years,
        lambda a, b: sum(calendar.isleap(y) for y in range(a, b + 1)),
        st.tuples(year, year),
    ),
    Law(
        puzzles.fizz_buzz,
        lambda n: [fizz(i) for i in range(1, n + 1)],
        st.integers(-1, 60),
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(puzzles, LAWS) == set()


def test_the_queens_of_larger_boards() -> None:
    assert [puzzles.count_queens(n) for n in (8, 9)] == [92, 352]


def test_a_large_circle_needs_few_steps() -> None:
    assert puzzles.josephus(10**12, 2) == puzzles.josephus_by_two(10**12) - 1
