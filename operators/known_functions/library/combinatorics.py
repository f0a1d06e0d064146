"""Numbers of arrangements: factorials, binomials, partitions of sets and numbers.

Not here: arrangements themselves (`arrangements`), paths and coins (`counting_ways`).
"""

import math
from collections import Counter
from itertools import accumulate

from operators.known_functions.archetype import archetype


@archetype(
    family="combinatorics",
    complexity="O(n M(size))",
    source="binary splitting in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def factorial(n):
    """The product of the numbers from 1 to n."""
    return math.factorial(n)


@archetype(
    family="combinatorics",
    complexity="O(n)",
    source="product of every second number, in C",
    limits="n from -1 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def double_factorial(n):
    """The product of n, n - 2, n - 4 and so on down to 1 or 2."""
    if n < -1:
        raise ValueError("n < -1")
    return math.prod(range(n, 1, -2))


@archetype(
    family="combinatorics",
    complexity="O(n) products of factorials",
    source="each factorial from the one before",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=120,
)
def superfactorial(n):
    """The product of the factorials of 1 to n."""
    if n < 0:
        raise ValueError("n < 0")
    result = factor = 1
    for i in range(2, n + 1):
        factor *= i
        result *= factor
    return result


@archetype(
    family="combinatorics",
    complexity="O(n)",
    source="sum of factorials, each from the one before",
    takes=("int",),
    gives="int",
    tried_below=1000,
)
def sum_of_factorials(n):
    """The sum of the factorials of 1 to n."""
    total, factor = 0, 1
    for i in range(1, n + 1):
        factor *= i
        total += factor
    return total


@archetype(
    family="combinatorics",
    complexity="O(min(n, m))",
    source="product modulo m; 0 from m on",
    limits="n from 0 on, modulus from 1 on",
    takes=("int", "int"),
    gives="int",
)
def factorial_modulo(n, modulus):
    """The factorial of n, modulo a number."""
    if n < 0 or modulus < 1:
        raise ValueError("n < 0 or modulus < 1")
    if n >= modulus:
        return 0
    result = 1 % modulus
    for i in range(2, n + 1):
        result = result * i % modulus
    return result


@archetype(
    family="combinatorics",
    complexity="O(log n)",
    source="formula of Legendre for the prime 5",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**18,
)
def zeros_of_factorial(n):
    """How many zeros the factorial of n ends with."""
    if n < 0:
        raise ValueError("n < 0")
    zeros = 0
    while n:
        n //= 5
        zeros += n
    return zeros


@archetype(
    family="combinatorics",
    complexity="O(log n)",
    source="formula of Legendre",
    limits="n from 0 on, p a prime",
    takes=("int", "int"),
    gives="int",
    tried_below=10**18,
)
def exponent_in_factorial(n, p):
    """The exponent of a prime p in the factorial of n."""
    if n < 0 or p < 2:
        raise ValueError("n < 0 or p < 2")
    exponent = 0
    while n:
        n //= p
        exponent += n
    return exponent


@archetype(
    family="combinatorics",
    complexity="O(k M(size))",
    source="binomial coefficient in C",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def binomial(n, k):
    """The number of ways to choose k of n things."""
    return math.comb(n, k)


@archetype(
    family="combinatorics",
    complexity="O(k)",
    source="quotient of products modulo a prime; formula of Lucas (1878) from the prime on",
    limits="the modulus must be a prime",
    takes=("int", "int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=10**12,
)
def binomial_modulo(n, k, prime):
    """The number of ways to choose k of n things, modulo a prime."""
    if prime < 2 or n < 0:
        raise ValueError("n < 0, or no prime")
    result = 1
    while n or k:
        n, top = divmod(n, prime)
        k, low = divmod(k, prime)
        if k < 0 or low > top:
            return 0
        low = min(low, top - low)
        above = below = 1
        for i in range(low):
            above = above * (top - i) % prime
            below = below * (i + 1) % prime
        result = result * above * pow(below, -1, prime) % prime
    return result


@archetype(
    family="combinatorics",
    complexity="O(k M(size))",
    source="falling factorial in C",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def permutation_count(n, k):
    """The number of ways to put k of n things in order."""
    return math.perm(n, k)


@archetype(
    family="combinatorics",
    complexity="O(k M(size))",
    source="binomial coefficient in C",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def multiset_count(n, k):
    """The number of ways to choose k of n things with repetition, in no order."""
    if n < 0 or k < 0:
        raise ValueError("negative")
    return math.comb(n + k - 1, k) if n else int(k == 0)


@archetype(
    family="combinatorics",
    complexity="O(n M(size))",
    source="product of binomial coefficients",
    limits="counts from 0 on, 100,000 things at most",
    takes=("list[int]",),
    gives="int",
    imports=("import math",),
    items_below=1000,
)
def multinomial(counts):
    """The number of orders of things of which some are alike, from the count of each kind."""
    if sum(counts) > 100000:
        raise ValueError("too many things")
    total, result = 0, 1
    for count in counts:
        total += count
        result *= math.comb(total, count)
    return result


@archetype(
    family="combinatorics",
    complexity="O(n M(size))",
    source="factorial by the factorials of the counts",
    takes=("str | list",),
    gives="int",
    imports=("import math", "from collections import Counter"),
)
def distinct_orders(things):
    """The number of different orders of the items of a text or list."""
    repeated = map(math.factorial, Counter(things).values())
    return math.factorial(len(things)) // math.prod(repeated)


@archetype(
    family="combinatorics",
    complexity="O(n M(size))",
    source="central binomial coefficient by n + 1",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def catalan_number(n):
    """Catalan number n, from 1, 1, 2, 5 on: balanced brackets, binary trees."""
    if n < 0:
        raise ValueError("n < 0")
    return math.comb(2 * n, n) // (n + 1)


@archetype(
    family="combinatorics",
    complexity="O(n M(size))",
    source="central binomial coefficient in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=3000,
)
def central_binomial(n):
    """The number of ways to choose n of 2 n things."""
    return math.comb(2 * n, n)


@archetype(
    family="combinatorics",
    complexity="O(n^2) additions",
    source="triangle of Bell and Aitken",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    imports=("from itertools import accumulate",),
    tried_below=300,
)
def bell_number(n):
    """The number of partitions of a set of n things."""
    if n < 0:
        raise ValueError("n < 0")
    row = [1]
    for _ in range(n):
        row = list(accumulate(row, initial=row[-1]))
    return row[0]


@archetype(
    family="combinatorics",
    complexity="O(k) powers",
    source="inclusion and exclusion",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    imports=("import math",),
    tried_below=500,
)
def stirling_second(n, k):
    """The number of partitions of a set of n things into k parts."""
    if n < 0 or k < 0:
        raise ValueError("negative")
    if k > n:
        return 0
    total = sum((-1) ** (k - i) * math.comb(k, i) * i**n for i in range(k + 1))
    return total // math.factorial(k)


@archetype(
    family="combinatorics",
    complexity="O(n k) products",
    source="the recurrence, row by row",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=300,
)
def stirling_first(n, k):
    """The number of permutations of n things with k cycles."""
    if n < 0 or k < 0:
        raise ValueError("negative")
    row = [1] + [0] * k
    for i in range(n):
        for j in range(min(i + 1, k), 0, -1):
            row[j] = row[j - 1] + i * row[j]
        row[0] = 0
    return row[k]


@archetype(
    family="combinatorics",
    complexity="O(n) products",
    source="d(n) = n d(n - 1) + (-1)**n",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=1000,
)
def derangement_count(n):
    """The number of permutations of n things that leave none in its place."""
    if n < 0:
        raise ValueError("n < 0")
    result = 1
    for i in range(1, n + 1):
        result = i * result + (-1 if i % 2 else 1)
    return result


@archetype(
    family="combinatorics",
    complexity="O(n) products",
    source="i(n) = i(n - 1) + (n - 1) i(n - 2)",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=1000,
)
def pairings_or_alone(n):
    """The number of ways in which each of n people stays alone or takes a partner."""
    if n < 0:
        raise ValueError("n < 0")
    a = b = 1
    for i in range(2, n + 1):
        a, b = b, b + (i - 1) * a
    return b
