"""Factors are divided out one by one up to n -> the search ends at the root of what is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    compared,
    conjuncts,
    flat,
    integer,
    lines,
    named,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Stop the search for factors at the square root of what is left"
_EFFECT = "O(n) -> O(sqrt n) divisions"


class FactorBound(Rule):
    """Go on with what is left of n itself once no divisor up to its root is left.

    Valid where the candidates run 2, 3, 4 ..., a candidate that divides n is divided out, and
    nothing is done for the others (checked): what is left above the root is a prime. The
    factors come as before. Known as trial division with a shrinking bound.
    """

    name = "factor_bound"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that divides factors out."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.While):
                yield from _while(place, node)
            elif isinstance(node, cst.For) and node.orelse is None:
                yield from _for(program, place, node)


def _while(place: Place, loop: cst.While) -> Iterator[TreeChange]:
    """`while n > 1` or `while d <= n`: the line `d += 1` may leap to n."""
    for number, divisor in dict.fromkeys(_tests(loop.body)):
        steps = [line for line in walk(loop.body) if _counts(line, divisor)]
        if len(steps) != 1 or not _until_divided(loop.test, number, divisor):
            continue
        (step,) = steps
        whole = _divides_out(loop, number, divisor, step)
        if whole and _from_two(place, loop, divisor, step):
            near = f"{divisor} + 1 if {divisor} * {divisor} <= {number}"
            yield TreeChange(
                anchor=step,
                replaced={step: f"{divisor} = {near} else max({divisor} + 1, {number})"},
                direction=_DIRECTION,
                effect=_EFFECT,
            )


def _until_divided(test: cst.BaseExpression, number: str, divisor: str) -> bool:
    """Whether a loop goes on until nothing but 1 is left of n."""
    above, below = compared(test, "GreaterThan", "NotEqual"), compared(test, "LessThanEqual")
    if above:
        return named(above[0]) == number and integer(above[1]) == 1
    return below is not None and (named(below[0]), named(below[1])) == (divisor, number)


def _tests(node: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """Yield n and d of every test `n % d == 0` of an `if` or a `while`."""
    import libcst as cst

    for found in walk(node):
        if isinstance(found, (cst.If, cst.While)):
            for part in conjuncts(found.test):
                divided = _divided(part)
                if divided:
                    yield divided


def _divided(part: cst.BaseExpression) -> tuple[str, str] | None:
    import libcst as cst

    sides = compared(part, "Equal")
    rest: cst.CSTNode | None = sides[0] if sides and integer(sides[1]) == 0 else None
    if isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
        rest = part.expression
    if not isinstance(rest, cst.BinaryOperation) or not isinstance(rest.operator, cst.Modulo):
        return None
    pair = named(rest.left), named(rest.right)
    return pair if all(pair) else None


def _counts(line: cst.CSTNode, divisor: str) -> bool:
    small = only(line)
    code = "".join(text(small).split()) if small is not None else ""
    return bool(divisor) and code in (f"{divisor}+=1", f"{divisor}={divisor}+1")


def _from_two(place: Place, loop: cst.While, divisor: str, step: cst.CSTNode) -> bool:
    """Whether the divisor is 2 before the loop, and changes by the step alone."""
    inside = set(walk(loop))
    given = [pair[1] for n in place.own if n not in inside and (pair := assigned(n))
             and pair[0] == divisor]  # fmt: skip
    lines_of = [n for n in walk(loop) if only(n) is not None and divisor in bound(n)]
    return bool(given) and all(integer(v) == 2 for v in given) and lines_of == [step]


def _divides_out(loop: cst.While, number: str, divisor: str, step: cst.CSTNode) -> bool:
    """Whether the step is what is done when the divisor does not divide."""
    import libcst as cst

    body = lines(loop.body)
    if len(body) == 1 and isinstance(body[0], cst.If):
        test, other = body[0], body[0].orelse
        passed = isinstance(other, cst.Else) and lines(other.body) == (step,)
        return _divided(test.test) == (number, divisor) and passed and _divides(
            test.body, number, divisor)  # fmt: skip
    if len(body) == 2 and body[1] is step and isinstance(body[0], (cst.While, cst.If)):
        first = body[0]
        plain = getattr(first, "orelse", None) is None
        whole = isinstance(first, cst.While) or any(
            isinstance(n, cst.While) and _divided(n.test) == (number, divisor)
            for n in walk(first)
        )
        return plain and whole and _divided(first.test) == (number, divisor) and _divides(
            first.body, number, divisor)  # fmt: skip
    return False


def _divides(body: cst.CSTNode, number: str, divisor: str) -> bool:
    """Whether a body divides n by d, and changes n by nothing else."""
    exact = (f"{number}//={divisor}", f"{number}={number}//{divisor}")
    floats = (f"{number}/={divisor}", f"{number}={number}/{divisor}",
              f"{number}=int({number}/{divisor})")  # fmt: skip
    small = [node for node in walk(body) if only(node) is not None and number in bound(node)]
    codes = ["".join(text(line).split()) for line in small]
    return bool(codes) and all(code in exact + floats for code in codes)


def _for(program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
    """`for d in range(2, n + 1)`: the rest of n comes after the candidates up to its root."""
    import libcst as cst

    arguments, divisor = calls(loop.iter, "range") or [], named(loop.target)
    body = lines(loop.body)
    first = body[0] if len(body) == 1 else None
    if len(arguments) != 2 or integer(arguments[0]) != 2 or not place.name:
        return
    if not isinstance(first, (cst.While, cst.If)) or first.orelse is not None:
        return
    divided = _divided(first.test)
    if divided is None or divided[1] != divisor:
        return
    number = divided[0]
    inner = isinstance(first, cst.While) or any(
        isinstance(n, cst.While) and _divided(n.test) == divided for n in walk(first)
    )
    ends = flat(arguments[1]) == f"{number}+1"
    exact = inner and ends and _divides(first.body, number, divisor)
    if not exact or not confined(program, place, loop, {divisor}):
        return
    isqrt, needed = imported(program, "math", "isqrt")
    chain, more = imported(program, "itertools", "chain")
    rest = program.fresh("rest")
    left = (
        f"({rest} for {program.fresh('once')} in (0,) for {rest} in ({number},) if {rest} > 1)"
    )
    yield TreeChange(
        anchor=loop,
        replaced={loop.iter: f"{chain}(range(2, {isqrt}(max({number}, 0)) + 1), {left})"},
        imports=(*needed, *more),
        direction=_DIRECTION,
        effect=_EFFECT,
    )
