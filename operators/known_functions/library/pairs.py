"""Pairs and triples of values with a sum, difference or product: found, listed, counted.

Not here: pairs of points (`points`) and sums of whole stretches (`stretches`).
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from functools import partial
from itertools import combinations
from operator import mul

from operators.known_functions.archetype import archetype

pairing = partial(
    archetype,
    family="pairs",
    complexity="O(n)",
    source="complements in a hash table",
    limits="integers",
    takes=("list[int]", "int"),
    gives="int",
)
counting = partial(pairing, imports=("from collections import Counter",))
over_all = partial(pairing, source="closed form over the list", takes=("list[number]",))
by_order = partial(pairing, complexity="O(n log n)", source="sorting and bisection")


@pairing(gives="bool")
def has_pair_with_sum(xs, target):
    """Whether two values at different places add up to the target."""
    seen = set()
    for x in xs:
        if target - x in seen:
            return True
        seen.add(x)
    return False


@pairing(gives="list[int]", limits="integers; refused where there is none")
def first_pair_with_sum(xs, target):
    """Return the indices of the pair with the sum, the smallest first index, then second."""
    places = {}
    for i in range(len(xs) - 1, -1, -1):
        places.setdefault(xs[i], []).append(i)
    for i, x in enumerate(xs):
        places[x].pop()
        if places.get(target - x):
            return [i, places[target - x][-1]]
    raise ValueError("no pair has the sum")


@pairing(gives="list[int]", limits="integers; refused where there is none")
def earliest_pair_with_sum(xs, target):
    """Return the indices of the pair with the sum that is complete first."""
    seen = {}
    for i, x in enumerate(xs):
        if target - x in seen:
            return [seen[target - x], i]
        seen.setdefault(x, i)
    raise ValueError("no pair has the sum")


@pairing(gives="list[int]", limits="integers; refused where there is none")
def earliest_values_with_sum(xs, target):
    """Return the two values with the sum, of the pair that is complete first."""
    seen = set()
    for x in xs:
        if target - x in seen:
            return [target - x, x]
        seen.add(x)
    raise ValueError("no pair has the sum")


@pairing(gives="pairs", complexity="O(n + size of the result)")
def index_pairs_with_sum(xs, target):
    """Return all pairs of indices i < j whose values add up to the target, in order."""
    places = {}
    for i, x in enumerate(xs):
        places.setdefault(x, []).append(i)
    return [(i, j) for i, x in enumerate(xs) for j in places.get(target - x, ()) if j > i]


@pairing(gives="pairs", complexity="O(n + size of the result)")
def value_pairs_with_sum(xs, target):
    """Return the values of all pairs of places that add up to the target, in order."""
    left = {}
    for x in xs:
        left[x] = left.get(x, 0) + 1
    result = []
    for x in xs:
        left[x] -= 1
        result += [(x, target - x)] * left.get(target - x, 0)
    return result


@pairing(gives="pairs", complexity="O(n log n)")
def distinct_pairs_with_sum(xs, target):
    """Return the distinct pairs a <= b of values at two places with the sum, ascending."""
    seen, found = set(), set()
    for x in xs:
        if target - x in seen:
            found.add((min(x, target - x), max(x, target - x)))
        seen.add(x)
    return sorted(found)


@counting()
def count_pairs_with_sum(xs, target):
    """Count the pairs of places whose values add up to the target."""
    counts = Counter(xs)
    twice = sum([count * counts.get(target - x, 0) for x, count in counts.items()])
    return (twice - (0 if target % 2 else counts.get(target // 2, 0))) // 2


@counting()
def count_disjoint_pairs_with_sum(xs, target):
    """Return how many pairs with the sum can be taken out of the list one after another."""
    counts = Counter(xs)
    return sum([min(count, counts.get(target - x, 0)) for x, count in counts.items()]) // 2


@counting(takes=("list[int]", "list[int]", "int"))
def count_cross_pairs_with_sum(xs, ys, target):
    """Count the pairs of a value of the first and one of the second list with the sum."""
    counts = Counter(ys)
    return sum([counts[target - x] for x in xs])


@counting(limits="integers, and k > 0")
def count_pairs_with_difference(xs, k):
    """Count the pairs of places whose values differ by k."""
    counts = Counter(xs)
    if k <= 0:
        raise ValueError("the difference is not positive")
    return sum([count * counts.get(x + k, 0) for x, count in counts.items()])


@pairing(limits="integers, and k > 0")
def count_distinct_pairs_with_difference(xs, k):
    """Count the distinct pairs of values that differ by k."""
    if k <= 0:
        raise ValueError("the difference is not positive")
    values = set(xs)
    return sum([x + k in values for x in values])


@pairing(gives="bool", limits="integers, and k > 0")
def has_pair_with_difference(xs, k):
    """Whether two values differ by k."""
    if k <= 0:
        raise ValueError("the difference is not positive")
    values = set(xs)
    return any(x + k in values for x in values)


@counting(takes=("list",), limits="hashable values")
def count_equal_pairs(xs):
    """Count the pairs of places with equal values."""
    return sum([count * (count - 1) // 2 for count in Counter(xs).values()])


@counting(limits="integers, and k > 0")
def count_pairs_divisible(xs, k):
    """Count the pairs of places whose sum is divisible by k."""
    if k <= 0:
        raise ValueError("the divisor is not positive")
    counts = Counter([x % k for x in xs])
    twice = sum([count * counts.get(-rest % k, 0) for rest, count in counts.items()])
    return (twice - counts[0] - (0 if k % 2 else counts[k // 2])) // 2


@counting(limits="integers")
def count_pairs_with_product(xs, target):
    """Count the pairs of places whose product is the target."""
    counts = Counter(xs)
    if target == 0:
        others = len(xs) - counts[0]
        return (len(xs) * (len(xs) - 1) - others * (others - 1)) // 2
    twice = 0
    for x, count in counts.items():
        if x and target % x == 0:
            twice += count * (counts.get(target // x, 0) - (x * x == target))
    return twice // 2


@by_order(source="sorting and two ends that meet")
def count_pairs_below(xs, limit):
    """Count the pairs of places whose sum is below the limit."""
    ordered = sorted(xs)
    low, high, count = 0, len(ordered) - 1, 0
    while low < high:
        if ordered[low] + ordered[high] < limit:
            count += high - low
            low += 1
        else:
            high -= 1
    return count


@by_order(imports=("from bisect import bisect_right",), limits="integers, and k >= 0")
def count_pairs_within(xs, k):
    """Count the pairs of places whose values differ by at most k."""
    if k < 0:
        raise ValueError("the difference is negative")
    ordered = sorted(xs)
    return sum([bisect_right(ordered, x + k, i) - i - 1 for i, x in enumerate(ordered)])


@by_order(source="sorting and two ends that meet", limits="integers, at least two")
def pair_sum_closest_to(xs, target):
    """Return the sum of two values that is closest to the target, the smaller of ties."""
    ordered = sorted(xs)
    low, high = 0, len(ordered) - 1
    best = ordered[0] + ordered[1]
    while low < high:
        total = ordered[low] + ordered[high]
        if (abs(total - target), total) < (abs(best - target), best):
            best = total
        if total < target:
            low += 1
        else:
            high -= 1
    return best


@by_order(
    takes=("list[int]", "list[int]"),
    complexity="O((n + m) log m)",
    imports=("from bisect import bisect_right",),
)
def count_cross_pairs_ascending(xs, ys):
    """Count the pairs of a value of the first list and a larger one of the second."""
    ordered = sorted(ys)
    return sum([len(ordered) - bisect_right(ordered, x) for x in xs])


@by_order(
    takes=("list",), imports=("from bisect import bisect_left, insort",), limits="comparable"
)
def count_ascending_pairs(xs):
    """Count the pairs of places i < j with xs[i] < xs[j]."""
    ordered, count = [], 0
    for x in xs:
        count += bisect_left(ordered, x)
        insort(ordered, x)
    return count


@by_order(takes=("list[int]",), imports=("from bisect import bisect_right, insort",))
def count_doubled_inversions(xs):
    """Count the pairs of places i < j with xs[i] > 2 * xs[j]."""
    ordered, count = [], 0
    for x in xs:
        count += len(ordered) - bisect_right(ordered, 2 * x)
        insort(ordered, x)
    return count


@over_all(gives="number", complexity="O(n log n)", limits="numbers")
def sum_of_pair_distances(xs):
    """Return the sum of the absolute differences over all pairs of places."""
    return sum([x * (2 * i + 1 - len(xs)) for i, x in enumerate(sorted(xs))])


@over_all(
    gives="number",
    limits="integers",
    takes=("list[int]",),
    imports=("from operator import mul",),
)
def sum_of_pair_products(xs):
    """Return the sum of the products over all pairs of places."""
    return (sum(xs) ** 2 - sum(map(mul, xs, xs))) // 2


@over_all(gives="number", source="one pass", limits="at least two numbers; may be negative")
def largest_rise(xs):
    """Return the largest difference of a later and an earlier value."""
    low, best = xs[0], xs[1] - xs[0]
    for x in xs[1:]:
        if x - low > best:
            best = x - low
        if x < low:
            low = x
    return best


@over_all(
    gives="list",
    complexity="O(n^2), the size of the result",
    source="generated in C",
    imports=("from itertools import combinations",),
)
def all_pairs(xs):
    """Return all pairs of values at places i < j, in order."""
    return list(combinations(xs, 2))
