"""`max(a, b)` of two plain values in a loop -> a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, calls, only, same, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_SIGNS = {"max": ">", "min": "<"}


class InlineMinMax(Rule):
    """Compare two values in place instead of calling `max` or `min`.

    Valid for values that are looked up or added, never called (checked): they are read twice.
    Ties go to the same value as before. Known as inlining; a call of a builtin with a tuple of
    arguments costs about five comparisons in CPython.
    """

    name = "inline_min_max"
    is_plain: ClassVar[bool] = False

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all such calls in the loops of a function."""
        replaced: dict[cst.CSTNode, str] = {}
        again = _calls_itself(place)
        for node in place.own:
            if (again or any(program.loops(node))) and not _within(program, node, replaced):
                new = _statement(program, node) or _expression(node)
                if new:
                    replaced[node] = new
        if replaced:
            yield TreeChange(
                anchor=next(iter(replaced)),
                replaced=replaced,
                direction="Compare in place instead of calling `max` and `min`",
                effect="a comparison instead of a call, in every pass",
            )


def _calls_itself(place: Place) -> bool:
    import libcst as cst

    function = place.node
    return isinstance(function, cst.FunctionDef) and any(
        calls(inner, function.name.value) is not None for inner in place.own
    )


def _within(program: Program, node: cst.CSTNode, replaced: dict[cst.CSTNode, str]) -> bool:
    return any(above in replaced for above in program.above(node))


def _statement(program: Program, line: cst.CSTNode) -> str | None:
    """Return the `if` that `x = max(x, value)` is, or those of more than two values."""
    import libcst as cst

    small = only(line)
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    target, found = small.targets[0].target, _asked(small.value)
    if found is None or not program.block(line):
        return None
    sign, values = found
    own = [value for value in values if same(value, target)]
    rest = [value for value in values if not same(value, target)]
    if len(own) == 1 and len(rest) == 1 and pure(target):
        tie = "" if values[0] is own[0] else "="
        return _raised(program, text(target), rest[0], sign + tie)
    if assigned(small) is None or len(values) < 3:
        return None
    name = text(target)
    if any(name in text(value) for value in values) or not all(map(pure, values)):
        return None
    steps = [_raised(program, name, value, sign) for value in values[1:]]
    return "\n".join([f"{name} = {text(values[0])}", *steps])


def _raised(program: Program, name: str, value: cst.BaseExpression, sign: str) -> str:
    """Return the lines that set a variable to a value where this is beyond it."""
    code = text(value)
    if _plain(value):
        return f"if {code} {sign} {name}:\n    {name} = {code}"
    new = program.fresh("value")
    return f"{new} = {code}\nif {new} {sign} {name}:\n    {name} = {new}"


def _expression(node: cst.CSTNode) -> str | None:
    found = _asked(node)
    if found is None or len(found[1]) != 2 or not all(map(_plain, found[1])):
        return None
    sign, (first, second) = found
    return f"({text(second)} if {text(second)} {sign} {text(first)} else {text(first)})"


def _asked(node: cst.CSTNode) -> tuple[str, list[cst.BaseExpression]] | None:
    """Return sign and values of a plain `max` or `min` of at least two values."""
    for function, sign in _SIGNS.items():
        values = calls(node, function)
        if values and len(values) > 1:
            return sign, values
    return None


def _plain(node: cst.BaseExpression) -> bool:
    """Whether a value may be worked out twice for less than a call."""
    import libcst as cst

    kinds = (
        cst.Name, cst.Integer, cst.Float, cst.Attribute, cst.Subscript, cst.SubscriptElement,
        cst.Index, cst.BinaryOperation, cst.UnaryOperation, cst.Add, cst.Subtract, cst.Minus,
    )  # fmt: skip
    nodes = list(walk(node))
    return all(isinstance(part, kinds) for part in nodes) and len(nodes) <= 14
