"""Choices of items: coins, subsets with a sum, knapsacks and their kin.

Not here: partitions of a number (`counting_ways`).
"""

from itertools import accumulate
from operator import add

from operators.known_functions.archetype import archetype


@archetype(
    family="coins",
    complexity="O(amount * coins) additions",
    source="one kind of coin after another, in C by remainders or by blocks",
    limits="coins from 1 on; 0 below 0",
    takes=("list[int]", "int"),
    gives="int",
    imports=("from itertools import accumulate", "from operator import add"),
    tried_below=10**5,
)
def count_coin_change(coins, amount):
    """How many ways there are to pay an amount with coins of which there are many."""
    if amount < 0:
        return 0
    ways = [1] + [0] * amount
    for coin in coins:
        if coin < 1:
            raise ValueError("coin < 1")
        if coin * coin <= amount:
            for start in range(coin):
                ways[start::coin] = accumulate(ways[start::coin])
        else:
            for start in range(coin, amount + 1, coin):
                block = ways[start : start + coin]
                ways[start : start + coin] = map(add, block, ways[start - coin : start])
    return ways[amount]


@archetype(
    family="coins",
    complexity="O(amount * coins / 64) words",
    source="sets of reachable amounts as bits, one coin more each step",
    limits="coins from 1 on; -1 if the amount cannot be paid",
    takes=("list[int]", "int"),
    gives="int",
    tried_below=10**5,
)
def fewest_coins(coins, amount):
    """The smallest number of coins that pay an amount; -1 if none do."""
    if amount < 0:
        return -1
    if min(coins, default=1) < 1:
        raise ValueError("coin < 1")
    coins = {coin for coin in coins if coin <= amount}
    within = (1 << amount + 1) - 1
    reached = fresh = 1
    number = 0
    while fresh:
        if reached >> amount & 1:
            return number
        longer = 0
        for coin in coins:
            longer |= fresh << coin
        fresh = longer & within & ~reached
        reached |= fresh
        number += 1
    return -1


@archetype(
    family="coins",
    complexity="O(amount * coins) additions",
    source="ways to each amount, by the last coin",
    limits="coins from 1 on; 0 below 0",
    takes=("list[int]", "int"),
    gives="int",
    tried_below=10**4,
)
def count_ordered_coin_change(coins, amount):
    """How many sequences of coins pay an amount."""
    if amount < 0:
        return 0
    if min(coins, default=1) < 1:
        raise ValueError("coin < 1")
    ways = [1]
    for total in range(1, amount + 1):
        ways.append(sum([ways[total - coin] for coin in coins if coin <= total]))
    return ways[amount]


@archetype(
    family="coins",
    complexity="O(coins log coins)",
    source="the largest coins first",
    limits="right for coins such as 1, 2, 5, 10, 20, 50",
    takes=("list[int]", "int"),
    gives="list[int]",
)
def greedy_change(coins, amount):
    """The coins taken when the largest one that fits is taken each time."""
    taken = []
    for coin in sorted(coins, reverse=True):
        if coin < 1:
            raise ValueError("coin < 1")
        number, amount = divmod(max(amount, 0), coin)
        taken += [coin] * number
    return taken


@archetype(
    family="subsets",
    complexity="O(n s / 64) words, s the sum",
    source="set of reachable sums as bits",
    limits="values from 0 on",
    takes=("list[int]", "int"),
    gives="bool",
)
def has_subset_with_sum(values, total):
    """Whether some of the values sum to a total; none sum to 0."""
    if total < 0:
        return False
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    within = (1 << total + 1) - 1
    sums = 1
    for value in values:
        if value <= total:
            sums |= sums << value & within
    return bool(sums >> total & 1)


@archetype(
    family="subsets",
    complexity="O(n s), s the sums",
    source="table from each sum to its number of subsets",
    takes=("list[int]", "int"),
    gives="int",
)
def count_subsets_with_sum(values, total):
    """How many choices of places hold values that sum to a total."""
    counts = {0: 1}
    for value in values:
        longer = counts.copy()
        for reached, count in counts.items():
            longer[reached + value] = longer.get(reached + value, 0) + count
        counts = longer
    return counts.get(total, 0)


@archetype(
    family="subsets",
    complexity="O(n s), s the sums",
    source="table from each signed sum to its number of ways",
    takes=("list[int]", "int"),
    gives="int",
)
def count_signs_with_sum(values, total):
    """How many ways there are to set + or - before each value so that they sum to a total."""
    counts = {0: 1}
    for value in values:
        longer = {}
        for reached, count in counts.items():
            longer[reached + value] = longer.get(reached + value, 0) + count
            longer[reached - value] = longer.get(reached - value, 0) + count
        counts = longer
    return counts.get(total, 0)


@archetype(
    family="subsets",
    complexity="O(n s / 64) words, s the sum",
    source="set of reachable sums as bits",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="bool",
)
def can_be_halved(values):
    """Whether the values fall into two parts of equal sum."""
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    total = sum(values)
    if total % 2:
        return False
    if total > 10000000:
        found = {0}
        for value in values:
            found |= {reached + value for reached in found}
        return total // 2 in found
    sums = 1
    for value in values:
        sums |= sums << value
    return bool(sums >> total // 2 & 1)


@archetype(
    family="subsets",
    complexity="O(n s / 64) words, s the sum",
    source="set of reachable sums as bits; the nearest one to the half",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def smallest_difference_of_parts(values):
    """The smallest difference of the sums of two parts of the values."""
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    total = sum(values)
    if total > 10000000:
        found = {0}
        for value in values:
            found |= {reached + value for reached in found}
        return min([abs(total - 2 * reached) for reached in found])
    sums = 1
    for value in values:
        sums |= sums << value
    lower = sums & ((1 << total // 2 + 1) - 1)
    return total - 2 * (lower.bit_length() - 1)


@archetype(
    family="subsets",
    complexity="O(n s / 64) words, s the sum",
    source="set of reachable sums as bits",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="list[int]",
)
def subset_sums(values):
    """All different sums of some of the values, that of none included, ascending."""
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    if sum(values) > 100000 or len(values) < 8:
        found = {0}
        for value in values:
            found |= {reached + value for reached in found}
        return sorted(found)
    sums = 1
    for value in values:
        sums |= sums << value
    return [i for i, bit in enumerate(bin(sums)[:1:-1]) if bit == "1"]


@archetype(
    family="subsets",
    complexity="O(n)",
    source="each value is in half of the subsets",
    takes=("list[int]",),
    gives="int",
)
def sum_of_subset_sums(values):
    """The sum of the sums of all subsets."""
    return sum(values) << len(values) >> 1 if values else 0


@archetype(
    family="knapsack",
    complexity="O(n W), W the capacity",
    source="best value for each weight, from the largest weight down",
    limits="weights from 0 on",
    takes=("int", "list[int]", "list[number]"),
    gives="number",
)
def knapsack(capacity, weights, values):
    """The largest value of items, each taken once, within a capacity."""
    if capacity < 0 or min(weights, default=0) < 0:
        raise ValueError("capacity or weight < 0")
    best = [0] * (capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        if weight <= capacity and value > 0:
            shifted = best[: capacity + 1 - weight]
            best[weight:] = [
                b if b > a + value else a + value
                for a, b in zip(shifted, best[weight:], strict=True)
            ]
    return best[capacity]


@archetype(
    family="knapsack",
    complexity="O(n W), W the capacity",
    source="best value for each weight, from the smallest weight up",
    limits="weights from 1 on",
    takes=("int", "list[int]", "list[number]"),
    gives="number",
)
def unbounded_knapsack(capacity, weights, values):
    """The largest value of items, each taken as often as it fits, within a capacity."""
    if capacity < 0 or min(weights, default=1) < 1:
        raise ValueError("weight < 1")
    best = [0] * (capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        for i in range(weight, capacity + 1):
            with_it = best[i - weight] + value
            if with_it > best[i]:
                best[i] = with_it
    return best[capacity]


@archetype(
    family="knapsack",
    complexity="O(n log n)",
    source="items by value for weight; the last one in part (Dantzig 1957)",
    limits="weights above 0",
    takes=("number", "list[number]", "list[number]"),
    gives="float",
)
def fractional_knapsack(capacity, weights, values):
    """The largest value of items, parts allowed, within a capacity."""
    total = 0.0
    items = zip(weights, values, strict=True)
    for weight, value in sorted(items, key=lambda item: item[1] / item[0], reverse=True):
        if weight > capacity:
            return total + value * (capacity / weight)
        capacity -= weight
        total += value
    return total


@archetype(
    family="knapsack",
    complexity="O(n^2)",
    source="best price of each length, by the first piece",
    limits="prices of the lengths 1, 2, 3 and so on",
    takes=("list[number]", "int"),
    gives="number",
    imports=("from operator import add",),
    tried_below=2000,
)
def best_rod_cutting(prices, length):
    """The largest sum of prices of the pieces of a rod."""
    best = [0]
    for i in range(1, length + 1):
        pieces = prices[:i]
        best.append(max(map(add, pieces, reversed(best))) if pieces else 0)
    return best[-1]


@archetype(
    family="knapsack",
    complexity="O(n)",
    source="best of taking and leaving each, two numbers kept",
    takes=("list[number]",),
    gives="number",
)
def largest_sum_without_neighbours(values):
    """The largest sum of values of which no two are side by side; 0 for none."""
    taken = left = 0
    for value in values:
        taken, left = left + value, taken if taken > left else left
    return max(taken, left)


@archetype(
    family="knapsack",
    complexity="O(n)",
    source="the row without its first and without its last",
    takes=("list[number]",),
    gives="number",
    uses=("largest_sum_without_neighbours",),
)
def largest_sum_without_neighbours_in_circle(values):
    """The largest sum of values of a circle of which no two are side by side."""
    if len(values) < 2:
        return largest_sum_without_neighbours(values)
    first = largest_sum_without_neighbours(values[1:])
    return max(first, largest_sum_without_neighbours(values[:-1]))


@archetype(
    family="knapsack",
    complexity="O(n)",
    source="cheapest way to each step, two numbers kept",
    takes=("list[number]",),
    gives="number",
)
def cheapest_climb(costs):
    """The smallest sum of costs on a climb past the last step by ones and twos."""
    a = b = 0
    for cost in costs:
        a, b = b, (a if a < b else b) + cost
    return min(a, b)
