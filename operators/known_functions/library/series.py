"""Sums of series and figured numbers in closed form.

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
    limits="0 below 1",
    takes=("int",),
    gives="int",
    tried_below=10**6,
)
def sum_up_to(n):
    """The sum of the numbers from 1 to n."""
    return n * (n + 1) // 2 if n > 0 else 0


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
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_squares_up_to(n):
    """The sum of the squares of 1 to n."""
    return n * (n + 1) * (2 * n + 1) // 6 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_cubes_up_to(n):
    """The sum of the cubes of 1 to n."""
    return (n * (n + 1) // 2) ** 2 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_fourth_powers_up_to(n):
    """The sum of the fourth powers of 1 to n."""
    return n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) // 30 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_fifth_powers_up_to(n):
    """The sum of the fifth powers of 1 to n."""
    return (n * (n + 1)) ** 2 * (2 * n * n + 2 * n - 1) // 12 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(k^2) products",
    source="formula of Faulhaber by telescoping binomials",
    limits="k from 0 on; 0 for n below 1",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=5000,
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


@archetype(
    family="series",
    complexity="O(1)",
    source="square of the count",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_odd_numbers(n):
    """The sum of the first n odd numbers."""
    return n * n if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="twice Gauss's sum",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_even_numbers(n):
    """The sum of the first n even numbers, from 2 on."""
    return n * (n + 1) if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="twice Gauss's sum",
    takes=("int",),
    gives="int",
)
def sum_of_even_numbers_up_to(n):
    """The sum of the even numbers from 2 to n."""
    return (n // 2) * (n // 2 + 1) if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="square of the count",
    takes=("int",),
    gives="int",
)
def sum_of_odd_numbers_up_to(n):
    """The sum of the odd numbers from 1 to n."""
    return ((n + 1) // 2) ** 2 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_odd_squares(n):
    """The sum of the squares of the first n odd numbers."""
    return n * (4 * n * n - 1) // 3 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_even_squares(n):
    """The sum of the squares of the first n even numbers, from 2 on."""
    return 2 * n * (n + 1) * (2 * n + 1) // 3 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_odd_cubes(n):
    """The sum of the cubes of the first n odd numbers."""
    return n * n * (2 * n * n - 1) if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="formula of Faulhaber",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_first_even_cubes(n):
    """The sum of the cubes of the first n even numbers, from 2 on."""
    return 2 * (n * (n + 1)) ** 2 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="difference of closed forms",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def square_of_sum_less_sum_of_squares(n):
    """The square of the sum of 1 to n less the sum of their squares."""
    return n * (n + 1) * (3 * n + 2) * (n - 1) // 12 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="tetrahedral numbers",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def sum_of_neighbour_products(n):
    """The sum of i * (i + 1) for i from 1 to n."""
    return n * (n + 1) * (n + 2) // 3 if n > 0 else 0


@archetype(
    family="series",
    complexity="O(1)",
    source="pairs of neighbours differ by one",
    limits="0 below 1",
    takes=("int",),
    gives="int",
)
def alternating_sum_up_to(n):
    """1 - 2 + 3 - 4 and so on up to n."""
    return (-(n // 2) if n % 2 == 0 else n // 2 + 1) if n > 0 else 0
