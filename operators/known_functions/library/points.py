"""Points, polygons, circles and boxes in the plane.

Not here: paths on a grid (`counting_ways`), graphs.
"""

import math
from bisect import bisect_left
from collections import Counter
from itertools import pairwise

from operators.known_functions.archetype import archetype


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="sweep over x, the window ordered by y (Shamos and Hoey 1975)",
    limits="two points at least",
    takes=("pairs",),
    gives="number",
    imports=("from bisect import bisect_left", "from itertools import pairwise"),
)
def closest_pair_squared(points):
    """The square of the smallest distance of two points."""
    points = sorted(map(tuple, points))
    if len(points) < 2:
        raise ValueError("fewer than two points")
    best = min((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in pairwise(points))
    strip, start = [], 0
    for x, y in points:
        while points[start][0] < x and (x - points[start][0]) ** 2 >= best:
            strip.pop(bisect_left(strip, points[start][::-1]))
            start += 1
        at = bisect_left(strip, (y, x))
        for near in (strip[at:], reversed(strip[:at])):
            for v, u in near:
                if (y - v) ** 2 >= best:
                    break
                best = min(best, (x - u) ** 2 + (y - v) ** 2)
        strip.insert(at, (y, x))
    return best


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="sweep over x, the window ordered by y (Shamos and Hoey 1975)",
    limits="two points at least; the root of the sum of squares",
    takes=("pairs",),
    gives="float",
    imports=("import math",),
    uses=("closest_pair_squared",),
)
def closest_pair_distance(points):
    """The smallest distance of two points."""
    return math.sqrt(closest_pair_squared(points))


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="farthest points are corners of the convex hull",
    limits="two points at least",
    takes=("pairs",),
    gives="number",
    uses=("convex_hull",),
)
def farthest_pair_squared(points):
    """The square of the largest distance of two points."""
    if len(points) < 2:
        raise ValueError("fewer than two points")
    hull = convex_hull(points)
    return max([(a - c) ** 2 + (b - d) ** 2 for a, b in hull for c, d in hull])


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="monotone chain (Andrew 1979)",
    limits="no points between corners; from the leftmost lowest one, against the clock",
    takes=("pairs",),
    gives="list[tuple]",
)
def convex_hull(points):
    """The corners of the convex hull as tuples."""
    points = sorted(set(map(tuple, points)))
    if len(points) < 3:
        return points
    halves = []
    for ordered in (points, points[::-1]):
        half = []
        for x, y in ordered:
            while len(half) > 1:
                (a, b), (c, d) = half[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                    break
                half.pop()
            half.append((x, y))
        halves += half[:-1]
    return halves


@archetype(
    family="geometry",
    complexity="O(n)",
    source="sums of x + y and of x - y",
    limits="0 for none",
    takes=("pairs",),
    gives="number",
)
def largest_manhattan_distance(points):
    """The largest distance along the axes of two points."""
    sums = [x + y for x, y in points]
    differences = [x - y for x, y in points]
    if not sums:
        return 0
    return max(max(sums) - min(sums), max(differences) - min(differences))


@archetype(
    family="geometry",
    complexity="O(n log n)",
    source="each axis apart: coordinates times the balance of their order",
    takes=("pairs",),
    gives="int",
)
def sum_of_manhattan_distances(points):
    """The sum over all pairs of points of their distance along the axes."""
    n = len(points)
    axes = ([x for x, _ in points], [y for _, y in points])
    return sum(v * (2 * i - n + 1) for axis in axes for i, v in enumerate(sorted(axis)))


@archetype(
    family="geometry",
    complexity="O(n)",
    source="the larger of the differences for each step",
    takes=("pairs",),
    gives="number",
    imports=("from itertools import pairwise",),
)
def king_walk(points):
    """How many moves of a king visit the points in order."""
    steps = pairwise(points)
    return sum([max(abs(a - c), abs(b - d)) for (a, b), (c, d) in steps])


@archetype(
    family="geometry",
    complexity="O(1)",
    source="the definition",
    limits="two coordinates each",
    takes=("pairs",),
    gives="number",
)
def manhattan_distance(pair):
    """The distance along the axes of the two points of a pair."""
    (a, b), (c, d) = pair
    return abs(a - c) + abs(b - d)


@archetype(
    family="geometry",
    complexity="O(n)",
    source="shoelace formula",
    takes=("pairs",),
    gives="number",
)
def double_polygon_area(corners):
    """Twice the area of a polygon, negative where its corners go clockwise."""
    return sum(
        [
            corners[i - 1][0] * corners[i][1] - corners[i][0] * corners[i - 1][1]
            for i in range(len(corners))
        ]
    )


@archetype(
    family="geometry",
    complexity="O(n)",
    source="shoelace formula",
    limits="coordinates that are whole numbers, below 2**53 in the end",
    takes=("pairs",),
    gives="float",
    uses=("double_polygon_area",),
)
def polygon_area(corners):
    """The area of a polygon."""
    return abs(double_polygon_area(corners)) / 2


@archetype(
    family="geometry",
    complexity="O(n)",
    source="directions from the first point by cross product",
    limits="fewer than three points are collinear",
    takes=("pairs",),
    gives="bool",
)
def are_collinear(points):
    """Whether all points are on one line."""
    if not points:
        return True
    a, b = points[0]
    u, v = next(((x - a, y - b) for x, y in points if (x, y) != (a, b)), (0, 0))
    return all((x - a) * v == (y - b) * u for x, y in points)


@archetype(
    family="geometry",
    complexity="O(n^2)",
    source="reduced directions from each point, counted",
    limits="coordinates that are whole numbers; equal points count each",
    takes=("pairs",),
    gives="int",
    imports=("import math", "from collections import Counter"),
)
def most_points_on_a_line(points):
    """The largest number of points on one line."""
    best = min(len(points), 2)
    for i, (a, b) in enumerate(points):
        slopes, equal = Counter(), 1
        for c, d in points[i + 1 :]:
            u, v = c - a, d - b
            common = math.gcd(u, v)
            if common == 0:
                equal += 1
            else:
                sign = -common if (u, v) < (0, 0) else common
                slopes[u // sign, v // sign] += 1
        best = max(best, equal + max(slopes.values(), default=0))
    return best


@archetype(
    family="geometry",
    complexity="O(n)",
    source="crossings of a ray with the edges (Shimrat 1962)",
    limits="points on the border may be either",
    takes=("any", "pairs"),
    gives="bool",
)
def is_in_polygon(point, corners):
    """Whether a point is inside a polygon."""
    x, y = point
    inside = False
    a, b = corners[-1] if corners else (0, 0)
    for c, d in corners:
        if (b > y) != (d > y) and x < (a - c) * (y - d) / (b - d) + c:
            inside = not inside
        a, b = c, d
    return inside


@archetype(
    family="geometry",
    complexity="O(n^2)",
    source="equal distances from each point, counted",
    takes=("pairs",),
    gives="int",
    imports=("from collections import Counter",),
)
def count_boomerangs(points):
    """How many ordered triples of points have the first as far from the others."""
    total = 0
    for a, b in points:
        distances = Counter([(a - c) ** 2 + (b - d) ** 2 for c, d in points])
        total += sum([number * (number - 1) for number in distances.values()])
    return total


@archetype(
    family="geometry",
    complexity="O(n^2)",
    source="two corners on a diagonal, the others looked up",
    limits="points that differ; sides along the axes",
    takes=("pairs",),
    gives="int",
)
def count_rectangles(points):
    """How many rectangles along the axes have four of the points as corners."""
    known = {(x, y) for x, y in points}
    ordered = sorted(known)
    total = 0
    for i, (a, b) in enumerate(ordered):
        for c, d in ordered[i + 1 :]:
            if c > a and d > b and (a, d) in known and (c, b) in known:
                total += 1
    return total
