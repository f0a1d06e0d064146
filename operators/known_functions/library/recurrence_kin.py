"""Named linear recurrences beside Fibonacci's, and sequences that refer to themselves.

Not here: Fibonacci numbers and their sums (`recurrences`).
"""

from itertools import groupby

from operators.known_functions.archetype import archetype
from operators.known_functions.library.recurrences import linear_recurrence


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def tetranacci(n):
    """Term n of the sums of four before, from 0, 0, 0, 1 on."""
    if n < 0 or n > 500:
        return linear_recurrence([1, 1, 1, 1], [0, 0, 0, 1], n)
    a, b, c, d = 0, 0, 0, 1
    for _ in range(n):
        a, b, c, d = b, c, d, a + b + c + d
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def pell_number(n):
    """Pell number n: twice the one before and the one before that, from 0, 1 on."""
    if n < 0 or n > 500:
        return linear_recurrence([2, 1], [0, 1], n)
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + 2 * b
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def pell_lucas_number(n):
    """Pell-Lucas number n: twice the one before and the one before that, from 2, 2 on."""
    if n < 0 or n > 500:
        return linear_recurrence([2, 1], [2, 2], n)
    a, b = 2, 2
    for _ in range(n):
        a, b = b, a + 2 * b
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def half_companion_pell_number(n):
    """Numerator n of the convergents to the root of 2: Pell's rule from 1, 1 on."""
    if n < 0 or n > 500:
        return linear_recurrence([2, 1], [1, 1], n)
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + 2 * b
    return a


@archetype(
    family="recurrences",
    complexity="O(1) products",
    source="closed form (2**n - (-1)**n) / 3",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    tried_below=20000,
)
def jacobsthal_number(n):
    """Jacobsthal number n: the one before and twice the one before that, from 0, 1 on."""
    if n < 0:
        raise ValueError("n < 0")
    return ((1 << n) + 1) // 3 if n % 2 else (1 << n) // 3


@archetype(
    family="recurrences",
    complexity="O(1) products",
    source="closed form 2**n + (-1)**n",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    tried_below=20000,
)
def jacobsthal_lucas_number(n):
    """Jacobsthal-Lucas number n: the rule of Jacobsthal from 2, 1 on."""
    if n < 0:
        raise ValueError("n < 0")
    return (1 << n) + (-1 if n % 2 else 1)


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def padovan_number(n):
    """Padovan number n: the sum of the second and third before, from 1, 1, 1 on."""
    if n < 0 or n > 500:
        return linear_recurrence([0, 1, 1], [1, 1, 1], n)
    a, b, c = 1, 1, 1
    for _ in range(n):
        a, b, c = b, c, a + b
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def perrin_number(n):
    """Perrin number n: the sum of the second and third before, from 3, 0, 2 on."""
    if n < 0 or n > 500:
        return linear_recurrence([0, 1, 1], [3, 0, 2], n)
    a, b, c = 3, 0, 2
    for _ in range(n):
        a, b, c = b, c, a + b
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def narayana_cows(n):
    """Term n of the sums of the first and third before, from 1, 1, 1 on."""
    if n < 0 or n > 500:
        return linear_recurrence([1, 0, 1], [1, 1, 1], n)
    a, b, c = 1, 1, 1
    for _ in range(n):
        a, b, c = b, c, a + c
    return a


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def domino_tilings_of_width_three(n):
    """The number of ways to cover 3 by n squares with dominoes; 0 for odd n."""
    return 0 if n % 2 else linear_recurrence([4, -1], [1, 3], n // 2)


@archetype(
    family="recurrences",
    complexity="O(log n) products",
    source="Bostan and Mori (2021)",
    limits="terms from 0 on",
    takes=("int",),
    gives="int",
    uses=("linear_recurrence",),
    tried_below=20000,
)
def domino_and_tromino_tilings(n):
    """The number of ways to cover 2 by n squares with dominoes and bent trominoes."""
    if n < 0 or n > 500:
        return linear_recurrence([2, 0, 1], [1, 1, 2], n)
    a, b, c = 1, 1, 2
    for _ in range(n):
        a, b, c = b, c, a + 2 * c
    return a


@archetype(
    family="recurrences",
    complexity="O(log n)",
    source="2**n - 1 by shifting",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=20000,
)
def hanoi_move_count(n):
    """How many moves the tower of Hanoi with n discs needs."""
    if n < 0:
        raise ValueError("n < 0")
    return (1 << n) - 1


@archetype(
    family="recurrences",
    complexity="O(n)",
    source="the recurrence with a table",
    limits="terms from 1 on",
    takes=("int",),
    gives="int",
    tried_below=5000,
)
def hofstadter_q(n):
    """Term n of q(i) = q(i - q(i - 1)) + q(i - q(i - 2)), with q(1) = q(2) = 1."""
    if n < 1:
        raise ValueError("n < 1")
    q = [0, 1, 1]
    for i in range(3, n + 1):
        q.append(q[i - q[-1]] + q[i - q[-2]])
    return q[n]


@archetype(
    family="recurrences",
    complexity="O(n)",
    source="the recurrence with a table",
    limits="terms from 1 on",
    takes=("int",),
    gives="int",
    tried_below=5000,
)
def hofstadter_conway(n):
    """Term n of a(i) = a(a(i - 1)) + a(i - a(i - 1)), with a(1) = a(2) = 1."""
    if n < 1:
        raise ValueError("n < 1")
    a = [0, 1, 1]
    for i in range(3, n + 1):
        a.append(a[a[-1]] + a[i - a[-1]])
    return a[n]


@archetype(
    family="recurrences",
    complexity="O(n)",
    source="the recurrence with a table",
    limits="terms from 1 on",
    takes=("int",),
    gives="int",
    tried_below=5000,
)
def golomb(n):
    """Term n of the ascending sequence in which n stands a(n) times, from a(1) = 1 on."""
    if n < 1:
        raise ValueError("n < 1")
    a = [0, 1]
    for i in range(2, n + 1):
        a.append(1 + a[i - a[a[i - 1]]])
    return a[n]


@archetype(
    family="recurrences",
    complexity="O(n) digits",
    source="runs counted by grouping in C",
    limits="terms from 1 on; lengths grow by 30 % a term",
    takes=("int",),
    gives="str",
    imports=("from itertools import groupby",),
    tried_below=40,
)
def look_and_say(n):
    """Term n of 1, 11, 21, 1211, which read out each other's runs."""
    if n < 1:
        raise ValueError("n < 1")
    text = "1"
    for _ in range(n - 1):
        text = "".join([f"{len(list(run))}{digit}" for digit, run in groupby(text)])
    return text


@archetype(
    family="recurrences",
    complexity="O(n)",
    source="a set of the numbers seen",
    limits="n from 0 on",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def first_recaman_numbers(n):
    """The first n numbers of Recaman's sequence: back by i if that is new, else ahead."""
    numbers, seen, last = [], set(), 0
    for i in range(n):
        back = last - i
        last = back if back >= 0 and back not in seen else last + i
        seen.add(last)
        numbers.append(last)
    return numbers


@archetype(
    family="recurrences",
    complexity="O(n) text",
    source="the text and its complement, doubled",
    limits="n from 0 on",
    takes=("int",),
    gives="str",
    tried_below=16,
)
def thue_morse_text(n):
    """The text of the Thue-Morse sequence after n doublings of "0"."""
    if n < 0:
        raise ValueError("n < 0")
    text, other = "0", "1"
    for _ in range(n):
        text, other = text + other, other + text
    return text
