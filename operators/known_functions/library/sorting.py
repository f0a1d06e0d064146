"""Orders of a list: sorted by a key or in part, ranked, merged, and how far from sorted.

Not here: finding something in a sorted list (`searching`) and its k-th value (`selection`).
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cmp_to_key, partial
from itertools import chain
from operator import ge, itemgetter, le, lt

from operators.known_functions.archetype import archetype

order = partial(
    archetype,
    family="sorting",
    complexity="O(n log n)",
    source="Timsort, the built-in sort",
    takes=("list",),
    gives="list",
)
by_count = partial(
    order,
    source="counts in one pass, then Timsort by them",
    limits="hashable, comparable values",
    imports=("from collections import Counter",),
)
split = partial(order, complexity="O(n)", source="two filters")


@order(limits="values must be comparable with each other")
def sort_ascending(xs):
    """Return the values in ascending order; equal ones keep their order."""
    return sorted(xs)


@order(limits="values must be comparable with each other")
def sort_descending(xs):
    """Return the values in descending order; equal ones keep their order."""
    return sorted(xs, reverse=True)


@order(limits="elements must have a length")
def sort_by_length(items):
    """Return the items from short to long; equally long ones keep their order."""
    return sorted(items, key=len)


@order(limits="elements must have a length")
def sort_by_length_descending(items):
    """Return the items from long to short; equally long ones keep their order."""
    return sorted(items, key=len, reverse=True)


@order(limits="elements must have a length and be comparable")
def sort_by_length_then_value(items):
    """Return the items from short to long; equally long ones ascending."""
    return sorted(sorted(items), key=len)


@order(limits="elements must have a length and be comparable")
def sort_by_length_descending_then_value(items):
    """Return the items from long to short; equally long ones ascending."""
    return sorted(sorted(items), key=len, reverse=True)


@order(limits="numbers only")
def sort_by_absolute_value(xs):
    """Return the numbers by distance from zero; equally far ones keep their order."""
    return sorted(xs, key=abs)


@order(limits="numbers only")
def sort_by_absolute_value_descending(xs):
    """Return the numbers from far to near zero; equally far ones keep their order."""
    return sorted(xs, key=abs, reverse=True)


@by_count()
def sort_by_frequency_then_value(xs):
    """Return the values from rare to frequent; equally frequent ones ascending."""
    return sorted(sorted(xs), key=Counter(xs).__getitem__)


@by_count()
def sort_by_frequency_then_value_descending(xs):
    """Return the values from rare to frequent; equally frequent ones descending."""
    return sorted(sorted(xs, reverse=True), key=Counter(xs).__getitem__)


@by_count()
def sort_by_frequency_descending_then_value(xs):
    """Return the values from frequent to rare; equally frequent ones ascending."""
    return sorted(sorted(xs), key=Counter(xs).__getitem__, reverse=True)


@by_count(limits="hashable values")
def sort_by_frequency_descending_then_place(xs):
    """Return groups of equal values, the largest first; equally large ones as they appear."""
    return [x for x, count in Counter(xs).most_common() for _ in range(count)]


@order(
    complexity="O(n log n + digits)",
    source="digit sums from the decimal text, then Timsort",
    limits="integers; the sign is not part of the sum",
    takes=("list[int]",),
)
def sort_by_digit_sum(xs):
    """Return the integers by the sum of their digits; equal sums keep their order."""

    def total(x):
        digits = str(abs(x)).encode()
        return sum(digits) - 48 * len(digits)

    return sorted(xs, key=total)


@order(
    complexity="O(n log n + digits)",
    source="digit sums from the decimal text, then Timsort",
    limits="integers; the sign belongs to the first digit",
    takes=("list[int]",),
)
def sort_by_signed_digit_sum(xs):
    """Return the integers by digit sum, the first digit of a negative one being negative."""

    def total(x):
        digits = str(abs(x)).encode()
        return sum(digits) - 48 * len(digits) - (2 * digits[0] - 96 if x < 0 else 0)

    return sorted(xs, key=total)


@order(
    source="digit sums from the decimal text, then Timsort",
    limits="integers; the sign is not part of the sum",
    takes=("list[int]",),
)
def sort_by_digit_sum_then_value(xs):
    """Return the integers by the sum of their digits; equal sums ascending."""

    def total(x):
        digits = str(abs(x)).encode()
        return sum(digits) - 48 * len(digits)

    return sorted(sorted(xs), key=total)


@order(
    source="bit counts, then Timsort",
    limits="integers; the sign is not counted",
    takes=("list[int]",),
)
def sort_by_bit_count(xs):
    """Return the integers by their number of one bits; equal numbers keep their order."""
    return sorted(xs, key=int.bit_count)


@order(limits="no element may be empty", imports=("from operator import itemgetter",))
def sort_by_last_element(rows):
    """Return the rows (or words) by their last element; equal ones keep their order."""
    return sorted(rows, key=itemgetter(-1))


@order(limits="no element may be empty", imports=("from operator import itemgetter",))
def sort_by_last_element_descending(rows):
    """Return the rows by their last element, descending; equal ones keep their order."""
    return sorted(rows, key=itemgetter(-1), reverse=True)


@order(limits="no element may be empty", imports=("from operator import itemgetter",))
def sort_by_first_element(rows):
    """Return the rows (or words) by their first element; equal ones keep their order."""
    return sorted(rows, key=itemgetter(0))


@order(limits="rows of two or more elements", imports=("from operator import itemgetter",))
def sort_by_second_element(rows):
    """Return the rows by their second element; equal ones keep their order."""
    return sorted(rows, key=itemgetter(1))


@order(complexity="O(n log n + cells)", limits="rows of numbers", takes=("list[list[int]]",))
def sort_rows_by_sum(rows):
    """Return the rows by their sums; equal sums keep their order."""
    return sorted(rows, key=sum)


@order(limits="strings only", takes=("list[str]",), gives="list[str]")
def sort_ignoring_case(words):
    """Return the words in alphabetical order without regard to case, otherwise stable."""
    return sorted(words, key=str.lower)


@split(limits="integers", takes=("list[int]",), gives="list[int]")
def evens_before_odds(xs):
    """Return the even numbers, then the odd ones, each in their order."""
    return [x for x in xs if x % 2 == 0] + [x for x in xs if x % 2]


@split(limits="numbers; zero counts as not negative")
def negatives_first(xs):
    """Return the negative numbers, then the others, each in their order."""
    return [x for x in xs if x < 0] + [x for x in xs if x >= 0]


@split(source="one filter and the rest by counting", limits="numbers")
def zeros_last(xs):
    """Return the numbers in their order, all zeros moved to the end."""
    return [x for x in xs if x != 0] + [x for x in xs if x == 0]


@order(limits="values must be comparable with each other")
def sorted_distinct(xs):
    """Return the distinct values in ascending order."""
    return sorted(set(xs))


@order(limits="values must be comparable with each other")
def sorted_distinct_descending(xs):
    """Return the distinct values in descending order."""
    return sorted(set(xs), reverse=True)


@order(limits="values must be comparable with each other")
def sorting_indices(xs):
    """Return the indices that sort the values; equal values by index."""
    return sorted(range(len(xs)), key=xs.__getitem__)


@order(limits="hashable values; equal ones share a rank", gives="list[int]")
def dense_ranks(xs):
    """Return each value's rank among the distinct values, from 1."""
    rank = {x: i for i, x in enumerate(sorted(set(xs)), 1)}
    return [rank[x] for x in xs]


@order(
    limits="values must be comparable with each other",
    gives="list[int]",
    imports=("from bisect import bisect_left",),
)
def counts_of_smaller(xs):
    """Return for each value how many values of the list are smaller."""
    ordered = sorted(xs)
    return [bisect_left(ordered, x) for x in xs]


@order(limits="values must be comparable with each other")
def smallest_largest_alternating(xs):
    """Return smallest, largest, second smallest, second largest, and so on."""
    ordered = sorted(xs)
    result = [None] * len(ordered)
    half = (len(ordered) + 1) // 2
    result[::2] = ordered[:half]
    result[1::2] = ordered[half:][::-1]
    return result


@order(limits="values must be comparable with each other")
def largest_smallest_alternating(xs):
    """Return largest, smallest, second largest, second smallest, and so on."""
    ordered = sorted(xs)
    result = [None] * len(ordered)
    half = len(ordered) // 2
    result[1::2] = ordered[:half]
    result[::2] = ordered[half:][::-1]
    return result


@order(limits="values must be comparable; the other places keep their values")
def sort_even_places(xs):
    """Return the list with the values at indices 0, 2, 4, ... sorted among themselves."""
    result = list(xs)
    result[::2] = sorted(result[::2])
    return result


@order(limits="a positive step; the other places keep their values", takes=("list", "int"))
def sort_every_kth_place(xs, k):
    """Return the list with the values at indices 0, k, 2k, ... sorted among themselves."""
    if k < 1:
        raise ValueError("the step is not positive")
    result = list(xs)
    result[::k] = sorted(result[::k])
    return result


@order(limits="an index past the end takes all", takes=("list", "int"))
def sort_first_k(xs, k):
    """Return the list with its first k values sorted, the rest as it was."""
    if k < 0:
        raise ValueError("k is negative")
    return sorted(xs[:k]) + list(xs[k:])


@order(
    source="Timsort finds and merges sorted runs", takes=("list", "list"), limits="comparable"
)
def merge_two(xs, ys):
    """Return the values of both lists in ascending order."""
    return sorted([*xs, *ys])


@order(
    source="Timsort finds and merges sorted runs",
    limits="comparable values",
    takes=("list[list[int]]",),
    imports=("from itertools import chain",),
)
def merge_rows(rows):
    """Return the values of all rows in ascending order."""
    return sorted(chain.from_iterable(rows))


check = partial(order, complexity="O(n)", gives="bool")


@check(source="comparison of the list with its own tail", imports=("from operator import le",))
def is_ascending(xs):
    """Whether no value is smaller than the one before it."""
    return all(map(le, xs, xs[1:]))


@check(source="comparison of the list with its own tail", imports=("from operator import lt",))
def is_strictly_ascending(xs):
    """Whether each value is larger than the one before it."""
    return all(map(lt, xs, xs[1:]))


@check(source="comparison of the list with its own tail", imports=("from operator import ge",))
def is_descending(xs):
    """Whether no value is larger than the one before it."""
    return all(map(ge, xs, xs[1:]))


@check(
    source="comparison of the list with its own tail", imports=("from operator import ge, le",)
)
def is_monotonic(xs):
    """Whether the list is ascending or descending; equal neighbours are allowed."""
    return all(map(le, xs, xs[1:])) or all(map(ge, xs, xs[1:]))


@order(
    source="merge sort that counts crossings, insertion into a sorted block below 256 values",
    gives="int",
    imports=("from bisect import bisect_right", "from itertools import chain"),
    limits="comparable values",
)
def count_inversions(xs):
    """Count pairs i < j with xs[i] > xs[j]."""
    total = 0
    blocks = []
    for start in range(0, len(xs), 256):
        block = []
        for x in xs[start : start + 256]:
            place = bisect_right(block, x)
            total += len(block) - place
            block.insert(place, x)
        blocks.append(block)
    while len(blocks) > 1:
        for left, right in zip(blocks[::2], blocks[1::2], strict=False):
            place = 0
            for x in right:
                place = bisect_right(left, x, place)
                total += len(left) - place
        pairs = [blocks[i : i + 2] for i in range(0, len(blocks), 2)]
        blocks = [sorted(chain.from_iterable(pair)) for pair in pairs]
    return total


@order(source="cycles of the sorting permutation", limits="distinct values", gives="int")
def swaps_to_sort(xs):
    """Count the swaps of any two values that sorting needs at least."""
    after = sorted(range(len(xs)), key=xs.__getitem__)
    cycles = 0
    for start in range(len(after)):
        place = start
        cycles += after[start] >= 0
        while after[place] >= 0:  # a place once visited is marked by -1
            after[place], place = -1, after[place]
    return len(after) - cycles


@order(
    source="Timsort by which of two concatenations is larger",
    limits="non-negative integers",
    takes=("list[int]",),
    gives="str",
    imports=("from functools import cmp_to_key",),
)
def largest_concatenation(xs):
    """Return the largest number that the numbers written side by side can make."""
    words = sorted(map(str, xs), key=cmp_to_key(lambda a, b: (a + b < b + a) - (a + b > b + a)))
    return "0" if words and words[0] == "0" else "".join(words)
