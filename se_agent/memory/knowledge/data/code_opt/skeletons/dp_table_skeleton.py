"""Table of partial results: the largest value that fits into a capacity."""

from collections.abc import Sequence

Items = Sequence[tuple[int, int]]


def slow(items: Items, capacity: int) -> int:
    """Solve each subproblem as often as it is met: exponential."""
    if not items:
        return 0
    (weight, value), rest = items[0], items[1:]
    best = slow(rest, capacity)
    if weight <= capacity:
        best = max(best, value + slow(rest, capacity - weight))
    return best


def fast(items: Items, capacity: int) -> int:
    """Solve each once; one row is enough, filled from its end: an item is used once."""
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], value + best[room - weight])
    return best[capacity]
