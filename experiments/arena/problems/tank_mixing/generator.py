"""Inputs that grow with the size."""


def generate(rng, size):
    return ([rng.randrange(4 * size) if rng.random() < 0.8 else rng.randrange(5) for _ in range(size)],)
