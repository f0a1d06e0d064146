"""Primes of a kind, and numbers written with primes: twins, emirps, Goldbach pairs.

Not here: the primes themselves (`primes`) and what divides a number (`factors`).
"""

import math
from itertools import accumulate, pairwise

from operators.known_functions.archetype import archetype
from operators.known_functions.library.primes import (
    first_primes,
    is_prime,
    prime_flags,
    primes_up_to,
)


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes, neighbours compared",
    takes=("int",),
    gives="list[tuple]",
    imports=("from itertools import pairwise",),
    uses=("primes_up_to",),
    tried_below=2 * 10**5,
)
def twin_primes_up_to(n):
    """The pairs of primes (p, p + 2) with p + 2 <= n."""
    primes = primes_up_to(n)
    return [(p, q) for p, q in pairwise(primes) if q - p == 2]


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes, neighbours compared",
    takes=("int",),
    gives="int",
    uses=("twin_primes_up_to",),
    tried_below=2 * 10**5,
)
def count_twin_primes_up_to(n):
    """How many pairs of primes (p, p + 2) there are with p + 2 <= n."""
    return len(twin_primes_up_to(n))


@archetype(
    family="primes",
    complexity="O(p log^3 n) for the smaller part p",
    source="Miller-Rabin on both parts, from the smallest part on",
    limits="numbers above 3 that are a sum of two primes",
    takes=("int",),
    gives="tuple",
    uses=("is_prime",),
    tried_below=10**12,
)
def goldbach_pair(n):
    """The primes p <= q with p + q == n and p as small as can be."""
    for p in (2,) if n % 2 else range(2, n // 2 + 1):
        if is_prime(p) and is_prime(n - p):
            return (min(p, n - p), max(p, n - p))
    raise ValueError("no sum of two primes")


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes, compared with itself backwards",
    takes=("int",),
    gives="list[tuple]",
    uses=("prime_flags", "primes_up_to"),
    tried_below=2 * 10**5,
)
def prime_pairs_with_sum(n):
    """The pairs of primes p <= q with p + q == n, by p."""
    if n < 4:
        return []
    flags = prime_flags(n)
    return [(p, n - p) for p in primes_up_to(n // 2) if flags[n - p]]


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes, compared with itself backwards",
    takes=("int",),
    gives="int",
    uses=("prime_pairs_with_sum",),
    tried_below=2 * 10**5,
)
def count_prime_pairs_with_sum(n):
    """How many pairs of primes p <= q there are with p + q == n."""
    return len(prime_pairs_with_sum(n))


@archetype(
    family="primes",
    complexity="O(log^3 n)",
    source="an odd number can only be 2 + (n - 2); Goldbach's conjecture, checked to 4e18",
    limits="even numbers up to 4e18",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=2 * 10**5,
)
def is_sum_of_two_primes(n):
    """Whether n is the sum of two primes."""
    if n % 2:
        return is_prime(n - 2)
    if n > 4 * 10**18:
        raise ValueError("not checked so far")
    return n > 3


@archetype(
    family="primes",
    complexity="O(log^3 n)",
    source="Miller-Rabin on both readings",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_emirp(n):
    """Whether n is a prime that is another prime when its digits are reversed."""
    backwards = int(str(n)[::-1]) if n > 0 else n
    return backwards != n and is_prime(n) and is_prime(backwards)


@archetype(
    family="primes",
    complexity="O(log^4 n)",
    source="Miller-Rabin on each rotation",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_circular_prime(n):
    """Whether n is a prime, and each rotation of its digits is."""
    text = str(n)
    return n > 1 and all(is_prime(int(text[i:] + text[:i])) for i in range(len(text)))


@archetype(
    family="primes",
    complexity="O(log^4 n)",
    source="Miller-Rabin on each end of the digits",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_left_truncatable_prime(n):
    """Whether n and all that is left when digits are taken off its left are primes."""
    text = str(n)
    return (
        n > 1
        and "0" not in text
        and all(is_prime(int(text[i:])) for i in reversed(range(len(text))))
    )


@archetype(
    family="primes",
    complexity="O(log^4 n)",
    source="Miller-Rabin on each beginning of the digits",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_right_truncatable_prime(n):
    """Whether n and all that is left when digits are taken off its right are primes."""
    shorter = n
    while is_prime(shorter):
        shorter //= 10
    return n > 0 == shorter


@archetype(
    family="primes",
    complexity="O(log^3 n)",
    source="Miller-Rabin, cheap test of the digits first",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_palindromic_prime(n):
    """Whether n is a prime that reads the same backwards."""
    text = str(n)
    return text == text[::-1] and is_prime(n)


@archetype(
    family="primes",
    complexity="O(log^3 n)",
    source="Miller-Rabin twice",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=10**12,
)
def is_sophie_germain_prime(n):
    """Whether n and 2 n + 1 are primes."""
    return is_prime(n) and is_prime(2 * n + 1)


@archetype(
    family="primes",
    complexity="O(p^2 log p)",
    source="test of Lucas and Lehmer",
    takes=("int",),
    gives="bool",
    uses=("is_prime",),
    tried_below=2000,
)
def is_mersenne_exponent(p):
    """Whether 2**p - 1 is a prime."""
    if p == 2:
        return True
    if not is_prime(p):
        return False
    number = (1 << p) - 1
    rest = 4
    for _ in range(p - 2):
        rest = (rest * rest - 2) % number
    return rest == 0


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes, product by halves in C",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("primes_up_to",),
    tried_below=10**4,
)
def product_primes_up_to(n):
    """The product of the primes up to and including n."""
    return math.prod(primes_up_to(n))


@archetype(
    family="primes",
    complexity="O(n log n log log n)",
    source="sieve of Eratosthenes up to the bound of Rosser (1941)",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("first_primes",),
    tried_below=10**4,
)
def primorial(n):
    """The product of the first n primes."""
    return math.prod(first_primes(n))


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes and running sums",
    takes=("int",),
    gives="list[int]",
    imports=("from itertools import accumulate",),
    uses=("prime_flags",),
    tried_below=2 * 10**5,
)
def prime_counts(n):
    """For each number from 0 to n how many primes there are up to it."""
    return list(accumulate(map(int, prime_flags(n))))


@archetype(
    family="primes",
    complexity="O(b log log b)",
    source="sieve of Eratosthenes, neighbours compared",
    takes=("int",),
    gives="int",
    imports=("from itertools import pairwise",),
    uses=("primes_up_to",),
    tried_below=2 * 10**5,
)
def largest_prime_gap_up_to(n):
    """The largest difference of neighbouring primes up to n; 0 if there are fewer than two."""
    primes = primes_up_to(n)
    return max((q - p for p, q in pairwise(primes)), default=0)


@archetype(
    family="primes",
    complexity="O(m log log m + length), m the largest",
    source="sieve of Eratosthenes for many numbers, Miller-Rabin for few or large ones",
    takes=("list[int]",),
    gives="list[int]",
    uses=("is_prime", "prime_flags"),
    tried_below=10**12,
)
def primes_in_list(values):
    """The values that are primes, in order."""
    if len(values) > 64 and max(values) < 20 * len(values):
        flags = prime_flags(max(values, default=0)) if max(values) > 1 else [False, False]
        return [value for value in values if value > 1 and flags[value]]
    return [value for value in values if is_prime(value)]


@archetype(
    family="primes",
    complexity="O(m log log m + length), m the largest",
    source="sieve of Eratosthenes for many numbers, Miller-Rabin for few or large ones",
    takes=("list[int]",),
    gives="int",
    uses=("primes_in_list",),
    tried_below=10**12,
)
def count_primes_in_list(values):
    """How many of the values are primes."""
    return len(primes_in_list(values))


@archetype(
    family="primes",
    complexity="O(m log log m + length), m the largest",
    source="sieve of Eratosthenes for many numbers, Miller-Rabin for few or large ones",
    takes=("list[int]",),
    gives="int",
    uses=("primes_in_list",),
    tried_below=10**12,
)
def sum_primes_in_list(values):
    """The sum of the values that are primes."""
    return sum(primes_in_list(values))
