"""Grids and ranges against neighbour by neighbour and slice by slice."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import grids as g
from operators.known_functions.library import queries as q

from .agreement import Law, by_name, check, without_law
from .drawn import ints, naturals, small

Grid = list[list[Any]]
Cell = tuple[int, int]


def cells(grid: Grid, *values: Any) -> set[Cell]:
    return {(i, j) for i, row in enumerate(grid) for j, x in enumerate(row) if x in values}


def near(a: Cell, b: Cell, *, corners: bool = False) -> bool:
    di, dj = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(di, dj) == 1 if corners else di + dj == 1


def spread(start: set[Cell], free: set[Cell], *, corners: bool = False) -> dict[Cell, int]:
    far = dict.fromkeys(start, 0)
    for step in range(1, len(free) + 1):
        layer = [a for a, s in far.items() if s == step - 1]
        fresh = {b for b in free for a in layer if b not in far and near(a, b, corners=corners)}
        far.update(dict.fromkeys(fresh, step))
    return far


def islands(grid: Grid, *, corners: bool = False) -> set[frozenset[Cell]]:
    land = cells(grid, 1, "1")
    return {frozenset(spread({cell}, land, corners=corners)) for cell in land}


def inland(grid: Grid) -> int:
    ends = {0, len(grid) - 1}, {0, len(grid[0]) - 1 if grid else 0}
    touching = [x for x in islands(grid) if any(i in ends[0] or j in ends[1] for i, j in x)]
    return len(cells(grid, 1, "1")) - sum(map(len, touching))


def flood(grid: Grid, i: int, j: int, colour: int) -> Grid:
    if not (0 <= i < len(grid) and 0 <= j < len(grid[0])):
        raise ValueError
    area = spread({(i, j)}, cells(grid, grid[i][j]))
    return [
        [colour if (a, b) in area else x for b, x in enumerate(r)] for a, r in enumerate(grid)
    ]


def walk(grid: Grid, start: Cell, end: Cell, *, corners: bool = False) -> int:
    free = cells(grid, 0)
    return spread({start} & free, free, corners=corners).get(end, -1)


def corner(grid: Grid) -> Cell:
    return (len(grid) - 1, len(grid[0]) - 1) if grid else (-1, -1)


def rot(grid: Grid) -> int:
    far = spread(cells(grid, 2), cells(grid, 1, 2))
    return max(far.values(), default=0) if cells(grid, 1, 2) == set(far) else -1


def to_zero(grid: Grid) -> Grid:
    zeros = cells(grid, 0)
    return [
        [min(abs(i - a) + abs(j - b) for a, b in zeros) for j in range(len(grid[0]))]
        for i in range(len(grid))
    ]


def climb(grid: Grid) -> int:
    def reached(limit: int) -> bool:
        seen = {(0, 0)}
        for _ in range(20):
            for a, b in product(list(seen), cells(grid, *range(9))):
                if near(a, b) and abs(grid[a[0]][a[1]] - grid[b[0]][b[1]]) <= limit:
                    seen.add(b)
        return corner(grid) in seen

    return next(limit for limit in range(9) if reached(limit))


def spelled(board: Grid, word: str) -> bool:
    paths = [[a] for a in cells(board, *word[:1])]
    for letter in word[1:]:
        paths = [
            [*p, b]
            for p in paths
            for b in cells(board, letter)
            if near(p[-1], b) and b not in p
        ]
    return bool(paths)


def added(n: int, updates: Grid) -> list[int]:
    return [sum(x for a, b, x in updates if a <= i <= b) for i in range(n)]


def block(matrix: Grid, top: int, left: int, bottom: int, right: int) -> int:
    return sum(sum(row[left : right + 1]) for row in matrix[top : bottom + 1])


def squares(matrix: Grid, size: int) -> list[int]:
    if size < 1:
        raise ValueError
    return [
        block(matrix, i, j, i + size - 1, j + size - 1)
        for i in range(len(matrix) - size + 1)
        for j in range(len(matrix[0]) - size + 1)
    ]


def grid_of(values: Any, least: int = 0) -> st.SearchStrategy[Grid]:
    return st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(values, min_size=n, max_size=n), min_size=least, max_size=4)
    )


binary = grid_of(st.integers(0, 1))
mostly_free = grid_of(st.sampled_from([0, 0, 0, 1]), 1)
texts = grid_of(st.sampled_from("01"))
image = st.tuples(grid_of(st.integers(0, 2), 1), *[st.integers(0, 3)] * 3)
cell = st.tuples(st.integers(0, 3), st.integers(0, 3))
board = st.tuples(grid_of(st.sampled_from("ab"), 1), st.text("ab", min_size=1, max_size=5))
ends = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)
asked = st.lists(small, min_size=10, max_size=12).flatmap(
    lambda xs: st.tuples(st.just(xs), st.lists(ends, max_size=5))
)
from_one = asked.map(lambda p: (p[0], [[a + 1, b + 1] for a, b in p[1]]))
between = st.tuples(ints, st.lists(st.tuples(small, small).map(list), max_size=4))
in_ranges = st.tuples(
    st.lists(st.integers(0, 2), max_size=9),
    st.lists(st.tuples(ends, st.integers(0, 2)).map(lambda p: [*p[0], p[1]]), max_size=4),
)
updates = st.lists(st.tuples(ends, small).map(lambda p: [*p[0], p[1]]), max_size=4)
blocks = grid_of(small, 4).flatmap(
    lambda m: st.tuples(
        st.just(m),
        st.lists(
            st.tuples(
                st.lists(st.integers(0, 3), min_size=2, max_size=2).map(sorted),
                st.lists(st.integers(0, len(m[0]) - 1), min_size=2, max_size=2).map(sorted),
            ).map(lambda p: [p[0][0], p[1][0], p[0][1], p[1][1]]),
            max_size=4,
        ),
    )
)
LAWS = [
    Law(g.count_islands, lambda x: len(islands(x)), binary | texts),
    Law(g.count_islands_with_corners, lambda x: len(islands(x, corners=True)), binary | texts),
    Law(g.largest_island, lambda x: max(map(len, islands(x)), default=0), binary | texts),
    Law(g.count_land_off_the_edge, inland, grid_of(st.sampled_from([0, 1, 1, 1]))),
    Law(g.flooded, flood, image),
    Law(g.maze_steps, lambda x: walk(x, (0, 0), corner(x)), mostly_free),
    Law(
        g.maze_cells_with_corners,
        lambda x: walk(x, (0, 0), corner(x), corners=True) + 1 or -1,
        mostly_free,
    ),
    Law(
        g.steps_between_cells,
        walk,
        st.tuples(grid_of(st.just(0), 4) | mostly_free, cell, cell).filter(
            lambda p: all(i < len(p[0]) and j < len(p[0][0]) for i, j in p[1:])
        ),
    ),
    Law(g.minutes_until_all_rot, rot, grid_of(st.integers(0, 2))),
    Law(g.steps_to_nearest_zero, to_zero, grid_of(st.sampled_from([0, 1, 1]), 1)),
    Law(g.smallest_largest_climb, climb, grid_of(st.integers(0, 8), 1)),
    Law(g.spells_word, spelled, board),
    Law(q.range_sums, lambda x, y: [sum(x[a : b + 1]) for a, b in y], asked),
    Law(q.half_open_range_sums, lambda x, y: [sum(x[a:b]) for a, b in y], asked),
    Law(q.range_sums_from_one, lambda x, y: [sum(x[a - 1 : b]) for a, b in y], from_one),
    Law(q.range_xors, lambda x, y: [reduce(xor, x[a : b + 1]) for a, b in y], asked),
    Law(q.range_minima, lambda x, y: [min(x[a : b + 1]) for a, b in y], asked),
    Law(q.range_maxima, lambda x, y: [max(x[a : b + 1]) for a, b in y], asked),
    Law(q.counts_between, lambda x, y: [sum(a <= z <= b for z in x) for a, b in y], between),
    Law(
        q.counts_in_ranges,
        lambda x, y: [x[a : b + 1].count(v) for a, b, v in y],
        in_ranges,
    ),
    Law(q.after_range_additions, added, st.tuples(st.integers(10, 12), updates)),
    Law(
        q.peak_of_range_additions,
        lambda n, y: max(added(n + 1, y)[1:]),
        st.tuples(
            st.integers(10, 12), updates.map(lambda y: [[a + 1, b + 1, x] for a, b, x in y])
        ),
    ),
    Law(q.block_sums, lambda m, y: [block(m, *where) for where in y], blocks),
    Law(
        q.largest_square_block_sum,
        lambda m, size: max(squares(m, size)),
        st.tuples(grid_of(small, 1), st.integers(0, 3)),
    ),
    Law(
        q.counts_of_smaller_behind,
        lambda x: [sum(y < z for y in x[i + 1 :]) for i, z in enumerate(x)],
        naturals,
    ),
    Law(
        q.counts_of_smaller_before,
        lambda x: [sum(y < z for y in x[:i]) for i, z in enumerate(x)],
        naturals,
    ),
    Law(
        q.counts_of_larger_before,
        lambda x: [sum(y > z for y in x[:i]) for i, z in enumerate(x)],
        naturals,
    ),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(g, LAWS) | without_law(q, LAWS) == set()
