"""Small faults, as people make them: what can be planted at one node of a program. Pure.

Not here: which nodes of a program matter, and which of the faults are tried (`mutants`).
Nodes are libcst's; all that a fault does not change stays as it was written.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import libcst as cst


class Fault(enum.StrEnum):
    """What was done wrong."""

    COMPARISON = "comparison"
    OFF_BY_ONE = "off by one"
    ARITHMETIC = "arithmetic"
    DROPPED = "dropped statement"
    CONDITION = "negated condition"
    BOUNDARY = "boundary"
    LOGIC = "and for or"
    RETURN = "neutral return"
    ARGUMENTS = "swapped arguments"
    LOOP = "break for continue"


class Swap(NamedTuple):
    """One fault at one place: the node that goes, and the one that comes."""

    fault: Fault
    old: cst.CSTNode
    new: cst.CSTNode


_COMPARISONS = {
    "LessThan": "LessThanEqual",
    "LessThanEqual": "LessThan",
    "GreaterThan": "GreaterThanEqual",
    "GreaterThanEqual": "GreaterThan",
    "Equal": "NotEqual",
    "NotEqual": "Equal",
    "In": "NotIn",
    "NotIn": "In",
    "Is": "IsNot",
    "IsNot": "Is",
}
_OPPOSITES = frozenset({"Equal", "NotEqual", "In", "NotIn", "Is", "IsNot"})
"""Comparisons whose swap is their negation."""

_ARITHMETIC = {
    "Add": "Subtract",
    "Subtract": "Add",
    "Multiply": "FloorDivide",
    "Divide": "Multiply",
    "FloorDivide": "Multiply",
    "Modulo": "Multiply",
    "Power": "Multiply",
    "LeftShift": "RightShift",
    "RightShift": "LeftShift",
    "BitAnd": "BitOr",
    "BitOr": "BitAnd",
    "BitXor": "BitAnd",
}
_LOGIC = {"And": "Or", "Or": "And"}
_NEUTRAL = {
    "int": "0",
    "float": "0.0",
    "str": '""',
    "bool": "False",
    "list": "[]",
    "dict": "{}",
    "set": "set()",
    "tuple": "()",
}
_NEUTRAL_OF_LITERAL = {
    "Integer": "0",
    "Float": "0.0",
    "SimpleString": '""',
    "FormattedString": '""',
    "List": "[]",
    "ListComp": "[]",
    "Dict": "{}",
    "DictComp": "{}",
    "Tuple": "()",
}
_SYMMETRIC = frozenset({"max", "min", "gcd", "lcm", "isclose"})


def swaps(node: cst.CSTNode, function: cst.FunctionDef | None) -> Iterator[Swap]:
    """Yield every fault that can be planted at a node.

    Args:
        node: Any node of a program.
        function: The innermost function around it; None at module level.
    """
    yield from _operators(node)
    yield from _numbers(node)
    yield from _conditions(node)
    yield from _bounds(node)
    yield from _statements(node)
    yield from _arguments(node)
    yield from _returned(node, function)


def _operators(node: cst.CSTNode) -> Iterator[Swap]:
    import libcst as cst

    if isinstance(node, cst.ComparisonTarget):
        yield from _swapped(Fault.COMPARISON, node.operator, _COMPARISONS)
    elif isinstance(node, cst.BinaryOperation):
        yield from _swapped(Fault.ARITHMETIC, node.operator, _ARITHMETIC)
    elif isinstance(node, cst.BooleanOperation):
        yield from _swapped(Fault.LOGIC, node.operator, _LOGIC)
    elif isinstance(node, cst.AugAssign):
        augmented = {f"{old}Assign": f"{new}Assign" for old, new in _ARITHMETIC.items()}
        yield from _swapped(Fault.ARITHMETIC, node.operator, augmented)


def _swapped(fault: Fault, operator: cst.CSTNode, table: dict[str, str]) -> Iterator[Swap]:
    """Yield the operator's counterpart, with the same space around it."""
    import libcst as cst

    other = table.get(type(operator).__name__)
    if other is not None:
        space = {
            name: getattr(operator, name) for name in ("whitespace_before", "whitespace_after")
        }
        yield Swap(fault, operator, getattr(cst, other)(**space))


def _numbers(node: cst.CSTNode) -> Iterator[Swap]:
    import libcst as cst

    if isinstance(node, cst.Integer):
        number = int(node.value, 0)
        yield Swap(Fault.OFF_BY_ONE, node, node.with_changes(value=str(number + 1)))
        if number:
            yield Swap(Fault.OFF_BY_ONE, node, node.with_changes(value=str(number - 1)))
    elif isinstance(node, cst.Float):
        value = repr(float(node.value) + 1.0)
        yield Swap(Fault.OFF_BY_ONE, node, node.with_changes(value=value))


def _conditions(node: cst.CSTNode) -> Iterator[Swap]:
    import libcst as cst

    if isinstance(node, cst.If | cst.While | cst.IfExp | cst.CompIf):
        test = node.test
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            yield Swap(Fault.CONDITION, test, test.expression)
        elif not _has_opposite(test):
            yield Swap(Fault.CONDITION, test, _expression(f"not {_grouped(test)}"))


def _has_opposite(test: cst.BaseExpression) -> bool:
    """Say whether swapping its operator negates it: that is another fault's business."""
    import libcst as cst

    if not isinstance(test, cst.Comparison) or len(test.comparisons) > 1:
        return False
    return type(test.comparisons[0].operator).__name__ in _OPPOSITES


def _bounds(node: cst.CSTNode) -> Iterator[Swap]:
    """Slices and ranges that begin one late, or end one early; literal ends are numbers."""
    import libcst as cst

    if isinstance(node, cst.Slice):
        first = _moved(node.lower, "+ 1", "1")
        last = _moved(node.upper, "- 1", "-1")
        for name, value in (("lower", first), ("upper", last)):
            if value is not None:
                yield Swap(Fault.BOUNDARY, node, node.with_changes(**{name: value}))
    elif _plainly_called(node) == "range":
        assert isinstance(node, cst.Call)
        last_place = min(len(node.args), 2) - 1
        for place, arg in enumerate(node.args[:2]):
            moved = _moved(arg.value, "- 1" if place == last_place else "+ 1", "")
            if moved is not None:
                yield Swap(Fault.BOUNDARY, arg.value, moved)


def _moved(end: cst.BaseExpression | None, by: str, absent: str) -> cst.BaseExpression | None:
    import libcst as cst

    if isinstance(end, cst.Integer):
        return None
    return _expression(absent if end is None else f"{_grouped(end)} {by}")


def _statements(node: cst.CSTNode) -> Iterator[Swap]:
    import libcst as cst

    lines = (cst.SimpleStatementLine, cst.SimpleStatementSuite)
    if not isinstance(node, lines) or len(node.body) != 1:
        return
    (small,) = node.body
    if isinstance(small, cst.Break):
        yield Swap(Fault.LOOP, small, cst.Continue())
    elif isinstance(small, cst.Continue):
        yield Swap(Fault.LOOP, small, cst.Break())
    elif _droppable(small):
        yield Swap(Fault.DROPPED, small, cst.Pass())


def _droppable(small: cst.BaseSmallStatement) -> bool:
    """Say whether a program without the statement fails, if at all, by what it answers."""
    import libcst as cst

    if isinstance(small, cst.Expr):
        return isinstance(small.value, cst.Call)
    if isinstance(small, cst.Assign):
        targets = [each.target for each in small.targets]
        return all(isinstance(target, cst.Subscript | cst.Attribute) for target in targets)
    return isinstance(small, cst.AugAssign | cst.Del | cst.Raise)


def _arguments(node: cst.CSTNode) -> Iterator[Swap]:
    import libcst as cst

    if not isinstance(node, cst.Call) or len(node.args) < 2:
        return
    first, second = node.args[:2]
    if any(arg.star or arg.keyword for arg in (first, second)):
        return
    if _plainly_called(node) in _SYMMETRIC or _code(first.value) == _code(second.value):
        return
    swapped = [first.with_changes(value=second.value), second.with_changes(value=first.value)]
    yield Swap(Fault.ARGUMENTS, node, node.with_changes(args=[*swapped, *node.args[2:]]))


def _returned(node: cst.CSTNode, function: cst.FunctionDef | None) -> Iterator[Swap]:
    import libcst as cst

    if isinstance(node, cst.Return) and node.value is not None:
        neutral = _expression(_neutral(node.value, function))
        space = cst.SimpleWhitespace(" ")
        changed = node.with_changes(value=neutral, whitespace_after_return=space)
        yield Swap(Fault.RETURN, node, changed)


def _neutral(value: cst.BaseExpression, function: cst.FunctionDef | None) -> str:
    """Return the emptiest value of the declared type, or else of the type that is seen."""
    import libcst as cst

    declared = function.returns.annotation if function and function.returns else None
    if isinstance(declared, cst.Subscript):
        declared = declared.value
    if isinstance(declared, cst.Name) and declared.value in _NEUTRAL:
        return _NEUTRAL[declared.value]
    return _NEUTRAL_OF_LITERAL.get(type(value).__name__, "None")


def _plainly_called(node: cst.CSTNode) -> str:
    import libcst as cst

    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value
    return ""


def _grouped(node: cst.BaseExpression) -> str:
    import libcst as cst

    atoms = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.List, cst.Dict, cst.Integer)
    return _code(node) if node.lpar or isinstance(node, atoms) else f"({_code(node)})"


def _code(node: cst.CSTNode) -> str:
    import libcst as cst

    return cst.Module([]).code_for_node(node)


def _expression(code: str) -> cst.BaseExpression:
    import libcst as cst

    return cst.parse_expression(code)
