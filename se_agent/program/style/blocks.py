"""Statements that stand one below the other, and rows of a text in place of others. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from se_agent.program.style.changed import rows_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class RowChange(NamedTuple):
    """RowChange of a text, from 0, and what stands there instead.

    Attributes:
        first: The first one.
        last: The first one behind them.
        code: New code without its margin; empty: the rows go.
    """

    first: int
    last: int
    code: str


class CodeBlock(NamedTuple):
    """Statements one below the other, in a function.

    Attributes:
        function: The function.
        body: The statements.
        tried: Whether handlers may see what the statements left behind.
        text: The whole text.
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef
    body: Sequence[ast.stmt]
    tried: bool
    text: str

    def code(self, node: ast.expr) -> str:
        """Return the code of an expression, as it stands if it stands on one line."""
        told = ast.get_source_segment(self.text, node) or "\n"
        return ast.unparse(node) if "\n" in told else told


def with_rows(text: str, changes: Sequence[RowChange]) -> str:
    """Return a text with other rows, each with the margin of the first that it replaces."""
    rows = rows_of(text)
    for change in sorted(changes, reverse=True):
        head = rows[change.first]
        margin = head[: len(head) - len(head.lstrip())]
        rows[change.first : change.last] = [f"{margin}{change.code}\n"] if change.code else []
    return "".join(rows)


def blocks_of(tree: ast.Module, text: str) -> Iterator[CodeBlock]:
    """Yield the blocks of all functions of a program."""
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            todo: list[tuple[ast.AST, bool]] = [(function, False)]
            while todo:
                node, tried = todo.pop()
                tried = tried or isinstance(node, ast.Try | ast.TryStar)
                for field in ("body", "orelse", "finalbody"):
                    body = getattr(node, field, None)
                    if isinstance(body, list) and not isinstance(node, ast.Lambda):
                        yield CodeBlock(function, body, tried, text)
                        inner = (each for each in body if not isinstance(each, _FUNCTIONS))
                        todo += [(each, tried) for each in inner]


def begins_anew(statement: ast.stmt, lines: frozenset[int]) -> bool:
    """Say whether a statement begins on a new line."""
    return statement.lineno in lines


def span_of(statement: ast.stmt) -> tuple[int, int]:
    """Return the rows of a statement, from 0: the first, and the first behind them."""
    return statement.lineno - 1, statement.end_lineno or statement.lineno


def mentions(node: ast.AST, name: str) -> bool:
    """Say whether a variable is named in some code."""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def is_own(function: ast.AST, name: str) -> bool:
    """Say whether a variable is that of the function alone: nothing within it sees it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return False
        inner = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
        if node is not function and isinstance(node, inner) and mentions(node, name):
            return False
    return True
