"""Arithmetic with whole numbers: common divisors, powers, remainders, congruences.

Not here: roots and logarithms (`roots`), prime numbers (`primes`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.factors import prime_exponents, totient


@archetype(
    family="arithmetic",
    complexity="O(log n)",
    source="Euclid's algorithm in C",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**18,
)
def greatest_common_divisor(a, b):
    """The greatest common divisor of a and b."""
    return math.gcd(a, b)


@archetype(
    family="arithmetic",
    complexity="O(log n)",
    source="product by the greatest common divisor, in C",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**18,
)
def least_common_multiple(a, b):
    """The least common multiple of a and b; 0 if one of them is 0."""
    return math.lcm(a, b)


@archetype(
    family="arithmetic",
    complexity="O(log n)",
    source="Euclid's algorithm in C",
    takes=("int", "int"),
    gives="bool",
    imports=("import math",),
    tried_below=10**18,
)
def are_coprime(a, b):
    """Whether a and b have no common divisor above 1."""
    return math.gcd(a, b) == 1


@archetype(
    family="arithmetic",
    complexity="O(n)",
    source="Euclid's algorithm in C",
    takes=("list[int]",),
    gives="int",
    imports=("import math",),
)
def gcd_of_list(values):
    """The greatest common divisor of all values; 0 of none."""
    return math.gcd(*values)


@archetype(
    family="arithmetic",
    complexity="O(n)",
    source="products by greatest common divisors, in C",
    takes=("list[int]",),
    gives="int",
    imports=("import math",),
)
def lcm_of_list(values):
    """The least common multiple of all values; 1 of none."""
    return math.lcm(*values)


@archetype(
    family="arithmetic",
    complexity="O(n)",
    source="products by greatest common divisors, in C",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=5000,
)
def lcm_up_to(n):
    """The smallest number that each number from 1 to n divides."""
    return math.lcm(*range(1, n + 1))


@archetype(
    family="arithmetic",
    complexity="O(b - a)",
    source="products by greatest common divisors, in C",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=1000,
)
def lcm_of_range(a, b):
    """The least common multiple of the numbers from a to b."""
    return math.lcm(*range(a, b + 1))


@archetype(
    family="arithmetic",
    complexity="O(log n)",
    source="Euclid's algorithm backwards",
    limits="other signs than the recursive form for negative numbers",
    takes=("int", "int"),
    gives="tuple",
    tried_below=10**18,
)
def extended_gcd(a, b):
    """The greatest common divisor g and x, y with a * x + b * y == g."""
    x, y, u, v = 1, 0, 0, 1
    while b:
        quotient, rest = divmod(a, b)
        a, b = b, rest
        x, y, u, v = u, v, x - quotient * u, y - quotient * v
    return (a, x, y)


@archetype(
    family="arithmetic",
    complexity="O(M(size) log e)",
    source="repeated squaring in C",
    limits="whole exponents from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=3000,
)
def power(base, exponent):
    """The base to the power of the exponent."""
    if exponent < 0:
        raise ValueError("exponent < 0")
    return base**exponent


@archetype(
    family="arithmetic",
    complexity="O(log e)",
    source="repeated squaring modulo m, in C",
    limits="exponents from 0 on",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=10**18,
)
def modular_power(base, exponent, modulus):
    """The base to the power of the exponent, modulo a number."""
    if exponent < 0:
        raise ValueError("exponent < 0")
    return pow(base, exponent, modulus)


@archetype(
    family="arithmetic",
    complexity="O(log m)",
    source="Euclid's algorithm, in C",
    limits="a and m coprime, m above 0",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def modular_inverse(a, m):
    """The x from 0 to m - 1 with a * x == 1 modulo m."""
    if m < 1:
        raise ValueError("m < 1")
    return pow(a, -1, m)


@archetype(
    family="arithmetic",
    complexity="O(log e)",
    source="repeated squaring modulo 10, in C",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def last_digit_of_power(base, exponent):
    """The last decimal digit of a power."""
    if exponent < 0 or base < 0:
        raise ValueError("negative")
    return pow(base, exponent, 10)


@archetype(
    family="arithmetic",
    complexity="O(1)",
    source="multiplication",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def product(a, b):
    """The product of two numbers."""
    return a * b


@archetype(
    family="arithmetic",
    complexity="O(1)",
    source="division",
    limits="rounds down",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def quotient(a, b):
    """How often b goes into a; rounded down."""
    if b == 0:
        raise ValueError("b == 0")
    return a // b


@archetype(
    family="arithmetic",
    complexity="O(1)",
    source="division",
    limits="has the sign of b",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def remainder(a, b):
    """What is left of a when b is taken off as often as it goes."""
    if b == 0:
        raise ValueError("b == 0")
    return a % b


@archetype(
    family="arithmetic",
    complexity="O(1)",
    source="division",
    limits="rounds towards zero",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def quotient_towards_zero(a, b):
    """How often b goes into a; rounded towards zero."""
    if b == 0:
        raise ValueError("b == 0")
    return a // b if (a < 0) == (b < 0) else -(-a // b)


@archetype(
    family="arithmetic",
    complexity="O(k^2 log m)",
    source="Chinese remainder theorem, one congruence after another",
    limits="pairwise coprime moduli",
    takes=("list[int]", "list[int]"),
    gives="int",
    imports=("import math",),
)
def chinese_remainder(remainders, moduli):
    """The smallest x from 0 on with the given remainders by the given moduli."""
    x, step = 0, 1
    for wanted, modulus in zip(remainders, moduli, strict=True):
        if modulus < 1 or math.gcd(step, modulus) > 1:
            raise ValueError("moduli are not coprime")
        x += step * ((wanted - x) * pow(step, -1, modulus) % modulus)
        step *= modulus
    return x


@archetype(
    family="arithmetic",
    complexity="O(n^(1/4) + log^2 n)",
    source="Euler's theorem: the order divides the totient",
    limits="a and n coprime, n above 1",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    uses=("prime_exponents", "totient"),
)
def multiplicative_order(a, n):
    """The smallest k from 1 on with a**k == 1 modulo n."""
    if n < 2 or math.gcd(a, n) > 1:
        raise ValueError("not coprime")
    order = totient(n)
    for p, exponent in prime_exponents(order).items():
        for _ in range(exponent):
            if pow(a, order // p, n) == 1:
                order //= p
    return order


@archetype(
    family="arithmetic",
    complexity="O(n)",
    source="product modulo m after each step",
    takes=("list[int]", "int"),
    gives="int",
)
def product_modulo(values, modulus):
    """The product of all values, modulo a number."""
    if modulus < 1:
        raise ValueError("modulus < 1")
    result = 1 % modulus
    for value in values:
        result = result * value % modulus
    return result


@archetype(
    family="arithmetic",
    complexity="O(n)",
    source="one pass of remainders, counted in C",
    limits="n and k from 1 on",
    takes=("list[int]", "int"),
    gives="int",
)
def count_multiples_in_list(values, k):
    """How many of the values k divides."""
    if k == 0:
        raise ValueError("k == 0")
    return [value % k for value in values].count(0)
