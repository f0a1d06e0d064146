"""Census of numbers: which are prime, what divides them, and a proof of reading."""


def is_prime(n: int) -> bool:
    if n < 2:
        return False
    for d in range(2, n):
        if n % d == 0:
            return False
    return True


def distinct(numbers: list[int]) -> list[int]:
    """Each number once, in the order of first appearance."""
    seen = []
    for n in numbers:
        if n not in seen:
            seen.append(n)
    return seen


def divisors(n: int) -> list[int]:
    """All divisors above 1."""
    found = []
    for d in range(2, n + 1):
        if n % d == 0:
            found.append(d)
    return found


def least_divisor(n: int) -> int:
    """The least divisor above 1; a prime has only itself."""
    for d in range(2, n):
        if n % d == 0:
            return d
    return n


def proof_of_reading(numbers: list[int], modulus: int) -> int:
    """Changes when a number is lost."""
    proof = 1
    for n in numbers:
        proof = proof * (n ** (n + 5) % modulus) % modulus
    return proof


def scale(exponents: range) -> list:
    # Negative exponents give floats, which is what the chart wants.
    values = []
    for exponent in exponents:
        values.append(10**exponent % 7)
    return values


def count_hits(numbers: list[int], marked: list[int]) -> int:
    hits = 0
    for n in numbers:
        if n in marked:
            hits += 1
    return hits


def census(numbers: list[int], marked: list[int], modulus: int) -> dict:
    primes = [n for n in distinct(numbers) if is_prime(n)]
    tally = []
    for p in primes:
        tally.append((p, numbers.count(p)))
    return {
        "primes": primes,
        "tally": tally,
        "divisors": [divisors(n) for n in numbers[:10]],
        "least": [least_divisor(n) for n in numbers if n > 1],
        "proof": proof_of_reading(numbers, modulus),
        "scale": scale(range(-2, 4)),
        "hits": count_hits(numbers, marked),
    }
