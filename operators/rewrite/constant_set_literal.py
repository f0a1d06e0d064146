"""`x in [...]` of constants, or a chain of `x == ... or x == ...` -> a constant set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import compared, same, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_FEWEST = 3


class ConstantSetLiteral(Rule):
    """Look a value up in a constant set instead of comparing it with one after the other.

    Valid for constants, three or more (checked), and for values that are hashable (left to
    the tests). CPython makes such a set once, when it compiles the program. Known as a
    hashed membership test.
    """

    name = "constant_set_literal"
    relies_on = "what is looked for is hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all such tests of a function."""
        replaced: dict[cst.CSTNode, str] = {}
        for node in place.own:
            if any(above in replaced for above in program.above(node)):
                continue
            new = _membership(node) or _chain(node)
            if new:
                replaced[node] = new
        if replaced:
            yield TreeChange(
                anchor=next(iter(replaced)),
                replaced=replaced,
                direction="Look values up in constant sets",
                effect="one look-up instead of several comparisons",
            )


def _membership(node: cst.CSTNode) -> str | None:
    import libcst as cst

    sides = compared(node, "In", "NotIn")
    if sides is None or not isinstance(sides[1], (cst.List, cst.Tuple)):
        return None
    values = [element.value for element in sides[1].elements]
    if len(values) < _FEWEST or not all(map(_constant, values)) or not _hashed(sides[0]):
        return None
    word = "in" if compared(node, "In") else "not in"
    return f"{text(sides[0])} {word} {_set(values)}"


def _chain(node: cst.CSTNode) -> str | None:
    """Return the look-up that a chain is: `==` joined by `or`, `!=` joined by `and`."""
    import libcst as cst

    if not isinstance(node, cst.BooleanOperation):
        return None
    either = isinstance(node.operator, cst.Or)
    sign, word = ("Equal", "in") if either else ("NotEqual", "not in")
    choices = [_choice(part, sign, word) for part in _parts(node, type(node.operator))]
    pairs = [choice for choice in choices if choice is not None]
    values = [value for _, constants in pairs for value in constants]
    if len(values) < _FEWEST or len(pairs) < len(choices):
        return None
    asked = pairs[0][0]
    if not all(same(left, asked) for left, _ in pairs) or not all(map(_constant, values)):
        return None
    return f"{text(asked)} {word} {_set(values)}" if _hashed(asked) else None


def _choice(
    part: cst.BaseExpression, sign: str, word: str
) -> tuple[cst.BaseExpression, list[cst.BaseExpression]] | None:
    """Return what is compared, and with which values, by `==` or in a list."""
    import libcst as cst

    sides = compared(part, sign)
    if sides:
        return sides[0], [sides[1]]
    listed = compared(part, "In" if word == "in" else "NotIn")
    if listed and isinstance(listed[1], (cst.List, cst.Tuple, cst.Set)):
        return listed[0], [element.value for element in listed[1].elements]
    return None


def _parts(node: cst.BaseExpression, operator: type) -> Iterator[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, operator):
        yield from _parts(node.left, operator)
        yield from _parts(node.right, operator)
    else:
        yield node


def _set(values: list[cst.BaseExpression]) -> str:
    return "{" + ", ".join(dict.fromkeys(map(text, values))) + "}"


def _constant(node: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(node, cst.Tuple):
        return all(_constant(element.value) for element in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return _constant(node.expression)
    if isinstance(node, cst.Name):
        return node.value in ("True", "False", "None")
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString))


def _hashed(node: cst.BaseExpression) -> bool:
    """Whether a value may be worked out once for all comparisons, and is seen to be no list."""
    import libcst as cst

    made = (cst.List, cst.ListComp, cst.Dict, cst.DictComp, cst.Set, cst.SetComp)
    return pure(node) and not isinstance(node, made)
