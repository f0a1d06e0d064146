"""Constructs that calls, functions and branches show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from se_agent.program.constructs.syntax import (
    LOOPS,
    Function,
    SyntaxPlace,
    called_name,
    is_constant,
    last_name,
)

_FILE = frozenset({"read", "readlines", "read_text"})


def call_words(node: ast.Call, place: SyntaxPlace) -> Iterator[str]:
    """Yield what is called and, within loops, that it is called again and again."""
    name = called_name(node)
    if not name:
        return
    yield f"call_{name}"
    if place.loops:
        yield f"{name}_in_loop"
    if name == "pop" and node.args and is_constant(node.args[0], 0):
        yield "pop_from_front"
    if name in {"sum", "max", "min", "sorted"} and node.args:
        yield from _of_aggregate(name, node.args[0])
    if name in _FILE or (name in {"list", "sorted"} and _reads_file(node)):
        yield "whole_file"
    if place.function is not None and name == place.function.name:
        yield from _of_recursion(node, place)


def _of_aggregate(name: str, argument: ast.expr) -> Iterator[str]:
    if isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Slice):
        yield f"{name}_of_slice"
    elif isinstance(argument, ast.ListComp):
        yield f"{name}_of_list"


def _reads_file(node: ast.Call) -> bool:
    return bool(node.args) and last_name(node.args[0]) in {"file", "stdin", "handle"}


def _of_recursion(node: ast.Call, place: SyntaxPlace) -> Iterator[str]:
    yield "recursion"
    if place.loops:
        yield "recursion_in_loop"
    for argument in node.args:
        if isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Slice):
            yield "slice_handed_down"
        elif isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Sub):
            yield "recursion_on_smaller_number"


def function_words(node: Function) -> Iterator[str]:
    """Yield how a function calls itself."""
    own = [n for n in ast.walk(node) if isinstance(n, ast.Call) and called_name(n) == node.name]
    if len(own) > 1:
        yield "branching_recursion"
    if own and not any(isinstance(n, LOOPS) for n in ast.walk(node)):
        yield "recursion_without_loop"
    restored = {ast.dump(n.targets[0]) for n in ast.walk(node) if isinstance(n, ast.Assign)}
    if own and any(isinstance(n, LOOPS) for n in ast.walk(node)) and restored:
        yield "search_by_recursion"


def branch_words(node: ast.If) -> Iterator[str]:
    """Yield a chain of `elif` that compares one name with constants."""
    chain: list[ast.If] = [node]
    while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], ast.If):
        chain.append(chain[-1].orelse[0])
    tests = [one.test for one in chain]
    same = {
        last_name(test.left)
        for test in tests
        if isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant)
    }
    if len(tests) > 2 and len(same) == 1:
        yield "chain_of_constants"


def import_words(node: ast.ImportFrom) -> Iterator[str]:
    """Yield functions that are imported by name."""
    yield from (f"call_{alias.name}" for alias in node.names)
