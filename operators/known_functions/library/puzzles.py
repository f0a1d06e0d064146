"""Puzzles: Josephus, queens, towers, lamps, the game of life.

Not here: sums of coins and sticks (`knapsack`), graphs.
"""

import math
from functools import reduce
from operator import xor

from operators.known_functions.archetype import archetype


@archetype(
    family="puzzles",
    complexity="O(min(n, k log n))",
    source="survivor of a larger circle from a smaller one, whole rounds at once for small k",
    limits="n and k from 1 on",
    takes=("int", "int"),
    gives="int",
    tried_below=10**5,
)
def josephus(n, k):
    """The one of 0 to n - 1 who is left when every k-th one goes, round and round."""
    if n < 1 or k < 1:
        raise ValueError("n < 1 or k < 1")
    if k == 1:
        return n - 1
    survivor, size = 0, min(n, 8 * k)
    for i in range(2, size + 1):
        survivor = (survivor + k) % i
    while size < n:
        steps = min(max((size - survivor - 1) // (k - 1), 1), n - size)
        size += steps
        survivor = (survivor + steps * k) % size
    return survivor


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="binary number read without its first digit, and 1 behind",
    limits="n from 1 on",
    takes=("int",),
    gives="int",
    tried_below=10**12,
)
def josephus_by_two(n):
    """The one of 1 to n who is left when every second one goes, round and round."""
    if n < 1:
        raise ValueError("n < 1")
    return 2 * (n - (1 << n.bit_length() >> 1)) + 1


@archetype(
    family="puzzles",
    complexity="O(n^2) memory moves in C",
    source="list with the places of those who are left",
    limits="n from 0 on, k from 1 on",
    takes=("int", "int"),
    gives="list[int]",
    tried_below=3000,
)
def josephus_order(n, k):
    """In which order 1 to n go when every k-th one goes, round and round."""
    if k < 1:
        raise ValueError("k < 1")
    circle, at, order = list(range(1, n + 1)), 0, []
    while circle:
        at = (at + k - 1) % len(circle)
        order.append(circle.pop(at))
    return order


@archetype(
    family="puzzles",
    complexity="O(n!) pruned",
    source="bits of columns and diagonals; half of the first row by symmetry",
    limits="n from 0 on",
    takes=("int",),
    gives="int",
    tried_below=10,
)
def count_queens(n):
    """The number of ways to put n queens on an n by n board that none attacks another."""
    if n < 1:
        if n < 0:
            raise ValueError("n < 0")
        return 1
    full = (1 << n) - 1

    def place(columns, left, right):
        if columns == full:
            return 1
        free, ways = full & ~(columns | left | right), 0
        while free:
            bit = free & -free
            free ^= bit
            ways += place(columns | bit, (left | bit) << 1, (right | bit) >> 1)
        return ways

    ways = 2 * sum([place(1 << i, 2 << i, 1 << i >> 1) for i in range(n // 2)])
    middle = 1 << n // 2
    return ways + (place(middle, middle << 1, middle >> 1) if n % 2 else 0)


@archetype(
    family="puzzles",
    complexity="O(2^n)",
    source="smaller towers twice, texts of moves joined",
    limits="n from 0 on",
    takes=("int", "any", "any", "any"),
    gives="list[tuple]",
    tried_below=15,
)
def hanoi_moves(n, start, goal, spare):
    """The moves (from, to) that bring a tower of n discs from a start to a goal."""
    if n < 0:
        raise ValueError("n < 0")
    tower = {(a, b): [] for a in range(3) for b in range(3)}
    for _ in range(n):
        tower = {
            (a, b): tower[a, 3 - a - b] + [(a, b)] + tower[3 - a - b, b]
            for a in range(3)
            for b in range(3)
            if a != b
        } | {(a, a): [] for a in range(3)}
    pegs = (start, goal, spare)
    return [(pegs[a], pegs[b]) for a, b in tower[0, 1]]


@archetype(
    family="puzzles",
    complexity="O(sqrt n)",
    source="only squares are switched an odd number of times",
    takes=("int",),
    gives="list[int]",
    imports=("import math",),
)
def open_doors(n):
    """The doors of 1 to n that are open after all switched each k-th door, k from 1 to n."""
    return [i * i for i in range(1, math.isqrt(n) + 1)] if n > 0 else []


@archetype(
    family="puzzles",
    complexity="O(n)",
    source="exclusive or of the heaps (Bouton 1901)",
    takes=("list[int]",),
    gives="bool",
    imports=("from functools import reduce", "from operator import xor"),
)
def first_player_wins_nim(heaps):
    """Whether who moves first can take the last object of all heaps."""
    return reduce(xor, heaps, 0) != 0


@archetype(
    family="puzzles",
    complexity="O(m n)",
    source="neighbours by sums of three shifted rows",
    limits="cells 0 and 1; outside is dead",
    takes=("list[list[int]]",),
    gives="list[list[int]]",
)
def life_step(grid):
    """The next state of the game of life."""
    if not grid:
        return []
    width = len(grid[0])
    threes = [
        [a + b + c for a, b, c in zip([0, *row], row, [*row[1:], 0], strict=False)]
        for row in grid
    ]
    empty = [0] * width
    around = zip([empty, *threes[:-1]], threes, [*threes[1:], empty], grid, strict=True)
    return [
        [
            1 if (total := a + b + c) == 3 or (cell and total == 4) else 0
            for a, b, c, cell in zip(above, here, below, row, strict=True)
        ]
        for above, here, below, row in around
    ]


@archetype(
    family="puzzles",
    complexity="O(steps m n)",
    source="neighbours by sums of three shifted rows",
    limits="cells 0 and 1; outside is dead",
    takes=("list[list[int]]", "int"),
    gives="list[list[int]]",
    uses=("life_step",),
    tried_below=50,
)
def life_after(grid, steps):
    """The state of the game of life after some steps."""
    grid = [list(row) for row in grid]
    for _ in range(steps):
        grid = life_step(grid)
    return grid


@archetype(
    family="puzzles",
    complexity="O(steps m n)",
    source="neighbours by sums of three shifted rows",
    limits="cells 0 and 1; the grid closes to a torus",
    takes=("list[list[int]]", "int"),
    gives="list[list[int]]",
    tried_below=50,
)
def life_on_torus_after(grid, steps):
    """The state of the game of life after some steps where the edges meet."""
    grid = [list(row) for row in grid]
    for _ in range(steps):
        threes = [
            [a + b + c for a, b, c in zip(row[-1:] + row, row, row[1:] + row[:1], strict=False)]
            for row in grid
        ]
        above = threes[-1:] + threes[:-1]
        below = threes[1:] + threes[:1]
        grid = [
            [
                1 if (total := a + b + c) == 3 or (cell and total == 4) else 0
                for a, b, c, cell in zip(*lines, strict=True)
            ]
            for lines in zip(above, threes, below, grid, strict=True)
        ]
    return grid


@archetype(
    family="puzzles",
    complexity="O(81)",
    source="sets of rows, columns and blocks",
    limits="digits as text, a dot for none",
    takes=("list[list[str]]",),
    gives="bool",
)
def is_valid_sudoku(board):
    """Whether no digit is twice in a row, a column or a block of a board."""
    if len(board) != 9 or any(len(row) != 9 for row in board):
        raise ValueError("no board of 9 by 9")
    seen = set()
    for i, row in enumerate(board):
        for j, digit in enumerate(row):
            if digit != ".":
                keys = ((i, digit), (digit, j), (i // 3, j // 3, digit))
                if not seen.isdisjoint(keys):
                    return False
                seen.update(keys)
    return True


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="closed form by symmetry, exceptions near the corner",
    takes=("int", "int"),
    gives="int",
    tried_below=10**9,
)
def knight_moves(x, y):
    """The fewest moves of a knight over a board without edges to a place (x, y) away."""
    x, y = max(abs(x), abs(y)), min(abs(x), abs(y))
    if (x, y) == (1, 0):
        return 3
    if (x, y) == (2, 2):
        return 4
    delta = x - y
    if y > delta:
        return delta - 2 * ((delta - y) // 3)
    return delta - 2 * ((delta - y) // 4)


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="only multiples of one more lose",
    limits="n and most from 1 on",
    takes=("int", "int"),
    gives="bool",
    tried_below=10**12,
)
def first_player_wins_taking(n, most):
    """Whether who moves first can take the last of n stones, 1 up to a most at a time."""
    if n < 1 or most < 1:
        raise ValueError("n < 1 or most < 1")
    return n % (most + 1) != 0


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="a measure is a multiple of the greatest common divisor (Bezout)",
    limits="jugs from 0 on",
    takes=("int", "int", "int"),
    gives="bool",
    imports=("import math",),
    tried_below=10**12,
)
def can_measure(a, b, wanted):
    """Whether two jugs can measure an amount in both together."""
    if min(a, b) < 0:
        raise ValueError("jug < 0")
    if not 0 <= wanted <= a + b:
        return False
    return wanted % (math.gcd(a, b) or 1) == 0


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="Gregorian rule",
    takes=("int",),
    gives="bool",
    tried_below=10**9,
)
def is_leap_year(year):
    """Whether a year of the Gregorian calendar has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


@archetype(
    family="puzzles",
    complexity="O(1)",
    source="leap years before each of the two, by division",
    limits="0 if b is before a",
    takes=("int", "int"),
    gives="int",
    tried_below=10**9,
)
def count_leap_years(a, b):
    """How many leap years there are from year a to year b, both included."""
    if a > b:
        return 0
    a -= 1
    return b // 4 - b // 100 + b // 400 - (a // 4 - a // 100 + a // 400)


@archetype(
    family="puzzles",
    complexity="O(n)",
    source="texts by the remainder of 15",
    takes=("int",),
    gives="list[str]",
    tried_below=10**4,
)
def fizz_buzz(n):
    """The numbers 1 to n as text, Fizz for threes, Buzz for fives, FizzBuzz for both."""
    words = [str(i) for i in range(1, n + 1)]
    words[2::3] = ["Fizz"] * len(words[2::3])
    words[4::5] = ["Buzz"] * len(words[4::5])
    words[14::15] = ["FizzBuzz"] * len(words[14::15])
    return words
