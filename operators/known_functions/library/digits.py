"""Decimal digits of a number: sums, products, orders, counts.

Not here: numbers with a name for their digits (`digit_kinds`), other bases (`bases`).
"""

import math

from operators.known_functions.archetype import archetype


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text, digits counted in C when there are many",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def digit_sum(n):
    """The sum of the decimal digits of n."""
    if n < 0:
        raise ValueError("n < 0")
    text = str(n)
    if len(text) < 200:
        return sum(text.encode()) - 48 * len(text)
    return sum(d * text.count(str(d)) for d in range(1, 10))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="int",
    uses=("digit_sum",),
    tried_below=10**30,
)
def digit_sum_without_sign(n):
    """The sum of the decimal digits of n; a sign does not count."""
    return digit_sum(abs(n))


@archetype(
    family="digits",
    complexity="O(d), d characters",
    source="digits counted in C when there are many",
    takes=("str",),
    gives="int",
)
def digit_sum_of_text(text):
    """The sum of the digits in a text; other characters do not count."""
    return sum(d * text.count(str(d)) for d in range(1, 10))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**30,
)
def digit_product(n):
    """The product of the decimal digits of n."""
    if n < 0:
        raise ValueError("n < 0")
    return math.prod([d - 48 for d in str(n).encode()])


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def count_digits(n):
    """How many decimal digits n has; a sign does not count."""
    return len(str(abs(n)))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text backwards",
    limits="4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def reverse_digits(n):
    """The number with the digits of n in reverse order, and its sign."""
    return int(str(n)[::-1]) if n >= 0 else -int(str(-n)[::-1])


@archetype(
    family="digits",
    complexity="O(1)",
    source="casting out nines",
    limits="numbers from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def digital_root(n):
    """What is left when digits are summed until one digit is left."""
    if n < 0:
        raise ValueError("n < 0")
    return 1 + (n - 1) % 9 if n else 0


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text, sums until one digit is left",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    uses=("digit_sum",),
    tried_below=10**30,
)
def additive_persistence(n):
    """How often digits must be summed until one digit is left."""
    steps = 0
    while n > 9:
        n = digit_sum(n)
        steps += 1
    return steps


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text, products until one digit is left",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    imports=("import math",),
    tried_below=10**30,
)
def multiplicative_persistence(n):
    """How often digits must be multiplied until one digit is left."""
    steps = 0
    while n > 9:
        n = math.prod([d - 48 for d in str(n).encode()])
        steps += 1
    return steps


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="list[int]",
    tried_below=10**30,
)
def digit_list(n):
    """The decimal digits of n, the highest first."""
    if n < 0:
        raise ValueError("n < 0")
    return [d - 48 for d in str(n).encode()]


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text backwards",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="list[int]",
    tried_below=10**30,
)
def reversed_digit_list(n):
    """The decimal digits of n, the lowest first."""
    if n < 0:
        raise ValueError("n < 0")
    return [d - 48 for d in reversed(str(n).encode())]


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text joined in C",
    limits="digits of 0 to 9; 4300 digits",
    takes=("list[int]",),
    gives="int",
)
def number_from_digits(digits):
    """The number with these decimal digits, the highest first."""
    if not digits or not 0 <= min(digits) <= max(digits) <= 9:
        raise ValueError("no decimal digits")
    return int("".join(map(str, digits)))


@archetype(
    family="digits",
    complexity="O(d log d), d digits",
    source="decimal text sorted",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def largest_number_of_digits(n):
    """The largest number with the digits of n."""
    if n < 0:
        raise ValueError("n < 0")
    return int("".join(sorted(str(n), reverse=True)))


@archetype(
    family="digits",
    complexity="O(d log d), d digits",
    source="decimal text sorted",
    limits="numbers from 0 on; zeros lead and so vanish; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def smallest_number_of_digits(n):
    """The smallest number with the digits of n, leading zeros allowed."""
    if n < 0:
        raise ValueError("n < 0")
    return int("".join(sorted(str(n))))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="from the right, the first digit that can grow; the rest ascends",
    limits="numbers from 0 on that have a larger order; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def next_number_of_digits(n):
    """The smallest number above n with the same digits."""
    digits = list(str(n))
    i = len(digits) - 2
    while i >= 0 and digits[i] >= digits[i + 1]:
        i -= 1
    if i < 0 or n < 0:
        raise ValueError("no larger number")
    j = len(digits) - 1
    while digits[j] <= digits[i]:
        j -= 1
    digits[i], digits[j] = digits[j], digits[i]
    digits[i + 1 :] = reversed(digits[i + 1 :])
    return int("".join(digits))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text, counted in C",
    limits="4300 digits",
    takes=("int", "int"),
    gives="int",
    tried_below=10**30,
)
def count_digit(n, digit):
    """How often a decimal digit is in n."""
    return str(n).count(str(digit))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="numbers from 0 on; 4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def sum_of_even_digits(n):
    """The sum of the even decimal digits of n."""
    text = str(n)
    return sum(d * text.count(str(d)) for d in (2, 4, 6, 8))


@archetype(
    family="digits",
    complexity="O(d), d digits",
    source="decimal text",
    limits="4300 digits",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def sum_of_squared_digits(n):
    """The sum of the squares of the decimal digits of n."""
    return sum([(d - 48) * (d - 48) for d in str(abs(n)).encode()])


@archetype(
    family="digits",
    complexity="O(log n)",
    source="each place apart: full cycles and the rest",
    limits="numbers from 0 on, digits from 0 on; 0 itself is one zero",
    takes=("int", "int"),
    gives="int",
    tried_below=10**9,
)
def count_digit_up_to(n, digit):
    """How often a decimal digit is written in the numbers from 0 to n."""
    if n < 0 or not 0 <= digit <= 9:
        raise ValueError("n < 0 or no digit")
    total, place = int(digit == 0), 1
    while place <= n:
        high, rest = divmod(n, 10 * place)
        low = rest - digit * place
        total += high * place + min(max(low + 1, 0), place) - (place if digit == 0 else 0)
        place *= 10
    return total


@archetype(
    family="digits",
    complexity="O(log n)",
    source="each place apart: full cycles and the rest",
    limits="numbers from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def digit_sum_of_range(n):
    """The sum of the decimal digits of all numbers from 0 to n."""
    if n < 0:
        raise ValueError("n < 0")
    total, place, low = 0, 1, 0
    while place <= n:
        high, digit = divmod(n // place, 10)
        total += (45 * high + digit * (digit - 1) // 2) * place + digit * (low + 1)
        low += digit * place
        place *= 10
    return total


@archetype(
    family="digits",
    complexity="O(log n)",
    source="each length of numbers apart",
    limits="numbers from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def count_digits_written(n):
    """How many digits are written in the numbers from 1 to n."""
    if n < 0:
        raise ValueError("n < 0")
    length, total = len(str(n)), 0
    for shorter in range(1, length):
        total += 9 * 10 ** (shorter - 1) * shorter
    return total + length * (n - 10 ** (length - 1) + 1) if n else 0
