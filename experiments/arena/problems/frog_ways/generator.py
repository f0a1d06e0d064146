"""Inputs that grow with the size."""


def generate(rng, size):
    stones = "o" + "".join("x" if rng.random() < 0.15 else "o" for _ in range(size - 1))
    low = rng.randrange(1, 4)
    return stones, low, low + rng.randrange(size // 6 + 1, size // 3 + 2)


def valid(arguments):
    stones, low, high = arguments
    return stones[:1] == "o" and set(stones) <= {"o", "x"} and 1 <= low <= high
