"""Single bits: where they are, moved, reversed, runs of them.

Not here: counts of ones and exclusive or (`bits`).
"""

from operators.known_functions.archetype import archetype


@archetype(
    family="bits",
    complexity="O(1)",
    source="text of 32 binary digits backwards",
    limits="n from 0 below 2**32",
    takes=("int",),
    gives="int",
    tried_below=2**32,
)
def reverse_32_bits(n):
    """The number with its 32 binary digits in reverse order."""
    if n < 0 or n >> 32:
        raise ValueError("no 32 bits")
    return int(f"{n:032b}"[::-1], 2)


@archetype(
    family="bits",
    complexity="O(1)",
    source="text of binary digits backwards",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def reverse_binary_digits(n):
    """The number with its binary digits in reverse order, no leading zeros."""
    if n < 0:
        raise ValueError("n < 0")
    return int(f"{n:b}"[::-1], 2)


@archetype(
    family="bits",
    complexity="O(1)",
    source="n and its negative share the lowest one",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def lowest_one(n):
    """The value of the lowest one of the binary digits: 12 gives 4."""
    if n < 1:
        raise ValueError("n < 1")
    return n & -n


@archetype(
    family="bits",
    complexity="O(1)",
    source="n and its negative share the lowest one",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def trailing_zeros(n):
    """How many zeros the binary digits of n end with."""
    if n < 1:
        raise ValueError("n < 1")
    return (n & -n).bit_length() - 1


@archetype(
    family="bits",
    complexity="O(1)",
    source="n and n - 1 share all but the lowest one",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def without_lowest_one(n):
    """The number with the lowest one of its binary digits made zero."""
    if n < 0:
        raise ValueError("n < 0")
    return n & (n - 1) if n else 0


@archetype(
    family="bits",
    complexity="O(1)",
    source="n and n / 2 share no ones",
    limits="n from 0 on",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def has_alternating_bits(n):
    """Whether no two neighbouring binary digits are alike."""
    if n < 0:
        raise ValueError("n < 0")
    filled = n ^ (n >> 1)
    return filled & (filled + 1) == 0


@archetype(
    family="bits",
    complexity="O(1)",
    source="n and n / 2 share ones at neighbours",
    limits="n from 0 on",
    takes=("int",),
    gives="bool",
    tried_below=10**30,
)
def has_neighbouring_ones(n):
    """Whether two neighbouring binary digits are ones."""
    if n < 0:
        raise ValueError("n < 0")
    return n & (n >> 1) != 0


@archetype(
    family="bits",
    complexity="O(log n)",
    source="runs split in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def longest_run_of_ones(n):
    """The length of the longest run of ones among the binary digits."""
    if n < 0:
        raise ValueError("n < 0")
    return max(map(len, f"{n:b}".split("0")))


@archetype(
    family="bits",
    complexity="O(log n)",
    source="runs split in C",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def longest_gap_of_zeros(n):
    """The length of the longest run of zeros between two ones."""
    if n < 0:
        raise ValueError("n < 0")
    return max(map(len, f"{n:b}".strip("0").split("1")))


@archetype(
    family="bits",
    complexity="O(1)",
    source="odd and even places by masks",
    limits="n from 0 below 2**32",
    takes=("int",),
    gives="int",
    tried_below=2**32,
)
def swap_neighbouring_bits(n):
    """The number with each two neighbouring binary digits exchanged, of 32."""
    if n < 0 or n >> 32:
        raise ValueError("no 32 bits")
    return (n & 0xAAAAAAAA) >> 1 | (n & 0x55555555) << 1


@archetype(
    family="bits",
    complexity="O(1)",
    source="shifts of 32 bits",
    limits="n from 0 below 2**32, k from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=2**32,
)
def rotate_32_bits_left(n, k):
    """The number with its 32 binary digits moved round by k places to the left."""
    if n < 0 or n >> 32 or k < 0:
        raise ValueError("no 32 bits")
    k %= 32
    return (n << k | n >> (32 - k)) & 0xFFFFFFFF


@archetype(
    family="bits",
    complexity="O(1)",
    source="shifts of 32 bits",
    limits="n from 0 below 2**32, k from 0 on",
    takes=("int", "int"),
    gives="int",
    tried_below=2**32,
)
def rotate_32_bits_right(n, k):
    """The number with its 32 binary digits moved round by k places to the right."""
    if n < 0 or n >> 32 or k < 0:
        raise ValueError("no 32 bits")
    k %= 32
    return (n >> k | n << (32 - k)) & 0xFFFFFFFF


@archetype(
    family="bits",
    complexity="O(1)",
    source="the carries of the lowest run of ones (Gosper 1972)",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**30,
)
def next_number_with_as_many_ones(n):
    """The smallest number above n with as many ones among its binary digits."""
    if n < 1:
        raise ValueError("n < 1")
    lowest = n & -n
    carried = n + lowest
    return carried | ((n ^ carried) // lowest >> 2)


@archetype(
    family="bits",
    complexity="O(n)",
    source="population count in C, a stable sort",
    limits="values from 0 on",
    takes=("list[int]",),
    gives="list[int]",
)
def sorted_by_ones(values):
    """The values by their number of ones, then by size."""
    if min(values, default=0) < 0:
        raise ValueError("value < 0")
    return sorted(sorted(values), key=int.bit_count)
