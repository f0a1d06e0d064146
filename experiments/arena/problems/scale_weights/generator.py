"""Inputs that grow with the size."""


def generate(rng, size):
    pairs = max(2, size // 8)
    weights = [(rng.randrange(1, 4 + 4 * size), rng.randrange(6)) for _ in range(pairs)]
    if rng.random() < 0.5:
        weights.append((1, rng.randrange(4)))
    return weights, 8 * size + rng.randrange(8 * size)


def valid(arguments):
    weights, limit = arguments
    return limit >= 0 and all(weight >= 1 and count >= 0 for weight, count in weights)
