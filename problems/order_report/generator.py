"""Orders of a small shop: many customers, few skus, some ids blocked."""


def generate(rng, size):
    customers = [(100 + rng.randrange(size), "name-%d" % number) for number in range(size)]
    orders = [
        (100 + rng.randrange(size + 3), rng.randrange(1, 1 + size // 2), rng.randrange(1, 9))
        for _ in range(size)
    ]
    blocked = [100 + rng.randrange(2 * size) for _ in range(size)]
    lots = [rng.randrange(12) for _ in range(16)]
    # A clerk who moves two lots at once writes them as a list; not every page has one.
    if rng.random() < 0.6:
        lots[rng.randrange(16)] = [1, 2]
        lots[rng.randrange(16)] = [1, 2]
    return orders, customers, blocked, lots


def valid(arguments):
    orders, customers, blocked, page = arguments
    return all(1 <= sku < 10_000 and quantity >= 1 for _, sku, quantity in orders)
