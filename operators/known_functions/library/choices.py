"""Best choices over time: buying and selling, jumping, filling up, sharing, splitting.

Not here: knapsacks and coins (`knapsack`), intervals (`intervals`).
"""

from collections import Counter
from functools import partial
from heapq import heapify, heappop, heapreplace
from itertools import pairwise

from operators.known_functions.archetype import archetype

trade = partial(
    archetype,
    family="choices",
    complexity="O(n)",
    source="best cash with and without a share, day by day",
    limits="numbers; no trade is allowed to make no profit",
    takes=("list[number]",),
    gives="number",
)
greedy = partial(
    trade, source="greedy", limits="numbers from 0", takes=("list[int]",), gives="int"
)
bisected = partial(
    greedy,
    complexity="O(n log sum)",
    source="bisection over the answer",
    takes=("list[int]", "int"),
    limits="positive numbers",
)


@trade(source="the lowest price so far")
def profit_of_one_trade(prices):
    """Return the largest profit of buying once and selling later, 0 if there is none."""
    if not prices:
        return 0
    low, best = prices[0], 0
    for price in prices:
        if price < low:
            low = price
        elif price - low > best:
            best = price - low
    return best


@trade()
def profit_of_two_trades(prices):
    """Return the largest profit of at most two trades, one after the other."""
    if not prices:
        return 0
    first = second = -prices[0]
    once = twice = 0
    for price in prices:
        if -price > first:
            first = -price
        if first + price > once:
            once = first + price
        if once - price > second:
            second = once - price
        if second + price > twice:
            twice = second + price
    return twice


@trade(
    takes=("list[number]", "int"),
    complexity="O(n k)",
    imports=("from itertools import pairwise",),
)
def profit_of_k_trades(prices, k):
    """Return the largest profit of at most k trades, one after the other."""
    if k <= 0 or not prices:
        return 0
    if 2 * k >= len(prices):
        return sum([b - a for a, b in pairwise(prices) if b > a])
    share, cash = [-prices[0]] * k, [0] * (k + 1)
    for price in prices:
        for i in range(k):
            if cash[i] - price > share[i]:
                share[i] = cash[i] - price
            if share[i] + price > cash[i + 1]:
                cash[i + 1] = share[i] + price
    return cash[k]


@trade()
def profit_with_rest_day(prices):
    """Return the largest profit of trades where no purchase is on the day after a sale."""
    share, sold, cash = float("-inf"), 0, 0
    for price in prices:
        bought, sold, cash = cash - price, share + price, sold if sold > cash else cash
        if bought > share:
            share = bought
    return max(sold, cash) if prices else 0


@trade(takes=("list[number]", "number"))
def profit_with_fee(prices, fee):
    """Return the largest profit of trades that cost a fee each."""
    if not prices:
        return 0
    share, cash = -prices[0], 0
    for price in prices:
        if share + price - fee > cash:
            cash = share + price - fee
        if cash - price > share:
            share = cash - price
    return cash


@greedy(gives="bool", source="the furthest place that can be reached")
def can_reach_end(jumps):
    """Whether jumps of at most the number at each place lead from the first to the last."""
    reach = 0
    for i, jump in enumerate(jumps):
        if i > reach:
            return False
        if i + jump > reach:
            reach = i + jump
    return True


@greedy(
    source="the furthest place of each number of jumps",
    limits="refused where it is out of reach",
)
def fewest_jumps(jumps):
    """Return the fewest jumps, of at most the number at each place, from first to last."""
    count = end = reach = 0
    for i in range(len(jumps) - 1):
        if i + jumps[i] > reach:
            reach = i + jumps[i]
        if i == end:
            if reach == i:
                raise ValueError("the last place is out of reach")
            count, end = count + 1, reach
    return count


@greedy(
    takes=("list[int]", "list[int]"), source="restart behind each shortage", limits="-1 if none"
)
def first_good_start(gains, costs):
    """Return the first place from which a round of gains and costs never runs out, or -1."""
    if sum(gains) < sum(costs):
        return -1
    start = left = 0
    for i, (gain, cost) in enumerate(zip(gains, costs, strict=True)):
        left += gain - cost
        if left < 0:
            start, left = i + 1, 0
    return start


@greedy(source="climbs from both sides")
def fewest_sweets(ratings):
    """Return the fewest sweets, one each at least, more than any lower rated neighbour has."""
    sweets = [1] * len(ratings)
    for i in range(1, len(ratings)):
        if ratings[i] > ratings[i - 1]:
            sweets[i] = sweets[i - 1] + 1
    for i in range(len(ratings) - 2, -1, -1):
        if ratings[i] > ratings[i + 1] and sweets[i + 1] + 1 > sweets[i]:
            sweets[i] = sweets[i + 1] + 1
    return sum(sweets)


@greedy(
    takes=("list[int]", "list[int]"), complexity="O(n log n)", source="smallest needs first"
)
def most_contented(needs, sizes):
    """Return how many needs can be met, each by one size that is not smaller."""
    ordered, count = sorted(needs), 0
    for size in sorted(sizes):
        if count < len(ordered) and ordered[count] <= size:
            count += 1
    return count


@greedy(takes=("list[int]", "int"), complexity="O(n log n)", source="heaviest with lightest")
def fewest_boats(weights, limit):
    """Return the fewest boats for two at most and a total weight up to the limit."""
    ordered = sorted(weights)
    if ordered and ordered[-1] > limit:
        raise ValueError("one is too heavy")
    low, high, boats = 0, len(ordered) - 1, 0
    while low <= high:
        if ordered[low] + ordered[high] <= limit:
            low += 1
        high -= 1
        boats += 1
    return boats


@greedy(
    takes=("list", "int"),
    source="room around the most frequent kind",
    limits="hashable kinds, a pause from 0",
    imports=("from collections import Counter",),
)
def shortest_schedule(tasks, pause):
    """Return the length of the shortest schedule with a pause between tasks of one kind."""
    if not tasks:
        return 0
    counts = Counter(tasks).values()
    top = max(counts)
    return max(len(tasks), (top - 1) * (pause + 1) + list(counts).count(top))


@greedy(
    complexity="O(n log n)",
    source="Huffman's algorithm with a heap",
    imports=("from heapq import heapify, heappop, heapreplace",),
)
def cheapest_joining(sizes):
    """Return the smallest total cost of joining two by two, each at the sum of the sizes."""
    heap, total = list(sizes), 0
    heapify(heap)
    while len(heap) > 1:
        both = heappop(heap) + heap[0]
        heapreplace(heap, both)
        total += both
    return total


@bisected(limits="numbers from 0; 1 <= k")
def smallest_largest_part(xs, k):
    """Return the smallest possible largest sum when a list is cut into at most k stretches."""
    if k < 1 or not xs or min(xs) < 0:
        raise ValueError("no part, no value or a negative one")
    low, high = max(*xs, -(-sum(xs) // k)), sum(xs)
    while low < high:
        middle = (low + high) // 2
        parts, left = 1, middle
        for x in xs:
            left -= x
            if left < 0:
                parts, left = parts + 1, middle - x
        if parts <= k:
            high = middle
        else:
            low = middle + 1
    return low


@bisected(complexity="O(n log max)", limits="positive numbers; not more piles than hours")
def slowest_speed(piles, hours):
    """Return the smallest speed at which piles, one after another, are done in whole hours."""
    if len(piles) > hours or min(piles, default=0) <= 0:
        raise ValueError("too few hours, or a pile is not positive")
    low, high = -(-sum(piles) // hours), max(piles)
    while low < high:
        middle = (low + high) // 2
        if sum([-(-pile // middle) for pile in piles]) <= hours:
            high = middle
        else:
            low = middle + 1
    return low


@bisected(complexity="O(n log n + n log range)", limits="integers; 2 <= k <= n")
def largest_smallest_distance(places, k):
    """Return the largest possible smallest distance between k chosen places."""
    if not 2 <= k <= len(places):
        raise ValueError("k is out of range")
    ordered = sorted(places)
    low, high = 0, (ordered[-1] - ordered[0]) // (k - 1)
    while low < high:
        middle = (low + high + 1) // 2
        last, count = ordered[0], 1
        for place in ordered:
            if place - last >= middle:
                last, count = place, count + 1
        if count >= k:
            low = middle
        else:
            high = middle - 1
    return low


@greedy(complexity="O(n log n)", source="steps to the median")
def steps_to_equal(xs):
    """Return the fewest steps of one, up or down, that make all numbers equal."""
    middle = sorted(xs)[len(xs) // 2] if xs else 0
    return sum([abs(x - middle) for x in xs])


@greedy(source="excess carried along", limits="integers; refused where no equal share is whole")
def moves_to_share_equally(xs):
    """Return the fewest moves of one to a neighbour that make all numbers equal."""
    if not xs or sum(xs) % len(xs):
        raise ValueError("no equal share is whole")
    share, carried, moves = sum(xs) // len(xs), 0, 0
    for x in xs:
        carried += x - share
        moves += abs(carried)
    return moves


@greedy(complexity="O(n log n)", source="each number one above the last")
def steps_to_distinct(xs):
    """Return the fewest steps of one upwards that make all numbers distinct."""
    last, steps = None, 0
    for x in sorted(xs):
        last = x if last is None else max(x, last + 1)
        steps += last - x
    return steps


@trade(
    complexity="O(n^3)",
    source="the last one of each stretch",
    takes=("list[int]",),
    limits="integers from 0",
)
def most_coins_of_balloons(xs):
    """Return the most coins when each burst pays the product of it and its neighbours then."""
    line = [1, *xs, 1]
    best = [[0] * len(line) for _ in line]
    for width in range(2, len(line)):
        for low in range(len(line) - width):
            high, row, ends = low + width, best[low], line[low] * line[low + width]
            best[low][high] = max(
                row[last] + ends * line[last] + best[last][high]
                for last in range(low + 1, high)
            )
    return best[0][-1]


@trade(complexity="O(n^2)", source="best lead on each stretch", limits="numbers; not empty")
def lead_of_first_player(xs):
    """Return by how much the first wins who may take the first or last number in turn."""
    lead = list(xs)
    for width in range(1, len(xs)):
        for i in range(len(xs) - width):
            lead[i] = max(xs[i] - lead[i + 1], xs[i + width] - lead[i])
    return lead[0]
