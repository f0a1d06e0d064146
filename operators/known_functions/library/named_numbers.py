"""Numbers up to a bound with a property: listed, counted, the n-th of them.

Not here: tests of one number (`digit_kinds`, `roots`), primes (`primes`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.divisors import count_divisors, count_odd_divisors


@archetype(
    family="bounded lists",
    complexity="O(sqrt n)",
    source="squares of the numbers to the root",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
)
def squares_up_to(n):
    """The squares from 1 to n, ascending."""
    return [i * i for i in range(1, math.isqrt(n) + 1)] if n > 0 else []


@archetype(
    family="bounded lists",
    complexity="O(log n)",
    source="shifts",
    takes=("int",),
    gives="list[int]",
    tried_below=10**18,
)
def powers_of_two_up_to(n):
    """The powers of two from 1 to n, ascending."""
    return [1 << i for i in range(n.bit_length())] if n > 0 else []


@archetype(
    family="bounded lists",
    complexity="O(sqrt n)",
    source="running sums",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
)
def triangular_numbers_up_to(n):
    """The triangular numbers from 1 to n, ascending."""
    count = (math.isqrt(8 * n + 1) - 1) // 2 if n > 0 else 0
    return [i * (i + 1) // 2 for i in range(1, count + 1)]


@archetype(
    family="bounded lists",
    complexity="O(n)",
    source="closed form",
    limits="n from 0 on",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def first_triangular_numbers(n):
    """The first n triangular numbers, from 1 on."""
    return [i * (i + 1) // 2 for i in range(1, n + 1)]


@archetype(
    family="bounded lists",
    complexity="O(1)",
    source="numbers and squares before it",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**12,
)
def nth_non_square(n):
    """The n-th number that is not a square."""
    if n < 1:
        raise ValueError("n < 1")
    return n + (1 + math.isqrt(4 * n - 3)) // 2


@archetype(
    family="bounded lists",
    complexity="O(n)",
    source="each path ends at the first number whose fate is known",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def happy_numbers_up_to(n):
    """The happy numbers from 1 to n, ascending."""
    squares = {str(d): d * d for d in range(10)}.__getitem__
    happy = {1: True, 4: False}
    found = []
    for i in range(1, n + 1):
        path, j = [], i
        while j not in happy:
            path.append(j)
            j = sum(map(squares, str(j)))
        happy.update(dict.fromkeys([step for step in path if step < 1000], happy[j]))
        if happy[j]:
            found.append(i)
    return found


@archetype(
    family="bounded lists",
    complexity="O(n)",
    source="numbers by their digit sum, kept up step by step",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def harshad_numbers_up_to(n):
    """The numbers from 1 to n that their digit sum divides, ascending."""
    sums = [0]
    for i in range(1, n + 1):
        sums.append(sums[i // 10] + i % 10)
    return [i for i in range(1, n + 1) if i % sums[i] == 0]


@archetype(
    family="bounded lists",
    complexity="O(d s)",
    source="number of ways to each digit sum, digit by digit",
    limits="d and the sum from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=200,
)
def count_texts_with_digit_sum(d, total):
    """How many texts of d decimal digits, zeros in front included, have a digit sum."""
    if d < 0:
        raise ValueError("d < 0")
    if not 0 <= total <= 9 * d:
        return 0
    ways = [1]
    for _ in range(d):
        window, longer = 0, []
        for i in range(min(len(ways) + 9, total + 1)):
            window += ways[i] if i < len(ways) else 0
            window -= ways[i - 10] if 0 <= i - 10 < len(ways) else 0
            longer.append(window)
        ways = longer
    return ways[total]


@archetype(
    family="bounded lists",
    complexity="O(d)",
    source="places filled one after another",
    limits="d from 0 on",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**6,
)
def count_numbers_with_distinct_digits(d):
    """How many numbers from 0 below 10**d have no decimal digit twice."""
    if d < 0:
        raise ValueError("d < 0")
    return 1 + sum([9 * math.perm(9, k) for k in range(min(d, 10))])


@archetype(
    family="bounded lists",
    complexity="O(n^(1/4)) as a rule",
    source="one way for each odd divisor",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    uses=("count_odd_divisors",),
)
def count_sums_of_consecutive(n):
    """How many runs of consecutive positive numbers, one alone included, sum to n."""
    if n < 1:
        raise ValueError("n < 1")
    return count_odd_divisors(n)


@archetype(
    family="bounded lists",
    complexity="O(k sqrt k)",
    source="divisors of the two coprime halves",
    limits="k from 0 on",
    takes=("int",),
    gives="int",
    uses=("count_divisors",),
    tried_below=200,
)
def first_triangular_number_with_more_divisors(k):
    """The first triangular number with more than k divisors."""
    if k < 0:
        raise ValueError("k < 0")
    n, before = 1, 1
    while True:
        half = count_divisors((n + 1) // 2 if n % 2 else n + 1)
        if before * half > k:
            return n * (n + 1) // 2
        n, before = n + 1, count_divisors(n + 1 if n % 2 == 0 else (n + 1) // 2)


@archetype(
    family="bounded lists",
    complexity="O(10^d) at most",
    source="palindromes from the largest down, divisors between the bounds",
    limits="d from 1 to 6",
    takes=("int",),
    gives="int",
    tried_below=7,
)
def largest_palindromic_product(d):
    """The largest palindromic product of two numbers of d decimal digits."""
    if not 0 < d < 7:
        raise ValueError("d out of bounds")
    high, low = 10**d - 1, 10 ** (d - 1)
    for half in range(high, low - 1, -1):
        number = int(str(half) + str(half)[::-1])
        for factor in range(high, low - 1, -1):
            if factor * factor < number:
                break
            if number % factor == 0:
                return number
    return 9


@archetype(
    family="bounded lists",
    complexity="O(1) beyond the 512 candidates",
    source="numbers extended by larger digits",
    takes=("int",),
    gives="list[int]",
    tried_below=10**5,
)
def numbers_with_digits_in_order(n):
    """The numbers from 1 to n whose decimal digits ascend strictly, ascending."""
    found, longer = [], list(range(1, 10))
    while longer:
        found += [i for i in longer if i <= n]
        longer = [10 * i + d for i in longer for d in range(i % 10 + 1, 10)]
    return found


@archetype(
    family="bounded lists",
    complexity="O(log n)",
    source="first place, then the others, digit by digit",
    limits="n from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**12,
)
def count_numbers_without_digit(n, digit):
    """How many numbers from 1 to n do not have a decimal digit."""
    if n < 0 or not 0 <= digit <= 9:
        raise ValueError("n < 0 or no digit")
    text = str(n)
    total = 0
    for shorter in range(1, len(text)):
        total += (9 if digit == 0 else 8) * 9 ** (shorter - 1)
    for i, c in enumerate(text):
        smaller = int(c) - (i == 0) - (digit < int(c) and not (i == 0 and digit == 0))
        total += smaller * 9 ** (len(text) - 1 - i) if int(c) > 0 or i else 0
        if int(c) == digit:
            return total
    return total + (n > 0)
