"""Inputs that grow with the size."""


def generate(rng, size):
    level = 50
    levels = []
    for _ in range(size):
        level += rng.randrange(-6, 7)
        levels.append(level)
    return levels, rng.randrange(1, size // 2 + 3)


def valid(arguments):
    levels, width = arguments
    return width >= 1
