"""Prime numbers: tests, sieves, counts and neighbours.

Not here: what a number is divisible by (`factors`, `divisors`).
"""

import math
from itertools import compress

from operators.known_functions.archetype import archetype


@archetype(
    family="primes",
    complexity="O(log^3 n)",
    source="Miller-Rabin, bases of Jaeschke (1993) and of Sorenson and Webster (2015)",
    limits="from 3.3e24 on a strong probable prime is divided by all odd numbers",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**24,
)
def is_prime(n):
    """Whether n is a prime number."""
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
        if n % p == 0:
            return n == p
    if n < 1849:
        return True
    odd = n - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    if n < 4759123141:
        bases = (2, 3) if n < 1373653 else (2, 7, 61)
    else:
        bases = (2, 3, 5, 7, 11, 13, 17)
        if n >= 341550071728321:
            bases += (19, 23, 29, 31, 37, 41)
    for base in bases:
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    if n < 3317044064679887385961981:
        return True
    return all(n % d for d in range(43, math.isqrt(n) + 1, 2))


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes over the odd numbers",
    limits="n / 2 bytes of memory",
    takes=("int",),
    gives="list[int]",
    imports=("import math", "from itertools import compress"),
    tried_below=2 * 10**5,
)
def primes_up_to(n):
    """The primes up to and including n, ascending."""
    if n < 2:
        return []
    half = (n + 1) // 2
    sieve = bytearray(b"\x01") * half
    sieve[0] = 0
    for i in range(1, (math.isqrt(n) + 1) // 2):
        if sieve[i]:
            start = 2 * i * (i + 1)
            sieve[start :: 2 * i + 1] = bytes((half - start - 1) // (2 * i + 1) + 1)
    primes = [2]
    primes.extend(compress(range(1, n + 1, 2), sieve))
    return primes


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes",
    takes=("int",),
    gives="list[int]",
    uses=("primes_up_to",),
    tried_below=2 * 10**5,
)
def primes_below(n):
    """The primes below n, ascending."""
    return primes_up_to(n - 1)


@archetype(
    family="primes",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes",
    takes=("int",),
    gives="list[bool]",
    uses=("primes_up_to",),
    tried_below=2 * 10**5,
)
def prime_flags(n):
    """For each number from 0 to n whether it is a prime."""
    flags = [False] * (n + 1)
    for p in primes_up_to(n):
        flags[p] = True
    return flags


@archetype(
    family="primes",
    complexity="O(n^(3/4))",
    source="Legendre's formula over the values n // i, as Lucy_Hedgehog arranged it",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=2 * 10**5,
)
def count_primes_up_to(n):
    """How many primes there are up to and including n."""
    if n < 2:
        return 0
    root = math.isqrt(n)
    small = list(range(-1, root))
    large = [0] + [n // i - 1 for i in range(1, root + 1)]
    for p in range(2, root + 1):
        before = small[p - 1]
        if small[p] == before:
            continue
        square = p * p
        last = min(root, n // square)
        inner = min(last, root // p)
        for i in range(1, inner + 1):
            large[i] -= large[i * p] - before
        quotient = n // p
        for i in range(inner + 1, last + 1):
            large[i] -= small[quotient // i] - before
        for i in range(root, square - 1, -1):
            small[i] -= small[i // p] - before
    return large[1]


@archetype(
    family="primes",
    complexity="O(n^(3/4))",
    source="Legendre's formula over the values n // i, as Lucy_Hedgehog arranged it",
    takes=("int",),
    gives="int",
    uses=("count_primes_up_to",),
    tried_below=2 * 10**5,
)
def count_primes_below(n):
    """How many primes there are below n."""
    return count_primes_up_to(n - 1)


@archetype(
    family="primes",
    complexity="O(n^(3/4))",
    source="Lucy_Hedgehog's sieve over the values n // i",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=2 * 10**5,
)
def sum_primes_up_to(n):
    """The sum of the primes up to and including n."""
    if n < 2:
        return 0
    root = math.isqrt(n)
    small = [i * (i + 1) // 2 - 1 for i in range(root + 1)]
    large = [0] + [(n // i) * (n // i + 1) // 2 - 1 for i in range(1, root + 1)]
    for p in range(2, root + 1):
        before = small[p - 1]
        if small[p] == before:
            continue
        square = p * p
        last = min(root, n // square)
        inner = min(last, root // p)
        for i in range(1, inner + 1):
            large[i] -= p * (large[i * p] - before)
        quotient = n // p
        for i in range(inner + 1, last + 1):
            large[i] -= p * (small[quotient // i] - before)
        for i in range(root, square - 1, -1):
            small[i] -= p * (small[i // p] - before)
    return large[1]


@archetype(
    family="primes",
    complexity="O(n^(3/4))",
    source="Lucy_Hedgehog's sieve over the values n // i",
    takes=("int",),
    gives="int",
    uses=("sum_primes_up_to",),
    tried_below=2 * 10**5,
)
def sum_primes_below(n):
    """The sum of the primes below n."""
    return sum_primes_up_to(n - 1)


@archetype(
    family="primes",
    complexity="O(b log log b)",
    source="sieve of Eratosthenes, segmented",
    limits="b - a bytes of memory",
    takes=("int", "int"),
    gives="list[int]",
    imports=("import math", "from itertools import compress"),
    uses=("primes_up_to",),
    tried_below=2 * 10**5,
)
def primes_between(a, b):
    """The primes p with a <= p <= b, ascending."""
    a = max(a, 2)
    if b < a:
        return []
    sieve = bytearray(b"\x01") * (b - a + 1)
    for p in primes_up_to(math.isqrt(b)):
        start = max(p * p, -(-a // p) * p) - a
        if start <= b - a:
            sieve[start::p] = bytes((b - a - start) // p + 1)
    return list(compress(range(a, b + 1), sieve))


@archetype(
    family="primes",
    complexity="O(b log log b)",
    source="sieve of Eratosthenes, segmented",
    takes=("int", "int"),
    gives="int",
    uses=("primes_between",),
    tried_below=2 * 10**5,
)
def count_primes_between(a, b):
    """How many primes p there are with a <= p <= b."""
    return len(primes_between(a, b))


@archetype(
    family="primes",
    complexity="O(b log log b)",
    source="sieve of Eratosthenes, segmented",
    takes=("int", "int"),
    gives="int",
    uses=("primes_between",),
    tried_below=2 * 10**5,
)
def sum_primes_between(a, b):
    """The sum of the primes p with a <= p <= b."""
    return sum(primes_between(a, b))


@archetype(
    family="primes",
    complexity="O(n log n log log n)",
    source="sieve of Eratosthenes up to the bound of Rosser (1941)",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
    uses=("primes_up_to",),
    tried_below=10**5,
)
def first_primes(n):
    """The first n primes."""
    if n < 6:
        return [2, 3, 5, 7, 11][: max(n, 0)]
    bound = math.ceil(n * (math.log(n) + math.log(math.log(n))))
    return primes_up_to(bound)[:n]


@archetype(
    family="primes",
    complexity="O(n log n log log n)",
    source="sieve of Eratosthenes up to the bound of Rosser (1941)",
    takes=("int",),
    gives="int",
    uses=("first_primes",),
    tried_below=10**5,
)
def nth_prime(n):
    """The n-th prime; the first is 2."""
    if n < 1:
        raise ValueError("n < 1")
    return first_primes(n)[-1]


@archetype(
    family="primes",
    complexity="O(n log n log log n)",
    source="sieve of Eratosthenes up to the bound of Rosser (1941)",
    takes=("int",),
    gives="int",
    uses=("first_primes",),
    tried_below=10**5,
)
def sum_first_primes(n):
    """The sum of the first n primes."""
    return sum(first_primes(n))


@archetype(
    family="primes",
    complexity="O(log^4 n) on average",
    source="Miller-Rabin on the odd numbers upwards",
    takes=("int",),
    gives="int",
    uses=("is_prime",),
    tried_below=10**18,
)
def next_prime(n):
    """The smallest prime above n."""
    if n < 2:
        return 2
    n += 1 + n % 2
    while not is_prime(n):
        n += 2
    return n


@archetype(
    family="primes",
    complexity="O(log^4 n) on average",
    source="Miller-Rabin on the odd numbers upwards",
    takes=("int",),
    gives="int",
    uses=("next_prime",),
    tried_below=10**18,
)
def prime_at_or_after(n):
    """The smallest prime that is n or larger."""
    return next_prime(n - 1)


@archetype(
    family="primes",
    complexity="O(log^4 n) on average",
    source="Miller-Rabin on the odd numbers downwards",
    limits="n above 2",
    takes=("int",),
    gives="int",
    uses=("is_prime",),
    tried_below=10**18,
)
def previous_prime(n):
    """The largest prime below n."""
    if n < 4:
        if n < 3:
            raise ValueError("no prime below 2")
        return 2
    n -= 1 + n % 2 if n % 2 == 0 else 2
    while not is_prime(n):
        n -= 2
    return n
