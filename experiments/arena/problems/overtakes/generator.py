"""Inputs that grow with the size."""


def generate(rng, size):
    times = [rng.randrange(size) + index // 2 for index in range(size)]
    return (times,)
