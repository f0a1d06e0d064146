"""Roots, logarithms and powers of whole numbers: exact at every size.

Not here: powers modulo a number (`arithmetic`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.factors import prime_exponents


@archetype(
    family="roots",
    complexity="O(M(size))",
    source="integer square root in C",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**18,
)
def integer_square_root(n):
    """The largest whole number with a square up to n."""
    return math.isqrt(n)


@archetype(
    family="roots",
    complexity="O(M(size))",
    source="integer square root in C",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**18,
)
def square_root_rounded_up(n):
    """The smallest whole number with a square of n or more."""
    return math.isqrt(n - 1) + 1 if n > 0 else math.isqrt(n)


@archetype(
    family="roots",
    complexity="O(M(size))",
    source="integer square root in C",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**18,
)
def is_perfect_square(n):
    """Whether n is the square of a whole number."""
    return n >= 0 and math.isqrt(n) ** 2 == n


@archetype(
    family="roots",
    complexity="O(M(size) log size)",
    source="Newton's method from above",
    limits="n from 0 on, k from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def integer_root(n, k):
    """The largest whole number with a k-th power up to n."""
    if n < 0 or k < 1:
        raise ValueError("n < 0 or k < 1")
    if n < 2 or k == 1:
        return n
    if k >= n.bit_length():
        return 1
    root = 1 << -(-n.bit_length() // k)
    while True:
        better = ((k - 1) * root + n // root ** (k - 1)) // k
        if better >= root:
            return root
        root = better


@archetype(
    family="roots",
    complexity="O(M(size) log size)",
    source="Newton's method from above",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    uses=("integer_root",),
    tried_below=10**18,
)
def integer_cube_root(n):
    """The largest whole number with a cube up to n."""
    return integer_root(n, 3)


@archetype(
    family="roots",
    complexity="O(M(size) log size)",
    source="Newton's method from above",
    takes=("int",),
    gives="bool",
    uses=("integer_root",),
    tried_below=10**18,
)
def is_perfect_cube(n):
    """Whether n is the cube of a whole number, negative ones included."""
    return integer_root(abs(n), 3) ** 3 == abs(n)


@archetype(
    family="roots",
    complexity="O(M(size) log size)",
    source="Newton's method from above",
    takes=("int", "int"),
    gives="bool",
    uses=("integer_root",),
    tried_below=10**18,
)
def is_perfect_kth_power(n, k):
    """Whether n is the k-th power of a whole number from 0 on."""
    return n >= 0 and integer_root(n, k) ** k == n


@archetype(
    family="roots",
    complexity="O(M(size) log^2 size)",
    source="roots of every prime degree up to the number of bits",
    limits="numbers from 1 on",
    takes=("int",),
    gives="bool",
    uses=("integer_root",),
    tried_below=10**18,
)
def is_perfect_power(n):
    """Whether n == a**b for whole numbers a from 1 on and b from 2 on."""
    if n < 4:
        return n == 1
    return any(integer_root(n, k) ** k == n for k in range(2, n.bit_length()))


@archetype(
    family="roots",
    complexity="O(1)",
    source="one bit only: n and n - 1 share none",
    takes=("int",),
    gives="bool",
    tried_below=10**18,
)
def is_power_of_two(n):
    """Whether n is 1, 2, 4, 8 and so on."""
    return n > 0 and n & (n - 1) == 0


@archetype(
    family="roots",
    complexity="O(1)",
    source="one bit only, at an even place",
    takes=("int",),
    gives="bool",
    tried_below=10**18,
)
def is_power_of_four(n):
    """Whether n is 1, 4, 16, 64 and so on."""
    return n > 0 and n & (n - 1) == 0 and n.bit_length() % 2 == 1


@archetype(
    family="roots",
    complexity="O(log n)",
    source="repeated division",
    limits="k above 1",
    takes=("int", "int"),
    gives="bool",
    tried_below=10**18,
)
def is_power_of(n, k):
    """Whether n is k to a whole power from 0 on."""
    if k < 2:
        raise ValueError("k < 2")
    while n > 1 and n % k == 0:
        n //= k
    return n == 1


@archetype(
    family="roots",
    complexity="O(log n)",
    source="the largest power of three in 64 bits, else repeated division",
    takes=("int",),
    gives="bool",
    uses=("is_power_of",),
    tried_below=10**18,
)
def is_power_of_three(n):
    """Whether n is 1, 3, 9, 27 and so on."""
    return n > 0 and (12157665459056928801 % n == 0 if n < 10**19 else is_power_of(n, 3))


@archetype(
    family="roots",
    complexity="O(log n)",
    source="repeated multiplication",
    limits="n from 1 on, base above 1",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def integer_logarithm(n, base):
    """The largest exponent with a power of the base up to n."""
    if n < 1 or base < 2:
        raise ValueError("n < 1 or base < 2")
    exponent, power = 0, base
    while power <= n:
        power *= base
        exponent += 1
    return exponent


@archetype(
    family="roots",
    complexity="O(1)",
    source="number of bits",
    takes=("int",),
    gives="int",
    tried_below=10**18,
)
def next_power_of_two(n):
    """The smallest power of two that is n or larger; 1 for numbers below 1."""
    return 1 << (n - 1).bit_length() if n > 1 else 1


@archetype(
    family="roots",
    complexity="O(1)",
    source="number of bits",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**18,
)
def previous_power_of_two(n):
    """The largest power of two up to n."""
    if n < 1:
        raise ValueError("n < 1")
    return 1 << n.bit_length() >> 1


@archetype(
    family="roots",
    complexity="O(M(size))",
    source="difference of two integer square roots",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**18,
)
def count_squares_between(a, b):
    """How many squares there are from a to b, both included."""
    if b < max(a, 0):
        return 0
    return math.isqrt(b) - (math.isqrt(a - 1) if a > 0 else -1)


@archetype(
    family="roots",
    complexity="O(n^(1/4)) as a rule",
    source="product of the primes with an odd exponent",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("prime_exponents",),
)
def squarefree_part(n):
    """The smallest number that makes a square of n when multiplied with it."""
    return math.prod(p for p, exponent in prime_exponents(n).items() if exponent % 2)


@archetype(
    family="roots",
    complexity="O(sqrt n)",
    source="two squares: the larger one decides the other",
    takes=("int",),
    gives="list[tuple]",
    imports=("import math",),
)
def sums_of_two_squares(n):
    """The pairs (a, b) of whole numbers with a * a + b * b == n and a <= b, by a."""
    pairs = []
    for a in range(math.isqrt(n // 2) + 1 if n >= 0 else 0):
        b = math.isqrt(n - a * a)
        if a * a + b * b == n:
            pairs.append((a, b))
    return pairs


@archetype(
    family="roots",
    complexity="O(n^(1/4)) as a rule",
    source="Fermat and Lagrange: exponents of the primes 4 k + 3 are even",
    takes=("int",),
    gives="bool",
    uses=("prime_exponents",),
    tried_below=10**14,
)
def is_sum_of_two_squares(n):
    """Whether n == a * a + b * b for whole numbers a and b, 0 allowed."""
    if n < 1:
        return n == 0
    return all(p % 4 != 3 or e % 2 == 0 for p, e in prime_exponents(n).items())


@archetype(
    family="roots",
    complexity="O(n^(1/4)) as a rule",
    source="Lagrange's four squares, with the cases of Legendre and Fermat",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    uses=("is_sum_of_two_squares",),
)
def fewest_squares(n):
    """The smallest number of squares that sum to n."""
    if n < 1:
        raise ValueError("n < 1")
    if math.isqrt(n) ** 2 == n:
        return 1
    if is_sum_of_two_squares(n):
        return 2
    odd = n // (n & -n)
    is_power_of_four = (n & -n).bit_length() % 2
    return 4 if is_power_of_four and odd % 8 == 7 else 3
