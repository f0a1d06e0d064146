"""Large numbers asked for their digits or remainders: powers, factorials, self powers.

Not here: the digits of a given number (`digits`).
"""

import math

from operators.known_functions.archetype import archetype


@archetype(
    family="large numbers",
    complexity="O(d^1.6), d digits",
    source="power and decimal text in C, digits counted in C",
    limits="4300 digits",
    takes=("int", "int"),
    gives="int",
    tried_below=1500,
)
def digit_sum_of_power(base, exponent):
    """The sum of the decimal digits of a power."""
    if exponent < 0 or base < 0:
        raise ValueError("negative")
    text = str(base**exponent)
    return sum([d * text.count(str(d)) for d in range(1, 10)])


@archetype(
    family="large numbers",
    complexity="O(d^1.6), d digits",
    source="power and decimal text in C",
    limits="4300 digits",
    takes=("int", "int"),
    gives="int",
    tried_below=1500,
)
def count_digits_of_power(base, exponent):
    """How many decimal digits a power has."""
    if exponent < 0 or base < 0:
        raise ValueError("negative")
    return len(str(base**exponent))


@archetype(
    family="large numbers",
    complexity="O(d^1.6), d digits",
    source="factorial and decimal text in C, digits counted in C",
    limits="4300 digits",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=1400,
)
def digit_sum_of_factorial(n):
    """The sum of the decimal digits of the factorial of n."""
    text = str(math.factorial(n))
    return sum([d * text.count(str(d)) for d in range(1, 10)])


@archetype(
    family="large numbers",
    complexity="O(1)",
    source="Kamenetsky's form of Stirling's series",
    limits="n from 0 on, right where the logarithm is not within 1e-9 of a whole number",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**9,
)
def count_digits_of_factorial(n):
    """How many decimal digits the factorial of n has."""
    if n < 0:
        raise ValueError("n < 0")
    if n < 200:
        return len(str(math.factorial(n)))
    logarithm = math.lgamma(n + 1) / math.log(10)
    if abs(logarithm - round(logarithm)) < 1e-14 * logarithm + 1e-9:
        return len(str(math.factorial(n)))
    return int(logarithm) + 1


@archetype(
    family="large numbers",
    complexity="O(n log n)",
    source="repeated squaring modulo m, in C",
    limits="moduli from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**4,
)
def sum_of_self_powers_modulo(n, modulus):
    """The sum of i to the power of i for i from 1 to n, modulo a number."""
    if modulus < 1:
        raise ValueError("modulus < 1")
    return sum([pow(i, i, modulus) for i in range(1, n + 1)]) % modulus


@archetype(
    family="large numbers",
    complexity="O(n) additions",
    source="the recurrence on numbers, compared with a power of ten",
    limits="d from 1 on",
    takes=("int",),
    gives="int",
    tried_below=400,
)
def first_fibonacci_index_with_digits(d):
    """The index of the first Fibonacci number with d decimal digits, f(1) = f(2) = 1."""
    if d < 1:
        raise ValueError("d < 1")
    bound = 10 ** (d - 1)
    a, b, index = 1, 1, 1
    while a < bound:
        a, b, index = b, a + b, index + 1
    return index


@archetype(
    family="large numbers",
    complexity="O(b e) at most",
    source="powers in a set",
    limits="2 <= base",
    takes=("int", "int"),
    gives="int",
    tried_below=150,
)
def count_distinct_powers(a, b):
    """How many different values i to the power of j has for i in 2 to a and j in 2 to b."""
    if a < 2 or b < 2:
        return 0
    bases, taken = {}, 0
    seen = set()
    for base in range(2, a + 1):
        root, degree = bases.get(base, (base, 1))
        if degree == 1:
            power, k = base * base, 2
            while power <= a:
                bases[power] = (base, k)
                power, k = power * base, k + 1
        if degree > 1 or base * base <= a:
            seen.update([(root, degree * j) for j in range(2, b + 1)])
        else:
            taken += b - 1
    return taken + len(seen)


@archetype(
    family="large numbers",
    complexity="O(log n)",
    source="each length of numbers apart",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**12,
)
def champernowne_digit(n):
    """Digit n, from 1 on, of 1234567891011 and so on."""
    if n < 1:
        raise ValueError("n < 1")
    length, first = 1, 1
    while n > 9 * first * length:
        n -= 9 * first * length
        length, first = length + 1, 10 * first
    number, at = divmod(n - 1, length)
    return int(str(first + number)[at])


@archetype(
    family="large numbers",
    complexity="O(k d)",
    source="reversed and added in decimal text",
    limits="numbers from 0 on; 4300 digits",
    takes=("int", "int"),
    gives="bool",
    tried_below=10**9,
)
def stays_unpalindromic(n, steps):
    """Whether adding the reversed number so many times never gives a palindromic number."""
    if n < 0:
        raise ValueError("n < 0")
    for _ in range(steps):
        n += int(str(n)[::-1])
        text = str(n)
        if text == text[::-1]:
            return False
    return True


@archetype(
    family="large numbers",
    complexity="O(1)",
    source="repeated squaring modulo a power of ten, in C",
    limits="numbers from 0 on",
    takes=("int", "int", "int"),
    gives="int",
    tried_below=10**12,
)
def last_digits_of_power(base, exponent, d):
    """The number of the last d decimal digits of a power."""
    if min(base, exponent) < 0 or not 0 <= d < 4300:
        raise ValueError("negative")
    return pow(base, exponent, 10**d)


@archetype(
    family="large numbers",
    complexity="O(log^2 n)",
    source="five factors at a time: 2**k times the digit of the factorial of k",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**5,
)
def last_nonzero_digit_of_factorial(n):
    """The last decimal digit of the factorial of n that is not zero."""
    if n < 0:
        raise ValueError("n < 0")
    digit = 1
    while n:
        n, rest = divmod(n, 5)
        digit = digit * (1, 1, 2, 6, 4)[rest] * pow(2, n, 10) % 10
    return digit
