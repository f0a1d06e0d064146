"""Divisors of many numbers at once: sieves, sums over a range, common divisors.

Not here: the divisors of one number (`divisors`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.divisors import count_divisors, divisors, sum_divisors
from operators.known_functions.library.factors import prime_exponents
from operators.known_functions.library.primes import primes_up_to


@archetype(
    family="divisors",
    complexity="O(n log n)",
    source="every number adds to its multiples",
    takes=("int",),
    gives="list[int]",
    tried_below=10**5,
)
def divisor_counts(n):
    """For each number from 0 to n how many divisors it has; 0 at 0."""
    counts = [0] + [1] * n
    for d in range(2, n + 1):
        for multiple in range(d, n + 1, d):
            counts[multiple] += 1
    return counts


@archetype(
    family="divisors",
    complexity="O(n log n)",
    source="every number adds to its multiples",
    takes=("int",),
    gives="list[int]",
    tried_below=10**5,
)
def proper_divisor_sums(n):
    """For each number from 0 to n the sum of its divisors below it; 0 at 0."""
    sums = [0] * (n + 1)
    for d in range(1, n // 2 + 1):
        for multiple in range(2 * d, n + 1, d):
            sums[multiple] += d
    return sums


@archetype(
    family="divisors",
    complexity="O(sqrt n)",
    source="Dirichlet's hyperbola",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**9,
)
def total_divisor_count(n):
    """How many divisors the numbers from 1 to n have altogether."""
    root = math.isqrt(n)
    return 2 * sum([n // i for i in range(1, root + 1)]) - root * root


@archetype(
    family="divisors",
    complexity="O(sqrt n)",
    source="Dirichlet's hyperbola, equal quotients in one step",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def total_divisor_sum(n):
    """The sum of the divisors of all numbers from 1 to n."""
    total, i = 0, 1
    while i <= n:
        quotient = n // i
        last = n // quotient
        total += quotient * (i + last) * (last - i + 1) // 2
        i = last + 1
    return total


@archetype(
    family="divisors",
    complexity="O(sqrt n)",
    source="n mod i is n - i (n // i); equal quotients in one step",
    takes=("int",),
    gives="int",
    uses=("total_divisor_sum",),
    tried_below=10**9,
)
def sum_of_remainders(n):
    """The sum of n mod i for i from 1 to n."""
    return n * n - total_divisor_sum(n)


@archetype(
    family="divisors",
    complexity="O(n log n)",
    source="sieve of divisor sums",
    takes=("int",),
    gives="list[int]",
    uses=("proper_divisor_sums",),
    tried_below=10**5,
)
def abundant_numbers_up_to(n):
    """The numbers up to n whose divisors below them sum to more, ascending."""
    return [i for i, total in enumerate(proper_divisor_sums(n)) if total > i]


@archetype(
    family="divisors",
    complexity="O(log n)",
    source="Euclid and Euler: (2**p - 1) 2**(p - 1); Ochem and Rao (2012): no odd one",
    limits="n below 2.6e36",
    takes=("int",),
    gives="list[int]",
)
def perfect_numbers_up_to(n):
    """The perfect numbers up to n, ascending."""
    if n >= 2658455991569831744654692615953842176:
        raise ValueError("n is too large")
    exponents = (2, 3, 5, 7, 13, 17, 19, 31)
    return [m for p in exponents if (m := ((1 << p) - 1) << (p - 1)) <= n]


@archetype(
    family="divisors",
    complexity="O(n log n)",
    source="sieve of divisor sums",
    takes=("int",),
    gives="list[tuple]",
    uses=("proper_divisor_sums",),
    tried_below=10**5,
)
def amicable_pairs_up_to(n):
    """The pairs (a, b) of amicable numbers with a < b <= n, by a."""
    sums = proper_divisor_sums(n)
    return [(a, b) for a, b in enumerate(sums) if a < b <= n and sums[b] == a]


@archetype(
    family="divisors",
    complexity="O(n log n)",
    source="sieve of divisor sums",
    limits="a pair counts only when both are up to n",
    takes=("int",),
    gives="int",
    uses=("amicable_pairs_up_to",),
    tried_below=10**5,
)
def sum_amicable_numbers_up_to(n):
    """The sum of the amicable numbers of the pairs up to n."""
    return sum(map(sum, amicable_pairs_up_to(n)))


@archetype(
    family="divisors",
    complexity="O(n log log n)",
    source="Euler's product in a sieve",
    takes=("int",),
    gives="list[int]",
    uses=("primes_up_to",),
    tried_below=10**5,
)
def totients(n):
    """For each number from 0 to n how many numbers up to it are coprime to it; 0 at 0."""
    values = list(range(n + 1))
    for p in primes_up_to(n):
        for multiple in range(p, n + 1, p):
            values[multiple] -= values[multiple] // p
    return values


@archetype(
    family="divisors",
    complexity="O(n log log n)",
    source="Euler's product in a sieve",
    takes=("int",),
    gives="int",
    uses=("totients",),
    tried_below=10**5,
)
def sum_totients(n):
    """The sum of Euler's totient over the numbers from 1 to n."""
    return sum(totients(n))


@archetype(
    family="divisors",
    complexity="O(n log log n)",
    source="each ordered pair once: sums of totients",
    takes=("int",),
    gives="int",
    uses=("totients",),
    tried_below=10**5,
)
def count_coprime_pairs_up_to(n):
    """How many pairs a < b of coprime numbers from 1 to n there are."""
    return max(sum(totients(n)) - 1, 0) if n > 0 else 0


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="Pillai's function is multiplicative: ((e + 1) p - e) p**(e - 1) for p**e",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("prime_exponents",),
)
def sum_of_gcds(n):
    """The sum of gcd(i, n) for i from 1 to n."""
    return math.prod(((e + 1) * p - e) * p ** (e - 1) for p, e in prime_exponents(n).items())


@archetype(
    family="divisors",
    complexity="O(n log log n)",
    source="sieve of Eratosthenes that keeps the first divisor",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
    tried_below=10**5,
)
def smallest_prime_factors(n):
    """For each number from 0 to n its smallest prime factor; 0 and 1 for themselves."""
    smallest = list(range(n + 1))
    for p in range(2, math.isqrt(max(n, 0)) + 1):
        if smallest[p] == p:
            for multiple in range(p * p, n + 1, p):
                if smallest[multiple] == multiple:
                    smallest[multiple] = p
    return smallest


@archetype(
    family="divisors",
    complexity="O(log n + d), d divisors of the gcd",
    source="divisors of the greatest common divisor",
    takes=("int", "int"),
    gives="list[int]",
    imports=("import math",),
    uses=("divisors",),
)
def common_divisors(a, b):
    """The divisors that a and b share, ascending."""
    return divisors(math.gcd(a, b))


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors of the greatest common divisor",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    uses=("count_divisors",),
)
def count_common_divisors(a, b):
    """How many divisors a and b share."""
    return count_divisors(math.gcd(a, b))


@archetype(
    family="divisors",
    complexity="O(n^(1/4)) as a rule",
    source="divisors of the greatest common divisor",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    uses=("sum_divisors",),
)
def sum_common_divisors(a, b):
    """The sum of the divisors that a and b share."""
    return sum_divisors(math.gcd(a, b))
