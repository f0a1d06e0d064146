"""Fractions and continued fractions: lowest terms, periods, approximations.

Not here: whole numbers (`arithmetic`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.arithmetic import multiplicative_order
from operators.known_functions.library.divisor_sieves import totients


@archetype(
    family="fractions",
    complexity="O(log n)",
    source="Euclid's algorithm in C",
    limits="denominators that are not 0; the sign goes to the numerator",
    takes=("int", "int"),
    gives="tuple",
    imports=("import math",),
    tried_below=10**12,
)
def lowest_terms(a, b):
    """Numerator and denominator of a / b in lowest terms."""
    if b == 0:
        raise ValueError("b == 0")
    common = math.gcd(a, b) if b > 0 else -math.gcd(a, b)
    return (a // common, b // common)


@archetype(
    family="fractions",
    complexity="O(log n)",
    source="Euclid's algorithm in C",
    limits="denominators above 0",
    takes=("int", "int", "int", "int"),
    gives="tuple",
    imports=("import math",),
    tried_below=10**12,
)
def fraction_sum(a, b, c, d):
    """Numerator and denominator of a / b + c / d in lowest terms."""
    if b < 1 or d < 1:
        raise ValueError("denominator < 1")
    above, below = a * d + b * c, b * d
    common = math.gcd(above, below)
    return (above // common, below // common)


@archetype(
    family="fractions",
    complexity="O(n^(1/4) + log^2 n)",
    source="order of 10 modulo the part without 2 and 5",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    uses=("multiplicative_order",),
)
def decimal_period(n):
    """The length of the period of 1 / n in decimal digits; 0 if it ends."""
    if n < 1:
        raise ValueError("n < 1")
    for p in (2, 5):
        while n % p == 0:
            n //= p
    return multiplicative_order(10, n) if n > 1 else 0


@archetype(
    family="fractions",
    complexity="O(n sqrt n)",
    source="largest first: no period is longer than n - 1",
    limits="n above 3",
    takes=("int",),
    gives="int",
    uses=("decimal_period",),
    tried_below=3000,
)
def longest_decimal_period_below(n):
    """The smallest number below n with the longest decimal period of its reciprocal."""
    if n < 4:
        raise ValueError("no period")
    best = longest = 0
    for d in range(n - 1, 1, -1):
        if longest >= d:
            break
        period = decimal_period(d)
        if period >= longest:
            best, longest = d, period
    return best


@archetype(
    family="fractions",
    complexity="O(d), d digits",
    source="remainders seen, in a table",
    limits="b is not 0",
    takes=("int", "int"),
    gives="str",
    tried_below=3000,
)
def decimal_text(a, b):
    """The decimal digits of a / b, the period in round brackets: 1 / 6 is 0.1(6)."""
    if b == 0:
        raise ValueError("b == 0")
    sign = "-" if a * b < 0 else ""
    whole, rest = divmod(abs(a), abs(b))
    if rest == 0:
        return f"{sign}{whole}"
    digits, seen, b = [], {}, abs(b)
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digit, rest = divmod(10 * rest, b)
        digits.append(str(digit))
    if rest:
        digits.insert(seen[rest], "(")
        digits.append(")")
    return f"{sign}{whole}." + "".join(digits)


@archetype(
    family="fractions",
    complexity="O(log n) steps",
    source="greedy algorithm of Fibonacci (1202)",
    limits="0 < a < b",
    takes=("int", "int"),
    gives="list[int]",
    tried_below=100,
)
def unit_fractions(a, b):
    """Denominators of fractions 1 / d that sum to a / b, the largest fraction each time."""
    if not 0 < a < b:
        raise ValueError("not between 0 and 1")
    found = []
    while a:
        d = -(-b // a)
        found.append(d)
        a, b = a * d - b, b * d
    return found


@archetype(
    family="fractions",
    complexity="O(log n)",
    source="Euclid's algorithm",
    limits="denominators above 0",
    takes=("int", "int"),
    gives="list[int]",
    tried_below=10**12,
)
def continued_fraction(a, b):
    """The terms of the continued fraction of a / b."""
    if b < 1:
        raise ValueError("b < 1")
    terms = []
    while b:
        quotient, rest = divmod(a, b)
        terms.append(quotient)
        a, b = b, rest
    return terms


@archetype(
    family="fractions",
    complexity="O(p), p terms",
    source="the classical recurrence for quadratic surds (Lagrange)",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**6,
)
def square_root_period(n):
    """The length of the period of the continued fraction of the root of n; 0 for squares."""
    root = math.isqrt(n)
    if root * root == n:
        return 0
    m, d, term, period = 0, 1, root, 0
    while term != 2 * root:
        m = d * term - m
        d = (n - m * m) // d
        term = (root + m) // d
        period += 1
    return period


@archetype(
    family="fractions",
    complexity="O(n log log n)",
    source="sum of Euler's totients",
    limits="0 below 1",
    takes=("int",),
    gives="int",
    uses=("totients",),
    tried_below=10**5,
)
def count_proper_fractions(n):
    """How many fractions between 0 and 1 have lowest terms and a denominator up to n."""
    return sum(totients(n)) - 1 if n > 1 else 0


@archetype(
    family="fractions",
    complexity="O(output)",
    source="neighbours of Farey: the next one from the two before",
    limits="n from 1 on",
    takes=("int",),
    gives="list[tuple]",
    tried_below=60,
)
def farey_sequence(n):
    """The fractions from 0 to 1 with a denominator up to n, ascending, as pairs."""
    if n < 1:
        raise ValueError("n < 1")
    a, b, c, d = 0, 1, 1, n
    found = [(0, 1)]
    while c <= n:
        k = (n + b) // d
        a, b, c, d = c, d, k * c - a, k * d - b
        found.append((a, b))
    return found
