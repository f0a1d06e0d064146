"""Lookups of a value in a list: by bisection where it is sorted, else by one pass in C.

Not here: the k-th value (`selection`) and pairs of values (`pairs`).
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import partial

from operators.known_functions.archetype import archetype

bisecting = partial(
    archetype,
    family="searching",
    complexity="O(log n)",
    source="binary search",
    limits="the list must be ascending",
    takes=("list", "any"),
    gives="int",
)
left = partial(bisecting, imports=("from bisect import bisect_left",))
right = partial(bisecting, imports=("from bisect import bisect_right",))
both = partial(bisecting, imports=("from bisect import bisect_left, bisect_right",))
scan = partial(
    archetype,
    family="searching",
    complexity="O(n)",
    source="one pass in C",
    takes=("list", "any"),
    gives="int",
)


@left()
def first_place_sorted(xs, x):
    """Return the first index of a value in an ascending list, or -1."""
    at = bisect_left(xs, x)
    return at if at < len(xs) and xs[at] == x else -1


@right()
def last_place_sorted(xs, x):
    """Return the last index of a value in an ascending list, or -1."""
    at = bisect_right(xs, x) - 1
    return at if at >= 0 and xs[at] == x else -1


@both(gives="list[int]")
def first_and_last_place_sorted(xs, x):
    """Return the first and last index of a value in an ascending list, or [-1, -1]."""
    at = bisect_left(xs, x)
    if at == len(xs) or xs[at] != x:
        return [-1, -1]
    return [at, bisect_right(xs, x, at) - 1]


@left(gives="bool")
def contains_sorted(xs, x):
    """Whether an ascending list holds a value."""
    at = bisect_left(xs, x)
    return at < len(xs) and xs[at] == x


@left()
def count_smaller_sorted(xs, x):
    """Return where a value belongs in an ascending list, before equal ones."""
    return bisect_left(xs, x)


@right()
def count_not_larger_sorted(xs, x):
    """Return where a value belongs in an ascending list, behind equal ones."""
    return bisect_right(xs, x)


@both()
def count_sorted(xs, x):
    """Count how often an ascending list holds a value."""
    at = bisect_left(xs, x)
    return bisect_right(xs, x, at) - at


@both(takes=("list", "any", "any"))
def count_between_sorted(xs, low, high):
    """Count the values of an ascending list from low to high, both included."""
    return max(bisect_right(xs, high) - bisect_left(xs, low), 0)


@right(gives="any", limits="the list must be ascending; refused if all values are larger")
def largest_not_above_sorted(xs, x):
    """Return the largest value of an ascending list that is not above x."""
    at = bisect_right(xs, x)
    if not at:
        raise ValueError("all values are larger")
    return xs[at - 1]


@left(gives="any", limits="the list must be ascending; refused if all values are smaller")
def smallest_not_below_sorted(xs, x):
    """Return the smallest value of an ascending list that is not below x."""
    return xs[bisect_left(xs, x)]


@right(gives="any", limits="the list must be ascending; refused if no value is larger")
def smallest_above_sorted(xs, x):
    """Return the smallest value of an ascending list that is above x."""
    return xs[bisect_right(xs, x)]


@left(gives="any", takes=("list[number]", "number"))
def closest_sorted(xs, x):
    """Return the value of an ascending list that is closest to x, the smaller of ties."""
    at = bisect_left(xs, x)
    return min(xs[max(at - 1, 0) : at + 1], key=lambda y: abs(y - x))


@right(takes=("list[number]", "list[number]"), gives="list[int]", complexity="O((n + q) log n)")
def counts_not_larger(xs, limits):
    """Return for each limit how many values of the list, in any order, do not exceed it."""
    ordered = sorted(xs)
    return [bisect_right(ordered, limit) for limit in limits]


@scan(limits="an absent value is refused")
def first_place(xs, x):
    """Return the first index of a value; ValueError if it is absent."""
    return xs.index(x)


@scan()
def first_place_or_minus_one(xs, x):
    """Return the first index of a value, or -1."""
    return xs.index(x) if x in xs else -1


@scan()
def last_place_or_minus_one(xs, x):
    """Return the last index of a value, or -1."""
    return len(xs) - 1 - xs[::-1].index(x) if x in xs else -1


@scan(gives="list[int]")
def places(xs, x):
    """Return all indices of a value."""
    return [i for i, y in enumerate(xs) if y == x]


@scan(gives="bool")
def contains(xs, x):
    """Whether the list holds a value."""
    return x in xs


@scan()
def count_of(xs, x):
    """Count how often the list holds a value."""
    return xs.count(x)


@scan(takes=("list[number]", "number"), gives="bool")
def all_below(xs, limit):
    """Whether every number is below the limit; so in an empty list."""
    return not xs or max(xs) < limit


@scan(takes=("list[number]", "number"))
def count_above(xs, limit):
    """Count the numbers above the limit."""
    return sum([x > limit for x in xs])


@scan(takes=("list[number]", "number"), gives="number", limits="an empty list is refused")
def closest(xs, x):
    """Return the number closest to x; of equally close ones the first."""
    return min(xs, key=lambda y: abs(y - x))


@scan(takes=("list[number]", "number"), gives="number", limits="an empty list is refused")
def closest_then_smallest(xs, x):
    """Return the number closest to x; of equally close ones the smallest."""
    return min(xs, key=lambda y: (abs(y - x), y))


by_set = partial(scan, source="membership in a set", takes=("list[int]",))


@by_set(limits="the distinct numbers 0..n but one")
def missing_from_zero(xs):
    """Return the one number of 0..n that the list of n distinct ones lacks."""
    return len(xs) * (len(xs) + 1) // 2 - sum(xs)


@by_set(limits="the distinct numbers 1..n+1 but one")
def missing_from_one(xs):
    """Return the one number of 1..n+1 that the list of n distinct ones lacks."""
    return (len(xs) + 1) * (len(xs) + 2) // 2 - sum(xs)


@by_set()
def smallest_absent_natural(xs):
    """Return the smallest number from 0 that the list lacks."""
    present = set(xs)
    number = 0
    while number in present:
        number += 1
    return number


@by_set()
def smallest_absent_positive(xs):
    """Return the smallest number from 1 that the list lacks."""
    present = set(xs)
    number = 1
    while number in present:
        number += 1
    return number


@by_set(gives="list[int]")
def absent_up_to_length(xs):
    """Return the numbers of 1..n that the list of length n lacks, ascending."""
    return sorted(set(range(1, len(xs) + 1)).difference(xs))


@by_set(gives="list[int]", limits="an empty list gives an empty one", items_below=10**4)
def absent_in_range(xs):
    """Return the numbers between the smallest and the largest that the list lacks."""
    return sorted(set(range(min(xs), max(xs))).difference(xs)) if xs else []


by_count = partial(
    scan,
    source="counts in one pass",
    takes=("list",),
    gives="any",
    limits="hashable values; refused where there is none",
    imports=("from collections import Counter",),
)


@by_count()
def only_once(xs):
    """Return the first value that appears exactly once."""
    once = [x for x, count in Counter(xs).items() if count == 1]
    return once[0]


@by_count()
def odd_count(xs):
    """Return the first value that appears an odd number of times."""
    odd = [x for x, count in Counter(xs).items() if count % 2]
    return odd[0]


@by_count(limits="hashable values; refused where there is no majority")
def majority(xs):
    """Return the value that fills more than half of the list."""
    value, count = Counter(xs).most_common(1)[0]
    if 2 * count <= len(xs):
        raise ValueError("no value fills more than half")
    return value


@by_count(gives="list", limits="hashable values")
def above_a_third(xs):
    """Return the values that fill more than a third of the list, by first appearance."""
    return [x for x, count in Counter(xs).items() if 3 * count > len(xs)]


@scan(takes=("list",), limits="comparable neighbours; an empty list is refused")
def first_peak(xs):
    """Return the first index whose value is not below its neighbours."""
    if not xs:
        raise ValueError("an empty list has no peak")
    return next((i for i in range(len(xs) - 1) if xs[i] >= xs[i + 1]), len(xs) - 1)
