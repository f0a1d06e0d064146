"""Squares and grids of numbers: magic, spiral and diagonal orders, sums of blocks, rooms.

Not here: products and turns (`matrices`).
"""

from itertools import accumulate, pairwise

from operators.known_functions.archetype import archetype


@archetype(
    family="grids",
    complexity="O(n^2)",
    source="rows, columns and diagonals summed in C",
    takes=("list[list[int]]",),
    gives="bool",
)
def has_equal_magic_sums(square):
    """Whether rows, columns and diagonals of a square have the same sum."""
    n = len(square)
    total = sum(square[0]) if square else 0
    return (
        all(len(row) == n and sum(row) == total for row in square)
        and all(sum(column) == total for column in zip(*square, strict=True))
        and sum([square[i][i] for i in range(n)]) == total
        and sum([square[i][n - 1 - i] for i in range(n)]) == total
    )


@archetype(
    family="grids",
    complexity="O(n^2)",
    source="rings from the outside, rows by slices",
    limits="n from 0 on",
    takes=("int",),
    gives="list[list[int]]",
    tried_below=200,
)
def spiral_square(n):
    """The square of 1 to n * n in a spiral inwards, clockwise."""
    square = [[0] * n for _ in range(n)]
    number = 1
    for ring in range((n + 1) // 2):
        end = n - 1 - ring
        square[ring][ring : end + 1] = range(number, number + end - ring + 1)
        number += end - ring + 1
        for i in range(ring + 1, end + 1):
            square[i][end] = number
            number += 1
        for j in range(end - 1, ring - 1, -1):
            square[end][j] = number
            number += 1
        for i in range(end - 1, ring, -1):
            square[i][ring] = number
            number += 1
    return square


@archetype(
    family="grids",
    complexity="O(1)",
    source="corners of the rings in closed form",
    limits="odd n from 1 on",
    takes=("int",),
    gives="int",
)
def sum_of_spiral_diagonals(n):
    """The sum of both diagonals of the square of 1 to n * n in a spiral outwards."""
    if n < 1 or n % 2 == 0:
        raise ValueError("n is not odd")
    return (4 * n**3 + 3 * n**2 + 8 * n - 9) // 6


@archetype(
    family="grids",
    complexity="O(m n)",
    source="diagonals by the sum of the indices",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def diagonals_down_left(matrix):
    """The diagonals from the top right to the bottom left, from the first corner on."""
    columns = len(matrix[0]) if matrix else 0
    diagonals = [[] for _ in range(len(matrix) + columns - 1)] if columns else []
    for i, row in enumerate(matrix):
        for j, value in enumerate(row):
            diagonals[i + j].append(value)
    return diagonals


@archetype(
    family="grids",
    complexity="O(m n)",
    source="diagonals by the sum of the indices, every second one reversed",
    takes=("list[list[any]]",),
    gives="list[any]",
    uses=("diagonals_down_left",),
)
def zigzag_order(matrix):
    """The entries in zigzag over the diagonals, the second one from the top right down."""
    order = []
    for i, diagonal in enumerate(diagonals_down_left(matrix)):
        order += diagonal if i % 2 else diagonal[::-1]
    return order


@archetype(
    family="grids",
    complexity="O(m n)",
    source="rows with a zero, columns with a zero",
    takes=("list[list[int]]",),
    gives="list[list[int]]",
)
def with_zero_lines(matrix):
    """The matrix with each row and column that has a zero made zero."""
    empty = [0 in column for column in zip(*matrix, strict=True)]
    return [
        [0] * len(row) if 0 in row else [0 if e else x for x, e in zip(row, empty, strict=True)]
        for row in matrix
    ]


@archetype(
    family="grids",
    complexity="O(m n)",
    source="running sums of rows, added downwards",
    takes=("list[list[number]]",),
    gives="list[list[number]]",
    imports=("from itertools import accumulate",),
)
def block_sums_from_corner(matrix):
    """For each place the sum of all entries above and left of it, itself included."""
    above = [0] * len(matrix[0]) if matrix else []
    sums = []
    for row in matrix:
        above = [a + b for a, b in zip(above, accumulate(row), strict=True)]
        sums.append(above)
    return sums


@archetype(
    family="grids",
    complexity="O(m^2 n)",
    source="pairs of rows, the best run of column sums (Kadane)",
    limits="one entry at least",
    takes=("list[list[number]]",),
    gives="number",
)
def largest_block_sum(matrix):
    """The largest sum of a rectangle of entries, not empty."""
    best = matrix[0][0]
    for top in range(len(matrix)):
        sums = [0] * len(matrix[0])
        for row in matrix[top:]:
            sums = [a + b for a, b in zip(sums, row, strict=True)]
            run = None
            for total in sums:
                run = total if run is None or run < 0 else run + total
                if run > best:
                    best = run
    return best


@archetype(
    family="grids",
    complexity="O(m n)",
    source="squares that end at each place, row by row",
    limits="every entry but 0 counts",
    takes=("list[list[int]]",),
    gives="int",
)
def largest_square_side(grid):
    """The side of the largest square without zeros."""
    best, above = 0, [0] * (len(grid[0]) + 1 if grid else 1)
    for row in grid:
        sides = [0]
        for j, value in enumerate(row):
            sides.append(1 + min(above[j], above[j + 1], sides[-1]) if value else 0)
        above = sides
        best = max(best, *sides)
    return best


@archetype(
    family="grids",
    complexity="O(m n)",
    source="squares that end at each place, row by row",
    takes=("list[list[int]]",),
    gives="int",
    uses=("largest_square_side",),
)
def largest_square_area(grid):
    """The area of the largest square without zeros."""
    return largest_square_side(grid) ** 2


@archetype(
    family="grids",
    complexity="O(m n)",
    source="squares that end at each place are as many as the side of the largest",
    takes=("list[list[int]]",),
    gives="int",
)
def count_squares_of_ones(grid):
    """How many squares without zeros there are."""
    total, above = 0, [0] * (len(grid[0]) + 1 if grid else 1)
    for row in grid:
        sides = [0]
        for j, value in enumerate(row):
            sides.append(1 + min(above[j], above[j + 1], sides[-1]) if value else 0)
        above = sides
        total += sum(sides)
    return total


@archetype(
    family="grids",
    complexity="O(m n)",
    source="neighbours compared in C",
    takes=("list[list[any]]",),
    gives="bool",
    imports=("from itertools import pairwise",),
)
def has_equal_diagonals(matrix):
    """Whether each diagonal from the top left holds one value (a Toeplitz matrix)."""
    return all(a[:-1] == b[1:] for a, b in pairwise(matrix))


@archetype(
    family="grids",
    complexity="O(m n)",
    source="ones of neighbouring rows and columns",
    limits="entries 0 and 1",
    takes=("list[list[int]]",),
    gives="int",
    imports=("from itertools import pairwise",),
)
def island_perimeter(grid):
    """The length of all borders between ones and zeros or the outside."""
    ones = sum(map(sum, grid))
    shared = 0
    for lines in (grid, list(zip(*grid, strict=True))):
        for line in lines:
            shared += sum([a & b for a, b in pairwise(line)])
    return 4 * ones - 2 * shared


@archetype(
    family="grids",
    complexity="O(m + n)",
    source="staircase from the top right",
    limits="rows and columns ascending",
    takes=("list[list[number]]", "number"),
    gives="bool",
)
def is_in_sorted_matrix(matrix, wanted):
    """Whether a value is in a matrix with ascending rows and columns."""
    j = len(matrix[0]) - 1 if matrix else -1
    for row in matrix:
        while j >= 0 and row[j] > wanted:
            j -= 1
        if j < 0:
            return False
        if row[j] == wanted:
            return True
    return False


@archetype(
    family="grids",
    complexity="O(m + n)",
    source="staircase from the top right",
    limits="rows and columns descending",
    takes=("list[list[number]]",),
    gives="int",
)
def count_negatives_in_sorted_matrix(matrix):
    """How many values below zero a matrix with descending rows and columns has."""
    columns = len(matrix[0]) if matrix else 0
    j, total = columns, 0
    for row in matrix:
        while j > 0 and row[j - 1] < 0:
            j -= 1
        total += columns - j
    return total
