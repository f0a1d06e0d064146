"""Values picked from a list by rank, frequency or extremeness: k-th, median, mode, largest gap.

Not here: whole orders (`sorting`) and lookups of a given value (`searching`).
"""

from bisect import insort
from collections import Counter
from functools import partial
from heapq import nlargest, nsmallest
from operator import sub

from operators.known_functions.archetype import archetype

by_rank = partial(
    archetype,
    family="selection",
    complexity="O(n log n)",
    source="Timsort, the built-in sort",
    takes=("list",),
    gives="any",
)
by_heap = partial(
    by_rank, complexity="O(n log k)", source="a heap of k values", takes=("list", "int")
)
by_count = partial(
    by_rank,
    complexity="O(n)",
    source="counts in one pass",
    limits="hashable values; an empty list is refused",
    imports=("from collections import Counter",),
)
one_pass = partial(by_rank, complexity="O(n)", source="one pass of built-ins")


@by_rank(takes=("list", "int"), limits="1 <= k <= n")
def kth_smallest(xs, k):
    """Return the k-th smallest value, from 1; equal values count separately."""
    if not 1 <= k <= len(xs):
        raise ValueError("k is out of range")
    return sorted(xs)[k - 1]


@by_rank(takes=("list", "int"), limits="1 <= k <= n")
def kth_largest(xs, k):
    """Return the k-th largest value, from 1; equal values count separately."""
    if not 1 <= k <= len(xs):
        raise ValueError("k is out of range")
    return sorted(xs)[-k]


@by_rank(takes=("list", "int"), limits="1 <= k <= number of distinct values")
def kth_smallest_distinct(xs, k):
    """Return the k-th smallest of the distinct values, from 1."""
    if k < 1:
        raise ValueError("k is out of range")
    ordered = sorted(set(xs))
    if k > len(ordered):
        raise ValueError("k is out of range")
    return ordered[k - 1]


@by_rank(takes=("list", "int"), limits="1 <= k <= number of distinct values")
def kth_largest_distinct(xs, k):
    """Return the k-th largest of the distinct values, from 1."""
    ordered = sorted(set(xs))
    if not 1 <= k <= len(ordered):
        raise ValueError("k is out of range")
    return ordered[-k]


@by_heap(gives="list", imports=("from heapq import nsmallest",))
def k_smallest(xs, k):
    """Return the k smallest values, ascending; all of them if there are fewer."""
    return nsmallest(k, xs) if 8 * k < len(xs) else sorted(xs)[: max(k, 0)]


@by_heap(gives="list", imports=("from heapq import nlargest",))
def k_largest(xs, k):
    """Return the k largest values, descending; all of them if there are fewer."""
    return nlargest(k, xs) if 8 * k < len(xs) else sorted(xs, reverse=True)[: max(k, 0)]


@by_heap(gives="list", imports=("from heapq import nlargest",))
def k_largest_ascending(xs, k):
    """Return the k largest values, ascending; all of them if there are fewer."""
    return nlargest(k, xs)[::-1] if 8 * k < len(xs) else sorted(xs)[max(len(xs) - k, 0) :]


@by_heap(gives="list", limits="non-negative k")
def k_largest_in_order(xs, k):
    """Return the k largest values in the order of the list; of equal ones the first."""
    if k < 0:
        raise ValueError("k is out of range")
    places = sorted(range(len(xs)), key=xs.__getitem__, reverse=True)[:k]
    return [xs[i] for i in sorted(places)]


@one_pass(limits="at least two distinct values")
def second_largest_distinct(xs):
    """Return the largest value below the maximum."""
    top = max(xs)
    return max(x for x in xs if x != top)


@one_pass(limits="at least two distinct values")
def second_smallest_distinct(xs):
    """Return the smallest value above the minimum."""
    low = min(xs)
    return min(x for x in xs if x != low)


@one_pass(imports=("from heapq import nlargest",), limits="at least two values")
def second_largest(xs):
    """Return the second largest value; equal values count separately."""
    return nlargest(2, xs)[1]


@one_pass(imports=("from heapq import nsmallest",), limits="at least two values")
def second_smallest(xs):
    """Return the second smallest value; equal values count separately."""
    return nsmallest(2, xs)[1]


@by_rank(takes=("list[number]",), limits="numbers; an empty list is refused", gives="number")
def median(xs):
    """Return the middle value; of an even number of values the mean of the middle two."""
    ordered = sorted(xs)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


@by_rank(takes=("list[number]",), limits="numbers; an empty list is refused", gives="float")
def median_as_float(xs):
    """Return the mean of the middle one or two values, always a float."""
    ordered = sorted(xs)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


@by_rank(limits="an empty list is refused")
def lower_median(xs):
    """Return the middle value; of an even number of values the lower of the middle two."""
    return sorted(xs)[(len(xs) - 1) // 2]


@by_rank(limits="an empty list is refused")
def upper_median(xs):
    """Return the middle value; of an even number of values the upper of the middle two."""
    return sorted(xs)[len(xs) // 2]


@by_rank(
    takes=("list[number]",),
    gives="list",
    source="a list kept sorted by bisection",
    complexity="O(n log n) and n moves of memory",
    imports=("from bisect import insort",),
)
def running_medians(xs):
    """Return the median of each prefix; of an even number of values the mean of two."""
    ordered = []
    result = []
    for size, x in enumerate(xs, 1):
        insort(ordered, x)
        half = size // 2
        result.append(ordered[half] if size % 2 else (ordered[half - 1] + ordered[half]) / 2)
    return result


@by_count()
def mode(xs):
    """Return the most frequent value; of equally frequent ones the first to appear."""
    return Counter(xs).most_common(1)[0][0]


@by_count()
def smallest_mode(xs):
    """Return the most frequent value; of equally frequent ones the smallest."""
    counts = Counter(xs)
    top = max(counts.values())
    return min(x for x, count in counts.items() if count == top)


@by_count()
def largest_mode(xs):
    """Return the most frequent value; of equally frequent ones the largest."""
    counts = Counter(xs)
    top = max(counts.values())
    return max(x for x, count in counts.items() if count == top)


@by_count(limits="hashable values", gives="list")
def modes(xs):
    """Return all most frequent values in the order of their first appearance."""
    counts = Counter(xs)
    top = max(counts.values(), default=0)
    return [x for x, count in counts.items() if count == top]


@by_count()
def rarest(xs):
    """Return the least frequent value; of equally rare ones the first to appear."""
    counts = Counter(xs)
    return min(counts, key=counts.__getitem__)


@by_count(gives="list", limits="hashable values")
def mode_and_count(xs):
    """Return the most frequent value, the first of ties, and how often it appears."""
    return list(Counter(xs).most_common(1)[0])


@by_count(gives="int", limits="hashable values; 0 for an empty list")
def highest_count(xs):
    """Return how often the most frequent value appears."""
    return max(Counter(xs).values(), default=0)


@by_count(takes=("list", "int"), gives="list", limits="hashable values")
def k_most_frequent(xs, k):
    """Return the k most frequent values, ties in the order of first appearance."""
    if k < 0:
        raise ValueError("k is out of range")
    return [x for x, _ in Counter(xs).most_common(k)]


@by_count(takes=("list", "int"), gives="list", limits="hashable, comparable values")
def k_most_frequent_then_smallest(xs, k):
    """Return the k most frequent values, ties ascending."""
    if k < 0:
        raise ValueError("k is out of range")
    counts = Counter(xs)
    return sorted(sorted(counts), key=counts.__getitem__, reverse=True)[:k]


@by_count(gives="list", limits="hashable, comparable values")
def values_by_frequency(xs):
    """Return the distinct values from frequent to rare, ties in order of appearance."""
    return [x for x, _ in Counter(xs).most_common()]


@by_count(gives="pairs", limits="hashable values")
def counts_by_frequency(xs):
    """Return pairs of value and count, frequent first, ties in order of appearance."""
    return Counter(xs).most_common()


@by_count(gives="pairs", limits="hashable, comparable values")
def counts_by_frequency_then_value(xs):
    """Return pairs of value and count, frequent first, ties by ascending value."""
    return sorted(sorted(Counter(xs).items()), key=lambda pair: pair[1], reverse=True)


@by_count(gives="pairs", limits="hashable, comparable values")
def counts_by_value(xs):
    """Return pairs of value and count by ascending value."""
    return sorted(Counter(xs).items())


@one_pass(takes=("list[number]",), limits="numbers; an empty list is refused", gives="number")
def spread(xs):
    """Return the largest minus the smallest number."""
    return max(xs) - min(xs)


@one_pass(limits="an empty list is refused", gives="int")
def index_of_largest(xs):
    """Return the index of the largest value, the first of ties."""
    return xs.index(max(xs))


@one_pass(limits="an empty list is refused", gives="int")
def index_of_smallest(xs):
    """Return the index of the smallest value, the first of ties."""
    return xs.index(min(xs))


@one_pass(limits="an empty list is refused", gives="int")
def last_index_of_largest(xs):
    """Return the index of the largest value, the last of ties."""
    return len(xs) - 1 - xs[::-1].index(max(xs))


by_neighbour = partial(
    by_rank, takes=("list[number]",), gives="number", imports=("from operator import sub",)
)


@by_neighbour(limits="numbers; 0 below two values")
def largest_gap(xs):
    """Return the largest difference between neighbours in sorted order."""
    ordered = sorted(xs)
    return max(map(sub, ordered[1:], ordered), default=0)


@by_neighbour(limits="numbers; at least two")
def smallest_gap(xs):
    """Return the smallest difference between any two of the numbers."""
    ordered = sorted(xs)
    return min(map(sub, ordered[1:], ordered))


@by_neighbour(limits="numbers; at least two; the lowest of equally close pairs", gives="list")
def closest_values(xs):
    """Return the two numbers that differ least, the smaller first."""
    ordered = sorted(xs)
    gaps = list(map(sub, ordered[1:], ordered))
    at = gaps.index(min(gaps))
    return ordered[at : at + 2]


@by_neighbour(limits="numbers; at least two", gives="list")
def all_closest_pairs(xs):
    """Return all neighbours in sorted order that differ least, as lists of two."""
    ordered = sorted(xs)
    gaps = list(map(sub, ordered[1:], ordered))
    least = min(gaps)
    return [ordered[at : at + 2] for at, gap in enumerate(gaps) if gap == least]


@by_rank(takes=("list[number]",), limits="at least two numbers", gives="number")
def largest_product_of_two(xs):
    """Return the largest product of two of the numbers."""
    ordered = sorted(xs)
    return max(ordered[0] * ordered[1], ordered[-1] * ordered[-2])


@by_rank(takes=("list[number]",), limits="at least three numbers", gives="number")
def largest_product_of_three(xs):
    """Return the largest product of three of the numbers."""
    ordered = sorted(xs)
    low, high = ordered[0] * ordered[1], ordered[-3] * ordered[-2]
    return max(low, high) * ordered[-1] if ordered[-1] >= 0 else high * ordered[-1]


@by_rank(takes=("list[int]",), limits="numbers from 0", gives="int")
def h_index(citations):
    """Return the largest h such that h of the numbers are at least h."""
    ordered = sorted(citations, reverse=True)
    return sum(x >= h for h, x in enumerate(ordered, 1))


@one_pass(gives="list", limits="numbers", source="one comparison a value, no call")
def running_maxima(xs):
    """Return the largest value of each prefix."""
    best = xs[0] if xs else None
    return [best := (x if x > best else best) for x in xs]


@one_pass(gives="list", limits="numbers", source="one comparison a value, no call")
def running_minima(xs):
    """Return the smallest value of each prefix."""
    best = xs[0] if xs else None
    return [best := (x if x < best else best) for x in xs]


@one_pass(takes=("list[number]",), gives="float", limits="numbers; an empty list is refused")
def mean(xs):
    """Return the arithmetic mean."""
    return sum(xs) / len(xs)


@one_pass(takes=("list[number]",), gives="float", limits="numbers; an empty list is refused")
def mean_absolute_deviation(xs):
    """Return the mean distance from the mean."""
    centre = sum(xs) / len(xs)
    return sum([abs(x - centre) for x in xs]) / len(xs)


@one_pass(takes=("list[number]",), gives="float", limits="numbers; an empty list is refused")
def variance(xs):
    """Return the mean squared distance from the mean."""
    centre = sum(xs) / len(xs)
    return sum([(x - centre) ** 2 for x in xs]) / len(xs)
