"""What a program gets for a recurrence or a polynomial that was solved: as a person writes it.

A formula where there is one; else a loop over as many variables as the recurrence has terms.
All is over `n`. Not here: how they are solved (`solving`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product, zip_longest
from math import gcd, lcm

from operators.known_functions.archetype import FunctionText, Written
from operators.known_functions.solving import solution

_ROOTS = range(-12, 13)
_FRACTIONS = sorted(
    ((bottom, top) for bottom, top in product(range(1, 7), _ROOTS) if gcd(bottom, top) == 1),
    key=lambda root: (root[0], abs(root[1]), -root[1]),
)
"""Roots that are looked for, as `n = top / bottom`: zero first, and small ones."""
_FIBONACCI = [0, 1, 1, 2, 3, 5, 8]
_OF_FIBONACCI = ([1, 1], [2, 0, -1])
"""Rules of sums of Fibonacci numbers, perhaps with a constant: fast doubling is faster."""
_LOOP = '''def recurrence(n):
    """{doc}"""
    if n < 0 or n > 500:
        return linear_recurrence({coefficients}, {first}, n)
    {names} = {start}
    for _ in range(n):
        {names} = {following}
    return a
'''

Term = tuple[int, Sequence[int]]  # a base, and the polynomial beside its n-th power


def written_polynomial(numerators: Sequence[list[int]], divisors: Sequence[int]) -> Written:
    """Return the formula of a polynomial, or of one for even and one for odd numbers.

    It is that of `polynomial` for `n` from 0 on.
    """
    sides = [_quotient([(1, n)], d) for n, d in zip(numerators, divisors, strict=True)]
    return Written(" if n % 2 == 0 else ".join(sides))


def written_recurrence(coefficients: Sequence[int], first: Sequence[int]) -> Written:
    """Return what gives term `n` of a recurrence, for `n` from 0 on."""
    if terms := _powers(coefficients, first):
        divisor = lcm(*(c.denominator for _, part in terms for c in part))
        whole = {root: [int(c * divisor) for c in part] for root, part in terms}
        if -1 in whole and whole.keys() <= {1, -1}:
            both = [*zip_longest(whole.get(1, ()), whole[-1], fillvalue=0)]
            sides = [[a + b for a, b in both], [a - b for a, b in both]]
            return written_polynomial(sides, [divisor, divisor])
        return Written(_quotient([*whole.items()], divisor))
    if [*coefficients] in _OF_FIBONACCI:
        return Written(_of_fibonacci(first), uses=("fibonacci",))
    return Written("recurrence(n)", _loop(coefficients, first))


def _of_fibonacci(first: Sequence[int]) -> str:
    """Return `p fibonacci(n) + q fibonacci(n + 1) + r` for what is such a sum."""
    terms = [*first, sum(first)][:3]
    rows = [[*two, 1, term] for two, term in zip(pairwise(_FIBONACCI), terms, strict=False)]
    p, q, r = (int(c) for c in solution(rows) or ())
    rest = [str(r)] if r else []
    for shift, two in enumerate(pairwise([1, *_FIBONACCI])):
        if two == (p, q):
            return _sum([f"fibonacci(n + {shift})" if shift else "fibonacci(n)", *rest])
    sides = ((q, ["fibonacci(n + 1)"]), (p, ["fibonacci(n)"]))
    return _sum([*(_product(c, name) for c, name in sides if c), *rest])


def _loop(coefficients: Sequence[int], first: Sequence[int]) -> FunctionText:
    names = "abcdefgh"[: len(first)]
    before = [(c, f"t(n - {j})") for j, c in enumerate(coefficients, 1)]
    oldest_first = [*zip(reversed(coefficients), names, strict=True)]
    rule = _sum(_product(c, [name]) for c, name in before if c).replace(" * ", " ")
    shown = ", ".join(map(str, first))
    text = _LOOP.format(
        doc=f"Term n of t(n) = {rule}, from {shown} on.",
        coefficients=[*coefficients],
        first=[*first],
        names=", ".join(names),
        start=shown,
        following=", ".join(
            [*names[1:], _sum(_product(c, [name]) for c, name in oldest_first if c)]
        ),
    )
    return FunctionText("recurrence", text, uses=("linear_recurrence",))


def _powers(
    coefficients: Sequence[int], first: Sequence[int]
) -> list[tuple[int, list[Fraction]]]:
    """Return the n-th powers, each with its polynomial, that add up; none where roots are odd.

    So it is where all roots of x^k - c[0] x^(k - 1) - ... are whole numbers.
    """
    left, roots = [1, *(-c for c in coefficients)], list[int]()
    for root in sorted(filter(None, _ROOTS), key=lambda root: (-abs(root), -root)):
        while len(left) > 1 and not (divided := _divided(left[::-1], 1, root))[1]:
            left = divided[0][::-1]
            roots.append(root)
    if len(left) > 1:
        return []
    powers = [(root, roots[:i].count(root)) for i, root in enumerate(roots)]
    rows = [[*(n**j * r**n for r, j in powers), term] for n, term in enumerate(first)]
    found = solution(rows) or []
    parts = {root: [c for c, (r, _) in zip(found, powers, strict=True) if r == root]
             for root in roots}  # fmt: skip
    return [(root, part) for root, part in parts.items() if any(part)]


def _quotient(terms: Sequence[Term], divisor: int) -> str:
    common = gcd(divisor, *(c for _, part in terms for c in part))
    divisor //= common
    whole = _sum([_term(base, [c // common for c in part]) for base, part in terms])
    return whole if divisor == 1 else f"({whole}) // {divisor}"


def _term(base: int, polynomial: Sequence[int]) -> str:
    """Return a polynomial in factors, times the n-th power of a base."""
    content, factors = _factors(polynomial)
    if base == 1 and abs(content) == 1 and [*map(_is_sum, factors)] == [True]:
        return _expanded(polynomial)
    if base != 1:
        power = f"{base}**n" if base > 0 else f"({base})**n"
        factors.append("(1 << n)" if base == 2 else power)
    return _product(content, factors)


def _factors(polynomial: Sequence[int]) -> tuple[int, list[str]]:
    """Return the whole number and the texts of which a polynomial is the product."""
    left = [*polynomial]
    while left and not left[-1]:
        left.pop()
    if not left:
        return 0, []
    content = gcd(*left) * (1 if left[-1] > 0 else -1)
    left = [c // content for c in left]
    factors = list[str]()
    for bottom, top in _FRACTIONS:
        power = 0
        while len(left) > 1 and not (divided := _divided(left, bottom, top))[1]:
            left, power = divided[0], power + 1
        if power:
            name = _expanded([-top, bottom])
            factors += [name] * power if top == 0 and power < 3 else [_raised(name, power)]
    return content, [*factors, *([f"({_expanded(left)})"] if len(left) > 1 else [])]


def _divided(polynomial: Sequence[int], bottom: int, top: int) -> tuple[list[int], int]:
    """Return quotient and whether something remains of a division by `bottom * n - top`."""
    found, rest = list[int](), 0
    for coefficient in reversed(polynomial):
        value, odd = divmod(coefficient + rest, bottom)
        if odd:
            return [], 1
        found.append(value)
        rest = value * top
    remains = found.pop()
    return found[::-1], remains


def _is_sum(factor: str) -> bool:
    return factor.endswith(")")


def _raised(name: str, power: int) -> str:
    base = name if name == "n" else f"({name})"
    return base if power == 1 else f"{base}**{power}"


def _expanded(polynomial: Sequence[int]) -> str:
    """Return a polynomial as a sum, the highest power first."""
    powers = ["", "n", *(f"n**{power}" for power in range(2, len(polynomial)))]
    pairs = [*zip(polynomial, powers, strict=False)][::-1]
    return _sum(_product(c, [power] if power else []) for c, power in pairs if c)


def _product(content: int, factors: Sequence[str]) -> str:
    sign = "-" if content < 0 else ""
    plain = abs(content) == 1 and factors
    return sign + " * ".join(factors if plain else [str(abs(content)), *factors])


def _sum(products: Iterator[str] | Sequence[str]) -> str:
    """Return a sum; what is added stands before what is taken away first."""
    left = [*products]
    added = next((i for i, text in enumerate(left) if not text.startswith("-")), 0)
    return " + ".join([left[added], *left[:added], *left[added + 1 :]]).replace("+ -", "- ")
