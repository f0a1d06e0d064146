"""A quotient of factorials -> `math.comb`, or `math.perm`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.library import library_names
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import bound, same, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class Binomial(Rule):
    """Count combinations or arrangements by a function that works out no factorial.

    Such as `factorial(n) // (factorial(k) * factorial(n - k))`. Valid for `factorial` of the
    library, of expressions that only compute (checked). That n and k are whole numbers, and k
    is at most n and not below nought, is left to the tests: beyond, one has an error and the
    other has not.
    Known as a binomial coefficient, or a falling factorial.
    """

    name = "binomial"
    relies_on = "numbers are whole, and no more are chosen than there are"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each such quotient."""
        for node in place.own:
            found = _quotient(program, node)
            if found is not None and pure(found.total) and pure(found.chosen):
                function = "perm" if found.ordered else "comb"
                if function in bound(place.node):
                    continue
                name, imports = imported(program, "math", function)
                yield TreeChange(
                    anchor=found.node,
                    replaced={found.node: f"{name}({text(found.total)}, {text(found.chosen)})"},
                    imports=imports,
                    direction=f"Count by `math.{function}` instead of dividing factorials",
                    effect="numbers no larger than the result",
                )


class _Quotient(NamedTuple):
    """A quotient of factorials: how many there are, are chosen, and whether order counts."""

    node: cst.BinaryOperation
    total: cst.BaseExpression
    chosen: cst.BaseExpression
    ordered: bool


def _quotient(program: Program, node: cst.CSTNode) -> _Quotient | None:
    """Return what a whole quotient counts, if it is one of factorials alone."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation):
        return None
    above, below = _sides(node)
    given = [_argument(program, each) for each in below]
    total = _argument(program, above)
    if total is None or not given or any(each is None for each in given):
        return None
    if len(given) == 1:
        chosen = _rest(total, given[0])
        return _Quotient(node, total, chosen, ordered=True) if chosen else None
    for one, other in (given, given[::-1]) if len(given) == 2 else ():
        rest = _rest(total, one)
        if rest is not None and other is not None and same(rest, other):
            return _Quotient(node, total, other, ordered=False)
    return None


def _sides(node: cst.BaseExpression) -> tuple[cst.BaseExpression, list[cst.BaseExpression]]:
    """Return what is divided, and the factors that divide it, one after the other."""
    import libcst as cst

    below: list[cst.BaseExpression] = []
    while isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.FloorDivide):
        below = [*_factors(node.right), *below]
        node = node.left
    return node, below


def _factors(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _argument(program: Program, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return of what a call of the library is the factorial."""
    import libcst as cst

    if not isinstance(node, cst.Call) or len(node.args) != 1:
        return None
    (arg,) = node.args
    known = "math.factorial" in library_names(program, node.func)
    return arg.value if known and not arg.star and not arg.keyword else None


def _rest(
    total: cst.BaseExpression, part: cst.BaseExpression | None
) -> cst.BaseExpression | None:
    """Return `k` of `n - k`, which is what is left of `n`."""
    import libcst as cst

    if not isinstance(part, cst.BinaryOperation) or not isinstance(part.operator, cst.Subtract):
        return None
    return part.right if same(part.left, total) else None
