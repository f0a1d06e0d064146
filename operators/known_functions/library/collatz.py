"""Collatz's problem: lengths, paths and records.

Not here: other sequences (`recurrences`).
"""

from operators.known_functions.archetype import archetype


@archetype(
    family="collatz",
    complexity="O(s), s steps",
    source="trailing zeros taken off at once",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**12,
)
def collatz_steps(n):
    """How many steps lead from n to 1: half if even, three times and one if odd."""
    if n < 1:
        raise ValueError("n < 1")
    zeros = (n & -n).bit_length() - 1
    steps = zeros
    n >>= zeros
    while n != 1:
        n = 3 * n + 1
        zeros = (n & -n).bit_length() - 1
        n >>= zeros
        steps += zeros + 1
    return steps


@archetype(
    family="collatz",
    complexity="O(s), s steps",
    source="the rule itself",
    limits="n from 1 on",
    takes=("int",),
    gives="list[int]",
    tried_below=10**12,
)
def collatz_path(n):
    """The numbers from n to 1: half if even, three times and one if odd."""
    if n < 1:
        raise ValueError("n < 1")
    path = [n]
    while n != 1:
        n = 3 * n + 1 if n & 1 else n >> 1
        path.append(n)
    return path


@archetype(
    family="collatz",
    complexity="O(s), s steps",
    source="peaks are after the odd numbers only",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**12,
)
def collatz_peak(n):
    """The largest number on the way from n to 1."""
    if n < 1:
        raise ValueError("n < 1")
    peak = n
    while n != 1:
        n //= n & -n
        if n == 1:
            break
        n = 3 * n + 1
        peak = max(peak, n)
    return peak


@archetype(
    family="collatz",
    complexity="O(n) steps as a rule",
    source="each path ends at the first number whose steps are known",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def collatz_steps_up_to(n):
    """For each number from 1 to n how many steps lead to 1."""
    steps = [0] * (max(n, 1) + 1)
    for start in range(2, n + 1):
        if start % 2 == 0:
            steps[start] = steps[start >> 1] + 1
            continue
        number, taken = (3 * start + 1) >> 1, 2
        while number >= start:
            if number & 1:
                number = (3 * number + 1) >> 1
                taken += 2
            else:
                number >>= 1
                taken += 1
        steps[start] = taken + steps[number]
    return steps[1 : n + 1]


@archetype(
    family="collatz",
    complexity="O(n) steps as a rule",
    source="each path ends at the first number whose steps are known",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    uses=("collatz_steps_up_to",),
    tried_below=10**4,
)
def longest_collatz_start_up_to(n):
    """The number from 1 to n with the most steps to 1; the smallest of several."""
    if n < 1:
        raise ValueError("n < 1")
    steps = collatz_steps_up_to(n)
    return steps.index(max(steps)) + 1


@archetype(
    family="collatz",
    complexity="O(n) steps as a rule",
    source="each path ends at the first number whose steps are known",
    limits="n from 1 on",
    takes=("int",),
    gives="tuple",
    uses=("collatz_steps_up_to",),
    tried_below=10**4,
)
def longest_collatz_path_up_to(n):
    """The number from 1 to n with the most steps to 1, the smallest of several; the steps."""
    if n < 1:
        raise ValueError("n < 1")
    steps = collatz_steps_up_to(n)
    longest = max(steps)
    return (steps.index(longest) + 1, longest)


@archetype(
    family="collatz",
    complexity="O(n) steps as a rule",
    source="each path ends at the first number whose steps are known",
    takes=("int",),
    gives="int",
    uses=("collatz_steps_up_to",),
    tried_below=10**4,
)
def total_collatz_steps_up_to(n):
    """The sum of the steps to 1 over the numbers from 1 to n."""
    return sum(collatz_steps_up_to(n))


@archetype(
    family="collatz",
    complexity="O(n) steps as a rule",
    source="each path ends at the first number whose steps are known",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    uses=("collatz_steps_up_to",),
    tried_below=10**4,
)
def most_collatz_steps_up_to(n):
    """The most steps to 1 that a number from 1 to n takes."""
    if n < 1:
        raise ValueError("n < 1")
    return max(collatz_steps_up_to(n))
