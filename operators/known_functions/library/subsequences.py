"""Best subsequences of one list, which may skip values: rising, wavy, in steps, chained.

Not here: stretches without skips (`climbs`, `stretches`) and two sequences (`alignment`).
"""

from bisect import bisect_left, bisect_right
from functools import partial

from operators.known_functions.archetype import archetype

rising = partial(
    archetype,
    family="subsequences",
    complexity="O(n log n)",
    source="smallest ends of each length, by bisection",
    limits="comparable values",
    takes=("list",),
    gives="int",
    imports=("from bisect import bisect_left",),
)
level = partial(rising, imports=("from bisect import bisect_right",))
table = partial(
    rising, complexity="O(n^2)", source="dynamic programming over pairs of places", imports=()
)


@rising()
def longest_rising_subsequence(xs):
    """Return the length of the longest strictly ascending subsequence."""
    ends = []
    for x in xs:
        at = bisect_left(ends, x)
        ends[at : at + 1] = [x]
    return len(ends)


@level()
def longest_level_or_rising_subsequence(xs):
    """Return the length of the longest ascending subsequence; equal values are allowed."""
    ends = []
    for x in xs:
        at = bisect_right(ends, x)
        ends[at : at + 1] = [x]
    return len(ends)


@rising()
def longest_falling_subsequence(xs):
    """Return the length of the longest strictly descending subsequence."""
    ends = []
    for x in xs[::-1]:
        at = bisect_left(ends, x)
        ends[at : at + 1] = [x]
    return len(ends)


@level()
def longest_level_or_falling_subsequence(xs):
    """Return the length of the longest descending subsequence; equal values are allowed."""
    ends = []
    for x in xs[::-1]:
        at = bisect_right(ends, x)
        ends[at : at + 1] = [x]
    return len(ends)


@rising(gives="list")
def first_rising_subsequence(xs):
    """Return the longest strictly ascending subsequence that goes back by first places."""
    ends, levels = [], []
    for i, x in enumerate(xs):
        at = bisect_left(ends, x)
        if at == len(ends):
            ends.append(x)
            levels.append([])
        ends[at] = x
        levels[at].append(i)
    result = []
    for places in reversed(levels):
        for i in places:
            if not result or xs[i] < result[-1]:
                result.append(xs[i])
                break
    return result[::-1]


@rising()
def count_longest_rising_subsequences(xs):
    """Count the strictly ascending subsequences, by place, of the greatest length."""
    ends, levels = [], []
    for x in xs:
        at, ways = bisect_left(ends, x), 1
        if at:
            values, sums = levels[at - 1]
            ways = sums[-1] - sums[bisect_left(values, 1 - x)]
        if at == len(ends):
            ends.append(x)
            levels.append(([], [0]))
        ends[at] = x
        values, sums = levels[at]
        values.append(-x)
        sums.append(sums[-1] + ways)
    return levels[-1][1][-1] if levels else 0


@rising(takes=("list[number]",), gives="number", limits="numbers; an empty list is refused")
def largest_rising_sum(xs):
    """Return the largest sum of a strictly ascending subsequence that is not empty."""
    values, sums = [], []
    for x in xs:
        at = bisect_left(values, x)
        total = x + max(sums[at - 1], 0) if at else x
        if at < len(values) and values[at] == x and sums[at] >= total:
            continue
        if at and sums[at - 1] >= total:
            continue
        end = at
        while end < len(values) and sums[end] <= total:
            end += 1
        values[at:end], sums[at:end] = [x], [total]
    return sums[-1]


@rising(limits="one value may be top; 0 for an empty list")
def longest_hill_subsequence(xs):
    """Return the length of the longest subsequence that rises and then falls strictly."""

    def lengths(values):
        ends, result = [], []
        for x in values:
            at = bisect_left(ends, x)
            ends[at : at + 1] = [x]
            result.append(at + 1)
        return result

    both = zip(lengths(xs), lengths(xs[::-1])[::-1], strict=True)
    return max([up + down - 1 for up, down in both], default=0)


@rising(complexity="O(n)", source="turning points", imports=())
def longest_zigzag_subsequence(xs):
    """Return the length of the longest subsequence that goes up and down in turn."""
    up = down = min(len(xs), 1)
    for i in range(1, len(xs)):
        if xs[i] > xs[i - 1]:
            up = down + 1
        elif xs[i] < xs[i - 1]:
            down = up + 1
    return max(up, down)


@table(takes=("list[int]",), limits="integers")
def longest_progression(xs):
    """Return the length of the longest subsequence with equal steps."""
    best, lengths = min(len(xs), 2), []
    for i, x in enumerate(xs):
        here = {}
        for j in range(i):
            step = x - xs[j]
            length = lengths[j].get(step, 1) + 1
            here[step] = max(here.get(step, 2), length)
        lengths.append(here)
        best = max(best, max(here.values(), default=0))
    return best


@table(
    takes=("list[int]", "int"), complexity="O(n)", source="best length that ends in each value"
)
def longest_progression_with_step(xs, step):
    """Return the length of the longest subsequence in which each value is a step further."""
    length = {}
    for x in xs:
        length[x] = length.get(x - step, 0) + 1
    return max(length.values(), default=0)


@table(takes=("list[int]",), limits="distinct positive integers")
def largest_divisible_set(xs):
    """Return how many of the values can be chosen so that of any two one divides the other."""
    if xs and min(xs) <= 0:
        raise ValueError("a value is not positive")
    ordered, length = sorted(set(xs)), {}
    for x in ordered:
        length[x] = 1 + max([length[d] for d in length if x % d == 0], default=0)
    return max(length.values(), default=0)


@rising(takes=("pairs",), limits="pairs of width and height")
def deepest_nesting(envelopes):
    """Return how many pairs fit into each other, both numbers growing strictly."""
    ends = []
    for _, height in sorted(envelopes, key=lambda pair: (pair[0], -pair[1])):
        at = bisect_left(ends, height)
        ends[at : at + 1] = [height]
    return len(ends)


@rising(takes=("pairs",), source="the earliest end first", imports=())
def longest_chain_of_pairs(pairs):
    """Return how many pairs can be lined up so that each starts above the end of the last."""
    count, reach = 0, None
    for end, start in sorted([(end, start) for start, end in pairs]):
        if reach is None or start > reach:
            count, reach = count + 1, end
    return count


@rising()
def removals_to_rise(xs):
    """Return how many values must go so that the rest is strictly ascending."""
    ends = []
    for x in xs:
        at = bisect_left(ends, x)
        ends[at : at + 1] = [x]
    return len(xs) - len(ends)


@table(complexity="O(n)", source="twice as many, less those before the last equal value")
def count_distinct_subsequences(xs):
    """Count the distinct subsequences; the empty one is not counted."""
    total, before = 1, {}
    for x in xs:
        total, before[x] = 2 * total - before.get(x, 0), total
    return total - 1


@rising(
    takes=("list[int]",),
    complexity="O(n + range)",
    source="points by value, then no two neighbours",
    imports=(),
    limits="numbers from 0",
)
def largest_sum_without_adjacent_values(xs):
    """Return the largest sum of chosen values, no two of which differ by one."""
    points = {}
    for x in xs:
        points[x] = points.get(x, 0) + x
    taken, skipped, last = 0, 0, None
    for x in sorted(points):
        best = max(taken, skipped)
        taken = points[x] + (skipped if last == x - 1 else best)
        skipped, last = best, x
    return max(taken, skipped)
