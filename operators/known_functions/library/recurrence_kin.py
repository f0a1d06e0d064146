"""Sequences that refer to themselves, or read themselves out.

Not here: linear recurrences (`recurrences`).
"""

from itertools import groupby

from operators.known_functions.archetype import archetype


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
