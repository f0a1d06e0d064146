"""Packs the instances of a ticket by the tables of a program, and rates the result.

Bins with equal room are alike, so the state is how many bins have each room.
"""

import math
import random


def score(args, output):
    shapes, (size, key) = args
    check(shapes, output)
    rng = random.Random("bin packing %d" % key)
    uniform = [
        excess([rng.randint(20, 100) for _ in range(size // 10)], 150, output[0])
        for _ in range(20)
    ]
    weibull = [excess([drawn(rng) for _ in range(size)], 100, output[1]) for _ in range(5)]
    return (math.fsum(uniform) / len(uniform) + math.fsum(weibull) / len(weibull)) / 2


def drawn(rng):
    return min(100, max(1, round(rng.weibullvariate(45, 3))))


def check(shapes, output):
    if type(output) is not list or len(output) != len(shapes):
        raise ValueError("the answer is not one table per shape")
    for (capacity, largest), table in zip(shapes, output):
        if type(table) is not list or len(table) != largest:
            raise ValueError("a table has not one row per item size")
        for item, row in enumerate(table, 1):
            if type(row) is not list or len(row) != capacity - item + 1:
                raise ValueError(f"the row of item {item} has not one priority per room")
            if not all(type(p) in (int, float) and -1e300 < p < 1e300 for p in row):
                raise ValueError(f"a priority of item {item} is not a finite number")


def preferences(table):
    """Rooms in the order in which each item wants them: the fullest of equal ones first."""
    ordered = []
    for item, row in enumerate(table, 1):
        ordered.append([r + item for r in sorted(range(len(row)), key=lambda r: (-row[r], r))])
    return ordered


def bins_used(items, capacity, table):
    wanted = preferences(table)
    count = [0] * (capacity + 1)  # count[room]: open bins with this room left
    used = 0
    for item in items:
        for room in wanted[item - 1]:
            if count[room] or room == capacity:
                break
        if room == capacity:
            used += 1
        else:
            count[room] -= 1
        count[room - item] += 1
    return used


def excess(items, capacity, table):
    bound = -(-sum(items) // capacity)
    return (bins_used(items, capacity, table) - bound) / bound
