"""Small questions about a syntax tree that several constructs ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from se_agent.program.changing import CHANGING_METHODS

Loop = ast.For | ast.AsyncFor | ast.While
Function = ast.FunctionDef | ast.AsyncFunctionDef
LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class SyntaxPlace(NamedTuple):
    """What is around a node: loops and comprehensions from the outside in, and the function."""

    loops: tuple[ast.AST, ...] = ()
    function: Function | None = None

    @property
    def statements(self) -> tuple[Loop, ...]:
        """The loops that are statements."""
        return tuple(loop for loop in self.loops if isinstance(loop, LOOPS))


def called_name(node: ast.Call) -> str:
    """Return the last name of what is called; empty where it has none."""
    return last_name(node.func)


def last_name(node: ast.AST) -> str:
    """Return the name, or that behind the last dot; empty where there is none."""
    """Return the name, or the name behind the last dot; empty where there is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def owner_name(node: ast.Call) -> str:
    """Return the name of what a method is called on; empty where it has none."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return owner.id if isinstance(owner, ast.Name) else ""


def base(node: ast.AST) -> ast.AST:
    """Return what subscripts and attributes are taken of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node


def names_in(node: ast.AST) -> set[str]:
    """Return all names that a piece of code uses."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def targets(loop: ast.AST) -> set[str]:
    """Return the names that a `for` loop binds; none of another loop."""
    return names_in(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else set()


def is_constant(node: ast.AST | None, *values: object) -> bool:
    """Say whether a node is one of these constants, of the same type."""
    return isinstance(node, ast.Constant) and any(
        type(node.value) is type(value) and node.value == value for value in values
    )


def is_text(node: ast.AST) -> bool:
    """Say whether a node shows by itself that it is a text."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left) or is_text(node.right)
    return (
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        or (isinstance(node, ast.Call) and called_name(node) in {"str", "chr"})
    )


def changed_names(loop: ast.AST) -> Iterator[str]:
    """Yield the names of what a loop binds, assigns to or calls a changing method of."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield last_name(base(node))
        elif isinstance(node, ast.Call) and called_name(node) in CHANGING_METHODS:
            yield owner_name(node)


def grown_lists(function: Function) -> Iterator[str]:
    """Yield the names of lists that a function appends to."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called_name(node) == "append":
            yield owner_name(node)
