"""Geometry against every pair, every triple and every lattice point."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.library import figures, points

from .agreement import INVALID, Law, by_name, check, without_law

Point = tuple[int, int]


def squared(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def along(a: Point, b: Point) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def distances(found: list[Point]) -> list[int]:
    return [squared(a, b) for a, b in combinations(found, 2)]


def hull(found: list[Point]) -> list[Point]:
    """Wrap a gift: the next corner has all others to its left, or nearer on the line."""
    left = sorted(set(found))
    if len(left) < 2:
        return left
    corners = [left[0]]
    while True:
        at = corners[-1]
        after = left[0] if left[0] != at else left[1]
        for point in left:
            side = turn(at, after, point)
            if side < 0 or (side == 0 and squared(at, point) > squared(at, after)):
                after = point
        if after == corners[0]:
            return corners
        corners.append(after)


def area(corners: list[Point]) -> int:
    """Twice the area, by a fan of triangles."""
    fan = range(1, len(corners) - 1)
    return sum(turn(corners[0], corners[i], corners[i + 1]) for i in fan)


def on_line(found: list[Point]) -> int:
    best = min(len(found), 1)
    for a, b in combinations(found, 2):
        if a == b:
            best = max(best, found.count(a))
        else:
            best = max(best, sum(turn(a, b, c) == 0 for c in found))
    return best


def inside(point: Point, corners: list[Point]) -> bool:
    """Inside of a convex polygon, whose corners go against the clock."""
    ends = zip(corners, corners[1:] + corners[:1], strict=True)
    return all(turn(a, b, point) > 0 for a, b in ends)


def strictly(case: tuple[Point, list[Point]]) -> bool:
    point, corners = case
    ends = list(zip(corners, corners[1:] + corners[:1], strict=True))
    return len(corners) > 2 and all(turn(a, b, point) != 0 for a, b in ends)


def rectangles(found: list[Point]) -> int:
    known = set(found)
    boxes = {(a, b, c, d) for a, b in known for c, d in known if a < c and b < d}
    return sum({(a, b), (a, d), (c, b), (c, d)} <= known for a, b, c, d in boxes)


def cells(box: list[int]) -> set[Point]:
    return {(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3])}


def triples(n: int) -> list[tuple[int, int, int]]:
    squares = {c * c: c for c in range(1, n + 1)}
    return [
        (a, b, squares[a * a + b * b])
        for a in range(1, n + 1)
        for b in range(a, n + 1)
        if a * a + b * b in squares
    ]


def triangle(a: int, b: int, c: int) -> bool:
    return 2 * max(a, b, c) < a + b + c


def cut(width: int, height: int) -> Any:
    if width < 1 or height < 1:
        return INVALID
    squares = 0
    while width and height:
        width, height = max(width, height) - min(width, height), min(width, height)
        squares += 1
    return squares


def crossed(width: int, height: int) -> Any:
    if width < 1 or height < 1:
        return INVALID
    return sum(
        i * height < (j + 1) * width and j * width < (i + 1) * height
        for i in range(width)
        for j in range(height)
    )


small = st.integers(-6, 6)
point = st.tuples(small, small)
cloud = st.lists(point, max_size=9)
line = st.lists(st.integers(-5, 5).map(lambda t: (2 * t + 1, 3 * t)), max_size=6)
corner = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 5), st.integers(1, 5))
box = corner.map(lambda c: [c[0], c[1], c[0] + c[2], c[1] + c[3]])
polygon = cloud.map(hull)
lengths = st.lists(st.integers(1, 12), max_size=8)
side = st.integers(-1, 12)
LAWS = [
    Law(
        points.closest_pair_squared,
        lambda ps: min(distances(ps), default=INVALID),
        st.one_of(cloud, st.lists(st.tuples(st.integers(-99, 99), small), max_size=30)),
    ),
    Law(
        points.closest_pair_distance,
        lambda ps: math.sqrt(min(distances(ps))) if len(ps) > 1 else INVALID,
        cloud,
    ),
    Law(points.farthest_pair_squared, lambda ps: max(distances(ps), default=INVALID), cloud),
    Law(points.convex_hull, hull, st.one_of(cloud, line)),
    Law(
        points.largest_manhattan_distance,
        lambda ps: max((along(a, b) for a, b in combinations(ps, 2)), default=0),
        cloud,
    ),
    Law(
        points.sum_of_manhattan_distances,
        lambda ps: sum(along(a, b) for a, b in combinations(ps, 2)),
        cloud,
    ),
    Law(
        points.king_walk,
        lambda ps: sum(
            max(abs(ps[i][0] - ps[i + 1][0]), abs(ps[i][1] - ps[i + 1][1]))
            for i in range(len(ps) - 1)
        ),
        cloud,
    ),
    Law(
        points.manhattan_distance,
        lambda pair: along(*pair),
        st.lists(point, min_size=2, max_size=2),
    ),
    Law(points.double_polygon_area, area, cloud),
    Law(points.polygon_area, lambda ps: abs(area(ps)) / 2, cloud),
    Law(
        points.are_collinear,
        lambda ps: all(turn(a, b, c) == 0 for a, b, c in combinations(ps, 3)),
        st.one_of(cloud, line),
    ),
    Law(points.most_points_on_a_line, on_line, st.one_of(cloud, line)),
    Law(points.is_in_polygon, inside, st.tuples(point, polygon).filter(strictly)),
    Law(
        points.count_boomerangs,
        lambda ps: sum(squared(a, b) == squared(a, c) for a, b, c in permutations(ps, 3)),
        st.lists(point, max_size=6, unique=True),
    ),
    Law(
        points.count_rectangles,
        rectangles,
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=14, unique=True),
    ),
    Law(figures.boxes_overlap, lambda a, b: bool(cells(a) & cells(b)), st.tuples(box, box)),
    Law(
        figures.common_area_of_boxes,
        lambda a, b: len(cells(a) & cells(b)),
        st.tuples(box, box),
    ),
    Law(
        figures.area_of_boxes,
        lambda boxes: len({cell for box in boxes for cell in cells(box)}),
        st.lists(box, max_size=5),
    ),
    Law(
        figures.circles_meet,
        lambda x, y, r, u, v, s: math.dist((x, y), (u, v)) <= r + s,
        st.tuples(small, small, side.map(abs), small, small, side.map(abs)),
    ),
    Law(
        figures.lattice_points_in_circle,
        lambda r: sum(
            x * x + y * y <= r * r for x in range(-r, r + 1) for y in range(-r, r + 1)
        ),
        st.integers(0, 20),
    ),
    Law(
        figures.count_pythagorean_triples_up_to,
        lambda n: len(triples(n)),
        st.integers(-1, 90),
    ),
    Law(figures.pythagorean_triples_up_to, triples, st.integers(-1, 90)),
    Law(
        figures.pythagorean_triples_with_perimeter,
        lambda p: [t for t in triples(p) if sum(t) == p],
        st.one_of(st.integers(-1, 90), st.sampled_from([12, 60, 120])),
    ),
    Law(
        figures.largest_triangle_perimeter,
        lambda xs: max((sum(t) for t in combinations(xs, 3) if triangle(*t)), default=0),
        lengths,
    ),
    Law(figures.is_triangle, triangle, st.tuples(side, side, side)),
    Law(
        figures.count_integer_triangles,
        lambda p: sum(
            triangle(a, b, p - a - b)
            for a in range(1, p + 1)
            for b in range(a, p + 1)
            if p - a - b >= b
        ),
        st.integers(-1, 50),
    ),
    Law(
        figures.lattice_points_on_segment,
        lambda x, y, u, v: sum(
            (x - i) * (v - y) == (y - j) * (u - x)
            for i in range(min(x, u), max(x, u) + 1)
            for j in range(min(y, v), max(y, v) + 1)
        ),
        st.tuples(small, small, small, small),
    ),
    Law(figures.count_squares_cut, cut, st.tuples(side, side)),
    Law(figures.fields_crossed_by_diagonal, crossed, st.tuples(side, side)),
]


@pytest.mark.parametrize("law", by_name(LAWS))
@given(data=st.data())
@settings(max_examples=40)
def test_agrees_with_its_oracle(law: Law, data: st.DataObject) -> None:
    check(law, data)


def test_every_archetype_has_a_law() -> None:
    assert without_law(points, LAWS) | without_law(figures, LAWS) == set()
