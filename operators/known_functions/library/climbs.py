"""Rising and level stretches of a list, and runs of consecutive numbers.

Not here: subsequences that may skip values (`subsequences`).
"""

from functools import partial
from itertools import pairwise

from operators.known_functions.archetype import archetype

climb = partial(
    archetype,
    family="climbs",
    complexity="O(n)",
    source="one pass",
    takes=("list",),
    gives="int",
    limits="comparable values",
)
stepping = partial(climb, imports=("from itertools import pairwise",))


@stepping()
def longest_rise(xs):
    """Return the length of the longest stretch in which each value is above the last."""
    best = length = min(len(xs), 1)
    for x, y in pairwise(xs):
        length = length + 1 if x < y else 1
        if length > best:
            best = length
    return best


@stepping()
def longest_rise_or_level(xs):
    """Return the length of the longest stretch in which no value is below the last."""
    best = length = min(len(xs), 1)
    for x, y in pairwise(xs):
        length = length + 1 if x <= y else 1
        if length > best:
            best = length
    return best


@climb(gives="list")
def first_longest_rise(xs):
    """Return the longest stretch in which each value is above the last; of ties the first."""
    best = start = end = 0
    for i in range(1, len(xs) + 1):
        if i == len(xs) or xs[i - 1] >= xs[i]:
            if i - start > end - best:
                best, end = start, i
            start = i
    return xs[best:end]


@stepping()
def count_rises(xs):
    """Count the strictly ascending stretches, single values included."""
    count = length = min(len(xs), 1)
    for x, y in pairwise(xs):
        length = length + 1 if x < y else 1
        count += length
    return count


@climb(takes=("list[number]",), gives="number", limits="numbers; 0 for an empty list")
def largest_rise_sum(xs):
    """Return the largest sum of a strictly ascending stretch of positive numbers."""
    if xs and min(xs) <= 0:
        raise ValueError("a number is not positive")
    best = total = last = 0
    for x in xs:
        total = total + x if x > last else x
        last = x
        if total > best:
            best = total
    return best


@stepping(takes=("list[number]",), limits="numbers")
def longest_mountain(xs):
    """Return the length of the longest stretch that rises and then falls, 0 if none."""
    best = up = down = 0
    for x, y in pairwise(xs):
        if x < y:
            up, down = (1 if down else up + 1), 0
        elif x > y:
            down += 1
            if up and up + down + 1 > best:
                best = up + down + 1
        else:
            up = down = 0
    return best


@stepping(takes=("list[number]",), limits="numbers")
def longest_zigzag_stretch(xs):
    """Return the length of the longest stretch that goes up and down in turn."""
    best = length = min(len(xs), 1)
    last = 0
    for x, y in pairwise(xs):
        step = (x < y) - (x > y)
        length = (length if step == -last else 1) + 1 if step else 1
        last = step
        if length > best:
            best = length
    return best


@climb(takes=("list[int]",), limits="numbers")
def count_arithmetic_stretches(xs):
    """Count the stretches of three values or more with equal steps."""
    count = length = 0
    for i in range(2, len(xs)):
        length = length + 1 if xs[i] - xs[i - 1] == xs[i - 1] - xs[i - 2] else 0
        count += length
    return count


@climb(takes=("list[int]",), source="membership in a hash table", limits="integers")
def longest_consecutive(xs):
    """Return how many consecutive integers the list holds at most, in any order."""
    left, best = set(xs), 0
    while left:
        x = left.pop()
        low, high = x - 1, x + 1
        while low in left:
            left.remove(low)
            low -= 1
        while high in left:
            left.remove(high)
            high += 1
        if high - low - 1 > best:
            best = high - low - 1
    return best


@climb(takes=("list[int]",), gives="bool", limits="integers")
def is_consecutive(xs):
    """Whether the values are distinct consecutive integers in any order."""
    return bool(xs) and len(set(xs)) == len(xs) == max(xs) - min(xs) + 1


@climb(takes=("list[int]",), gives="list", limits="distinct ascending integers")
def consecutive_ranges(xs):
    """Return first and last of each run of consecutive integers in an ascending list."""
    result = []
    for x in xs:
        if result and result[-1][1] == x - 1:
            result[-1][1] = x
        else:
            result.append([x, x])
    return result


@climb(takes=("list[number]",), gives="list[int]")
def peaks(xs):
    """Return the indices of inner values above both neighbours."""
    return [i for i in range(1, len(xs) - 1) if xs[i - 1] < xs[i] > xs[i + 1]]


@stepping(takes=("list[number]",), limits="numbers; rises of single days add up")
def sum_of_rises(xs):
    """Return the sum of all rises from one value to the next: the profit of every day."""
    return sum([y - x for x, y in pairwise(xs) if y > x])


@climb(takes=("list[number]",), gives="bool", limits="numbers")
def ascends_after_one_change(xs):
    """Whether changing at most one value can make the list ascend (equal ones allowed)."""
    drops = [i for i in range(1, len(xs)) if xs[i - 1] > xs[i]]
    if len(drops) != 1:
        return not drops
    at = drops[0]
    before = at == 1 or xs[at - 2] <= xs[at]
    behind = at == len(xs) - 1 or xs[at - 1] <= xs[at + 1]
    return before or behind
