"""Branches of a program that no watched input takes: how a change answers there is not seen.

Pure. Only branches of functions that were reached count, and none that can only raise: that is
how a function refuses an input. Not here: watching (`tracer`), and what is said of it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from evaluators.observing.report import ProgramText
from se_agent.program.parsing import tree_of
from se_agent.values.observation import Untaken

MOST = 8
"""Branches that are kept."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def untaken(program: ProgramText, reached: Collection[tuple[str, int]]) -> tuple[Untaken, ...]:
    """Return the outermost branches that were never taken, file by file from the top.

    Args:
        program: The program that was watched.
        reached: The lines that were reached; see `report.reached`.
    """
    found = [
        Untaken(function=name, line=line, text=program.lines(name)[line - 1].strip(), way=way)
        for prefix, text in program.texts.items()
        for lines in [{line for where, line in reached if where == prefix}]
        for name, node in _functions(tree_of(text), prefix)
        for line, way in _in(node.body, lines)
        if _is_reached(node.body, lines)
    ]
    return tuple(found[:MOST])


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            name = f"{prefix}{child.name}"
            if isinstance(child, ast.FunctionDef):
                yield name, child
            yield from _functions(child, f"{name}.")
        else:
            yield from _functions(child, prefix)


def _in(body: Sequence[ast.stmt], reached: Collection[int]) -> Iterator[tuple[int, str]]:
    """Yield line and way of the branches in some statements, inner functions left out."""
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            continue
        for line, way, block in _blocks(statement):
            if _is_reached(block, reached):
                yield from _in(block, reached)
            elif way and not all(isinstance(one, ast.Raise) for one in block):
                yield line, way


def _blocks(statement: ast.stmt) -> Iterator[tuple[int, str, list[ast.stmt]]]:
    """Yield the blocks of a statement: its line, and what was never so if it is not reached."""
    line = statement.lineno
    match statement:
        case ast.If(body=body, orelse=orelse):
            yield line, "true", body
            if orelse:
                yield line, "false", orelse
        case ast.For(body=body, orelse=orelse) | ast.While(body=body, orelse=orelse):
            yield line, "entered", body
            if orelse:
                yield line, "left", orelse
        case ast.With(body=body):
            yield line, "", body
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            for block in (body, orelse, final):
                yield line, "", block
            for handler in handlers:
                yield handler.lineno, "taken", handler.body
        case ast.Match(cases=cases):
            for one in cases:
                yield one.pattern.lineno, "taken", one.body


def _is_reached(block: Sequence[ast.stmt], reached: Collection[int]) -> bool:
    """Say whether a block was reached; one of `pass` alone leaves no trace."""
    return any(
        line in reached
        for one in block
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    ) or all(isinstance(one, ast.Pass) for one in block)
