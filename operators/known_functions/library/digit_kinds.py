"""Numbers that have a name for their digits: palindromes, narcissistic, happy, harshad.

Not here: sums and counts of digits (`digits`).
"""

import math

from operators.known_functions.archetype import archetype
from operators.known_functions.library.digits import digit_sum
from operators.known_functions.library.factors import prime_factors


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text backwards",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_palindromic_number(n):
    """Whether the decimal digits of n read the same backwards; a sign counts."""
    text = str(n)
    return text == text[::-1]


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="first half mirrored, made larger by one where that is not enough",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def next_palindromic_number(n):
    """The smallest palindromic number above n."""
    if n < 0:
        return 0
    n += 1
    text = str(n)
    half = text[: (len(text) + 1) // 2]
    mirrored = int(half + half[::-1][len(text) % 2 :])
    if mirrored >= n:
        return mirrored
    half = str(int(half) + 1)
    return int(half + half[::-1][len(text) % 2 :])


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="a palindrome is decided by its first half",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def count_palindromic_numbers_up_to(n):
    """How many palindromic numbers there are from 1 to n."""
    if n < 0:
        raise ValueError("n < 0")
    text = str(n)
    length = len(text)
    half = text[: (length + 1) // 2]
    total = int(half) - 1 + (int(half + half[::-1][length % 2 :]) <= n)
    return total + 10 ** (length // 2) - 1 if n else 0


@archetype(
    family="digits",
    complexity="O(p), p palindromes",
    source="a palindrome is decided by its first half",
    takes=("int",),
    gives="list[int]",
)
def palindromic_numbers_up_to(n):
    """The palindromic numbers from 0 to n, ascending."""
    found = list(range(min(n, 9) + 1))
    for length in range(2, len(str(n)) + 1):
        start = 10 ** ((length + 1) // 2 - 1)
        for half in map(str, range(start, 10 * start)):
            number = int(half + half[::-1][length % 2 :])
            if number > n:
                return found
            found.append(number)
    return found


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text, powers in C",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_narcissistic_number(n):
    """Whether n is the sum of its digits, each to the power of their number."""
    text = str(n).encode()
    length = len(text)
    return n >= 0 and sum([(d - 48) ** length for d in text]) == n


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_sum_of_its_cubed_digits(n):
    """Whether n is the sum of the cubes of its decimal digits."""
    return n in (0, 1, 153, 370, 371, 407)


@archetype(
    family="digits",
    complexity="O(n d), d digits",
    source="decimal text; the powers of each length are made once",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def narcissistic_numbers_up_to(n):
    """The narcissistic numbers from 0 to n, ascending."""
    found = []
    for length in range(1, len(str(n)) + 1):
        powers = {str(d): d**length for d in range(10)}.__getitem__
        start = 10 ** (length - 1) if length > 1 else 0
        numbers = range(start, min(n + 1, 10**length))
        found += [i for i in numbers if sum(map(powers, str(i))) == i]
    return found


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="every number but the happy ones comes to 4",
    limits="numbers from 0 on",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_happy_number(n):
    """Whether summing the squares of the digits comes to 1 in the end."""
    while n > 6:
        n = sum([(d - 48) * (d - 48) for d in str(n).encode()])
    return n == 1


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    uses=("digit_sum",),
    tried_below=10**30,
)
def is_harshad_number(n):
    """Whether the digit sum of n divides n."""
    return n > 0 and n % digit_sum(n) == 0


@archetype(
    family="digits",
    complexity="O(n^(1/4)) as a rule",
    source="factorisation by Pollard's rho method",
    takes=("int",),
    gives="bool",
    uses=("digit_sum", "prime_factors"),
)
def is_smith_number(n):
    """Whether n is composite and its digit sum is that of its prime factors together."""
    factors = prime_factors(n) if n > 3 else []
    return len(factors) > 1 and sum(map(digit_sum, factors)) == digit_sum(n)


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="square modulo the next power of ten",
    limits="numbers from 0 on",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_automorphic_number(n):
    """Whether the square of n ends with the digits of n."""
    return n >= 0 and (n * n - n) % 10 ** len(str(n)) == 0


@archetype(
    family="digits",
    complexity="O(1)",
    source="there are four: no larger number can reach itself",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_sum_of_its_digit_factorials(n):
    """Whether n is the sum of the factorials of its decimal digits."""
    return n in (1, 2, 145, 40585)


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def is_disarium_number(n):
    """Whether n is the sum of its digits, each to the power of its place from the left."""
    return n >= 0 and sum([int(d) ** i for i, d in enumerate(str(n), 1)]) == n


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    imports=("import math",),
    tried_below=10**30,
)
def is_spy_number(n):
    """Whether the sum of the decimal digits is their product."""
    digits = list(map(int, str(n))) if n >= 0 else [1, 1]
    return sum(digits) == math.prod(digits)


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="parts of the square at each place",
    limits="numbers from 1 on; the right part must not be 0",
    takes=("int",),
    gives="bool",
    tried_below=10**18,
)
def is_kaprekar_number(n):
    """Whether the square of n falls into two parts that sum to n, as 45 * 45 == 2025."""
    if n < 1:
        return False
    square, place = n * n, 10
    while place < 10 * square:
        left, right = divmod(square, place)
        if right and left + right == n:
            return True
        place *= 10
    return False


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="set of the decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def has_distinct_digits(n):
    """Whether no decimal digit of n is there twice."""
    text = str(abs(n))
    return len(set(text)) == len(text)


@archetype(
    family="digits",
    complexity="O(k^(1/3) + d)",
    source="2, 3 and 5 taken off as often as they go",
    takes=("int",),
    gives="bool",
    tried_below=10**18,
)
def is_ugly_number(n):
    """Whether n has no prime factor but 2, 3 and 5."""
    if n < 1:
        return False
    for p in (2, 3, 5):
        while n % p == 0:
            n //= p
    return n == 1


@archetype(
    family="digits",
    complexity="O(n)",
    source="three ascending multiples merged (Dijkstra 1976)",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**4,
)
def nth_ugly_number(n):
    """The n-th number without prime factors but 2, 3 and 5; the first is 1."""
    if n < 1:
        raise ValueError("n < 1")
    found = [1]
    i = j = k = 0
    for _ in range(n - 1):
        twice, thrice, fives = 2 * found[i], 3 * found[j], 5 * found[k]
        smallest = min(twice, thrice, fives)
        found.append(smallest)
        i += smallest == twice
        j += smallest == thrice
        k += smallest == fives
    return found[-1]


@archetype(
    family="digits",
    complexity="O(s d), s steps",
    source="digits descending less digits ascending",
    limits="four digits that are not all the same",
    takes=("int",),
    gives="int",
)
def kaprekar_steps(n):
    """How many steps of Kaprekar's routine lead from n to 6174."""
    if not 0 < n < 10000 or n % 1111 == 0:
        raise ValueError("not four different digits")
    steps = 0
    while n != 6174:
        text = "".join(sorted(f"{n:04d}"))
        n = int(text[::-1]) - int(text)
        steps += 1
    return steps
