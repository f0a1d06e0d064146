"""Small grids, short names and few coins: small inputs, long recursions."""


def branch(rng, depth):
    return [rng.randrange(9)] + [branch(rng, depth - 1) for _ in range(rng.randrange(depth + 1))]


def generate(rng, size):
    rows, columns = size // 2, size // 2
    zones = [[rng.randrange(1, 10) for _ in range(columns)] for _ in range(rows)]
    coins = sorted(rng.sample(range(2, 16), 5))
    fares = coins + [8 * size + rng.randrange(6)]
    # Two spellings that share half of their letters.
    old = "".join(rng.choice("abcdef") for _ in range((size + 3) // 3))
    new = "".join(rng.choice("defghi") for _ in range((size + 3) // 3))
    return zones, fares, old, new, branch(rng, 4)


def is_line(value):
    return type(value) is list and value and type(value[0]) is int and all(map(is_line, value[1:]))


def valid(arguments):
    zones, fares, old, new, line = arguments
    grid = zones and zones[0] and all(len(row) == len(zones[0]) for row in zones)
    prices = all(cell >= 1 for row in zones for cell in row)
    coins, fare = fares[:-1], fares[-1]
    return grid and prices and all(coin >= 1 for coin in coins) and fare >= 0 and is_line(line)
