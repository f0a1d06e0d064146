"""What a number is made of: prime factors and functions of them.

Not here: divisors, their counts and sums (`divisors`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.primes import is_prime


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="the rho method of Pollard (1975), differences gathered as in Brent (1980)",
    limits="odd composite n without small factors; which divisor it is cannot be chosen",
    takes=("int",),
    gives="int",
    imports=("import math",),
)
def proper_factor(n):
    """A divisor of n that is neither 1 nor n."""
    for shift in range(1, n):
        slow = fast = 2
        d = 1
        while d == 1:
            start, ahead, product = slow, fast, 1
            for _ in range(64):
                slow = (slow * slow + shift) % n
                fast = (fast * fast + shift) % n
                fast = (fast * fast + shift) % n
                product = product * (slow - fast) % n
            d = math.gcd(product, n)
        if d == n:
            slow, fast, d = start, ahead, 1
            while d == 1:
                slow = (slow * slow + shift) % n
                fast = (fast * fast + shift) % n
                fast = (fast * fast + shift) % n
                d = math.gcd(slow - fast, n)
        if d < n:
            return d
    raise ValueError("no such divisor")


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="trial division by numbers below 256, then Pollard's rho method",
    limits="n from 1 on; a factor above 3.3e24 takes as long as trial division",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
    uses=("is_prime", "proper_factor"),
    tried_below=10**14,
)
def prime_factors(n):
    """The prime factors of n with multiplicity, ascending."""
    if n < 1:
        raise ValueError("n < 1")
    found = []
    while not n & 1:
        found.append(2)
        n >>= 1
    p = 3
    while p * p <= n and p < 256:
        if n % p:
            p += 2
        else:
            found.append(p)
            n //= p
    if n < 65536:
        return [*found, n] if n > 1 else found
    waiting = [n]
    while waiting:
        n = waiting.pop()
        root = math.isqrt(n)
        if n < 65536 or is_prime(n):
            found.append(n)
        elif root * root == n:
            waiting += [root, root]
        else:
            d = proper_factor(n)
            waiting += [d, n // d]
    return sorted(found)


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="list[int]",
    uses=("prime_factors",),
    tried_below=10**14,
)
def distinct_prime_factors(n):
    """The distinct prime factors of n, ascending."""
    return list(dict.fromkeys(prime_factors(n)))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="dict",
    uses=("prime_factors",),
    tried_below=10**14,
)
def prime_exponents(n):
    """The exponent of each prime factor of n, by ascending prime."""
    exponents = {}
    for p in prime_factors(n):
        exponents[p] = exponents.get(p, 0) + 1
    return exponents


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="list[tuple]",
    uses=("prime_exponents",),
    tried_below=10**14,
)
def prime_powers(n):
    """The pairs (prime factor, exponent) of n, ascending."""
    return list(prime_exponents(n).items())


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def count_prime_factors(n):
    """How many prime factors n has, with multiplicity."""
    return len(prime_factors(n))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def count_distinct_prime_factors(n):
    """How many distinct prime factors n has."""
    return len(set(prime_factors(n)))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def largest_prime_factor(n):
    """The largest prime factor of n, which is above 1."""
    if n < 2:
        raise ValueError("n < 2")
    return prime_factors(n)[-1]


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="trial division by small primes, Miller-Rabin, then Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("is_prime", "prime_factors"),
    tried_below=10**14,
)
def smallest_prime_factor(n):
    """The smallest divisor of n above 1; n is above 1."""
    if n < 2:
        raise ValueError("n < 2")
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47):
        if n % p == 0:
            return p
    return n if is_prime(n) else prime_factors(n)[0]


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def sum_prime_factors(n):
    """The sum of the prime factors of n, with multiplicity."""
    return sum(prime_factors(n))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def sum_distinct_prime_factors(n):
    """The sum of the distinct prime factors of n."""
    return sum(set(prime_factors(n)))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("prime_factors",),
    tried_below=10**14,
)
def radical(n):
    """The product of the distinct prime factors of n."""
    return math.prod(set(prime_factors(n)))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="Euler's product over the prime factors",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def totient(n):
    """How many numbers from 1 to n have no common factor with n."""
    for p in set(prime_factors(n)):
        n -= n // p
    return n


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="Moebius (1832): parity of the number of factors, 0 for a repeated one",
    takes=("int",),
    gives="int",
    uses=("prime_factors",),
    tried_below=10**14,
)
def mobius(n):
    """0 if a square above 1 divides n, else 1 or -1 by the parity of its prime factors."""
    factors = prime_factors(n)
    if len(set(factors)) != len(factors):
        return 0
    return -1 if len(factors) % 2 else 1


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_squarefree(n):
    """Whether no square above 1 divides n."""
    factors = prime_factors(n)
    return len(set(factors)) == len(factors)


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int", "int"),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_product_of_primes(n, k):
    """Whether n is a product of exactly k primes, equal ones allowed."""
    return n > 1 and len(prime_factors(n)) == k


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_semiprime(n):
    """Whether n is a product of two primes, equal ones allowed."""
    return n > 3 and len(prime_factors(n)) == 2


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_product_of_two_distinct_primes(n):
    """Whether n is a product of two different primes."""
    factors = prime_factors(n) if n > 5 else []
    return len(factors) == 2 and factors[0] != factors[1]


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_product_of_three_primes(n):
    """Whether n is a product of three primes, equal ones allowed."""
    return n > 7 and len(prime_factors(n)) == 3


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_product_of_three_distinct_primes(n):
    """Whether n is a product of three different primes (a sphenic number)."""
    factors = prime_factors(n) if n > 29 else []
    return len(factors) == 3 == len(set(factors))


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_prime_power(n):
    """Whether n is a power of a prime, the prime itself included."""
    return n > 1 and len(set(prime_factors(n))) == 1


@archetype(
    family="factors",
    complexity="O(n^(1/4)) as a rule",
    source="criterion of Korselt (1899)",
    takes=("int",),
    gives="bool",
    uses=("prime_factors",),
    tried_below=10**14,
)
def is_carmichael_number(n):
    """Whether n is composite and a**n == a modulo n for every a."""
    factors = prime_factors(n) if n > 2 else []
    return 1 < len(factors) == len(set(factors)) and all(
        (n - 1) % (p - 1) == 0 for p in factors
    )
