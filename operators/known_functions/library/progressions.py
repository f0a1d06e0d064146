"""Numbers of a figure, multiples, and arithmetic and geometric progressions.

Not here: sums of powers (`series`).
"""

import math

from operators.known_functions.archetype import archetype


@archetype(
    family="progressions",
    complexity="O(1)",
    source="Gauss's pairs",
    limits="0 for fewer than one term",
    takes=("int", "int", "int"),
    gives="int",
)
def arithmetic_series(first, step, n):
    """The sum of n numbers that grow by a step from the first on."""
    return n * (2 * first + (n - 1) * step) // 2 if n > 0 else 0


@archetype(
    family="progressions",
    complexity="O(M(size) log n)",
    source="difference of the powers by ratio less one",
    limits="0 for fewer than one term",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=2000,
)
def geometric_series(first, ratio, n):
    """The sum of n numbers of which each is the ratio times the one before."""
    if n < 1:
        return 0
    return first * n if ratio == 1 else first * (ratio**n - 1) // (ratio - 1)


@archetype(
    family="progressions",
    complexity="O(M(size) log n)",
    source="difference of the powers by base less one",
    limits="n from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=2000,
)
def sum_of_powers_of(base, n):
    """The sum of the powers 0 to n of a base."""
    if n < 0:
        raise ValueError("n < 0")
    return n + 1 if base == 1 else (base ** (n + 1) - 1) // (base - 1)


@archetype(
    family="progressions",
    complexity="O(log n) products",
    source="halving: the second half is the first times a power",
    limits="n from 0 on, modulus from 1 on",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=10**9,
)
def sum_of_powers_modulo(base, n, modulus):
    """The sum of the powers 0 to n of a base, modulo a number."""
    if n < 0 or modulus < 1:
        raise ValueError("n < 0 or modulus < 1")
    total, power = 0, 1
    for bit in bin(n + 1)[2:]:
        total = total * (1 + power) % modulus
        power = power * power % modulus
        if bit == "1":
            total = (total + power) % modulus
            power = power * base % modulus
    return total


@archetype(
    family="progressions",
    complexity="O(1)",
    source="inclusion and exclusion over Gauss's sums",
    limits="a and b from 1 on",
    takes=("int", "int", "int"),
    gives="int",
    imports=("import math",),
)
def sum_of_multiples_below(n, a, b):
    """The sum of the numbers from 1 below n that a or b divides."""
    if a < 1 or b < 1:
        raise ValueError("a < 1 or b < 1")
    total = 0
    for step, sign in ((a, 1), (b, 1), (math.lcm(a, b), -1)):
        count = (n - 1) // step if n > 0 else 0
        total += sign * step * count * (count + 1) // 2
    return total


@archetype(
    family="progressions",
    complexity="O(1)",
    source="inclusion and exclusion over Gauss's sums",
    limits="a and b from 1 on",
    takes=("int", "int", "int"),
    gives="int",
    uses=("sum_of_multiples_below",),
)
def sum_of_multiples_up_to(n, a, b):
    """The sum of the numbers from 1 to n that a or b divides."""
    return sum_of_multiples_below(n + 1, a, b)


@archetype(
    family="progressions",
    complexity="O(1)",
    source="inclusion and exclusion over Gauss's sums",
    takes=("int",),
    gives="int",
    uses=("sum_of_multiples_below",),
)
def sum_of_multiples_of_three_or_five_below(n):
    """The sum of the numbers from 1 below n that 3 or 5 divides."""
    return sum_of_multiples_below(n, 3, 5)


@archetype(
    family="progressions",
    complexity="O(1)",
    source="inclusion and exclusion over Gauss's sums",
    takes=("int",),
    gives="int",
    uses=("sum_of_multiples_below",),
)
def sum_of_multiples_of_three_or_five_up_to(n):
    """The sum of the numbers from 1 to n that 3 or 5 divides."""
    return sum_of_multiples_below(n + 1, 3, 5)


@archetype(
    family="progressions",
    complexity="O(2^k), k divisors",
    source="inclusion and exclusion over least common multiples",
    limits="numbers from 1 on",
    takes=("int", "list[int]"),
    gives="int",
    imports=("import math",),
    length_below=12,
)
def count_numbers_with_a_divisor(n, factors):
    """How many numbers from 1 to n have a divisor in a list."""
    if n < 1:
        return 0
    multiples = {1: -1}
    for factor in set(factors):
        if factor < 1:
            raise ValueError("factor < 1")
        for multiple, sign in list(multiples.items()):
            common = math.lcm(multiple, factor)
            if common <= n:
                multiples[common] = multiples.get(common, 0) - sign
    return n + sum(sign * (n // multiple) for multiple, sign in multiples.items())


@archetype(
    family="progressions",
    complexity="O(1)",
    source="difference of two quotients",
    limits="k from 1 on; 0 if a is above b",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=10**12,
)
def count_multiples_between(a, b, k):
    """How many numbers from a to b, both included, k divides."""
    if k < 1:
        raise ValueError("k < 1")
    return b // k - (a - 1) // k if a <= b else 0


@archetype(
    family="figured numbers",
    complexity="O(1)",
    source="closed form",
    limits="n from 0 on, 3 sides or more",
    takes=("int", "int"),
    gives="int",
)
def polygonal_number(sides, n):
    """The n-th number of points in a polygon of so many sides."""
    if sides < 3 or n < 0:
        raise ValueError("sides < 3 or n < 0")
    return n * ((sides - 2) * (n - 1) + 2) // 2


@archetype(
    family="figured numbers",
    complexity="O(1)",
    source="closed form",
    limits="n from 1 on, 3 sides or more",
    takes=("int", "int"),
    gives="int",
)
def centred_polygonal_number(sides, n):
    """The n-th number of points in polygons of so many sides around a point."""
    if sides < 3 or n < 1:
        raise ValueError("sides < 3 or n < 1")
    return sides * n * (n - 1) // 2 + 1


@archetype(
    family="figured numbers",
    complexity="O(1) of C",
    source="8 n + 1 is a square",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**18,
)
def is_triangular_number(n):
    """Whether n is 0, 1, 3, 6, 10 and so on."""
    return n >= 0 and math.isqrt(8 * n + 1) ** 2 == 8 * n + 1


@archetype(
    family="figured numbers",
    complexity="O(1) of C",
    source="24 n + 1 is a square of 6 k - 1",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**18,
)
def is_pentagonal_number(n):
    """Whether n is 1, 5, 12, 22 and so on."""
    root = math.isqrt(24 * n + 1) if n > 0 else 0
    return root % 6 == 5 and root * root == 24 * n + 1


@archetype(
    family="figured numbers",
    complexity="O(1)",
    source="closed form of the sum over the side",
    limits="0 where a side is below 1",
    takes=("int", "int"),
    gives="int",
)
def squares_in_rectangle(m, n):
    """How many squares an m by n grid has."""
    if m < 1 or n < 1:
        return 0
    m, n = min(m, n), max(m, n)
    return m * (m + 1) * (2 * m + 1) // 6 + (n - m) * m * (m + 1) // 2
