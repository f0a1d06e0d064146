"""Readings of a few tide gauges, in the order of time; often several of one height."""


def generate(rng, size):
    # A short input is a test, but nothing to measure with.
    count = size if size > 100 or rng.random() < 0.8 else rng.randrange(3)
    stations = ["gauge%d" % n for n in range(1 + size // 500)] + ["pier", "Old_Harbour_North"]
    unit = rng.choice(["m", "cm", "ft"])
    height = rng.randrange(-50, 50)
    lines = ["%d %s" % (count, unit)]
    for _ in range(count):
        height += rng.randrange(-9, 10)
        lines.append("%s %d" % (rng.choice(stations), height))
    return "\n".join(lines) + "\n"
