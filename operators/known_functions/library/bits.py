"""Bits of whole numbers: counts, masks, reversals, exclusive or over ranges.

Not here: pairs of a list (`pairs`), binary texts (`bases`).
"""

from functools import reduce
from operator import or_, xor

from operators.known_functions.archetype import archetype


@archetype(
    family="bits",
    complexity="O(1)",
    source="population count in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def count_ones(n):
    """How many ones the binary digits of n have."""
    if n < 0:
        raise ValueError("n < 0")
    return n.bit_count()


@archetype(
    family="bits",
    complexity="O(1)",
    source="length less population count",
    limits="n from 0 on; no zeros in 0",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def count_zeros(n):
    """How many zeros the binary digits of n have."""
    if n < 0:
        raise ValueError("n < 0")
    return n.bit_length() - n.bit_count()


@archetype(
    family="bits",
    complexity="O(1)",
    source="length in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def count_binary_digits(n):
    """How many binary digits n has; none in 0."""
    if n < 0:
        raise ValueError("n < 0")
    return n.bit_length()


@archetype(
    family="bits",
    complexity="O(1)",
    source="population count of the exclusive or",
    limits="numbers from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**30,
)
def hamming_distance(a, b):
    """In how many binary digits two numbers differ."""
    if a < 0 or b < 0:
        raise ValueError("negative")
    return (a ^ b).bit_count()


@archetype(
    family="bits",
    complexity="O(1)",
    source="parity of the population count",
    limits="n from 0 on",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def has_odd_parity(n):
    """Whether the number of ones among the binary digits is odd."""
    if n < 0:
        raise ValueError("n < 0")
    return n.bit_count() % 2 == 1


@archetype(
    family="bits",
    complexity="O(n)",
    source="each number by its half",
    takes=("int",),
    gives="list[int]",
    tried_below=10**4,
)
def ones_up_to(n):
    """For each number from 0 to n how many ones its binary digits have."""
    return list(map(int.bit_count, range(n + 1)))


@archetype(
    family="bits",
    complexity="O(log n)",
    source="each place apart: full cycles and the rest",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**9,
)
def total_ones_up_to(n):
    """How many ones the binary digits of all numbers from 0 to n have."""
    if n < 0:
        raise ValueError("n < 0")
    total = 0
    for place in range(n.bit_length()):
        cycles, rest = divmod(n + 1, 2 << place)
        total += (cycles << place) + max(0, rest - (1 << place))
    return total


@archetype(
    family="bits",
    complexity="O(1)",
    source="repeats with period 4",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**12,
)
def xor_up_to(n):
    """The exclusive or of the numbers from 0 to n."""
    if n < 0:
        raise ValueError("n < 0")
    return (n, 1, n + 1, 0)[n % 4]


@archetype(
    family="bits",
    complexity="O(1)",
    source="difference of two periods of 4",
    limits="a and b from 0 on",
    takes=("int", "int"),
    gives="int",
    uses=("xor_up_to",),
    tried_below=10**12,
)
def xor_of_range(a, b):
    """The exclusive or of the numbers from a to b, both included; 0 if there are none."""
    if a > b:
        return 0
    return xor_up_to(b) ^ (xor_up_to(a - 1) if a else 0)


@archetype(
    family="bits",
    complexity="O(log n)",
    source="common beginning of the binary digits",
    limits="0 <= a <= b",
    takes=("int", "int"),
    gives="int",
    tried_below=10**12,
)
def and_of_range(a, b):
    """The bitwise and of the numbers from a to b, both included."""
    if not 0 <= a <= b:
        raise ValueError("no range")
    shift = (a ^ b).bit_length()
    return a >> shift << shift


@archetype(
    family="bits",
    complexity="O(n)",
    source="exclusive or in C",
    takes=("list[int]",),
    gives="int",
    imports=("from functools import reduce", "from operator import xor"),
)
def xor_of_list(values):
    """The exclusive or of all values; 0 of none. Twice the same value vanishes."""
    return reduce(xor, values, 0)


@archetype(
    family="bits",
    complexity="O(n)",
    source="three times the sum of the set",
    takes=("list[int]",),
    gives="int",
)
def single_among_triples(values):
    """The value that is there once among values that are there three times."""
    return (3 * sum(set(values)) - sum(values)) // 2


@archetype(
    family="bits",
    complexity="O(n)",
    source="bitwise or; each bit is in half of the subsets that can have it",
    takes=("list[int]",),
    gives="int",
    imports=("from functools import reduce", "from operator import or_"),
)
def sum_of_subset_xors(values):
    """The sum over all subsets of the exclusive or of the subset."""
    return reduce(or_, values, 0) << len(values) >> 1 if values else 0


@archetype(
    family="bits",
    complexity="O(n log m), m the largest",
    source="basis of the vectors of bits",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="int",
)
def largest_subset_xor(values):
    """The largest exclusive or of a subset."""
    basis = []
    for value in values:
        if value < 0:
            raise ValueError("value < 0")
        rest = value
        for element in basis:
            rest = min(rest, rest ^ element)
        if rest:
            basis.append(rest)
    best = 0
    for element in sorted(basis, reverse=True):
        best = max(best, best ^ element)
    return best


@archetype(
    family="bits",
    complexity="O(1)",
    source="half of the number added without carries",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def gray_code(n):
    """Number n of the codes of Gray, of which neighbours differ in one bit."""
    if n < 0:
        raise ValueError("n < 0")
    return n ^ (n >> 1)


@archetype(
    family="bits",
    complexity="O(2^n)",
    source="half of each number added without carries",
    limits="n from 0 on",
    takes=("int",),
    gives="list[int]",
    tried_below=14,
)
def gray_code_list(n):
    """The codes of Gray with n bits, in order."""
    if n < 0:
        raise ValueError("n < 0")
    return [i ^ (i >> 1) for i in range(1 << n)]


@archetype(
    family="bits",
    complexity="O(log n)",
    source="running exclusive or by doubling shifts",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def gray_code_index(code):
    """The place of a code of Gray in their order."""
    if code < 0:
        raise ValueError("code < 0")
    shift = 1
    while code >> shift:
        code ^= code >> shift
        shift *= 2
    return code


@archetype(
    family="bits",
    complexity="O(1)",
    source="exclusive or with ones of the same length",
    limits="n from 0 on; 0 stays 0",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def flip_bits(n):
    """The number with zeros and ones of the binary digits exchanged."""
    if n < 0:
        raise ValueError("n < 0")
    return n ^ ((1 << n.bit_length()) - 1)
