"""Lists as sets and bags: duplicates, distinct values, and what two lists have in common.

Not here: frequencies as such (`selection`) and pairs with a sum (`pairs`).
"""

from collections import Counter
from functools import partial

from operators.known_functions.archetype import archetype

by_hash = partial(
    archetype,
    family="membership",
    complexity="O(n)",
    source="membership in a hash table",
    limits="hashable values",
    takes=("list",),
    gives="list",
)
by_count = partial(
    by_hash, source="counts in one pass", imports=("from collections import Counter",)
)
of_two = partial(by_hash, complexity="O(n + m)", takes=("list", "list"))


@by_hash()
def distinct(xs):
    """Return the distinct values in the order of their first appearance."""
    return list(dict.fromkeys(xs))


@by_hash()
def distinct_by_last(xs):
    """Return the distinct values in the order of their last appearance."""
    return list(dict.fromkeys(xs[::-1]))[::-1]


@by_hash(gives="int")
def count_distinct(xs):
    """Count the distinct values."""
    return len(set(xs))


@by_hash(gives="bool")
def has_duplicates(xs):
    """Whether any value appears twice."""
    return len(set(xs)) < len(xs)


@by_hash(gives="bool")
def all_distinct(xs):
    """Whether no value appears twice."""
    return len(set(xs)) == len(xs)


@by_hash(gives="bool", source="one count in C", limits="")
def all_equal(xs):
    """Whether all values are equal; so in an empty list."""
    return not xs or xs.count(xs[0]) == len(xs)


@by_count()
def duplicated(xs):
    """Return the values that appear more than once, by first appearance."""
    return [x for x, count in Counter(xs).items() if count > 1]


@by_hash()
def duplicated_by_second(xs):
    """Return the values that appear more than once, by second appearance."""
    seen, again = set(), {}
    for x in xs:
        if x in seen:
            again[x] = None
        seen.add(x)
    return list(again)


@by_count(limits="hashable, comparable values")
def duplicated_sorted(xs):
    """Return the values that appear more than once, ascending."""
    return sorted([x for x, count in Counter(xs).items() if count > 1])


@by_hash()
def repetitions(xs):
    """Return every appearance after the first, in the order of the list."""
    seen = set()
    add = seen.add
    return [x for x in xs if x in seen or add(x)]


@by_count()
def appearing_once(xs):
    """Return the values that appear exactly once, in their order."""
    return [x for x, count in Counter(xs).items() if count == 1]


@by_count(takes=("list", "int"))
def appearing_at_least(xs, k):
    """Return the distinct values that appear k times or more, by first appearance."""
    return [x for x, count in Counter(xs).items() if count >= k]


@by_count(gives="int")
def count_duplicated(xs):
    """Count the distinct values that appear more than once."""
    return sum([count > 1 for count in Counter(xs).values()])


@by_count(gives="number", takes=("list[number]",), limits="numbers")
def sum_of_appearing_once(xs):
    """Return the sum of the values that appear exactly once."""
    return sum([x for x, count in Counter(xs).items() if count == 1])


@by_hash(gives="number", takes=("list[number]",), limits="numbers")
def sum_of_distinct(xs):
    """Return the sum of the distinct values."""
    return sum(dict.fromkeys(xs))


@by_hash(gives="any", limits="hashable values; refused where all are distinct")
def first_repeated(xs):
    """Return the first value that has appeared before."""
    seen = set()
    for x in xs:
        if x in seen:
            return x
        seen.add(x)
    raise ValueError("all values are distinct")


@by_count(gives="any", limits="hashable values; refused where all are distinct")
def first_with_duplicate(xs):
    """Return the first value that appears again later."""
    again = [x for x, count in Counter(xs).items() if count > 1]
    return again[0]


@by_hash(gives="bool", takes=("list", "int"))
def has_duplicate_within(xs, k):
    """Whether two equal values are at most k places apart."""
    last = {}
    for i, x in enumerate(xs):
        if i - last.get(x, i - k - 1) <= k:
            return True
        last[x] = i
    return False


@of_two()
def common_in_order(xs, ys):
    """Return each value of the first list that the second holds, repetitions kept."""
    kept = set(ys)
    return [x for x in xs if x in kept]


@of_two()
def common_distinct(xs, ys):
    """Return the distinct values of the first list that the second holds, in order."""
    kept = set(ys)
    return [x for x in dict.fromkeys(xs) if x in kept]


@of_two(limits="hashable, comparable values")
def common_sorted(xs, ys):
    """Return the distinct values that both lists hold, ascending."""
    return sorted(set(xs).intersection(ys))


@of_two(imports=("from collections import Counter",))
def common_with_multiplicity(xs, ys):
    """Return the values of the first list that can be paired with equal ones of the second."""
    left = Counter(ys)
    result = []
    for x in xs:
        if left[x] > 0:
            left[x] -= 1
            result.append(x)
    return result


@of_two(gives="int", imports=("from collections import Counter",))
def count_common_with_multiplicity(xs, ys):
    """Count the pairs of equal values that can be formed from two lists."""
    return sum((Counter(xs) & Counter(ys)).values())


@of_two(gives="int")
def count_common(xs, ys):
    """Count the distinct values that both lists hold."""
    return len(set(xs).intersection(ys))


@of_two(gives="bool")
def has_common(xs, ys):
    """Whether the lists have a value in common."""
    return not set(xs).isdisjoint(ys)


@of_two()
def without(xs, ys):
    """Return the values of the first list that the second lacks, repetitions kept."""
    banned = set(ys)
    return [x for x in xs if x not in banned]


@of_two()
def without_distinct(xs, ys):
    """Return the distinct values of the first list that the second lacks, in order."""
    banned = set(ys)
    return [x for x in dict.fromkeys(xs) if x not in banned]


@of_two()
def without_each_other(xs, ys):
    """Return what only the first list holds, then what only the second, repetitions kept."""
    first, second = set(xs), set(ys)
    return [x for x in xs if x not in second] + [y for y in ys if y not in first]


@of_two(imports=("from collections import Counter",))
def without_with_multiplicity(xs, ys):
    """Return the first list after each value of the second took away its first equal one."""
    banned = Counter(ys)
    result = []
    for x in xs:
        if banned[x] > 0:
            banned[x] -= 1
        else:
            result.append(x)
    return result


@of_two()
def union_in_order(xs, ys):
    """Return the distinct values of both lists in the order of their first appearance."""
    return list(dict.fromkeys([*xs, *ys]))


@of_two(limits="hashable, comparable values")
def union_sorted(xs, ys):
    """Return the distinct values of both lists, ascending."""
    return sorted({*xs, *ys})


@of_two(limits="hashable, comparable values")
def in_one_only_sorted(xs, ys):
    """Return the distinct values that exactly one of the lists holds, ascending."""
    return sorted(set(xs).symmetric_difference(ys))


@of_two(gives="bool")
def is_subset(xs, ys):
    """Whether the second list holds every value of the first."""
    return set(ys).issuperset(xs)


@of_two(gives="bool", imports=("from collections import Counter",))
def is_sub_bag(xs, ys):
    """Whether the second list holds every value of the first at least as often."""
    return Counter(xs) <= Counter(ys)


@of_two(gives="bool", imports=("from collections import Counter",))
def same_bag(xs, ys):
    """Whether two lists hold the same values equally often."""
    return len(xs) == len(ys) and Counter(xs) == Counter(ys)


@of_two(gives="bool")
def same_set(xs, ys):
    """Whether two lists hold the same values, however often."""
    return set(xs) == set(ys)


@of_two(gives="bool", complexity="O(n)", source="an iterator that is consumed", limits="")
def is_subsequence(xs, ys):
    """Whether the first list is left when some values of the second are struck out."""
    rest = iter(ys)
    return all(x in rest for x in xs)


@by_hash(takes=("list[list[int]]",), limits="hashable, comparable values; at least one row")
def common_to_all_sorted(rows):
    """Return the distinct values that every row holds, ascending."""
    return sorted(set(rows[0]).intersection(*rows[1:]))
