"""Divisors: lists, counts and sums, and what numbers are called by them.

Not here: prime factors (`factors`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.factors import prime_exponents, smallest_prime_factor


@archetype(
    family="divisors",
    complexity="O(n^(1/4) + d), d divisors",
    source="products of prime powers",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
    uses=("prime_exponents",),
    tried_below=10**14,
)
def divisors(n):
    """The divisors of n from 1 to n, ascending."""
    if 0 < n < 5000:
        small = [d for d in range(1, math.isqrt(n) + 1) if n % d == 0]
        return small + [n // d for d in reversed(small) if d * d != n]
    found = [1]
    for p, exponent in prime_exponents(n).items():
        powers = [p**e for e in range(1, exponent + 1)]
        found += [d * power for power in powers for d in found]
    found.sort()
    return found


@archetype(
    family="divisors",
    complexity="O(n^(1/4) + d), d divisors",
    source="products of prime powers",
    takes=("int",),
    gives="list[int]",
    uses=("divisors",),
    tried_below=10**14,
)
def proper_divisors(n):
    """The divisors of n below n, ascending."""
    return divisors(n)[:-1]


@archetype(
    family="divisors",
    complexity="O(n^(1/4) + d), d divisors",
    source="products of prime powers",
    takes=("int",),
    gives="list[int]",
    uses=("divisors",),
    tried_below=10**14,
)
def divisors_between(n):
    """The divisors of n but 1 and n, ascending."""
    return divisors(n)[1:-1]


@archetype(
    family="divisors",
    complexity="O(n^(1/4) + d), d divisors",
    source="products of prime powers",
    takes=("int",),
    gives="list[tuple]",
    uses=("divisors",),
    tried_below=10**14,
)
def divisor_pairs(n):
    """The pairs (a, b) with a * b == n and a <= b, by a."""
    return [(d, n // d) for d in divisors(n) if d * d <= n]


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="product of the exponents plus one",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("prime_exponents",),
    tried_below=10**14,
)
def count_divisors(n):
    """How many divisors n has, 1 and n included."""
    return math.prod(exponent + 1 for exponent in prime_exponents(n).values())


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="product of geometric sums over the prime powers",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("prime_exponents",),
    tried_below=10**14,
)
def sum_divisors(n):
    """The sum of the divisors of n, 1 and n included."""
    return math.prod((p ** (e + 1) - 1) // (p - 1) for p, e in prime_exponents(n).items())


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="product of geometric sums over the prime powers",
    takes=("int",),
    gives="int",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def sum_proper_divisors(n):
    """The sum of the divisors of n below n."""
    return sum_divisors(n) - n


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors in pairs: n to half their number",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("count_divisors",),
    tried_below=10**4,
)
def product_divisors(n):
    """The product of the divisors of n, 1 and n included."""
    return math.isqrt(n ** count_divisors(n))


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors of the odd part, times the exponent of 2",
    takes=("int",),
    gives="int",
    uses=("count_divisors",),
    tried_below=10**14,
)
def count_even_divisors(n):
    """How many even divisors n has."""
    low = n & -n
    return (low.bit_length() - 1) * count_divisors(n // low if n else 0)


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors of the odd part",
    takes=("int",),
    gives="int",
    uses=("count_divisors",),
    tried_below=10**14,
)
def count_odd_divisors(n):
    """How many odd divisors n has."""
    return count_divisors(n // (n & -n) if n else 0)


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="all divisors less those of the odd part",
    takes=("int",),
    gives="int",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def sum_even_divisors(n):
    """The sum of the even divisors of n."""
    return sum_divisors(n) - sum_divisors(n // (n & -n)) if n else sum_divisors(n)


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors of the odd part",
    takes=("int",),
    gives="int",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def sum_odd_divisors(n):
    """The sum of the odd divisors of n."""
    return sum_divisors(n // (n & -n) if n else 0)


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="n by its smallest prime factor",
    takes=("int",),
    gives="int",
    uses=("smallest_prime_factor",),
    tried_below=10**14,
)
def largest_proper_divisor(n):
    """The largest divisor of n below n; n is above 1."""
    return n // smallest_prime_factor(n)


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="sum of divisors from the factorisation",
    takes=("int",),
    gives="bool",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def is_perfect_number(n):
    """Whether n is the sum of its divisors below n."""
    return n > 1 and sum_divisors(n) == 2 * n


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="sum of divisors from the factorisation",
    takes=("int",),
    gives="bool",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def is_abundant_number(n):
    """Whether the divisors of n below n sum to more than n."""
    return n > 11 and sum_divisors(n) > 2 * n


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="sum of divisors from the factorisation",
    takes=("int",),
    gives="bool",
    uses=("sum_divisors",),
    tried_below=10**14,
)
def is_deficient_number(n):
    """Whether the divisors of n below n sum to less than n."""
    return n > 0 and sum_divisors(n) < 2 * n


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="sums of divisors from the factorisation",
    takes=("int", "int"),
    gives="bool",
    uses=("sum_proper_divisors",),
    tried_below=10**14,
)
def are_amicable(a, b):
    """Whether each of two numbers is the sum of the other's divisors below it."""
    return sum_proper_divisors(a) == b and sum_proper_divisors(b) == a


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="sums of divisors from the factorisation",
    takes=("int", "int"),
    gives="bool",
    uses=("sum_proper_divisors",),
    tried_below=10**14,
)
def have_equal_divisor_sums(a, b):
    """Whether the divisors below two numbers have the same sum."""
    return sum_proper_divisors(a) == sum_proper_divisors(b)
