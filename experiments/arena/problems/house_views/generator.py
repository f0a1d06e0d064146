"""Inputs that grow with the size."""


def generate(rng, size):
    peak = max(3, size)
    heights = [max(0, peak - index + rng.randrange(-peak // 8 - 1, peak // 8 + 2)) for index in range(size)]
    for _ in range(size // 40):
        heights[rng.randrange(size)] = peak
    return (heights,)
