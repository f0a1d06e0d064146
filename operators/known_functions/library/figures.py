"""Boxes, circles and triangles: overlaps, areas, counts of lattice points.

Not here: sets of points (`points`).
"""

import math
from itertools import pairwise

from operators.known_functions.archetype import archetype


@archetype(
    family="geometry",
    complexity="O(1)",
    source="intervals on both axes",
    limits="boxes (left, bottom, right, top); a common border is no overlap",
    takes=("list[number]", "list[number]"),
    gives="bool",
)
def boxes_overlap(a, b):
    """Whether two boxes have a common area."""
    return max(a[0], b[0]) < min(a[2], b[2]) and max(a[1], b[1]) < min(a[3], b[3])


@archetype(
    family="geometry",
    complexity="O(1)",
    source="intervals on both axes",
    limits="boxes (left, bottom, right, top)",
    takes=("list[number]", "list[number]"),
    gives="number",
)
def common_area_of_boxes(a, b):
    """The area that two boxes share."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return width * height if width > 0 and height > 0 else 0


@archetype(
    family="geometry",
    complexity="O(n^2)",
    source="strips between the left and right sides, each merged over y",
    limits="boxes (left, bottom, right, top)",
    takes=("list[list[number]]",),
    gives="number",
    imports=("from itertools import pairwise",),
)
def area_of_boxes(boxes):
    """The area that at least one of the boxes covers."""
    edges = sorted({x for box in boxes for x in (box[0], box[2])})
    boxes = sorted(boxes, key=lambda box: box[1])
    total = 0
    for left, right in pairwise(edges):
        covered, top = 0, None
        for low, high in [(b[1], b[3]) for b in boxes if b[0] <= left and right <= b[2]]:
            if top is None or low > top:
                covered += high - low
                top = high
            elif high > top:
                covered += high - top
                top = high
        total += covered * (right - left)
    return total


@archetype(
    family="geometry",
    complexity="O(1)",
    source="squares compared, no root",
    limits="the border counts",
    takes=("number", "number", "number", "number", "number", "number"),
    gives="bool",
)
def circles_meet(x, y, radius, u, v, other):
    """Whether two circles, each by its centre and radius, have a common point."""
    return (x - u) ** 2 + (y - v) ** 2 <= (radius + other) ** 2


@archetype(
    family="geometry",
    complexity="O(r)",
    source="the height of each column by an integer root",
    limits="r from 0 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**5,
)
def lattice_points_in_circle(radius):
    """How many points with whole coordinates are in a circle around one, border included."""
    if radius < 0:
        raise ValueError("radius < 0")
    square = radius * radius
    columns = sum([math.isqrt(square - x * x) for x in range(1, radius + 1)])
    return 1 + 4 * (radius + columns)


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="Euclid's formula for the primitive ones, and their multiples",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**5,
)
def count_pythagorean_triples_up_to(n):
    """How many a <= b < c <= n there are with a * a + b * b == c * c."""
    total = 0
    for u in range(2, math.isqrt(max(n, 0)) + 1):
        for v in range(1 + u % 2, u, 2):
            if u * u + v * v > n:
                break
            if math.gcd(u, v) == 1:
                total += n // (u * u + v * v)
    return total


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="Euclid's formula for the primitive ones, and their multiples",
    takes=("int",),
    gives="list[tuple]",
    imports=("import math",),
    tried_below=10**4,
)
def pythagorean_triples_up_to(n):
    """The triples a < b < c <= n with a * a + b * b == c * c, ascending."""
    found = []
    for u in range(2, math.isqrt(max(n, 0)) + 1):
        for v in range(1 + u % 2, u, 2):
            c = u * u + v * v
            if c > n:
                break
            if math.gcd(u, v) == 1:
                a, b = sorted((u * u - v * v, 2 * u * v))
                found += [(k * a, k * b, k * c) for k in range(1, n // c + 1)]
    found.sort()
    return found


@archetype(
    family="geometry",
    complexity="O(n)",
    source="two of the sides decide the third one: a = p (p - 2 b) / (2 (p - b))",
    takes=("int",),
    gives="list[tuple]",
    tried_below=10**5,
)
def pythagorean_triples_with_perimeter(perimeter):
    """The triples a < b < c with a * a + b * b == c * c and this sum, ascending."""
    found = []
    if perimeter % 2:
        return found
    for a in range(1, perimeter // 3):
        b, rest = divmod(perimeter * (perimeter - 2 * a), 2 * (perimeter - a))
        if b <= a:
            break
        if rest == 0:
            found.append((a, b, perimeter - a - b))
    return found


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="the longest side with the two next to it",
    limits="sides above 0; 0 for none",
    takes=("list[number]",),
    gives="number",
)
def largest_triangle_perimeter(sides):
    """The largest perimeter of a triangle of three of the sides."""
    sides = sorted(sides, reverse=True)
    for a, b, c in zip(sides, sides[1:], sides[2:], strict=False):
        if a < b + c:
            return a + b + c
    return 0


@archetype(
    family="geometry",
    complexity="O(1)",
    source="inequality of the triangle",
    takes=("number", "number", "number"),
    gives="bool",
)
def is_triangle(a, b, c):
    """Whether three lengths make a triangle with an area."""
    return a + b > c and a + c > b and b + c > a


@archetype(
    family="geometry",
    complexity="O(1)",
    source="inequalities solved",
    limits="0 for no triangles",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def count_integer_triangles(perimeter):
    """How many triangles with whole sides have this perimeter."""
    if perimeter < 0:
        return 0
    base = perimeter + 3 if perimeter % 2 else perimeter
    return (base * base + 24) // 48


@archetype(
    family="geometry",
    complexity="O(log n)",
    source="theorem of Pick: a segment has gcd points",
    takes=("int", "int", "int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**12,
)
def lattice_points_on_segment(x, y, u, v):
    """How many points with whole coordinates are on a segment, its ends included."""
    return math.gcd(x - u, y - v) + 1


@archetype(
    family="geometry",
    complexity="O(log n)",
    source="squares cut off like Euclid's algorithm",
    limits="sides from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**12,
)
def count_squares_cut(width, height):
    """How many squares a rectangle gives when the largest one is cut off each time."""
    if width < 1 or height < 1:
        raise ValueError("side < 1")
    total = 0
    while height:
        total += width // height
        width, height = height, width % height
    return total


@archetype(
    family="geometry",
    complexity="O(log n)",
    source="width and height less the common divisor",
    limits="sides from 1 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**12,
)
def fields_crossed_by_diagonal(width, height):
    """How many fields of a grid the diagonal passes through."""
    if width < 1 or height < 1:
        raise ValueError("side < 1")
    return width + height - math.gcd(width, height)
