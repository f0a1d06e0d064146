"""Linear recurrences and polynomials that fit the observed calls, whoever listed them or not.

They are solved from the first calls, and have to agree with further ones: as many as the order
or the degree, and three. The rest is compared as for every known function, so that a modulus,
or another answer at the edge, is found as it is there.
Not here: how they are written in a program (`formulas`), and what they are worth (`evidence`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from operator import mul
from typing import Any, NamedTuple  # literals are nested lists of any depth

Points = Sequence[tuple[int, int]]
"""Whole numbers with what a function gave for them, in ascending order."""

_ORDER = 6
_DEGREE = 6
_EDGES = 4  # first points, at most, that may differ
_CONFIRMED = 3  # points beyond as many as were solved for
_FAR = 5000  # terms that are compared while solving
_SMALL = range(-2, 3)
_WRITTEN = 10**20  # literals from here on nobody reads
_CLASSES = range(2, 6)  # moduli of which all remainders have to be seen
_FREE = 4  # small coefficients that may be tried in turn, where too few terms are neighbours


class Solved(NamedTuple):
    """What fits.

    Attributes:
        literals: Arguments for all parameters of the known function but the last.
        begin: What the last argument is counted from.
    """

    literals: tuple[list[Any], ...]
    begin: int = 0


def solved_recurrence(points: Points) -> Solved | None:
    """Return coefficients and first terms of the recurrence of lowest order that fits."""
    for order in range(1, _ORDER + 1):
        for edge in range(_EDGES):
            some = points[edge : edge + 3 * order + _CONFIRMED]
            if len(some) < 3 * order + _CONFIRMED or some[-1][0] > _FAR:
                continue
            terms = dict(some)
            begin = some[0][0]
            first = [terms[n] for n in range(begin, begin + order) if n in terms]
            for coefficients in _coefficients(terms, order) if len(first) == order else ():
                if coefficients[-1] and _continues(coefficients, first, begin, terms):
                    begin = _backwards(coefficients, first, begin)
                    return _readable(Solved((coefficients, first), begin))
    return None


def solved_polynomial(points: Points) -> Solved | None:
    """Return numerators and divisors of the polynomials that fit: one, or one a parity.

    None where all numbers are odd, say, or multiples of three: of others nothing is known.
    """
    if any(len({n % modulus for n, _ in points}) < modulus for modulus in _CLASSES):
        return None
    for period, edge in product((1, 2), range(_EDGES)):
        sides = [[p for p in points[edge:] if p[0] % period == r] for r in range(period)]
        found = [side for side in map(_polynomial, sides) if side]
        if len(found) == period and (period > 1 or len(found[0]) > 2):
            divisors = [lcm(*(c.denominator for c in side)) for side in found]
            numerators = [
                [int(c * divisor) for c in side]
                for side, divisor in zip(found, divisors, strict=True)
            ]
            return _readable(Solved((numerators, divisors)))
    return None


def _readable(found: Solved) -> Solved | None:
    numbers = _numbers(found.literals)
    return found if all(abs(number) < _WRITTEN for number in numbers) else None


def _numbers(nested: Any) -> Iterator[int]:
    if isinstance(nested, int):
        yield nested
    else:
        for one in nested:
            yield from _numbers(one)


def solution(rows: Sequence[Sequence[Fraction | int]]) -> list[Fraction] | None:
    """Return the only solution of linear equations, each with its right side last."""
    left, done = [[*map(Fraction, row)] for row in rows], list[list[Fraction]]()
    for column in range(len(left[0]) - 1 if left else 0):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            return None
        left.remove(pivot)
        pivot = [value / pivot[column] for value in pivot]
        for some in (left, done):
            some[:] = [
                [a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in some
            ]
        done.append(pivot)
    return None if any(any(row) for row in left) or not done else [row[-1] for row in done]


def _coefficients(terms: Mapping[int, int], order: int) -> Iterator[list[int]]:
    """Yield what neighbouring terms allow; small numbers where they leave a choice."""
    rows = [
        [*(terms[n - j] for j in range(1, order + 1)), last]
        for n, last in terms.items()
        if all(n - j in terms for j in range(1, order + 1))
    ]
    if found := solution(rows[:order]) or solution(rows):
        if all(c.denominator == 1 for c in found):
            yield [*map(int, found)]
    elif order <= _FREE:
        for some in product(_SMALL, repeat=order):
            if all(sum(map(mul, some, row)) == row[-1] for row in rows):
                yield [*some]


def _continues(
    coefficients: Sequence[int], first: Sequence[int], begin: int, terms: Mapping[int, int]
) -> bool:
    last = [*reversed(first)]
    for n in range(begin + len(last), max(terms) + 1):
        last = [sum(map(mul, coefficients, last)), *last[:-1]]
        if terms.get(n, last[0]) != last[0]:
            return False
    return True


def _backwards(coefficients: Sequence[int], first: list[int], begin: int) -> int:
    """Put the terms before the first in their place, and return how many there are no more.

    A call that counts from 0 reads best; what is smaller than all that was seen is left to the
    old body in any case. Terms that grow on the way back lie beyond the beginning.
    """
    while begin:
        known = sum(map(mul, coefficients[:-1], reversed(first[:-1])))
        before, rest = divmod(first[-1] - known, coefficients[-1])
        if rest or abs(before) > max(map(abs, first)):
            break
        first[:] = [before, *first[:-1]]
        begin -= 1
    return begin


def _polynomial(points: Points) -> list[Fraction] | None:
    """Return the coefficients of the lowest degree that fits, from the constant on."""
    some = points[: 2 * _DEGREE + _CONFIRMED + 1]
    places, column, differences = [x for x, _ in some], [Fraction(y) for _, y in some], []
    for step in range(len(some)):
        differences.append(column[0])
        gaps = (b - a for a, b in zip(places, places[step + 1 :], strict=False))
        column = [(b - a) / gap for a, b, gap in zip(column, column[1:], gaps, strict=False)]
    for degree in range(_DEGREE + 1):
        beyond = differences[degree + 1 : 2 * degree + _CONFIRMED + 1]
        if len(beyond) == degree + _CONFIRMED and not any(beyond):
            return _expanded(differences[: degree + 1], places)
    return None


def _expanded(differences: Sequence[Fraction], places: Sequence[int]) -> list[Fraction]:
    """Return the coefficients of a polynomial in Newton's form."""
    found = [differences[-1]]
    for difference, place in [*zip(differences, places, strict=False)][-2::-1]:
        shifted: list[Fraction] = [Fraction(0), *found]
        found = [a - b * place for a, b in zip(shifted, [*found, Fraction(0)], strict=True)]
        found[0] += difference
    return found
