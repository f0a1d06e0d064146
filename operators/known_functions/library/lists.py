"""Lists made of lists: rotated, cut, joined, grouped, summed along the way.

Not here: orders (`sorting`), windows and best stretches (`windows`).
"""

from functools import partial
from itertools import accumulate, chain, groupby
from operator import add, mul, ne, sub, xor

from operators.known_functions.archetype import archetype
from operators.known_functions.library.selection import running_maxima

reshape = partial(
    archetype,
    family="lists",
    complexity="O(n)",
    source="slices in C",
    takes=("list",),
    gives="list",
)
sums = partial(
    reshape,
    source="running totals in C",
    takes=("list[number]",),
    limits="numbers",
    imports=("from itertools import accumulate",),
)
runs = partial(
    reshape, source="runs of equal values", imports=("from itertools import groupby",)
)
pairwise = partial(
    reshape, takes=("list[number]", "list[number]"), limits="numbers", source="map"
)


@reshape(takes=("list", "int"))
def rotate_left(xs, k):
    """Return the list with its first k values moved to the end; k counts modulo the length."""
    if not xs:
        return []
    k %= len(xs)
    return xs[k:] + xs[:k]


@reshape(takes=("list", "int"))
def rotate_right(xs, k):
    """Return the list with its last k values moved to the front; k counts modulo the length."""
    if not xs:
        return []
    k = -k % len(xs)
    return xs[k:] + xs[:k]


@reshape()
def reversed_list(xs):
    """Return the list backwards."""
    return xs[::-1]


@reshape(takes=("list", "int"), limits="a positive size")
def chunks(xs, size):
    """Return the list cut into pieces of a size; the last may be shorter."""
    if size < 1:
        raise ValueError("the size is not positive")
    return [xs[i : i + size] for i in range(0, len(xs), size)]


@reshape(takes=("list", "int"), limits="a positive step")
def every_kth(xs, k):
    """Return the values at indices 0, k, 2k, ..."""
    if k < 1:
        raise ValueError("the step is not positive")
    return xs[::k]


@reshape(takes=("list", "int"), limits="a positive k")
def dealt(xs, k):
    """Return k lists, dealt like cards: the i-th has the values at i, i + k, i + 2k, ..."""
    if k < 1:
        raise ValueError("no list to deal to")
    return [xs[i::k] for i in range(k)]


@reshape(takes=("list", "list"))
def interleaved(xs, ys):
    """Return the values of both lists in turn; the rest of the longer follows."""
    both = min(len(xs), len(ys))
    result = [None] * (2 * both)
    result[::2], result[1::2] = xs[:both], ys[:both]
    return result + xs[both:] + ys[both:]


@reshape(takes=("list[list]",), source="one chain", imports=("from itertools import chain",))
def flattened(rows):
    """Return the values of all rows in one list."""
    return list(chain.from_iterable(rows))


@reshape(source="an explicit stack of iterators", limits="lists and tuples are opened")
def deeply_flattened(xs):
    """Return the values of a list of lists of any depth in one list."""
    result, stack = [], [iter(xs)]
    while stack:
        for x in stack[-1]:
            if isinstance(x, (list, tuple)):
                stack.append(iter(x))
                break
            result.append(x)
        else:
            stack.pop()
    return result


@runs()
def without_repeats_in_a_row(xs):
    """Return the list with each run of equal values shortened to one."""
    return [x for x, _ in groupby(xs)]


@runs()
def grouped_runs(xs):
    """Return the runs of equal values as lists."""
    return [list(run) for _, run in groupby(xs)]


@runs(gives="list")
def run_lengths(xs):
    """Return lists of length and value, one a run of equal values."""
    return [[len(list(run)), x] for x, run in groupby(xs)]


@runs(gives="list")
def runs_with_lengths(xs):
    """Return lists of value and length, one a run of equal values."""
    return [[x, len(list(run))] for x, run in groupby(xs)]


@runs(gives="int")
def longest_run(xs):
    """Return the length of the longest run of equal values."""
    return max([len(list(run)) for _, run in groupby(xs)], default=0)


@runs(takes=("list", "any"), gives="int")
def longest_run_of(xs, value):
    """Return the length of the longest run of one value."""
    return max([len(list(run)) for x, run in groupby(xs) if x == value], default=0)


@reshape(takes=("list", "int"), source="one pass")
def repeat_each(xs, k):
    """Return the list with each value k times in a row."""
    return [x for x in xs for _ in range(k)]


@sums()
def prefix_sums(xs):
    """Return the sums of all prefixes, the empty one excluded."""
    return list(accumulate(xs))


@sums()
def prefix_sums_from_zero(xs):
    """Return the sums of all prefixes, the empty one first."""
    return list(accumulate(xs, initial=0))


@sums()
def suffix_sums(xs):
    """Return for each place the sum from there to the end."""
    return list(accumulate(xs[::-1]))[::-1]


@sums(imports=("from itertools import accumulate", "from operator import mul"))
def prefix_products(xs):
    """Return the products of all prefixes, the empty one excluded."""
    return list(accumulate(xs, mul))


@sums(imports=("from itertools import accumulate", "from operator import xor"))
def prefix_xors(xs):
    """Return the exclusive ors of all prefixes, the empty one excluded."""
    return list(accumulate(xs, xor))


@sums(
    takes=("list[int]",),
    imports=("from itertools import accumulate", "from operator import mul"),
)
def products_of_others(xs):
    """Return for each place the product of all other values; without division."""
    before = accumulate(xs[:-1], mul, initial=1)
    behind = list(accumulate(xs[:0:-1], mul, initial=1))[::-1]
    return list(map(mul, before, behind)) if xs else []


@sums()
def sums_of_others(xs):
    """Return for each place the sum of all other values."""
    total = sum(xs)
    return [total - x for x in xs]


@sums(
    gives="int", source="running totals", imports=(), limits="numbers; -1 where there is none"
)
def equilibrium(xs):
    """Return the first index with equal sums before and behind it, or -1."""
    before, total = 0, sum(xs)
    for i, x in enumerate(xs):
        if 2 * before + x == total:
            return i
        before += x
    return -1


@sums(gives="int", source="running totals")
def count_equal_splits(xs):
    """Count the places where the list falls into two non-empty parts of equal sums."""
    total = sum(xs)
    return sum([2 * part == total for part in accumulate(xs[:-1])])


@sums(source="running maximum from the right", imports=(), uses=("running_maxima",))
def leaders(xs):
    """Return the values that all later values are below, in their order."""
    tops = running_maxima(xs[::-1])[::-1]
    return [x for x, later in zip(xs, tops[1:], strict=False) if x > later] + xs[-1:]


@sums(source="running maximum from the right", imports=(), uses=("running_maxima",))
def leaders_or_equal(xs):
    """Return the values that no later value is above, in their order."""
    tops = running_maxima(xs[::-1])
    return [x for x, top in zip(xs[::-1], tops, strict=True) if x == top][::-1]


@sums(source="running maximum from the right", imports=(), uses=("running_maxima",))
def largest_behind(xs):
    """Return for each place the largest later value, and -1 for the last."""
    return running_maxima([-1, *xs[:0:-1]])[::-1] if xs else []


@sums(imports=("from operator import sub",), source="map")
def differences(xs):
    """Return each value minus the one before it."""
    return list(map(sub, xs[1:], xs))


@sums(imports=("from operator import sub",), source="map", gives="number")
def sum_of_steps(xs):
    """Return the sum of the absolute differences of neighbours."""
    return sum(map(abs, map(sub, xs[1:], xs)))


@sums(gives="number", imports=("from itertools import accumulate",))
def lowest_prefix_sum(xs):
    """Return the smallest sum of a prefix; 0 for the empty one."""
    return min(accumulate(xs, initial=0))


@pairwise(imports=("from operator import add",))
def sums_by_place(xs, ys):
    """Return the sums of values at equal places, as far as both lists go."""
    return list(map(add, xs, ys))


@pairwise(imports=("from operator import sub",))
def differences_by_place(xs, ys):
    """Return the differences of values at equal places, as far as both lists go."""
    return list(map(sub, xs, ys))


@pairwise(imports=("from operator import mul",))
def products_by_place(xs, ys):
    """Return the products of values at equal places, as far as both lists go."""
    return list(map(mul, xs, ys))


@pairwise(gives="number", imports=("from operator import mul",))
def dot_product(xs, ys):
    """Return the sum of the products of values at equal places."""
    return sum(map(mul, xs, ys))


@pairwise(takes=("list", "list"), gives="int", imports=("from operator import ne",), limits="")
def count_unequal_places(xs, ys):
    """Count the places where two lists differ, as far as both go."""
    return sum(map(ne, xs, ys))


@reshape(takes=("list", "list"), gives="bool", limits="an empty list is in every list")
def contains_list(xs, ys):
    """Whether the second list stands in the first as one piece."""
    size = len(ys)
    if not size:
        return True
    head = ys[0]
    return any(x == head and xs[i : i + size] == ys for i, x in enumerate(xs))


@reshape(gives="bool", source="comparison of the halves in C")
def reads_both_ways(xs):
    """Whether the list is equal to its reverse."""
    half = len(xs) // 2
    return xs[:half] == xs[: -half - 1 : -1]


@reshape(gives="int", source="one pass")
def changes_to_read_both_ways(xs):
    """Count the values to change so that the list is equal to its reverse."""
    return sum([x != y for x, y in zip(xs[: len(xs) // 2], xs[::-1], strict=False)])


@reshape(gives="dict", limits="hashable values", source="one pass")
def indices_by_value(xs):
    """Return the list of indices of each value, by first appearance."""
    where = {}
    for i, x in enumerate(xs):
        where.setdefault(x, []).append(i)
    return where
