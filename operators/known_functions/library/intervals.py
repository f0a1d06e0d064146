"""Intervals of numbers: merged, counted where they overlap, chosen, intersected.

Not here: sums over ranges of a list (`queries`).
"""

from bisect import bisect_right
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from operator import itemgetter

from operators.known_functions.archetype import archetype

sweep = partial(
    archetype,
    family="intervals",
    complexity="O(n log n)",
    source="sweep over the sorted ends",
    limits="start <= end in each",
    takes=("pairs",),
    gives="int",
)
greedy = partial(
    sweep, source="the earliest end first", imports=("from operator import itemgetter",)
)


@sweep(gives="list[list[int]]")
def merged_intervals(intervals):
    """Return the union as disjoint lists of start and end, ascending; touching ones merge."""
    result = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            if end > result[-1][1]:
                result[-1][1] = end
        else:
            result.append([start, end])
    return result


@sweep(gives="list[list[int]]")
def merged_overlapping_intervals(intervals):
    """Return the union as lists of start and end, ascending; ones that only touch stay two."""
    result = []
    for start, end in sorted(intervals):
        if result and start < result[-1][1]:
            if end > result[-1][1]:
                result[-1][1] = end
        else:
            result.append([start, end])
    return result


@sweep(gives="list[list[int]]", limits="integers, start <= end in each")
def merged_integer_ranges(intervals):
    """Return the union of ranges of integers; ranges that are neighbours merge too."""
    result = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1] + 1:
            if end > result[-1][1]:
                result[-1][1] = end
        else:
            result.append([start, end])
    return result


@sweep(gives="number")
def covered_length(intervals):
    """Return the length of the union."""
    total, reach = 0, None
    for start, end in sorted(intervals):
        if reach is None or start > reach:
            reach = start
        if end > reach:
            total += end - reach
            reach = end
    return total


@sweep(limits="integers, start <= end in each")
def count_covered_integers(intervals):
    """Count the integers in the union, both ends included."""
    total, reach = 0, None
    for start, end in sorted(intervals):
        if reach is None or start > reach:
            reach = start - 1
        if end > reach:
            total += end - reach
            reach = end
    return total


@sweep()
def most_at_once(intervals):
    """Return how many intervals overlap at most at once; ones that only touch do not."""
    steps = sorted([(start, 1) for start, _ in intervals] + [(end, -1) for _, end in intervals])
    best = now = 0
    for _, step in steps:
        now += step
        if now > best:
            best = now
    return best


@sweep()
def most_at_once_with_ends(intervals):
    """Return how many intervals overlap at most at once; ones that touch do too."""
    steps = sorted([(start, 0) for start, _ in intervals] + [(end, 1) for _, end in intervals])
    best = now = 0
    for _, closes in steps:
        now += -1 if closes else 1
        if now > best:
            best = now
    return best


@sweep(takes=("list[number]", "list[number]"), limits="no departure before its arrival")
def most_at_once_of_times(arrivals, departures):
    """Return how many are present at most at once; both lists have one time each."""
    leaving, best, gone = sorted(departures), 0, 0
    for here, time in enumerate(sorted(arrivals), 1):
        while leaving[gone] < time:
            gone += 1
        if here - gone > best:
            best = here - gone
    return best


@sweep(gives="bool", imports=("from itertools import pairwise",))
def has_overlap(intervals):
    """Whether two intervals overlap; ones that only touch do not."""
    return any(b[0] < a[1] for a, b in pairwise(sorted(intervals)))


@sweep(gives="bool", imports=("from itertools import pairwise",))
def all_disjoint(intervals):
    """Whether no two intervals overlap; ones that only touch do not."""
    return all(b[0] >= a[1] for a, b in pairwise(sorted(intervals)))


@greedy()
def most_disjoint(intervals):
    """Return how many intervals can be chosen without overlap; touching is allowed."""
    count, reach = 0, None
    for start, end in sorted(intervals, key=itemgetter(1)):
        if reach is None or start >= reach:
            count, reach = count + 1, end
    return count


@greedy()
def most_disjoint_not_touching(intervals):
    """Return how many intervals can be chosen so that none overlap or touch."""
    count, reach = 0, None
    for start, end in sorted(intervals, key=itemgetter(1)):
        if reach is None or start > reach:
            count, reach = count + 1, end
    return count


@greedy()
def fewest_removed(intervals):
    """Return how many intervals must go so that the rest does not overlap."""
    kept, reach = 0, None
    for start, end in sorted(intervals, key=itemgetter(1)):
        if reach is None or start >= reach:
            kept, reach = kept + 1, end
    return len(intervals) - kept


@sweep(
    takes=("list[number]", "list[number]", "list[number]"),
    gives="number",
    source="best total up to each end, by bisection",
    imports=("from bisect import bisect_right",),
    limits="weights from 0; touching is allowed",
)
def heaviest_disjoint(starts, ends, weights):
    """Return the largest total weight of intervals without overlap."""
    jobs = sorted(zip(ends, starts, weights, strict=True))
    reached, best = [], [0]
    for end, start, weight in jobs:
        before = best[bisect_right(reached, start)]
        reached.append(end)
        best.append(max(best[-1], before + weight))
    return best[-1]


@sweep(
    takes=("pairs", "pairs"),
    gives="list[list[int]]",
    complexity="O(n + m)",
    source="two pointers",
)
def common_parts(first, second):
    """Return the intersections of two lists of disjoint ascending intervals, ends included."""
    i = j = 0
    result = []
    while i < len(first) and j < len(second):
        start = max(first[i][0], second[j][0])
        end = min(first[i][1], second[j][1])
        if start <= end:
            result.append([start, end])
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return result


@sweep(gives="list[list[int]]")
def gaps_between(intervals):
    """Return the gaps inside the union, as lists of start and end, ascending."""
    result, reach = [], None
    for start, end in sorted(intervals):
        if reach is not None and start > reach:
            result.append([reach, start])
        if reach is None or end > reach:
            reach = end
    return result


@sweep(source="by start, the longest first")
def count_not_contained(intervals):
    """Count the distinct intervals that lie in no other one."""
    count, reach = 0, None
    for _, end in sorted(set(map(tuple, intervals)), key=lambda pair: (pair[0], -pair[1])):
        if reach is None or end > reach:
            count, reach = count + 1, end
    return count


@sweep(
    source="the nearest deadlines in a heap",
    imports=("from heapq import heappop, heappush",),
    limits="integers; one event a day, both ends included",
)
def most_attended(intervals):
    """Return how many events can be attended if each takes one day between its ends."""
    events, due, count, day, at = sorted(intervals), [], 0, 0, 0
    while at < len(events) or due:
        if not due:
            day = max(day, events[at][0])
        while at < len(events) and events[at][0] <= day:
            heappush(due, events[at][1])
            at += 1
        if heappop(due) >= day:
            count += 1
            day += 1
    return count
