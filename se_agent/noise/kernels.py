"""Twelve small programs in four families, in parts: what the noise study is made of.

Data only. How they become whole programs, and pairs of them, is `se_agent.noise.families`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Family(enum.StrEnum):
    """What a program spends its time on."""

    LOOP = "Python loop"
    NUMPY = "numpy"
    DICTIONARY = "dictionaries"
    ALLOCATION = "allocation"


@dataclass(frozen=True)
class Kernel:
    """One program in parts; the same values always give the same answer.

    Attributes:
        family: What it spends its time on.
        spare: A function `spare(values)` whose work nobody needs.
        share: Instructions of `spare` as a share of those of `turn`.
        length: Values of an input.
        names: Local names that may be replaced by others.
        parts: Its functions in order; the one that does the work of a turn is `turn(values)`.
    """

    family: Family
    spare: str
    share: float
    length: int
    names: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def imports(self) -> tuple[str, ...]:
        """Packages that it imports."""
        return ("numpy",) if self.family is Family.NUMPY else ()


_LOOKED_AT = """
def spare(values):
    for value in values:
        if value < 0:
            raise ValueError(value)
"""

_MIXED = """
def turn(values):
    state = SALT
    for value in values:
        state = (state * 31 + value) % MODULUS
        if state & 1:
            state += value >> 2
    return state
"""

_DIVISOR = """
def divisor(left, right):
    while right:
        left, right = right, left % right
    return left
"""

_DIVISORS = """
def turn(values):
    total = 0
    for first, second in zip(values, values[1:]):
        total += divisor(first, second + SALT)
    return total
"""

_STEP = """
def step(highest, value):
    grown = highest + value - SALT
    return grown if grown > value else value
"""

_STEPS = """
def turn(values):
    best = highest = 0
    for value in values:
        highest = step(highest, value % MODULUS)
        if highest > best:
            best = highest
    return best
"""

_SPREAD_OUT = """
def spread_out(values):
    return np.arange(SIZE) * np.array(values[:1]) % MODULUS
"""

_SORTED = """
def turn(values):
    numbers = spread_out(values)
    ordered = np.sort(numbers)
    return int(ordered[::SALT].sum())
"""

_SUMMED = """
def turn(values):
    numbers = spread_out(values)
    sums = np.cumsum(numbers) % MODULUS
    return int(np.abs(sums - numbers).max() + SALT)
"""

_BINNED = """
def turn(values):
    numbers = spread_out(values)
    counts = np.bincount(numbers[numbers > SALT], minlength=MODULUS)
    return int(counts.argmax())
"""

_SORTED_TOO = """
def spare(values):
    return np.sort(np.arange(SIZE // 2) * values[0] % MODULUS)
"""

_REDUCED = """
def spare(values):
    return (np.arange(SIZE) * values[0] % MODULUS).sum()
"""

_COUNTED = """
def counted(values):
    counts = {}
    for value in values:
        key = value % MODULUS
        counts[key] = counts.get(key, 0) + 1
    return counts
"""

_MOST_COUNTED = """
def turn(values):
    counts = counted(values)
    return max(counts.values()) + len(counts) + SALT
"""

_GROUPS = """
def turn(values):
    groups = {}
    for value in values:
        groups.setdefault(value % SALT, []).append(value)
    return sum(len(group) * key for key, group in groups.items())
"""

_INDEXED = """
def indexed(values):
    places = {}
    for place, value in enumerate(values):
        places[value, place % SALT] = place
    return places
"""

_FOUND = """
def turn(values):
    places = indexed(values)
    found = 0
    for value in values:
        if (value, 0) in places:
            found += places[value, 0]
    return found
"""

_SEEN = """
def spare(values):
    seen = {}
    for value in values:
        seen[value] = True
"""

_ROWS = """
def rows(values):
    return [[value, value + SALT, (value, str(value))] for value in values]
"""

_LONGEST = """
def turn(values):
    table = rows(values)
    texts = [row[2][1] for row in table if row[1] % 3]
    return max(map(len, texts)) + len(table)
"""

_JOINED = """
def turn(values):
    text = ",".join([str(value + SALT) for value in values])
    words = text.split(",")
    return sum([len(word) for word in words]) + len("".join(words))
"""

_NODE = """
class Node:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest
"""

_CHAIN = """
def turn(values):
    chain = None
    for value in values:
        chain = Node(value, chain)
    length = 0
    while chain is not None:
        length += chain.value % SALT
        chain = chain.rest
    return length
"""

_LISTED = """
def spare(values):
    return [(value, [value]) for value in values]
"""

KERNELS = (
    Kernel(Family.LOOP, _LOOKED_AT, 0.157, 200, ("state", "value"), (_MIXED,)),
    Kernel(
        Family.LOOP, _LOOKED_AT, 0.069, 40, ("total", "first", "second"), (_DIVISOR, _DIVISORS)
    ),
    Kernel(Family.LOOP, _LOOKED_AT, 0.123, 120, ("best", "grown"), (_STEP, _STEPS)),
    Kernel(Family.NUMPY, _SORTED_TOO, 0.464, 2, ("numbers", "ordered"), (_SPREAD_OUT, _SORTED)),
    Kernel(Family.NUMPY, _REDUCED, 0.479, 2, ("numbers", "sums"), (_SPREAD_OUT, _SUMMED)),
    Kernel(Family.NUMPY, _REDUCED, 0.574, 2, ("numbers", "counts"), (_SPREAD_OUT, _BINNED)),
    Kernel(Family.DICTIONARY, _SEEN, 0.386, 200, ("counts", "key"), (_COUNTED, _MOST_COUNTED)),
    Kernel(Family.DICTIONARY, _SEEN, 0.602, 200, ("groups", "group", "key"), (_GROUPS,)),
    Kernel(
        Family.DICTIONARY, _SEEN, 0.256, 100, ("places", "place", "found"), (_INDEXED, _FOUND)
    ),
    Kernel(Family.ALLOCATION, _LISTED, 0.308, 60, ("table", "texts"), (_ROWS, _LONGEST)),
    Kernel(Family.ALLOCATION, _LISTED, 0.373, 80, ("text", "words"), (_JOINED,)),
    Kernel(Family.ALLOCATION, _LISTED, 0.307, 80, ("chain", "length"), (_NODE, _CHAIN)),
)
"""Three of each family."""
