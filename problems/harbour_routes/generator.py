"""A sparse net of ports with some closed ones, and a long queue of ships."""


def generate(rng, size):
    links = [(n, rng.randrange(n)) for n in range(1, size)]
    links += [(rng.randrange(size), rng.randrange(size)) for _ in range(size)]
    rng.shuffle(links)
    closed = [rng.randrange(1, size) for _ in range(size // 5)]
    arrivals = [rng.randrange(1000) for _ in range(2 * size)]
    hatches = [[rng.randrange(2) for _ in range(3)] for _ in range(12)]
    return size, links, closed, arrivals, hatches


def valid(arguments):
    count, links, closed, arrivals, hatches = arguments
    ports = [port for link in links for port in link] + closed
    whole = count >= 1 and 0 not in closed and all(0 <= port < count for port in ports)
    return whole and all(ship >= 0 for ship in arrivals)
