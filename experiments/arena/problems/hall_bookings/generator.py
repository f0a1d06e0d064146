"""Inputs that grow with the size."""


def generate(rng, size):
    offers = []
    for _ in range(size):
        first = rng.randrange(3 * size)
        offers.append((first, first + rng.randrange(1 + size // 8), rng.randrange(1, 50)))
    return (offers,)
