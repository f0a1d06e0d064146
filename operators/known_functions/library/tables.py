"""Best ways to cut, merge, drop and jump: tables over lengths and intervals.

Not here: knapsacks and coins (`knapsack`), strings.
"""

import heapq

from operators.known_functions.archetype import archetype


@archetype(
    family="tables",
    complexity="O(n^3)",
    source="intervals by length (Godbole 1973)",
    limits="two dimensions at least",
    takes=("list[int]",),
    gives="int",
)
def matrix_chain_cost(dimensions):
    """The smallest number of products that multiplies matrices of these dimensions."""
    n = len(dimensions) - 1
    if n < 1:
        raise ValueError("fewer than two dimensions")
    rows = [[0] for _ in range(n)]
    columns = [[0] for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            ends = dimensions[i] * dimensions[j + 1]
            middle = dimensions[i + 1 : j + 1]
            splits = zip(rows[i], reversed(columns[j]), middle, strict=True)
            cost = min([a + b + ends * d for a, b, d in splits])
            rows[i].append(cost)
            columns[j].append(cost)
    return rows[0][-1]


@archetype(
    family="tables",
    complexity="O(k log n)",
    source="floors that k eggs and m drops can tell apart",
    limits="eggs from 1 on, floors from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**6,
)
def egg_drops(eggs, floors):
    """The smallest number of drops that finds the highest safe floor in the worst case."""
    if eggs < 1 or floors < 0:
        raise ValueError("no eggs")
    told = [0] * (min(eggs, floors.bit_length()) + 1)
    drops = 0
    while told[-1] < floors:
        drops += 1
        for i in range(len(told) - 1, 0, -1):
            told[i] += told[i - 1] + 1
    return drops


@archetype(
    family="tables",
    complexity="O(n k)",
    source="number of ways to each sum, kept up by running sums",
    limits="numbers from 0 on",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=1000,
)
def dice_sum_ways(dice, faces, total):
    """How many throws of dice with faces 1 to k sum to a total."""
    if dice < 0 or faces < 0:
        raise ValueError("negative")
    if not dice <= total <= dice * faces:
        return 0
    ways = [1] + [0] * (total - dice)
    for _ in range(dice):
        window, longer = 0, []
        for i, count in enumerate(ways):
            window += count - (ways[i - faces] if i >= faces else 0)
            longer.append(window)
        ways = longer
    return ways[-1]


@archetype(
    family="tables",
    complexity="O(n log n)",
    source="the two smallest first (Huffman 1952)",
    takes=("list[number]",),
    gives="number",
    imports=("import heapq",),
)
def cheapest_merge(values):
    """The smallest cost of joining all values by twos, each at the price of its sum."""
    heap = list(values)
    heapq.heapify(heap)
    total = 0
    while len(heap) > 1:
        merged = heapq.heappop(heap) + heap[0]
        heapq.heapreplace(heap, merged)
        total += merged
    return total


@archetype(
    family="tables",
    complexity="O(n)",
    source="numbers 3 k: products of threes, and of 2 or 4 for the rest",
    limits="n from 2 on",
    takes=("int",),
    gives="int",
    tried_below=2000,
)
def largest_product_of_parts(n):
    """The largest product of two or more numbers that sum to n."""
    if n < 2:
        raise ValueError("n < 2")
    if n < 4:
        return n - 1
    threes, rest = divmod(n, 3)
    if rest == 1:
        return 4 * 3 ** (threes - 1)
    return 3**threes * (rest or 1)


@archetype(
    family="tables",
    complexity="O(n)",
    source="the last two posts alike or not",
    limits="0 fences for no posts",
    takes=("int", "int"),
    gives="int",
    tried_below=2000,
)
def fence_colourings(posts, colours):
    """How many ways to paint posts leave no three neighbours alike."""
    if posts < 1:
        return 0
    alike, other = 0, colours
    for _ in range(posts - 1):
        alike, other = other, (alike + other) * (colours - 1)
    return alike + other


@archetype(
    family="tables",
    complexity="O(n)",
    source="ways by the last one and two digits",
    limits="digits only",
    takes=("str",),
    gives="int",
)
def count_letter_decodings(digits):
    """How many texts A = 1 to Z = 26 a text of digits may stand for; 0 for none."""
    if not digits.isdigit():
        if digits:
            raise ValueError("no digits")
        return 0
    before, ways, last = 0, 1, ""
    for digit in digits:
        longer = ways if digit != "0" else 0
        if last == "1" or (last == "2" and digit < "7"):
            longer += before
        before, ways, last = ways, longer, digit
    return ways


@archetype(
    family="tables",
    complexity="O(log^2 n)",
    source="only quotients by powers of two and three are on the way",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**5,
)
def fewest_steps_to_one(n):
    """The fewest steps to 1 that take one off, halve, or take a third."""
    if n < 1:
        raise ValueError("n < 1")
    needed, waiting = set(), [n]
    while waiting:
        m = waiting.pop()
        if m > 1 and m not in needed:
            needed.add(m)
            waiting += [m // 2, m // 3]
    steps = {0: n, 1: 0}
    for m in sorted(needed):
        steps[m] = 1 + min(m % 2 + steps[m // 2], m % 3 + steps[m // 3])
    return steps[n]


@archetype(
    family="tables",
    complexity="O(n)",
    source="number of bits and of ones",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**18,
)
def steps_to_zero(n):
    """How many steps of halving even and lowering odd numbers lead from n to 0."""
    if n < 0:
        raise ValueError("n < 0")
    return n.bit_length() + n.bit_count() - 1 if n else 0
