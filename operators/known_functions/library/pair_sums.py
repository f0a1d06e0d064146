"""Sums and counts over all pairs of a list, in less than a step a pair.

Not here: pairs with a given sum or difference (`pairs`), bits of one number (`bits`).
"""

from collections import Counter
from itertools import pairwise

from operators.known_functions.archetype import archetype


@archetype(
    family="pairs",
    complexity="O(n b), b bits",
    source="each bit apart: ones times zeros",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def total_hamming_distance(values):
    """The sum over all pairs of the number of bits in which they differ."""
    bits = max(values, default=0).bit_length()
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    total = 0
    for place in range(bits):
        ones = sum([value >> place & 1 for value in values])
        total += ones * (len(values) - ones)
    return total


@archetype(
    family="pairs",
    complexity="O(n b), b bits",
    source="each bit apart: ones times zeros",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def sum_of_pair_xors(values):
    """The sum over all pairs of their exclusive or."""
    bits = max(values, default=0).bit_length()
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    total = 0
    for place in range(bits):
        ones = sum([value >> place & 1 for value in values])
        total += ones * (len(values) - ones) << place
    return total


@archetype(
    family="pairs",
    complexity="O(n b), b bits",
    source="each bit apart: pairs of ones",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def sum_of_pair_ands(values):
    """The sum over all pairs of their bitwise and."""
    bits = max(values, default=0).bit_length()
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    total = 0
    for place in range(bits):
        ones = sum([value >> place & 1 for value in values])
        total += ones * (ones - 1) // 2 << place
    return total


@archetype(
    family="pairs",
    complexity="O(n b), b bits",
    source="each bit apart: all pairs but those of zeros",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def sum_of_pair_ors(values):
    """The sum over all pairs of their bitwise or."""
    bits = max(values, default=0).bit_length()
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    n, total = len(values), 0
    for place in range(bits):
        zeros = n - sum([value >> place & 1 for value in values])
        total += (n * (n - 1) - zeros * (zeros - 1)) // 2 << place
    return total


@archetype(
    family="pairs",
    complexity="O(n b), b bits",
    source="greedy prefix by prefix with a set",
    limits="values from 0 on; 0 for none",
    takes=("list[int]",),
    gives="int",
)
def largest_pair_xor(values):
    """The largest exclusive or of two values."""
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    best = 0
    for place in reversed(range(max(values, default=0).bit_length())):
        prefixes = {value >> place for value in values}
        best = best << 1 | 1
        if not any(prefix ^ best in prefixes for prefix in prefixes):
            best ^= 1
    return best


@archetype(
    family="pairs",
    complexity="O(n log n)",
    source="neighbours in order",
    limits="values from 0 on, two at least",
    takes=("list[int]",),
    gives="int",
    imports=("from itertools import pairwise",),
)
def smallest_pair_xor(values):
    """The smallest exclusive or of two values."""
    ordered = sorted(values)
    if len(ordered) < 2 or ordered[0] < 0:
        raise ValueError("no two values from 0 on")
    return min([a ^ b for a, b in pairwise(ordered)])


@archetype(
    family="pairs",
    complexity="O(n)",
    source="a table of the values seen",
    takes=("list[int]", "int"),
    gives="int",
    imports=("from collections import Counter",),
)
def count_pairs_with_xor(values, k):
    """How many pairs of places hold values with the exclusive or k."""
    counts = Counter(values)
    pairs = sum([number * counts.get(value ^ k, 0) for value, number in counts.items()])
    return (pairs if k else pairs - len(values)) // 2


@archetype(
    family="pairs",
    complexity="O(n)",
    source="odd numbers times even numbers",
    takes=("list[int]",),
    gives="int",
)
def count_pairs_with_odd_sum(values):
    """How many pairs of places hold values with an odd sum."""
    odd = sum([value & 1 for value in values])
    return odd * (len(values) - odd)


@archetype(
    family="pairs",
    complexity="O(n)",
    source="pairs of odd numbers and pairs of even numbers",
    takes=("list[int]",),
    gives="int",
)
def count_pairs_with_even_sum(values):
    """How many pairs of places hold values with an even sum."""
    odd = sum([value & 1 for value in values])
    even = len(values) - odd
    return (odd * (odd - 1) + even * (even - 1)) // 2


@archetype(
    family="pairs",
    complexity="O(n)",
    source="all pairs but those of odd numbers",
    takes=("list[int]",),
    gives="int",
)
def count_pairs_with_even_product(values):
    """How many pairs of places hold values with an even product."""
    n, odd = len(values), sum([value & 1 for value in values])
    return (n * (n - 1) - odd * (odd - 1)) // 2


@archetype(
    family="pairs",
    complexity="O(n)",
    source="equal remainders",
    limits="k from 1 on",
    takes=("list[int]", "int"),
    gives="int",
    imports=("from collections import Counter",),
)
def count_pairs_with_difference_divisible(values, k):
    """How many pairs of places hold values with a difference that k divides."""
    if k < 1:
        raise ValueError("k < 1")
    counts = Counter([value % k for value in values]).values()
    return sum([number * (number - 1) // 2 for number in counts])


@archetype(
    family="pairs",
    complexity="O(n)",
    source="all pairs less those of equal values",
    takes=("list[any]",),
    gives="int",
    imports=("from collections import Counter",),
)
def count_unequal_pairs(values):
    """How many pairs of places hold different values."""
    n = len(values)
    equal = sum([number * (number - 1) for number in Counter(values).values()])
    return (n * (n - 1) - equal) // 2


@archetype(
    family="pairs",
    complexity="O(n)",
    source="n times the squares less the square of the sum",
    takes=("list[int]",),
    gives="int",
)
def sum_of_squared_pair_differences(values):
    """The sum over all pairs of the square of their difference."""
    return len(values) * sum([value * value for value in values]) - sum(values) ** 2


@archetype(
    family="pairs",
    complexity="O(n log n)",
    source="each value is the larger one of as many pairs as there are smaller ones",
    takes=("list[int]",),
    gives="int",
)
def sum_of_pair_maxima(values):
    """The sum over all pairs of the larger value."""
    return sum([i * value for i, value in enumerate(sorted(values))])
