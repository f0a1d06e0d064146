"""Array scan: sums of ranges."""

from collections.abc import Sequence
from itertools import accumulate

Ranges = Sequence[tuple[int, int]]


def slow(values: Sequence[int], ranges: Ranges) -> list[int]:
    """Walk through each range anew: ranges times length."""
    sums = []
    for low, high in ranges:
        total = 0
        for value in values[low:high]:
            total += value
        sums.append(total)
    return sums


def fast(values: Sequence[int], ranges: Ranges) -> list[int]:
    """Walk once; then each range is one subtraction."""
    before = [0, *accumulate(values)]
    return [before[high] - before[low] for low, high in ranges]
