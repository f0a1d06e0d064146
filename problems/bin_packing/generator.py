"""The shapes of the tables, and a ticket from which only the scorer makes the instances."""


def generate(rng, size):
    return [(150, 100), (100, 100)], (size, rng.getrandbits(48))
