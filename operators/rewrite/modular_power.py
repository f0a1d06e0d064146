"""`x ** y % m`, or a loop that multiplies modulo m -> `pow(x, y, m)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import changed, pure
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import assigned, calls, integer, lines, named, names, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Take powers modulo m with pow(x, y, m)"


class ModularPower(Rule):
    """Take powers modulo m by square and multiply.

    Valid for integers: sums, differences and products may be reduced modulo m at any point;
    `pow` refuses floats (left to the tests), and an exponent below zero is left alone in
    loops. Known as modular exponentiation, or binary exponentiation.
    """

    name = "modular_power"
    relies_on = "numbers are whole, exponents not negative, and the modulus is not 0"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each power under a `%`, and for each multiplying loop."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
                yield from _powers(node)
            elif isinstance(node, cst.For) and node.orelse is None:
                yield from _loop(place, node)


def _powers(node: cst.BinaryOperation) -> Iterator[TreeChange]:
    if not pure(node.right):
        return
    for power, base, exponent in _under(node.left):
        small = integer(exponent)
        if small is not None and small < 3:
            continue  # a multiplication is faster than a call
        call = f"pow({text(base)}, {text(exponent)}, {text(node.right)})"
        yield TreeChange(
            anchor=node,
            # Alone under the modulus it is the whole result.
            replaced={node if power is node.left else power: call},
            direction=_DIRECTION,
            effect="O(y) digits -> O(log y) products below m",
        )


def _under(
    node: cst.BaseExpression,
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression, cst.BaseExpression]]:
    """Yield power, base and exponent of each power that only +, - and * stand above."""
    import libcst as cst

    arguments = calls(node, "pow")
    if arguments and len(arguments) == 2:
        yield node, arguments[0], arguments[1]
    elif isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, cst.Power):
            yield node, node.left, node.right
        elif isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply)):
            yield from _under(node.left)
            yield from _under(node.right)


def _loop(place: Place, loop: cst.For) -> Iterator[TreeChange]:
    """`for _ in range(e): r = r * b % m`, with the factor and the modulus fixed."""
    arguments = calls(loop.iter, "range")
    if not arguments or len(arguments) > 2 or not all(map(pure, arguments)):
        return
    product = _product([only(line) for line in lines(loop.body)])
    used = [n for n in place.own if named(n) and named(n) == named(loop.target)]
    if product is None or len(used) != 1:
        return
    result, factor, modulus = product
    fixed = names(factor) | names(modulus)
    if fixed & (changed(loop) | {result}) or not pure(factor) or not pure(modulus):
        return
    times = " - ".join(
        f"({text(a)})" if i == 0 else text(a) for i, a in enumerate(arguments[::-1])
    )
    times = text(arguments[0]) if len(arguments) == 1 else times
    power = f"pow({text(factor)}, {times}, {text(modulus)})"
    yield TreeChange(
        anchor=loop,
        replaced={
            loop: f"if {times} > 0:\n    {result} = {result} * {power} % {text(modulus)}"
        },
        direction=_DIRECTION,
        effect="O(e) -> O(log e) products",
    )


def _product(
    body: list[cst.BaseSmallStatement | None],
) -> tuple[str, cst.BaseExpression, cst.BaseExpression] | None:
    """Return result, factor and modulus of `r = r * b % m`, or of `r *= b` and `r %= m`."""
    import libcst as cst

    if len(body) == 2:
        first, second = body
        if not isinstance(first, cst.AugAssign) or not isinstance(second, cst.AugAssign):
            return None
        product = isinstance(first.operator, cst.MultiplyAssign)
        modulo = isinstance(second.operator, cst.ModuloAssign)
        same = named(first.target) == named(second.target) != ""
        fits = product and modulo and same
        return (named(first.target), first.value, second.value) if fits else None
    pair = assigned(body[0]) if len(body) == 1 else None
    if pair is None or not isinstance(pair[1], cst.BinaryOperation):
        return None
    inner, operator = pair[1].left, pair[1].operator
    if not isinstance(operator, cst.Modulo) or not isinstance(inner, cst.BinaryOperation):
        return None
    if not isinstance(inner.operator, cst.Multiply):
        return None
    for mine, factor in ((inner.left, inner.right), (inner.right, inner.left)):
        if named(mine) == pair[0]:
            return pair[0], factor, pair[1].right
    return None
