"""Sums of series in closed form.

Those of one whole number are not listed: `polynomial` is solved for.
Not here: sequences without a closed form (`recurrences`).
"""

import math

from operators.known_functions.archetype import Solver, archetype
from operators.known_functions.formulas import written_polynomial
from operators.known_functions.solving import solved_polynomial


@archetype(
    family="series",
    complexity="O(1)",
    source="a closed form",
    limits="n from 0 on, whole values",
    takes=("list[list[int]]", "list[int]", "int"),
    gives="int",
    tried_below=10**100,
    solver=Solver(solved_polynomial, written_polynomial),
)
def polynomial(numerators, divisors, n):
    """The value at n of one of k polynomials, that for n modulo k, over its divisor."""
    if n < 0 or not numerators or len(numerators) != len(divisors) or 0 in divisors:
        raise ValueError("n < 0, or not one divisor, other than 0, for each polynomial")
    value = 0
    for coefficient in reversed(numerators[n % len(numerators)]):
        value = value * n + coefficient
    return value // divisors[n % len(divisors)]


@archetype(
    family="series",
    complexity="O(1)",
    source="Gauss's pairs",
    limits="0 if a is above b",
    takes=("int", "int"),
    gives="int",
    tried_below=10**6,
)
def sum_of_range(a, b):
    """The sum of the whole numbers from a to b, both included."""
    return (a + b) * (b - a + 1) // 2 if a <= b else 0


@archetype(
    family="series",
    complexity="O(k^2) products",
    source="formula of Faulhaber by telescoping binomials",
    limits="k from 0 on; 0 for n below 1",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=400,
)
def sum_of_powers_up_to(n, k):
    """The sum of the k-th powers of 1 to n."""
    if k < 0:
        raise ValueError("k < 0")
    if n < 1:
        return 0
    if n < 10 * k + 20:
        return sum([i**k for i in range(1, n + 1)])
    sums = [n]
    for degree in range(1, k + 1):
        rest = sum(math.comb(degree + 1, i) * sums[i] for i in range(degree))
        sums.append(((n + 1) ** (degree + 1) - 1 - rest) // (degree + 1))
    return sums[k]
