"""What a stack of candidates answers: next greater values, spans, rectangles, trapped water.

Not here: brackets (`brackets`) and windows of a fixed width (`windows`).
"""

from functools import partial

from operators.known_functions.archetype import archetype
from operators.known_functions.library.selection import running_maxima

monotonic = partial(
    archetype,
    family="stacks",
    complexity="O(n)",
    source="a stack of places that wait for their answer",
    limits="numbers",
    takes=("list[number]",),
    gives="list",
)
surface = partial(monotonic, takes=("list[int]",), gives="int", limits="numbers from 0")


@monotonic()
def next_greater(xs):
    """Return for each place the next larger value behind it, -1 where there is none."""
    result, waiting = [-1] * len(xs), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] < x:
            result[waiting.pop()] = x
        waiting.append(i)
    return result


@monotonic()
def next_smaller(xs):
    """Return for each place the next smaller value behind it, -1 where there is none."""
    result, waiting = [-1] * len(xs), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] > x:
            result[waiting.pop()] = x
        waiting.append(i)
    return result


@monotonic()
def next_not_larger(xs):
    """Return for each place the next value behind it that is not larger, -1 if none."""
    result, waiting = [-1] * len(xs), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] >= x:
            result[waiting.pop()] = x
        waiting.append(i)
    return result


@monotonic()
def previous_greater(xs):
    """Return for each place the last larger value before it, -1 where there is none."""
    result, stack = [], []
    for x in xs:
        while stack and stack[-1] <= x:
            stack.pop()
        result.append(stack[-1] if stack else -1)
        stack.append(x)
    return result


@monotonic()
def previous_smaller(xs):
    """Return for each place the last smaller value before it, -1 where there is none."""
    result, stack = [], []
    for x in xs:
        while stack and stack[-1] >= x:
            stack.pop()
        result.append(stack[-1] if stack else -1)
        stack.append(x)
    return result


@monotonic()
def next_greater_in_circle(xs):
    """Return the next larger value of each place in the list closed to a circle, or -1."""
    result, waiting = [-1] * len(xs), []
    for turn in range(2):
        for i, x in enumerate(xs):
            while waiting and xs[waiting[-1]] < x:
                result[waiting.pop()] = x
            if not turn:
                waiting.append(i)
    return result


@monotonic(gives="list[int]")
def steps_to_next_greater(xs):
    """Return how many places further the next larger value stands, 0 if there is none."""
    result, waiting = [0] * len(xs), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] < x:
            at = waiting.pop()
            result[at] = i - at
        waiting.append(i)
    return result


@monotonic(gives="list[int]")
def place_of_next_greater(xs):
    """Return the index of the next larger value behind each place, -1 if there is none."""
    result, waiting = [-1] * len(xs), []
    for i, x in enumerate(xs):
        while waiting and xs[waiting[-1]] < x:
            result[waiting.pop()] = i
        waiting.append(i)
    return result


@monotonic(gives="list[int]")
def spans(xs):
    """Return for each place how many values up to it, in a row, are not above it."""
    result, stack = [], []
    for i, x in enumerate(xs):
        while stack and xs[stack[-1]] <= x:
            stack.pop()
        result.append(i - stack[-1] if stack else i + 1)
        stack.append(i)
    return result


@monotonic(takes=("list", "list"), limits="distinct values; the first list is in the second")
def next_greater_for_some(queries, xs):
    """Return for each value of the first list the next larger one behind it in the second."""
    answer, waiting = {}, []
    for x in xs:
        while waiting and waiting[-1] < x:
            answer[waiting.pop()] = x
        waiting.append(x)
    if len(set(xs)) < len(xs) or not set(xs).issuperset(queries):
        raise ValueError("values repeat or are not in the second list")
    return [answer.get(x, -1) for x in queries]


@surface()
def largest_rectangle(heights):
    """Return the area of the largest rectangle below a skyline of bars of width one."""
    best, stack = 0, []
    for i, height in enumerate([*heights, 0]):
        start = i
        while stack and stack[-1][1] >= height:
            start, high = stack.pop()
            best = max(best, high * (i - start))
        stack.append((start, height))
    return best


@surface(
    takes=("list[list[int]]",),
    complexity="O(cells)",
    source="the largest rectangle below each row",
    limits="a matrix of 0 and 1",
)
def largest_rectangle_of_ones(matrix):
    """Return the area of the largest rectangle of ones in a matrix of 0 and 1."""
    best, heights = 0, [0] * len(matrix[0]) if matrix else []
    for row in matrix:
        heights = [height + 1 if cell else 0 for height, cell in zip(heights, row, strict=True)]
        stack = []
        for i, height in enumerate([*heights, 0]):
            start = i
            while stack and stack[-1][1] >= height:
                start, high = stack.pop()
                best = max(best, high * (i - start))
            stack.append((start, height))
    return best


@surface(source="running maxima from both sides", uses=("running_maxima",))
def trapped_water(heights):
    """Return how much water stays between bars of width one after rain."""
    left, right = running_maxima(heights), running_maxima(heights[::-1])[::-1]
    highest = [a if a < b else b for a, b in zip(left, right, strict=True)]
    return sum(highest) - sum(heights)


@surface(source="two ends that meet")
def largest_container(heights):
    """Return the largest min(height i, height j) times (j - i)."""
    best, low, high = 0, 0, len(heights) - 1
    while low < high:
        if heights[low] < heights[high]:
            area = heights[low] * (high - low)
            low += 1
        else:
            area = heights[high] * (high - low)
            high -= 1
        if area > best:
            best = area
    return best


@surface(takes=("list[number]",), limits="numbers")
def count_visible(heights):
    """Count the values that are above all values before them."""
    count, top = 0, None
    for height in heights:
        if top is None or height > top:
            count, top = count + 1, height
    return count


@surface(takes=("list[number]",), limits="numbers")
def sum_of_stretch_minima(xs):
    """Return the sum of the smallest values of all stretches."""
    total = ending = 0
    stack = []
    for x in xs:
        width = 1
        while stack and stack[-1][0] >= x:
            value, more = stack.pop()
            width += more
            ending -= value * more
        stack.append((x, width))
        ending += x * width
        total += ending
    return total


@surface(takes=("list[number]",), limits="numbers")
def sum_of_stretch_maxima(xs):
    """Return the sum of the largest values of all stretches."""
    total = ending = 0
    stack = []
    for x in xs:
        width = 1
        while stack and stack[-1][0] <= x:
            value, more = stack.pop()
            width += more
            ending -= value * more
        stack.append((x, width))
        ending += x * width
        total += ending
    return total


@surface(
    takes=("list[number]",),
    limits="numbers",
    uses=("sum_of_stretch_maxima", "sum_of_stretch_minima"),
)
def sum_of_stretch_spreads(xs):
    """Return the sum of largest minus smallest value over all stretches."""
    return sum_of_stretch_maxima(xs) - sum_of_stretch_minima(xs)


@surface(takes=("str", "int"), gives="str", limits="decimal digits; leading zeros are dropped")
def smallest_without_digits(number, k):
    """Return the smallest number that is left when k digits are struck out, 0 if none is."""
    if k < 0 or not number.isdigit():
        raise ValueError("no digits, or k is negative")
    stack, left = [], k
    for digit in number:
        while left and stack and stack[-1] > digit:
            stack.pop()
            left -= 1
        stack.append(digit)
    return "".join(stack[: max(len(number) - k, 0)]).lstrip("0") or "0"


@monotonic(source="the values that come back", limits="non-zero integers", takes=("list[int]",))
def collided(xs):
    """Return what is left when positive values move right, negative ones left, larger win."""
    stack = []
    for x in xs:
        alive = True
        while alive and x < 0 and stack and stack[-1] > 0:
            alive = stack[-1] < -x
            if stack[-1] <= -x:
                stack.pop()
        if alive:
            stack.append(x)
    return stack
