"""Sequences in which each number is made from the ones before: linear recurrences, Fibonacci.

Those with a name are not listed: `linear_recurrence` is solved for.
Not here: numbers that count arrangements (`combinatorics`), closed sums (`series`).
"""

import math

from operators.known_functions.archetype import Solver, archetype
from operators.known_functions.formulas import written_recurrence
from operators.known_functions.solving import solved_recurrence


@archetype(
    family="recurrences",
    complexity="O(k^2 log n) products",
    source="Bostan and Mori (2021); the recurrence itself for the first terms",
    limits="terms from 0 on",
    takes=("list[int]", "list[int]", "int"),
    gives="int",
    tried_below=20000,
    solver=Solver(solved_recurrence, written_recurrence),
)
def linear_recurrence(coefficients, first, n):
    """Term n of a(i) = c[0] a(i - 1) + c[1] a(i - 2) + ..., from its first terms a(0) on."""
    order = len(coefficients)
    if n < 0 or order != len(first):
        raise ValueError("n < 0, or not one first term for each coefficient")
    if n < 4 * order + 40:
        terms = list(first)
        while len(terms) <= n:
            terms.append(sum([c * terms[-j] for j, c in enumerate(coefficients, 1)]))
        return terms[n]
    below = [1, *(-c for c in coefficients)]
    above = [sum(first[j] * below[i - j] for j in range(i + 1)) for i in range(order)]
    while n:
        mirrored = [-c if i % 2 else c for i, c in enumerate(below)]
        products = []
        for left in (above, below):
            result = [0] * (len(left) + order)
            for i, a in enumerate(left):
                for j, b in enumerate(mirrored):
                    result[i + j] += a * b
            products.append(result)
        above, below = products[0][n % 2 :: 2], products[1][::2]
        n //= 2
    return above[0]


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="fast doubling",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    tried_below=20000,
)
def fibonacci(n):
    """Fibonacci number n, from 0, 1 on."""
    if n < 0:
        raise ValueError("n < 0")
    a, b = 0, 1
    for bit in bin(n)[2:]:
        a, b = a * (2 * b - a), a * a + b * b
        if bit == "1":
            a, b = b, a + b
    return a


@archetype(
    family="recurrences",
    complexity="O(log n)",
    source="fast doubling modulo m",
    limits="terms from 0 on, moduli from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**9,
)
def fibonacci_modulo(n, modulus):
    """Fibonacci number n, modulo a number."""
    if n < 0 or modulus < 1:
        raise ValueError("n < 0 or modulus < 1")
    a, b = 0, 1
    for bit in bin(n)[2:]:
        a, b = a * (2 * b - a) % modulus, (a * a + b * b) % modulus
        if bit == "1":
            a, b = b, a + b
    return a % modulus


@archetype(
    family="recurrences",
    complexity="O(n) additions",
    source="the recurrence",
    takes=("int",),
    gives="list[int]",
    tried_below=5000,
)
def first_fibonacci_numbers(n):
    """The first n Fibonacci numbers, from 0, 1 on."""
    numbers = [0, 1][: max(n, 0)]
    for _ in range(n - 2):
        numbers.append(numbers[-1] + numbers[-2])
    return numbers


@archetype(
    family="recurrences",
    complexity="O(log n) additions",
    source="the recurrence",
    takes=("int",),
    gives="list[int]",
    tried_below=10**18,
)
def fibonacci_numbers_up_to(n):
    """The Fibonacci numbers up to and including n, from 0, 1, 1 on."""
    numbers = []
    a, b = 0, 1
    while a <= n:
        numbers.append(a)
        a, b = b, a + b
    return numbers


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="squares of neighbours tile a rectangle",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("fibonacci",),
    tried_below=20000,
)
def sum_of_squared_fibonacci_numbers(n):
    """The sum of the squares of the Fibonacci numbers 0 to n."""
    return fibonacci(n) * fibonacci(n + 1)


@archetype(
    family="recurrences",
    complexity="O(log n) additions",
    source="every third one is even: a(i) = 4 a(i - 1) + a(i - 2)",
    takes=("int",),
    gives="int",
    tried_below=10**18,
)
def sum_of_even_fibonacci_numbers_up_to(n):
    """The sum of the even Fibonacci numbers up to and including n."""
    total, a, b = 0, 2, 8
    while a <= n:
        total += a
        a, b = b, 4 * b + a
    return total


@archetype(
    family="recurrences",
    complexity="O(1) of C",
    source="criterion of Gessel (1972): 5 n n + 4 or 5 n n - 4 is a square",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**18,
)
def is_fibonacci_number(n):
    """Whether n is a Fibonacci number."""
    if n < 0:
        return False
    square = 5 * n * n
    return any(math.isqrt(s) ** 2 == s for s in (square + 4, abs(square - 4)))


@archetype(
    family="recurrences",
    complexity="O(n) additions",
    source="the sum of k before, kept up by one addition and one subtraction",
    limits="n from 0 on, k from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=5000,
)
def climbing_ways_by_up_to(n, k):
    """The number of ways to climb n stairs by 1 to k at a time; 1 for none."""
    if n < 0 or k < 1:
        raise ValueError("n < 0 or k < 1")
    ways = [1, 1]
    for i in range(2, n + 1):
        ways.append(2 * ways[-1] - (ways[i - k - 1] if i > k else 0))
    return ways[n]


@archetype(
    family="recurrences",
    complexity="O(n) additions",
    source="the sums of n before",
    limits="first terms are two numbers",
    takes=("int", "int", "int"),
    gives="int",
    uses=("fibonacci",),
    tried_below=20000,
)
def fibonacci_like(first, second, n):
    """Term n, from 0 on, of the sums of two before that begin with two given numbers."""
    if n < 1:
        if n < 0:
            raise ValueError("n < 0")
        return first
    return first * fibonacci(n - 1) + second * fibonacci(n)
