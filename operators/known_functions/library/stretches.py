"""Stretches of a list (contiguous, of any width): best sum or product, longest, counted.

Not here: windows of a fixed width (`windows`) and stretches of text (`substrings`).
"""

from collections import Counter, deque
from functools import partial
from itertools import accumulate

from operators.known_functions.archetype import archetype
from operators.known_functions.library.selection import running_maxima

stretch = partial(
    archetype,
    family="stretches",
    complexity="O(n)",
    source="Kadane's one pass",
    takes=("list[number]",),
    gives="number",
)
by_total = partial(
    stretch,
    source="running totals in a hash table",
    limits="integers",
    takes=("list[int]", "int"),
    gives="int",
)
two_ends = partial(
    stretch, source="two ends that only move forward", takes=("list[int]", "int"), gives="int"
)


@stretch(limits="an empty list is refused")
def largest_stretch_sum(xs):
    """Return the largest sum of a stretch that is not empty."""
    best = end = xs[0]
    for x in xs[1:]:
        end = end + x if end > 0 else x
        if end > best:
            best = end
    return best


@stretch()
def largest_stretch_sum_or_zero(xs):
    """Return the largest sum of a stretch; 0 for the empty one."""
    best = end = 0
    for x in xs:
        end += x
        if end < 0:
            end = 0
        elif end > best:
            best = end
    return best


@stretch(limits="an empty list is refused")
def smallest_stretch_sum(xs):
    """Return the smallest sum of a stretch that is not empty."""
    best = end = xs[0]
    for x in xs[1:]:
        end = end + x if end < 0 else x
        if end < best:
            best = end
    return best


@stretch(limits="an empty list is refused")
def largest_stretch_sum_in_circle(xs):
    """Return the largest sum of a stretch, not empty, of the list closed to a circle."""
    best = end = low = low_end = xs[0]
    for x in xs[1:]:
        end = end + x if end > 0 else x
        low_end = low_end + x if low_end < 0 else x
        if end > best:
            best = end
        if low_end < low:
            low = low_end
    return max(best, sum(xs) - low) if best > 0 else best


@stretch(limits="an empty list is refused")
def largest_stretch_product(xs):
    """Return the largest product of a stretch that is not empty."""
    best = high = low = xs[0]
    for x in xs[1:]:
        ends = x, high * x, low * x
        high, low = max(ends), min(ends)
        if high > best:
            best = high
    return best


@stretch(
    limits="an empty list is refused",
    gives="list",
    imports=("from itertools import accumulate",),
    uses=("running_maxima",),
)
def best_stretch(xs):
    """Return the stretch with the largest sum; of ties the first start, then first end."""
    ends = list(accumulate(xs, initial=0))
    later = running_maxima(ends[:0:-1])[::-1]
    gains = [top - start for top, start in zip(later, ends, strict=False)]
    start = gains.index(max(gains))
    return xs[start : ends.index(later[start], start + 1)]


@stretch(limits="at least two numbers", source="Kadane with one value left out")
def largest_stretch_sum_without_one(xs):
    """Return the largest sum of a stretch from which at most one value may be left out."""
    best = whole = xs[0]
    short = None
    for x in xs[1:]:
        short = whole if short is None else (whole if whole > short + x else short + x)
        whole = whole + x if whole > 0 else x
        best = max(best, whole, short)
    return best


@by_total()
def count_stretches_with_sum(xs, target):
    """Count the stretches with the sum."""
    seen, total, count = {0: 1}, 0, 0
    for x in xs:
        total += x
        count += seen.get(total - target, 0)
        seen[total] = seen.get(total, 0) + 1
    return count


@by_total(gives="bool")
def has_stretch_with_sum(xs, target):
    """Whether some stretch, not empty, has the sum."""
    seen, total = {0}, 0
    for x in xs:
        total += x
        if total - target in seen:
            return True
        seen.add(total)
    return False


@by_total(gives="list[int]", limits="integers; refused where there is none")
def first_stretch_with_sum(xs, target):
    """Return first and last index of the stretch with the sum that starts first, shortest."""
    total, ends, found = 0, {}, None
    total = sum(xs)
    for i in range(len(xs) - 1, -1, -1):
        ends[total] = i
        total -= xs[i]
        if total + target in ends:
            found = [i, ends[total + target]]
    if found is None:
        raise ValueError("no stretch has the sum")
    return found


@by_total()
def longest_stretch_with_sum(xs, target):
    """Return the length of the longest stretch with the sum, 0 if there is none."""
    first, total, best = {0: 0}, 0, 0
    for i, x in enumerate(xs, 1):
        total += x
        first.setdefault(total, i)
        length = i - first.get(total - target, i)
        if length > best:
            best = length
    return best


@by_total(imports=("from collections import Counter", "from itertools import accumulate"))
def count_stretches_divisible(xs, k):
    """Count the stretches whose sum is divisible by k."""
    counts = Counter([total % k for total in accumulate(xs, initial=0)])
    return sum([count * (count - 1) // 2 for count in counts.values()])


@by_total(gives="int")
def longest_stretch_divisible(xs, k):
    """Return the length of the longest stretch whose sum is divisible by k."""
    first, total, best = {0: 0}, 0, 0
    for i, x in enumerate(xs, 1):
        total = (total + x) % k
        length = i - first.setdefault(total, i)
        if length > best:
            best = length
    return best


@by_total(source="running exclusive ors in a hash table")
def count_stretches_with_xor(xs, target):
    """Count the stretches whose exclusive or is the target."""
    seen, total, count = {0: 1}, 0, 0
    for x in xs:
        total ^= x
        count += seen.get(total ^ target, 0)
        seen[total] = seen.get(total, 0) + 1
    return count


@by_total(takes=("list[int]",), limits="zeros and other numbers")
def longest_balanced_stretch(xs):
    """Return the length of the longest stretch with as many zeros as other numbers."""
    first, total, best = {0: 0}, 0, 0
    for i, x in enumerate(xs, 1):
        total += 1 if x else -1
        length = i - first.setdefault(total, i)
        if length > best:
            best = length
    return best


@by_total(source="counts of odd numbers so far")
def count_stretches_with_odds(xs, k):
    """Count the stretches with exactly k odd numbers."""
    seen, odds, count = {0: 1}, 0, 0
    for x in xs:
        odds += x % 2
        count += seen.get(odds - k, 0)
        seen[odds] = seen.get(odds, 0) + 1
    return count


@two_ends(limits="positive numbers; 0 where there is none")
def shortest_stretch_reaching(xs, total):
    """Return the length of the shortest stretch whose sum is at least the total."""
    if xs and min(xs) <= 0:
        raise ValueError("a number is not positive")
    start, left, best = 0, total, len(xs) + 1
    for end, x in enumerate(xs, 1):
        left -= x
        while left <= 0 and start < end:
            if end - start < best:
                best = end - start
            left += xs[start]
            start += 1
    return best if best <= len(xs) else 0


@two_ends(limits="positive numbers")
def count_stretches_with_product_below(xs, limit):
    """Count the stretches whose product is below the limit."""
    if xs and min(xs) <= 0:
        raise ValueError("a number is not positive")
    start, product, count = 0, 1, 0
    for end, x in enumerate(xs):
        product *= x
        while product >= limit and start <= end:
            product //= xs[start]
            start += 1
        count += end - start + 1
    return count


@two_ends(limits="positive numbers")
def count_stretches_with_sum_below(xs, limit):
    """Count the stretches whose sum is below the limit."""
    if xs and min(xs) <= 0:
        raise ValueError("a number is not positive")
    start, total, count = 0, 0, 0
    for end, x in enumerate(xs):
        total += x
        while total >= limit and start <= end:
            total -= xs[start]
            start += 1
        count += end - start + 1
    return count


@two_ends()
def longest_ones_with_flips(xs, k):
    """Return the length of the longest stretch with at most k zeros."""
    start, zeros = 0, 0
    for x in xs:
        zeros += x == 0
        if zeros > k:
            zeros -= xs[start] == 0
            start += 1
    return len(xs) - start


@two_ends(takes=("list", "int"), limits="hashable values")
def longest_stretch_with_distinct(xs, k):
    """Return the length of the longest stretch with at most k distinct values."""
    counts, start = {}, 0
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
        if len(counts) > k:
            gone = xs[start]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            start += 1
    return len(xs) - start


@two_ends(takes=("list", "int"), limits="hashable values")
def count_stretches_with_distinct(xs, k):
    """Count the stretches with exactly k distinct values."""

    def at_most(limit):
        counts, start, total = {}, 0, 0
        for end, x in enumerate(xs):
            counts[x] = counts.get(x, 0) + 1
            while len(counts) > limit:
                gone = xs[start]
                counts[gone] -= 1
                if not counts[gone]:
                    del counts[gone]
                start += 1
            total += end - start + 1
        return total

    return at_most(k) - at_most(k - 1) if k > 0 else 0


@two_ends(takes=("list",), limits="hashable values")
def longest_stretch_without_repeats(xs):
    """Return the length of the longest stretch of distinct values."""
    last, start, best = {}, 0, 0
    for i, x in enumerate(xs):
        begin = last.get(x, -1) + 1
        if begin > start:
            start = begin
        last[x] = i
        if i - start + 1 > best:
            best = i - start + 1
    return best


@two_ends(
    takes=("list[number]", "number"),
    source="two queues of extremes",
    imports=("from collections import deque",),
)
def longest_stretch_within(xs, limit):
    """Return the length of the longest stretch whose values differ by at most the limit."""
    highs, lows, start = deque(), deque(), 0
    for x in xs:
        while highs and highs[-1] < x:
            highs.pop()
        while lows and lows[-1] > x:
            lows.pop()
        highs.append(x)
        lows.append(x)
        if highs[0] - lows[0] > limit:
            if highs[0] == xs[start]:
                highs.popleft()
            if lows[0] == xs[start]:
                lows.popleft()
            start += 1
    return len(xs) - start


@stretch(source="each value times the stretches that hold it")
def sum_over_all_stretches(xs):
    """Return the sum of the sums of all stretches."""
    return sum([x * (i + 1) * (len(xs) - i) for i, x in enumerate(xs)])


@stretch(source="each value times the odd stretches that hold it")
def sum_over_odd_stretches(xs):
    """Return the sum of the sums of all stretches of odd length."""
    return sum([x * (((i + 1) * (len(xs) - i) + 1) // 2) for i, x in enumerate(xs)])
