"""Windows of a fixed width that slide along a list: sums, extremes, medians, counts.

Not here: stretches whose width is free (`stretches`).
"""

from bisect import bisect_left, insort
from collections import Counter, deque
from functools import partial
from itertools import accumulate
from operator import sub

from operators.known_functions.archetype import archetype

window = partial(
    archetype,
    family="windows",
    complexity="O(n)",
    source="differences of running totals",
    limits="width from 1; no window where the list is shorter",
    takes=("list[number]", "int"),
    gives="list",
)
totals = partial(
    window, imports=("from itertools import accumulate", "from operator import sub")
)
extremes = partial(
    window,
    source="a queue of candidates that no later value outdoes",
    imports=("from collections import deque",),
)


@totals(takes=("list[int]", "int"))
def window_sums(xs, width):
    """Return the sum of each window."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return list(map(sub, ends[width:], ends))


@totals(takes=("list[int]", "int"))
def window_means(xs, width):
    """Return the mean of each window."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return [total / width for total in map(sub, ends[width:], ends)]


@totals(takes=("list[int]", "int"), gives="int", limits="1 <= width <= n")
def largest_window_sum(xs, width):
    """Return the largest sum of a window."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return max(map(sub, ends[width:], ends))


@totals(takes=("list[int]", "int"), gives="int", limits="1 <= width <= n")
def smallest_window_sum(xs, width):
    """Return the smallest sum of a window."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return min(map(sub, ends[width:], ends))


@totals(takes=("list[int]", "int"), gives="float", limits="1 <= width <= n")
def largest_window_mean(xs, width):
    """Return the largest mean of a window."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return max(map(sub, ends[width:], ends)) / width


@totals(takes=("list[int]", "int", "int"), gives="int")
def count_windows_at_least(xs, width, total):
    """Count the windows whose sum is at least the total."""
    if width < 1:
        raise ValueError("the width is not positive")
    ends = list(accumulate(xs, initial=0))
    return sum([found >= total for found in map(sub, ends[width:], ends)])


@extremes()
def window_maxima(xs, width):
    """Return the largest value of each window."""
    if width < 1:
        raise ValueError("the width is not positive")
    best, result = deque(), []
    for i, x in enumerate(xs):
        while best and xs[best[-1]] <= x:
            best.pop()
        best.append(i)
        if best[0] <= i - width:
            best.popleft()
        result.append(xs[best[0]])
    return result[width - 1 :]


@extremes()
def window_minima(xs, width):
    """Return the smallest value of each window."""
    if width < 1:
        raise ValueError("the width is not positive")
    best, result = deque(), []
    for i, x in enumerate(xs):
        while best and xs[best[-1]] >= x:
            best.pop()
        best.append(i)
        if best[0] <= i - width:
            best.popleft()
        result.append(xs[best[0]])
    return result[width - 1 :]


@window(
    complexity="O(n log width) and n moves of memory",
    source="a window kept sorted by bisection",
    imports=("from bisect import bisect_left, insort",),
)
def window_medians(xs, width):
    """Return the median of each window; of an even width the mean of the middle two."""
    if width < 1:
        raise ValueError("the width is not positive")
    ordered, result, half = sorted(xs[: width - 1]), [], width // 2
    for i in range(width - 1, len(xs)):
        insort(ordered, xs[i])
        middle = ordered[half] if width % 2 else (ordered[half - 1] + ordered[half]) / 2
        result.append(middle)
        del ordered[bisect_left(ordered, xs[i - width + 1])]
    return result


@window(
    source="counts that follow the window",
    takes=("list", "int"),
    limits="hashable values, width from 1",
    imports=("from collections import Counter",),
)
def window_distinct_counts(xs, width):
    """Return the number of distinct values of each window."""
    if width < 1:
        raise ValueError("the width is not positive")
    counts, result = Counter(xs[: width - 1]), []
    for i in range(width - 1, len(xs)):
        counts[xs[i]] += 1
        result.append(len(counts))
        gone = xs[i - width + 1]
        counts[gone] -= 1
        if not counts[gone]:
            del counts[gone]
    return result


@window(source="slices in C", complexity="O(n width)", takes=("list", "int"))
def windows_of(xs, width):
    """Return the windows as lists."""
    if width < 1:
        raise ValueError("the width is not positive")
    return [xs[i : i + width] for i in range(len(xs) - width + 1)]


@window(source="the next negative value, from the right")
def first_negatives(xs, width):
    """Return the first negative value of each window, 0 where there is none."""
    if width < 1:
        raise ValueError("the width is not positive")
    result, at = [], len(xs) + width
    for i in range(len(xs) - 1, -1, -1):
        if xs[i] < 0:
            at = i
        result.append(xs[at] if at < i + width else 0)
    return result[::-1][: max(len(xs) - width + 1, 0)]


@window(takes=("list[int]", "int"), gives="list[int]", source="running totals")
def centred_window_means(xs, radius):
    """Return the floor mean of the window around each place, -1 where it sticks out."""
    if radius < 0:
        raise ValueError("the radius is negative")
    width, result = 2 * radius + 1, [-1] * len(xs)
    total = sum(xs[: width - 1])
    for i in range(radius, len(xs) - radius):
        total += xs[i + radius]
        result[i] = total // width
        total -= xs[i - radius]
    return result
