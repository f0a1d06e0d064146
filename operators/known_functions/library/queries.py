"""Many questions about ranges of one list or table, answered together.

Not here: one question about a sorted list (`searching`), intervals as such (`intervals`).
"""

from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate
from operator import add, xor

from operators.known_functions.archetype import archetype

ranges = partial(
    archetype,
    family="queries",
    complexity="O(n + q)",
    source="running totals",
    limits="integers; ranges inside the list",
    takes=("list[int]", "pairs"),
    gives="list[int]",
    imports=("from itertools import accumulate",),
)
extremes = partial(
    ranges,
    complexity="O(n log n + q)",
    source="a sparse table of powers of two",
    takes=("list[number]", "pairs"),
    imports=(),
)
counts = partial(
    ranges,
    complexity="O(n log n) and n moves of memory",
    source="a list kept sorted by bisection",
    takes=("list",),
    limits="comparable values",
    imports=("from bisect import bisect_left",),
)


@ranges()
def range_sums(xs, queries):
    """Return the sum of each range from first to last index, both included."""
    totals = list(accumulate(xs, initial=0))
    return [totals[last + 1] - totals[first] for first, last in queries]


@ranges()
def half_open_range_sums(xs, queries):
    """Return the sum of each range from a first index to an end that is not included."""
    totals = list(accumulate(xs, initial=0))
    return [totals[end] - totals[first] for first, end in queries]


@ranges(limits="integers; places counted from 1")
def range_sums_from_one(xs, queries):
    """Return the sum of each range from first to last place, counted from 1."""
    totals = list(accumulate(xs, initial=0))
    return [totals[last] - totals[first - 1] for first, last in queries]


@ranges(imports=("from itertools import accumulate", "from operator import xor"))
def range_xors(xs, queries):
    """Return the exclusive or of each range from first to last index, both included."""
    totals = list(accumulate(xs, xor, initial=0))
    return [totals[last + 1] ^ totals[first] for first, last in queries]


@extremes()
def range_minima(xs, queries):
    """Return the smallest value of each range from first to last index, both included."""
    table = [xs]
    while 2 << len(table) - 1 <= len(xs):
        row, half = table[-1], 1 << len(table) - 1
        table.append(list(map(min, row, row[half:])))
    result = []
    for first, last in queries:
        level = (last - first + 1).bit_length() - 1
        row = table[level]
        result.append(min(row[first], row[last + 1 - (1 << level)]))
    return result


@extremes()
def range_maxima(xs, queries):
    """Return the largest value of each range from first to last index, both included."""
    table = [xs]
    while 2 << len(table) - 1 <= len(xs):
        row, half = table[-1], 1 << len(table) - 1
        table.append(list(map(max, row, row[half:])))
    result = []
    for first, last in queries:
        level = (last - first + 1).bit_length() - 1
        row = table[level]
        result.append(max(row[first], row[last + 1 - (1 << level)]))
    return result


@ranges(
    complexity="O(n log n + q log n)",
    source="sorting and bisection",
    imports=("from bisect import bisect_left, bisect_right",),
    limits="comparable values",
)
def counts_between(xs, queries):
    """Return for each pair how many values lie from its first to its second, both included."""
    ordered = sorted(xs)
    return [
        max(bisect_right(ordered, high) - bisect_left(ordered, low), 0) for low, high in queries
    ]


@ranges(
    takes=("list", "list[list]"),
    source="places of each value, by bisection",
    complexity="O(n + q log n)",
    imports=("from bisect import bisect_left, bisect_right",),
    limits="hashable values; queries of first index, last index and value",
)
def counts_in_ranges(xs, queries):
    """Return for each query how often a value stands from its first to its last index."""
    places = {}
    for i, x in enumerate(xs):
        places.setdefault(x, []).append(i)
    return [
        max(bisect_right(found, last) - bisect_left(found, first), 0)
        for first, last, value in queries
        for found in [places.get(value, ())]
    ]


@ranges(
    takes=("int", "list[list[int]]"),
    source="differences, then one running total",
    limits="updates of first index, last index and amount",
)
def after_range_additions(n, updates):
    """Return n zeros after each update added its amount from first to last index."""
    steps = [0] * (n + 1)
    for first, last, amount in updates:
        steps[first] += amount
        steps[last + 1] -= amount
    return list(accumulate(steps[:n]))


@ranges(
    takes=("int", "list[list[int]]"),
    gives="int",
    source="differences, then one running total",
    limits="updates of first place, last place and amount, counted from 1",
)
def peak_of_range_additions(n, updates):
    """Return the largest of n zeros after each update added its amount; places from 1."""
    steps = [0] * (n + 2)
    for first, last, amount in updates:
        steps[first] += amount
        steps[last + 1] -= amount
    return max(accumulate(steps[1 : n + 1]))


@ranges(
    takes=("list[list[int]]", "list[list[int]]"),
    complexity="O(cells + q)",
    limits="a rectangle; queries of top, left, bottom and right, all included",
    imports=("from itertools import accumulate", "from operator import add"),
)
def block_sums(matrix, queries):
    """Return the sum of each block of cells from top left to bottom right, both included."""
    totals = [[0] * (len(matrix[0]) + 1)]
    for row in matrix:
        totals.append(list(map(add, totals[-1], accumulate(row, initial=0))))
    return [
        totals[bottom + 1][right + 1]
        - totals[top][right + 1]
        - totals[bottom + 1][left]
        + totals[top][left]
        for top, left, bottom, right in queries
    ]


@ranges(
    takes=("list[list[int]]", "int"),
    gives="int",
    complexity="O(cells)",
    limits="a rectangle that holds such a square",
    imports=("from itertools import accumulate", "from operator import add"),
)
def largest_square_block_sum(matrix, size):
    """Return the largest sum of a square block of a size."""
    if size < 1:
        raise ValueError("the size is not positive")
    totals = [[0] * (len(matrix[0]) + 1)]
    for row in matrix:
        totals.append(list(map(add, totals[-1], accumulate(row, initial=0))))
    return max(
        below[j + size] - below[j] - above[j + size] + above[j]
        for above, below in zip(totals, totals[size:], strict=False)
        for j in range(len(above) - size)
    )


@counts()
def counts_of_smaller_behind(xs):
    """Return for each place how many later values are smaller."""
    ordered, result = [], []
    for x in xs[::-1]:
        at = bisect_left(ordered, x)
        result.append(at)
        ordered.insert(at, x)
    return result[::-1]


@counts()
def counts_of_smaller_before(xs):
    """Return for each place how many earlier values are smaller."""
    ordered, result = [], []
    for x in xs:
        at = bisect_left(ordered, x)
        result.append(at)
        ordered.insert(at, x)
    return result


@counts(imports=("from bisect import bisect_right",))
def counts_of_larger_before(xs):
    """Return for each place how many earlier values are larger."""
    ordered, result = [], []
    for x in xs:
        at = bisect_right(ordered, x)
        result.append(len(ordered) - at)
        ordered.insert(at, x)
    return result
