"""Partitions, paths and other counts of ways, each without listing the ways.

Not here: binomials and factorials (`combinatorics`), sums of chosen items (`knapsack`).
"""

import math
from itertools import accumulate

from operators.known_functions.archetype import archetype


@archetype(
    family="combinatorics",
    complexity="O(n^(3/2)) additions",
    source="Euler's pentagonal numbers",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=2000,
)
def partition_count(n):
    """The number of ways to write n as a sum of positive numbers, in no order."""
    if n < 0:
        raise ValueError("n < 0")
    counts = [1]
    steps = []
    for i in range(1, n + 1):
        k = len(steps) // 2 + 1
        if k * (3 * k - 1) // 2 <= i:
            steps += [(k * (3 * k - 1) // 2, k), (k * (3 * k + 1) // 2, k)]
        total = 0
        for step, k in steps:
            if step > i:
                break
            total += counts[i - step] if k % 2 else -counts[i - step]
        counts.append(total)
    return counts[n]


@archetype(
    family="combinatorics",
    complexity="O(n k) additions",
    source="parts of size 1 to k added one after another",
    limits="n from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=500,
)
def partitions_with_parts_up_to(n, k):
    """The number of ways to write n as a sum of numbers from 1 to k, in no order."""
    if n < 0:
        raise ValueError("n < 0")
    counts = [1] + [0] * n
    for part in range(1, min(k, n) + 1):
        for i in range(part, n + 1):
            counts[i] += counts[i - part]
    return counts[n]


@archetype(
    family="combinatorics",
    complexity="O(n k) additions",
    source="one taken off each part: parts of size up to k",
    takes=("int", "int"),
    gives="int",
    uses=("partitions_with_parts_up_to",),
    tried_below=500,
)
def partitions_into(n, k):
    """The number of ways to write n as a sum of exactly k positive numbers, in no order."""
    return partitions_with_parts_up_to(n - k, k) if n >= k >= 0 else 0


@archetype(
    family="combinatorics",
    complexity="O(n^(3/2)) additions",
    source="each part used once, from the largest sums down",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=500,
)
def partitions_into_distinct(n):
    """The number of ways to write n as a sum of different positive numbers, in no order."""
    if n < 0:
        raise ValueError("n < 0")
    counts = [1] + [0] * n
    reach = 0
    for part in range(1, n + 1):
        reach = min(reach + part, n)
        for i in range(reach, part - 1, -1):
            counts[i] += counts[i - part]
    return counts[n]


@archetype(
    family="combinatorics",
    complexity="O(n) products",
    source="m(n) = ((2 n + 1) m(n - 1) + (3 n - 3) m(n - 2)) / (n + 2)",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=1000,
)
def motzkin_number(n):
    """The number of ways to draw chords that do not meet between n points of a circle."""
    if n < 0:
        raise ValueError("n < 0")
    a = b = 1
    for i in range(2, n + 1):
        a, b = b, ((2 * i + 1) * b + (3 * i - 3) * a) // (i + 2)
    return b


@archetype(
    family="combinatorics",
    complexity="O(n) products",
    source="s(n) = (3 (2 n - 1) s(n - 1) - (n - 2) s(n - 2)) / (n + 1)",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=1000,
)
def schroeder_number(n):
    """Large Schroeder number n, from 1, 2, 6, 22 on."""
    if n < 0:
        raise ValueError("n < 0")
    a, b = 1, 2
    if n == 0:
        return 1
    for i in range(2, n + 1):
        a, b = b, (3 * (2 * i - 1) * b - (i - 2) * a) // (i + 1)
    return b


@archetype(
    family="combinatorics",
    complexity="O(min(m, n)) products",
    source="sum over the diagonal steps",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=1000,
)
def delannoy_number(m, n):
    """The number of paths across m by n steps that go right, up, or both at once."""
    if m < 0 or n < 0:
        raise ValueError("negative")
    return sum(math.comb(m, i) * math.comb(n, i) << i for i in range(min(m, n) + 1))


@archetype(
    family="combinatorics",
    complexity="O(k) powers",
    source="inclusion and exclusion",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=300,
)
def eulerian_number(n, k):
    """The number of permutations of n things with k ascents."""
    if n < 0 or k < 0:
        raise ValueError("negative")
    if k >= n:
        return int(n == 0 == k)
    return sum((-1) ** i * math.comb(n + 1, i) * (k + 1 - i) ** n for i in range(k + 1))


@archetype(
    family="combinatorics",
    complexity="O(1) binomials",
    source="product of two binomials by n",
    limits="n and k from 1 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=1000,
)
def narayana_number(n, k):
    """The number of texts of n pairs of balanced brackets with k innermost pairs."""
    if n < 1 or k < 1:
        raise ValueError("n < 1 or k < 1")
    return math.comb(n, k) * math.comb(n, k - 1) // n


@archetype(
    family="combinatorics",
    complexity="O(n) additions a row",
    source="running sums",
    limits="n from 0 on",
    takes=("int",),
    gives="list[list[int]]",
    imports=("import math",),
    tried_below=300,
)
def pascal_triangle(n):
    """The first n rows of Pascal's triangle."""
    return [[math.comb(i, j) for j in range(i + 1)] for i in range(n)]


@archetype(
    family="combinatorics",
    complexity="O(n) products",
    source="each entry from the one before",
    limits="n from 0 on",
    takes=("int",),
    gives="list[int]",
    tried_below=1000,
)
def pascal_row(n):
    """Row n of Pascal's triangle, the row [1] being row 0."""
    if n < 0:
        raise ValueError("n < 0")
    row = [1]
    for i in range(n):
        row.append(row[-1] * (n - i) // (i + 1))
    return row


@archetype(
    family="paths",
    complexity="O(m + n)",
    source="binomial coefficient in C",
    limits="m and n from 1 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=1000,
)
def grid_paths(m, n):
    """The number of ways right and down through m by n fields, from corner to corner."""
    if m < 1 or n < 1:
        raise ValueError("m < 1 or n < 1")
    return math.comb(m + n - 2, n - 1)


@archetype(
    family="paths",
    complexity="O(m + n)",
    source="binomial coefficient in C",
    limits="m and n from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=1000,
)
def lattice_paths(m, n):
    """The number of ways to go m steps right and n steps up."""
    return math.comb(m + n, n) if m >= 0 else math.comb(m, n)


@archetype(
    family="paths",
    complexity="O(m n)",
    source="ways into each field, row by row",
    limits="a field that is not 0 is blocked",
    takes=("list[list[int]]",),
    gives="int",
)
def grid_paths_around(grid):
    """The number of ways right and down from corner to corner past blocked fields."""
    ways = [1] + [0] * (len(grid[0]) - 1)
    for row in grid:
        left = 0
        for j, blocked in enumerate(row):
            left = ways[j] = 0 if blocked else ways[j] + left
    return ways[-1]


@archetype(
    family="paths",
    complexity="O(m n)",
    source="cheapest way into each field, row by row",
    takes=("list[list[number]]",),
    gives="number",
    imports=("from itertools import accumulate",),
)
def cheapest_grid_path(grid):
    """The smallest sum on a way right and down from corner to corner."""
    costs = list(accumulate(grid[0]))
    for row in grid[1:]:
        left = costs[0]
        for j, cost in enumerate(row):
            above = costs[j]
            left = costs[j] = (above if above < left or j == 0 else left) + cost
    return costs[-1]


@archetype(
    family="paths",
    complexity="O(m n)",
    source="dearest way into each field, row by row",
    takes=("list[list[number]]",),
    gives="number",
    imports=("from itertools import accumulate",),
)
def dearest_grid_path(grid):
    """The largest sum on a way right and down from corner to corner."""
    sums = list(accumulate(grid[0]))
    for row in grid[1:]:
        left = sums[0]
        for j, value in enumerate(row):
            above = sums[j]
            left = sums[j] = (above if above > left or j == 0 else left) + value
    return sums[-1]


@archetype(
    family="paths",
    complexity="O(n^2)",
    source="rows joined from the bottom up",
    takes=("list[list[number]]",),
    gives="number",
)
def largest_triangle_path(triangle):
    """The largest sum on a way down a triangle, to one of two neighbours each time."""
    sums = triangle[-1]
    for row in triangle[-2::-1]:
        sums = [x + (a if a > b else b) for x, a, b in zip(row, sums, sums[1:], strict=False)]
    return sums[0]


@archetype(
    family="paths",
    complexity="O(n^2)",
    source="rows joined from the bottom up",
    takes=("list[list[number]]",),
    gives="number",
)
def smallest_triangle_path(triangle):
    """The smallest sum on a way down a triangle, to one of two neighbours each time."""
    sums = triangle[-1]
    for row in triangle[-2::-1]:
        sums = [x + (a if a < b else b) for x, a, b in zip(row, sums, sums[1:], strict=False)]
    return sums[0]
