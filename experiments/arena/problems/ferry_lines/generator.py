"""Inputs that grow with the size."""


def generate(rng, size):
    count = max(2, size // 2)
    lines = [(rng.randrange(count), rng.randrange(count)) for _ in range(size // 3 + 1)]
    return count, lines


def valid(arguments):
    count, lines = arguments
    return count >= 1 and all(0 <= island < count for line in lines for island in line)
