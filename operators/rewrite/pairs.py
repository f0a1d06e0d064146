"""Two loops over all pairs of one sequence: who comes earlier, who later, and what is asked.

Not here: what takes the place of the loops (the rules).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.loops import resolved
from operators.rewrite.program import Place
from operators.rewrite.reading import (
    calls,
    compared,
    flat,
    grouped,
    integer,
    lines,
    named,
    names,
    text,
)

if TYPE_CHECKING:
    import libcst as cst


class Pairs(NamedTuple):
    """Two nested loops over the pairs i < j of one range.

    Attributes:
        outer: The loop around.
        inner: The loop within; it is all that the outer one does.
        earlier: Variable that is the smaller one of a pair.
        later: Variable that is the larger one.
        stop: Code of the end of the range of both; it starts at 0.
    """

    outer: cst.For
    inner: cst.For
    earlier: str
    later: str
    stop: str


def pairs(place: Place, outer: cst.CSTNode) -> Pairs | None:
    """Return what two loops of indices walk over, if each pair comes once; else None."""
    import libcst as cst

    if not isinstance(outer, cst.For) or outer.orelse is not None:
        return None
    body = lines(outer.body)
    inner = body[0] if len(body) == 1 else None
    if not isinstance(inner, cst.For) or inner.orelse is not None:
        return None
    first, second = named(outer.target), named(inner.target)
    wide, narrow = calls(outer.iter, "range"), calls(inner.iter, "range")
    if not first or not second or first == second or not wide or not narrow:
        return None
    if len(wide) == 2 and integer(wide[0]) == 0:
        wide = wide[1:]
    if len(narrow) == 2 and integer(narrow[0]) == 0:
        narrow = narrow[1:]
    if len(wide) == 1 and len(narrow) == 1 and named(narrow[0]) == first:
        return Pairs(outer, inner, second, first, text(wide[0]))
    if len(wide) == 1 and len(narrow) == 2 and _after(narrow[0], first):
        stop, end = _flat(place, wide[0]), _flat(place, narrow[1])
        if stop in (end, f"{end}-1"):
            return Pairs(outer, inner, first, second, text(narrow[1]))
    if len(wide) == 2 and integer(wide[0]) == 1 and len(narrow) == 1:
        return Pairs(outer, inner, second, first, text(wide[1])) if named(
            narrow[0]) == first else None  # fmt: skip
    return None


def _after(start: cst.BaseExpression, name: str) -> bool:
    return flat(start) in (f"{name}+1", f"1+{name}")


def _flat(place: Place, node: cst.BaseExpression) -> str:
    """Return the code of a bound without blanks, and with the length that a name stands for."""
    import libcst as cst

    if isinstance(node, cst.BinaryOperation):
        sign = "-" if isinstance(node.operator, cst.Subtract) else "?"
        return _flat(place, node.left) + sign + _flat(place, node.right)
    return flat(resolved(place, node))


class PairQuestion(NamedTuple):
    """What is asked of a pair, solved for the earlier one.

    Attributes:
        key: Code of what earlier ones are filed under, in terms of the earlier variable.
        wanted: Code of what a later one looks up, in terms of the later variable.
        order: Empty where the two must be equal; else the comparison `key order wanted`.
        provided: What must hold besides; empty for nothing.
        solved: Whether a sum or a difference was solved, which is exact for integers only.
    """

    key: str
    wanted: tuple[str, ...]
    order: str = ""
    provided: str = ""
    solved: bool = False


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ORDERS = {
    "LessThan": "<", "GreaterThan": ">", "LessThanEqual": "<=", "GreaterThanEqual": ">=",
}  # fmt: skip


def asked(test: cst.BaseExpression, earlier: str, later: str) -> PairQuestion | None:
    """Return a test of a pair as a look-up, or None for one that is none.

    Understood are equal keys, sums, differences and exclusive ors that equal a value, also
    modulo a number, distances, and orders.
    """
    import libcst as cst

    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _rest(test.expression, "0", earlier, later)
    for kind, sign in _ORDERS.items():
        sides = compared(test, kind)
        if sides and _only(sides[0], earlier, later) and _only(sides[1], later, earlier):
            return PairQuestion(text(sides[0]), (text(sides[1]),), sign)
        if sides and _only(sides[1], earlier, later) and _only(sides[0], later, earlier):
            return PairQuestion(text(sides[1]), (text(sides[0]),), _MIRRORED[sign])
    sides = compared(test, "Equal")
    for mine, other in (sides, sides[::-1]) if sides else ():
        if _only(mine, earlier, later) and _only(other, later, earlier):
            return PairQuestion(text(mine), (text(other),))
        if not names(other) & {earlier, later}:
            found = _combined(mine, text(other), earlier, later)
            found = found or _rest(mine, text(other), earlier, later)
            if found:
                return found
    return None


def _only(node: cst.BaseExpression, mine: str, other: str) -> bool:
    return mine in names(node) and other not in names(node)


def _combined(
    node: cst.BaseExpression, value: str, earlier: str, later: str
) -> PairQuestion | None:
    """`a + b == value`, `a - b == value`, `a ^ b == value`, `abs(a - b) == value`."""
    import libcst as cst

    distance = calls(node, "abs")
    if distance and len(distance) == 1:
        ends = _sides(distance[0], earlier, later)
        if ends is None or not isinstance(ends[0], cst.Subtract):
            return None
        _, key, other, _ = ends
        both = (f"{other} - ({value})", f"{other} + ({value})")
        provided = "" if value.isdigit() else f"({value}) >= 0"
        return PairQuestion(key, both, provided=provided, solved=True)
    ends = _sides(node, earlier, later)
    if ends is None:
        return None
    operator, key, other, turned = ends
    if isinstance(operator, cst.Add):
        return PairQuestion(key, (f"{value} - {other}",), solved=True)
    if isinstance(operator, cst.BitXor):
        return PairQuestion(key, (f"{other} ^ ({value})",))
    if isinstance(operator, cst.Subtract):
        wanted = f"{other} - ({value})" if turned else f"{value} + {other}"
        return PairQuestion(key, (wanted,), solved=True)
    return None


def _sides(
    node: cst.BaseExpression, earlier: str, later: str
) -> tuple[cst.BaseBinaryOp, str, str, bool] | None:
    """Return operator, code of the earlier and of the later side, and if the later is left."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation):
        return None
    left, right = node.left, node.right
    if _only(left, earlier, later) and _only(right, later, earlier):
        return node.operator, text(left), grouped(right), False
    if _only(right, earlier, later) and _only(left, later, earlier):
        return node.operator, text(right), grouped(left), True
    return None


def _rest(
    node: cst.BaseExpression, value: str, earlier: str, later: str
) -> PairQuestion | None:
    """`(a + b) % m == value` and its like, for plain numbers m and value < m."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation):
        return None
    if isinstance(node.operator, cst.BitAnd) and integer(node.right) == 1:
        modulus = 2
    elif isinstance(node.operator, cst.Modulo):
        modulus = integer(node.right) or 0
    else:
        return None
    ends = _sides(node.left, earlier, later)
    if ends is None or not value.isdigit() or not int(value) < modulus:
        return None
    operator, key, other, turned = ends
    bits = isinstance(operator, cst.BitXor) and modulus == 2
    if not bits and not isinstance(operator, (cst.Add, cst.Subtract)):
        return None
    if bits or isinstance(operator, cst.Add):
        wanted = f"({value} - {other}) % {modulus}"
    else:
        wanted = f"({other} {'-' if turned else '+'} {value}) % {modulus}"
    return PairQuestion(f"({key}) % {modulus}", (wanted,), solved=True)
