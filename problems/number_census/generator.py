"""Numbers of a few thousand at most, primes often, some of them repeated."""

PRIMES = [n for n in range(2, 3000) if all(n % d for d in range(2, int(n**0.5) + 1))]


def generate(rng, size):
    few = [rng.choice(PRIMES) for _ in range(1 + size // 2)]
    numbers = [rng.choice(few) if rng.random() < 0.6 else rng.randrange(1, 3000) for _ in range(size)]
    marked = [rng.randrange(1, 3000) for _ in range(4 * size)]
    return numbers, marked, rng.choice([97, 10007, 1000003])


def valid(arguments):
    numbers, marked, modulus = arguments
    return modulus >= 1 and all(1 <= n < 5000 for n in [*numbers, *marked])
