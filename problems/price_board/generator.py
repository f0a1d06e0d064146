"""Ticks of a market with many names, each of which moves a little."""


def generate(rng, size):
    names = ["n%03d" % n for n in range(2 + size // 8)]
    ticks = [(rng.choice(names), rng.randrange(100, 100 + 2 * size)) for _ in range(size)]
    watched = [rng.choice(names) + rng.choice(["", "", "x"]) for _ in range(size)]
    tiers = [rng.randrange(min(17, 4 + size // 10)) for _ in range(3 + size // 10)]
    marks = [[rng.randrange(3), rng.randrange(2)] for _ in range(8)]
    return ticks, watched, tiers, marks


def valid(arguments):
    ticks, watched, tiers, marks = arguments
    return all(0 <= tier < 20 for tier in tiers)
