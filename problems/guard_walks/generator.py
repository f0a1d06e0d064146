"""Walks of a few guards through a large building; `size` rooms are passed altogether."""


def generate(rng, size):
    rooms = rng.randrange(1, 4 * size + 2)
    guards = ["guard%d" % n for n in range(1, 4 + size // 5000)] + ["Zoe", "adam", "Bo"]
    # An empty input is a test, but nothing to measure with.
    lines, left = [], size if size > 100 or rng.random() < 0.8 else 0
    while left > 0:
        count = min(left, rng.randrange(1, 2 + size // 20))
        first, step = rng.randrange(rooms), rng.randrange(1, 2 * rooms + 1)
        lines.append("%s %d %d %d" % (rng.choice(guards), first, step, count))
        left -= count
    return "\n".join(["%d %d" % (rooms, len(lines)), *lines]) + "\n"
