"""Matrices as lists of rows: products, powers, turns, determinants.

Not here: ways through a grid (`counting_ways`), magic and spiral squares (`squares`).
"""

from operator import mul

from operators.known_functions.archetype import archetype


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="zip in C",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def transposed(matrix):
    """The matrix with rows and columns exchanged."""
    return [list(column) for column in zip(*matrix, strict=True)]


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="zip of the rows from the last to the first, in C",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def turned_right(matrix):
    """The matrix turned by a quarter clockwise."""
    return [list(column) for column in zip(*matrix[::-1], strict=True)]


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="columns from the last to the first, zip in C",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def turned_left(matrix):
    """The matrix turned by a quarter against the clock."""
    return [list(column) for column in zip(*matrix, strict=True)][::-1]


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="slices backwards",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def turned_half(matrix):
    """The matrix turned by a half."""
    return [row[::-1] for row in matrix[::-1]]


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="slices backwards",
    takes=("list[list[any]]",),
    gives="list[list[any]]",
)
def mirrored(matrix):
    """The matrix with each row in reverse order."""
    return [row[::-1] for row in matrix]


@archetype(
    family="matrices",
    complexity="O(m n p)",
    source="columns once, products of rows and columns in C",
    limits="floats are added up in the order of the row",
    takes=("list[list[number]]", "list[list[number]]"),
    gives="list[list[number]]",
    imports=("from operator import mul",),
)
def matrix_product(a, b):
    """The product of two matrices."""
    if any(len(row) != len(b) for row in a):
        raise ValueError("shapes do not fit")
    columns = list(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in a]


@archetype(
    family="matrices",
    complexity="O(m n p)",
    source="columns once, products of rows and columns in C",
    limits="whole numbers",
    takes=("list[list[int]]", "list[list[int]]", "int"),
    gives="list[list[int]]",
    imports=("from operator import mul",),
)
def matrix_product_modulo(a, b, modulus):
    """The product of two matrices, modulo a number."""
    if modulus < 1 or any(len(row) != len(b) for row in a):
        raise ValueError("shapes do not fit")
    columns = list(zip(*b, strict=True))
    return [[sum(map(mul, row, column)) % modulus for column in columns] for row in a]


@archetype(
    family="matrices",
    complexity="O(n^3 log k)",
    source="repeated squaring",
    limits="square matrices, exponents from 0 on",
    takes=("list[list[int]]", "int"),
    gives="list[list[int]]",
    uses=("matrix_product",),
    tried_below=500,
)
def matrix_power(matrix, exponent):
    """The power of a square matrix of whole numbers."""
    if exponent < 0 or any(len(row) != len(matrix) for row in matrix):
        raise ValueError("exponent < 0, or not square")
    n = len(matrix)
    result = [[int(i == j) for j in range(n)] for i in range(n)]
    while exponent:
        if exponent & 1:
            result = matrix_product(result, matrix)
        exponent >>= 1
        if exponent:
            matrix = matrix_product(matrix, matrix)
    return result


@archetype(
    family="matrices",
    complexity="O(n^3 log k)",
    source="repeated squaring",
    limits="square matrices, exponents from 0 on",
    takes=("list[list[int]]", "int", "int"),
    gives="list[list[int]]",
    uses=("matrix_product_modulo",),
)
def matrix_power_modulo(matrix, exponent, modulus):
    """The power of a square matrix of whole numbers, modulo a number."""
    if exponent < 0 or modulus < 1 or any(len(row) != len(matrix) for row in matrix):
        raise ValueError("exponent < 0, or not square")
    n = len(matrix)
    result = [[int(i == j) % modulus for j in range(n)] for i in range(n)]
    while exponent:
        if exponent & 1:
            result = matrix_product_modulo(result, matrix, modulus)
        exponent >>= 1
        if exponent:
            matrix = matrix_product_modulo(matrix, matrix, modulus)
    return result


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="products of rows in C",
    takes=("list[list[number]]", "list[number]"),
    gives="list[number]",
    imports=("from operator import mul",),
)
def matrix_vector_product(matrix, vector):
    """The product of a matrix and a column."""
    if any(len(row) != len(vector) for row in matrix):
        raise ValueError("shapes do not fit")
    return [sum(map(mul, row, vector)) for row in matrix]


@archetype(
    family="matrices",
    complexity="O(m n)",
    source="the definition, row by row",
    takes=("list[list[number]]", "list[list[number]]"),
    gives="list[list[number]]",
)
def matrix_sum(a, b):
    """The sum of two matrices, place by place."""
    lines = zip(a, b, strict=True)
    return [[x + y for x, y in zip(row, other, strict=True)] for row, other in lines]


@archetype(
    family="matrices",
    complexity="O(n^3)",
    source="elimination without fractions (Bareiss 1968)",
    limits="whole numbers; 1 for the empty matrix",
    takes=("list[list[int]]",),
    gives="int",
)
def determinant(matrix):
    """The determinant of a square matrix of whole numbers."""
    n = len(matrix)
    if any(len(row) != n for row in matrix):
        raise ValueError("not square")
    rows = [list(row) for row in matrix]
    sign = before = 1
    for k in range(n - 1):
        if rows[k][k] == 0:
            swap = next((i for i in range(k + 1, n) if rows[i][k]), 0)
            if not swap:
                return 0
            rows[k], rows[swap] = rows[swap], rows[k]
            sign = -sign
        top, pivot = rows[k], rows[k][k]
        for row in rows[k + 1 :]:
            first = row[k]
            for j in range(k + 1, n):
                row[j] = (row[j] * pivot - first * top[j]) // before
        before = pivot
    return sign * rows[-1][-1] if n else 1


@archetype(
    family="matrices",
    complexity="O(n)",
    source="one step along the diagonal",
    takes=("list[list[number]]",),
    gives="number",
)
def trace(matrix):
    """The sum of the diagonal of a square matrix."""
    return sum([row[i] for i, row in enumerate(matrix)])


@archetype(
    family="matrices",
    complexity="O(n)",
    source="both diagonals in one pass, the middle once",
    takes=("list[list[number]]",),
    gives="number",
)
def sum_of_both_diagonals(matrix):
    """The sum of both diagonals of a square matrix, the middle counted once."""
    n = len(matrix)
    ends = sum([row[i] + row[n - 1 - i] for i, row in enumerate(matrix)])
    return ends - matrix[n // 2][n // 2] if n % 2 else ends


@archetype(
    family="matrices",
    complexity="O(n)",
    source="both diagonals in one pass",
    takes=("list[list[number]]",),
    gives="number",
)
def difference_of_diagonals(matrix):
    """The absolute difference of the sums of the two diagonals of a square matrix."""
    n = len(matrix)
    return abs(sum([row[i] - row[n - 1 - i] for i, row in enumerate(matrix)]))


@archetype(
    family="matrices",
    complexity="O(n^2)",
    source="compared with its columns in C",
    takes=("list[list[any]]",),
    gives="bool",
)
def is_symmetric(matrix):
    """Whether rows and columns of a square matrix are alike."""
    return [tuple(row) for row in matrix] == list(zip(*matrix, strict=True))
