"""Two fields that are described by three numbers, and a shift for each row."""


def generate(rng, size):
    first = "%d %d %d" % (size, 4 * rng.randrange(1, 10**8) + 1, 2 * rng.randrange(10**8) + 1)
    return first + "\n" + " ".join(str(rng.randrange(10**9)) for _ in range(size)) + "\n"
