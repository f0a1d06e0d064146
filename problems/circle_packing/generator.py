"""There is only one input: the number of circles."""


def generate(rng, size):
    return (size,)
