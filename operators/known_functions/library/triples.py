"""Triples and quadruples of values: with a sum, in a progression, as sides of a triangle.

Not here: pairs (`pairs`).
"""

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from functools import partial

from operators.known_functions.archetype import archetype

triple = partial(
    archetype,
    family="triples",
    complexity="O(n^2)",
    source="sorting, then two ends that meet for each first value",
    limits="integers",
    takes=("list[int]", "int"),
    gives="int",
)


@triple(gives="bool")
def has_triple_with_sum(xs, target):
    """Whether three values at different places add up to the target."""
    ordered = sorted(xs)
    for first, x in enumerate(ordered):
        seen = set()
        for y in ordered[first + 1 :]:
            if target - x - y in seen:
                return True
            seen.add(y)
    return False


@triple(gives="list[list[int]]")
def triples_with_sum(xs, target):
    """Return the distinct ascending triples of values with the sum, in ascending order."""
    ordered = sorted(xs)
    result = set()
    for first, x in enumerate(ordered):
        if first and x == ordered[first - 1]:
            continue
        seen = set()
        for y in ordered[first + 1 :]:
            if target - x - y in seen:
                result.add((x, target - x - y, y))
            seen.add(y)
    return [list(found) for found in sorted(result)]


@triple(takes=("list[int]",), gives="list[list[int]]")
def triples_with_sum_zero(xs):
    """Return the distinct ascending triples of values with sum zero, in ascending order."""
    ordered = sorted(xs)
    result = set()
    for first, x in enumerate(ordered):
        if x > 0:
            break
        if first and x == ordered[first - 1]:
            continue
        seen = set()
        for y in ordered[first + 1 :]:
            if -x - y in seen:
                result.add((x, -x - y, y))
            seen.add(y)
    return [list(found) for found in sorted(result)]


@triple(takes=("list[int]",), gives="bool")
def has_triple_with_sum_zero(xs):
    """Whether three values at different places add up to zero."""
    ordered = sorted(xs)
    for first, x in enumerate(ordered):
        seen = set()
        for y in ordered[first + 1 :]:
            if -x - y in seen:
                return True
            seen.add(y)
    return False


@triple(source="complements in a hash table for each middle")
def count_triples_with_sum(xs, target):
    """Count the triples of places whose values add up to the target."""
    before, total = {}, 0
    for i, y in enumerate(xs):
        total += sum([before.get(target - y - z, 0) for z in xs[i + 1 :]])
        before[y] = before.get(y, 0) + 1
    return total


@triple()
def count_triples_below(xs, limit):
    """Count the triples of places whose sum is below the limit."""
    ordered = sorted(xs)
    count = 0
    for first, x in enumerate(ordered):
        low, high = first + 1, len(ordered) - 1
        while low < high:
            if x + ordered[low] + ordered[high] < limit:
                count += high - low
                low += 1
            else:
                high -= 1
    return count


@triple(limits="integers, at least three")
def triple_sum_closest_to(xs, target):
    """Return the sum of three values that is closest to the target, the smaller of ties."""
    ordered = sorted(xs)
    best = sum(ordered[:3]) if len(ordered) > 2 else None
    for first, x in enumerate(ordered):
        low, high = first + 1, len(ordered) - 1
        while low < high:
            total = x + ordered[low] + ordered[high]
            if (abs(total - target), total) < (abs(best - target), best):
                best = total
            if total < target:
                low += 1
            else:
                high -= 1
    if best is None:
        raise ValueError("fewer than three values")
    return best


@triple(takes=("list[int]",), limits="positive numbers")
def count_triangles(xs):
    """Count the triples of places whose values are sides of a triangle with an area."""
    ordered = sorted(xs)
    if ordered and ordered[0] <= 0:
        raise ValueError("a side is not positive")
    count = 0
    for last in range(len(ordered) - 1, 1, -1):
        low, high = 0, last - 1
        while low < high:
            if ordered[low] + ordered[high] > ordered[last]:
                count += high - low
                high -= 1
            else:
                low += 1
    return count


@triple(takes=("list[int]",), gives="bool", source="squares in a hash table")
def has_right_triangle(xs):
    """Whether a^2 + b^2 = c^2 for three values at different places, none of them zero."""
    squares = sorted([x * x for x in xs if x])
    known = set(squares)
    return any(a + b in known for i, a in enumerate(squares) for b in squares[i + 1 :])


@triple(
    takes=("list[int]",),
    complexity="O(n log n)",
    source="smaller values before, larger behind, by bisection",
    imports=("from bisect import bisect_left, bisect_right, insort",),
)
def count_ascending_triples(xs):
    """Count the triples of places i < j < k with xs[i] < xs[j] < xs[k]."""
    before, behind, total = [], sorted(xs), 0
    for x in xs:
        del behind[bisect_left(behind, x)]
        total += bisect_left(before, x) * (len(behind) - bisect_right(behind, x))
        insort(before, x)
    return total


@triple(takes=("list",), gives="bool", complexity="O(n)", source="the two smallest ends so far")
def has_ascending_triple(xs):
    """Whether xs[i] < xs[j] < xs[k] for some places i < j < k."""
    low = middle = None
    for x in xs:
        if low is None or x <= low:
            low = x
        elif middle is None or x <= middle:
            middle = x
        else:
            return True
    return False


@triple(
    complexity="O(n)", source="membership in a hash table", limits="distinct integers, k > 0"
)
def count_progressions_of_three(xs, k):
    """Count the values x for which x + k and x + 2k are in the list too."""
    values = set(xs)
    if k <= 0 or len(values) < len(xs):
        raise ValueError("the step is not positive, or values repeat")
    return sum([x + k in values and x + 2 * k in values for x in xs])


@triple(
    gives="list[list[int]]",
    complexity="O(n^2 + size of the result) expected",
    source="sums of pairs of earlier values in a hash table",
)
def quadruples_with_sum(xs, target):
    """Return the distinct ascending quadruples of values with the sum, in order."""
    pairs, result = {}, set()
    for i, x in enumerate(xs):
        for y in xs[i + 1 :]:
            for a, b in pairs.get(target - x - y, ()):
                result.add(tuple(sorted((a, b, x, y))))
        for y in xs[:i]:
            pairs.setdefault(x + y, set()).add((y, x))
    return [list(found) for found in sorted(result)]


@triple(
    takes=("list[int]", "list[int]", "list[int]", "list[int]"),
    source="sums of two lists against those of the other two",
    imports=("from collections import Counter",),
)
def count_quadruples_with_sum_zero(xs, ys, zs, ws):
    """Count the ways to take one value of each of four lists with sum zero."""
    sums = Counter([x + y for x in xs for y in ys])
    return sum([sums[-z - w] for z in zs for w in ws])
