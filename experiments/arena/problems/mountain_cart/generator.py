"""Inputs that grow with the size."""


def generate(rng, size):
    width = size + rng.randrange(2)
    rows = [[rng.choice((0, 1, 1, 2, 3, 9)) for _ in range(width)] for _ in range(size)]
    return (rows,)


def valid(arguments):
    (rows,) = arguments
    width = len(rows[0]) if rows else 0
    return width > 0 and all(len(row) == width and all(0 <= c <= 9 for c in row) for row in rows)
