"""Arrangements themselves: permutations, subsets, partitions, brackets, in usual orders.

Not here: how many there are (`combinatorics`).
"""

import math
from bisect import bisect_left, insort
from itertools import combinations, combinations_with_replacement, permutations, product

from operators.known_functions.archetype import archetype


@archetype(
    family="arrangements",
    complexity="O(n! n)",
    source="itertools in C, by places",
    takes=("list[any]",),
    gives="list[list[any]]",
    imports=("from itertools import permutations",),
    length_below=8,
)
def permutations_by_place(values):
    """All orders of the values as lists, by the places they come from."""
    return [list(order) for order in permutations(values)]


@archetype(
    family="arrangements",
    complexity="O(n! n)",
    source="itertools in C, sorted first, equal ones once",
    takes=("list[any]",),
    gives="list[list[any]]",
    imports=("from itertools import permutations",),
    length_below=8,
)
def distinct_permutations(values):
    """All different orders of the values as lists, ascending."""
    return [list(order) for order in dict.fromkeys(permutations(sorted(values)), 0)]


@archetype(
    family="arrangements",
    complexity="O(n! n)",
    source="itertools in C, by places",
    takes=("str",),
    gives="list[str]",
    imports=("from itertools import permutations",),
    length_below=8,
)
def text_permutations(text):
    """All orders of the characters, by the places they come from."""
    return ["".join(order) for order in permutations(text)]


@archetype(
    family="arrangements",
    complexity="O(n! n)",
    source="itertools in C, sorted first, equal ones once",
    takes=("str",),
    gives="list[str]",
    imports=("from itertools import permutations",),
    length_below=8,
)
def distinct_text_permutations(text):
    """All different orders of the characters, ascending."""
    return list({"".join(order): 0 for order in permutations(sorted(text))})


@archetype(
    family="arrangements",
    complexity="O(2^n n)",
    source="lists doubled by each value",
    takes=("list[any]",),
    gives="list[list[any]]",
    length_below=12,
)
def subsets_by_last(values):
    """All subsets in order of places: each value doubles the list behind it."""
    subsets = [[]]
    for value in values:
        subsets += [[*subset, value] for subset in subsets]
    return subsets


@archetype(
    family="arrangements",
    complexity="O(2^n n)",
    source="itertools in C",
    takes=("list[any]",),
    gives="list[list[any]]",
    imports=("from itertools import combinations",),
    length_below=12,
)
def subsets_by_size(values):
    """All subsets by their size, then by places."""
    return [list(s) for size in range(len(values) + 1) for s in combinations(values, size)]


@archetype(
    family="arrangements",
    complexity="O(2^n n)",
    source="lists merged from the last value on",
    takes=("list[any]",),
    gives="list[list[any]]",
    length_below=12,
)
def subsets_in_dictionary_order(values):
    """All subsets as in a dictionary: each one before those that go on from it."""
    tails = [[]]
    for value in reversed(values):
        tails = [[], *([value, *tail] for tail in tails), *tails[1:]]
    return tails


@archetype(
    family="arrangements",
    complexity="O(n! / (n - k)!)",
    source="itertools in C",
    limits="k from 0 on",
    takes=("list[any]", "int"),
    gives="list[list[any]]",
    imports=("from itertools import combinations",),
    length_below=13,
)
def combinations_of(values, k):
    """All choices of k values as lists, by places."""
    return [list(choice) for choice in combinations(values, k)]


@archetype(
    family="arrangements",
    complexity="O(n! / (n - k)!)",
    source="itertools in C",
    limits="k from 0 on",
    takes=("int", "int"),
    gives="list[list[int]]",
    imports=("from itertools import combinations",),
    tried_below=13,
)
def combinations_of_numbers(n, k):
    """All choices of k of the numbers 1 to n as lists, ascending."""
    return [list(choice) for choice in combinations(range(1, n + 1), k)]


@archetype(
    family="arrangements",
    complexity="O(n^k)",
    source="itertools in C",
    limits="k from 0 on",
    takes=("list[any]", "int"),
    gives="list[list[any]]",
    imports=("from itertools import combinations_with_replacement",),
    tried_below=7,
    length_below=9,
)
def combinations_with_repetition(values, k):
    """All choices of k values, each as often as one likes, by places."""
    return [list(choice) for choice in combinations_with_replacement(values, k)]


@archetype(
    family="arrangements",
    complexity="O(product of the lengths)",
    source="itertools in C",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
    imports=("from itertools import product",),
    length_below=7,
)
def choices_of_one_each(lists):
    """All lists with one value of each list, the last changing fastest."""
    return [list(choice) for choice in product(*lists)]


@archetype(
    family="arrangements",
    complexity="O(2^n n)",
    source="numbers formatted in C",
    limits="n from 0 on",
    takes=("int",),
    gives="list[str]",
    tried_below=13,
)
def binary_texts(n):
    """All texts of n zeros and ones, ascending."""
    if n < 1:
        if n < 0:
            raise ValueError("n < 0")
        return [""]
    return [f"{i:0{n}b}" for i in range(1 << n)]


@archetype(
    family="arrangements",
    complexity="O(output)",
    source="prefixes extended by one bracket each step",
    limits="n from 0 on",
    takes=("int",),
    gives="list[str]",
    tried_below=9,
)
def balanced_brackets(n):
    """All texts of n pairs of balanced brackets, ascending."""
    if n < 0:
        raise ValueError("n < 0")
    prefixes = [("", 0)]
    for left in range(2 * n, 0, -1):
        longer = []
        for text, depth in prefixes:
            if depth < left:
                longer.append((text + "(", depth + 1))
            if depth:
                longer.append((text + ")", depth - 1))
        prefixes = longer
    return [text for text, _ in prefixes]


@archetype(
    family="arrangements",
    complexity="O(output)",
    source="partitions of smaller numbers behind each first part",
    limits="n from 0 on",
    takes=("int",),
    gives="list[list[int]]",
    tried_below=25,
)
def partitions_descending(n):
    """All ways to write n as a sum, parts descending, the largest first parts first."""
    if n < 0:
        raise ValueError("n < 0")
    stack, found = [([], n, n)], []
    while stack:
        parts, rest, largest = stack.pop()
        if rest == 0:
            found.append(parts)
        parts_left = range(1, min(rest, largest) + 1)
        stack += [([*parts, part], rest - part, part) for part in parts_left]
    return found


@archetype(
    family="arrangements",
    complexity="O(n)",
    source="the longest descending end, its predecessor raised",
    limits="the last order wraps round to the first",
    takes=("list[any]",),
    gives="list[any]",
)
def next_permutation(values):
    """The next order of the values, ascending; the first one after the last one."""
    values = list(values)
    i = len(values) - 2
    while i >= 0 and values[i] >= values[i + 1]:
        i -= 1
    if i >= 0:
        j = len(values) - 1
        while values[j] <= values[i]:
            j -= 1
        values[i], values[j] = values[j], values[i]
    values[i + 1 :] = reversed(values[i + 1 :])
    return values


@archetype(
    family="arrangements",
    complexity="O(n^2) moves in C",
    source="number system of factorials",
    limits="0 <= k < n!",
    takes=("int", "int"),
    gives="list[int]",
    imports=("import math",),
    tried_below=5000,
)
def kth_permutation(n, k):
    """Order number k, from 0 on, of the numbers 1 to n."""
    orders = math.factorial(n)
    if not 0 <= k < orders:
        raise ValueError("no such order")
    left, order = list(range(1, n + 1)), []
    for i in range(n, 0, -1):
        orders //= i
        at, k = divmod(k, orders)
        order.append(left.pop(at))
    return order


@archetype(
    family="arrangements",
    complexity="O(n log n) compares",
    source="number system of factorials; smaller values on the left by bisection",
    limits="values that differ",
    takes=("list[any]",),
    gives="int",
    imports=("from bisect import bisect_left, insort",),
)
def permutation_rank(values):
    """The number, from 0 on, of an order among all orders of its values, ascending."""
    if len(set(values)) < len(values):
        raise ValueError("equal values")
    later, rank, orders = [], 0, 1
    for i, value in enumerate(reversed(values), 1):
        rank += bisect_left(later, value) * orders
        insort(later, value)
        orders *= i
    return rank


@archetype(
    family="arrangements",
    complexity="O(output)",
    source="texts extended by the letters of each key",
    limits="digits 2 to 9; nothing for no digits",
    takes=("str",),
    gives="list[str]",
    imports=("from itertools import product",),
    length_below=7,
)
def keypad_texts(digits):
    """All texts that the keys of a telephone stand for."""
    keys = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]
    if not digits:
        return []
    if not set(digits) <= set("23456789"):
        raise ValueError("no digit of 2 to 9")
    letters = [keys[int(digit) - 2] for digit in digits]
    return ["".join(choice) for choice in product(*letters)]
