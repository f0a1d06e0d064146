"""Code that asks whether values are integers, and two ways of which one is for integers only.

Sums of integers come out the same in any order, those of floats do not; numbers of a library
may overflow. Also how small an integer can be. Not here: the guards of known functions
(`known_functions.type_guard`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from math import inf
from textwrap import indent
from typing import TYPE_CHECKING

from operators.rewrite.freshness import bindings
from operators.rewrite.patterns import constant
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, integer, named, text
from se_agent.program.parsing import expression_tree

if TYPE_CHECKING:
    import libcst as cst


_ASKS = re.compile(r" is int( and 0 <= .* < len\(\w+\))?$| != \{int\}$", re.DOTALL)
"""A test of ours: whether values are integers, and bounds lie within a list."""
_LEAST = {"count": 0, "find": -1, "index": 0, "rfind": -1, "rindex": 0}


def integers(values: Iterable[str], *, and_then: str = "") -> str:
    """Return the test whether values are integers; empty where all of them must be.

    Args:
        values: Expressions.
        and_then: Another test that has to hold.
    """
    asked = dict.fromkeys(name for code in values for name in _asked(code))
    test = " is ".join([*(f"type({code})" for code in asked), "int"]) if asked else ""
    return " and ".join(filter(None, (test, and_then)))


def either(test: str, new: str, old: str) -> str:
    """Return the expression `new` where the test holds, or there is none, `old` elsewhere."""
    return f"({new} if {test} else {old})" if test else new


def either_step(test: str, new: str, old: str) -> str:
    """Return the statement `new` where the test holds, `old` elsewhere."""
    return f"if {test}:\n{indent(new, '    ')}\nelse:\n{indent(old, '    ')}"


def asked(program: Program, node: cst.CSTNode) -> bool:
    """Whether code stands where an own rule left it, for what is no integer."""
    branches = _asking(program)
    return bool(branches) and any(above in branches for above in program.above(node))


@lru_cache(maxsize=8)  # rules look at one program after the other
def _asking(program: Program) -> frozenset[cst.CSTNode]:
    """Return the branches of a program whose test asks for integers."""
    import libcst as cst

    branches = (node for node in program.nodes if isinstance(node, (cst.If, cst.IfExp)))
    return frozenset(branch for branch in branches if _ASKS.search(text(branch.test)))


def _asked(code: str) -> list[str]:
    """Return what of an expression must be asked: names of a sum or product, else all of it."""
    match expression_tree(code):
        case ast.Constant(value=int()):
            return []
        case ast.Call(func=ast.Name(id="len" | "int")):
            return []
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _asked(ast.unparse(operand))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return [*_asked(ast.unparse(left)), *_asked(ast.unparse(right))]
    return [code]


def least(
    program: Program, place: Place, node: cst.BaseExpression, seen: Collection[str] = ()
) -> float:
    """Return the least whole number that an expression can be, as far as syntax tells.

    Args:
        program: The program.
        place: The function that the expression is in.
        node: The expression.
        seen: Names whose values are looked at already.
    """
    import libcst as cst

    if isinstance(node, cst.Name):
        return _least_given(program, place, node.value, seen)
    if isinstance(node, cst.BinaryOperation):
        left, right = (least(program, place, n, seen) for n in (node.left, node.right))
        steady = max(left, right) < inf  # else a name is counted up from its own value
        if isinstance(node.operator, cst.Add) and (min(left, right) >= 0 or steady):
            return left + right
        product = isinstance(node.operator, cst.Multiply) and min(left, right) >= 0
        return 0 if product and steady else -inf
    if not isinstance(node, cst.Call):
        value = integer(node)
        return -inf if value is None else value
    made = isinstance(node.func, cst.Attribute)
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else named(node.func)
    if name in program.functions or not (made or name in ("len", "ord", "max", "min")):
        return -inf
    if any(arg.keyword or arg.star for arg in node.args):
        return -inf  # `max(xs, default=0)` is of what is in `xs`
    values = [least(program, place, arg.value, seen) for arg in node.args]
    if not made and name in ("max", "min"):
        return {"max": max, "min": min}[name](values) if len(values) > 1 else -inf
    if not made or name in ("end", "start"):
        return -1 if node.args and made else 0  # a group may be nowhere
    return _LEAST.get(name, -inf)


def _least_given(program: Program, place: Place, name: str, seen: Collection[str]) -> float:
    """Return the least of all that a function gives to a name, or the value of a constant."""
    import libcst as cst

    if name in seen:
        return inf
    given = [(value, below) for each, value, below in bindings(place.node) if each == name]
    known = constant(program, name) if not given else None
    values = [known] if known else []
    for value, below in given:
        counted = calls(value, "range") if value and below == 1 else None
        if counted and len(counted) < 3:
            values.append(counted[0] if len(counted) == 2 else cst.Integer("0"))
        elif isinstance(value, cst.BaseExpression) and not below:
            values.append(value)
        else:
            return -inf
    grown = [
        n for n in walk(place.node) if isinstance(n, cst.AugAssign) and named(n.target) == name
    ]
    shared = any(isinstance(n, cst.NameItem) and named(n.name) == name for n in program.nodes)
    growing = all(isinstance(n.operator, cst.AddAssign) for n in grown)
    inner = (*seen, name)
    if shared or not growing or any(least(program, place, n.value, inner) < 0 for n in grown):
        return -inf
    return min((least(program, place, value, inner) for value in values), default=-inf)
