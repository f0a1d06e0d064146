"""Code that asks whether values are integers, and two ways of which one is for integers only.

Sums of integers come out the same in any order, those of floats do not; numbers of a library
may overflow. Not here: the guards of known functions (`known_functions.type_guard`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache
from textwrap import indent
from typing import TYPE_CHECKING

from operators.rewrite.program import Program
from operators.rewrite.reading import text
from se_agent.program.parsing import expression_tree

if TYPE_CHECKING:
    import libcst as cst


_ASKS = re.compile(r" is int( and 0 <= .* < len\(\w+\))?$| != \{int\}$", re.DOTALL)
"""A test of ours: whether values are integers, and bounds lie within a list."""


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
