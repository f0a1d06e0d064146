"""A loop over all numbers up to n that waits for divisors -> the divisors, found in pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    conjuncts,
    integer,
    lines,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class DivisorPairs(Rule):
    """Find divisors in pairs d and n // d, up to the square root.

    Valid when the loop runs over a range of positive numbers that ends at n or a part of n,
    does nothing for what does not divide n, and leaves n alone (checked). Order and range
    stay as they were. Known as enumerating divisors in O(sqrt n).
    """

    name = "divisor_pairs"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each number whose divisors a loop waits for."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and node.orelse is None:
                if not confined(program, place, node, names(node.target)):
                    continue
                body = lines(node.body)
                test = body[0] if len(body) == 1 else None
                if isinstance(test, cst.If) and test.orelse is None and not _tells(test):
                    found = _divided(test.test, named(node.target), node.body)
                    yield from _changes(program, node.iter, found)
            elif isinstance(node, cst.CompFor) and node.ifs and not node.asynchronous:
                found = _divided(node.ifs[0].test, named(node.target), node)
                yield from _changes(program, node.iter, found)
            elif isinstance(node, cst.BaseComp):
                yield from _counted(program, node)


def _tells(test: cst.If) -> bool:
    """Whether a divisor only settles the answer: then to stop at the root is plainer."""
    import libcst as cst

    body = lines(test.body)
    hit = only(body[0]) if len(body) == 1 else None
    if not isinstance(hit, cst.Return) or hit.value is None:
        return False
    return named(hit.value) in ("True", "False") or integer(hit.value) is not None


def _counted(program: Program, node: cst.BaseComp) -> Iterator[TreeChange]:
    """Yield the change of a sum whose terms are 0 for what does not divide: `n % d == 0`."""
    import libcst as cst

    if isinstance(node, (cst.GeneratorExp, cst.ListComp)):
        loop, above = comp_for(node), program.parent[node]
        call = program.parent[above] if isinstance(above, cst.Arg) else None
        if not loop.ifs and not loop.inner_for_in and calls(call, "sum"):
            found = _divided(node.elt, named(loop.target), node.elt)
            yield from _changes(program, loop.iter, found)


def _divided(
    test: cst.BaseExpression, divisor: str, body: cst.CSTNode
) -> list[cst.BaseExpression]:
    """Return every n of a part `n % divisor == 0` of a test, if the body leaves it alone."""
    found = (_number(part, divisor) for part in conjuncts(test))
    fixed = changed(body) - {divisor}
    return [n for n in found if n is not None and pure(n) and not names(n) & fixed]


def _number(part: cst.BaseExpression, divisor: str) -> cst.BaseExpression | None:
    import libcst as cst

    sides = compared(part, "Equal")
    if sides and integer(sides[1]) == 0:
        rest: cst.BaseExpression = sides[0]
    elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
        rest = part.expression
    else:
        return None
    if not isinstance(rest, cst.BinaryOperation) or not isinstance(rest.operator, cst.Modulo):
        return None
    fits = bool(divisor) and named(rest.right) == divisor and divisor not in names(rest.left)
    return rest.left if fits and names(rest.left) else None


def _changes(
    program: Program, search: cst.BaseExpression, numbers: list[cst.BaseExpression]
) -> Iterator[TreeChange]:
    for number in numbers:
        falls = _falls(search, number)
        if falls is None:
            continue
        isqrt, imports = imported(program, "math", "isqrt")
        n, d, e = text(number), program.fresh("d"), program.fresh("e")
        n = n if n.isidentifier() or n.endswith(")") else f"({n})"
        both = f"for {d} in range(1, {isqrt}(max({n}, 0)) + 1) if {n} % {d} == 0"
        kept = f"for {e} in ({d}, {n} // {d}) if {e} in {text(search)}"
        order = ", reverse=True" if falls else ""
        pairs = f"{{{e} {both} {kept}}}"
        yield TreeChange(
            anchor=search,
            replaced={search: f"sorted({pairs}{order})"},
            imports=imports,
            parameters=(("number", n),),
            direction=f"Find the divisors of `{text(number)}` in pairs",
            effect="O(n) -> O(sqrt n) divisions",
        )


def _falls(search: cst.BaseExpression, number: cst.BaseExpression) -> bool | None:
    """Return whether a range falls, or None if it is not one of positive numbers up to n."""
    arguments = calls(search, "range") or []
    if not 2 <= len(arguments) <= 3 or not all(map(pure, arguments)):
        return None
    step = _step(arguments[2]) if len(arguments) == 3 else 1
    falls = step is not None and step < 0
    lowest, highest = (arguments[1], arguments[0]) if falls else (arguments[0], arguments[1])
    first = integer(lowest)
    if not step or first is None or first < (0 if falls else 1):
        return None
    near = names(number) & names(highest) and not _rooted(highest)
    return falls if near else None


def _step(node: cst.BaseExpression) -> int | None:
    import libcst as cst

    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = integer(node.expression)
        return None if value is None else -value
    return integer(node)


def _rooted(bound: cst.BaseExpression) -> bool:
    code = text(bound)
    return "sqrt" in code or "**" in code
