"""What the callers of a Python function can rely on, as far as its text shows it. Pure.

Not here: what a function does besides answering (`side_effects`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from se_agent.program.changing import CHANGING_METHODS
from se_agent.program.normal_form import parse

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def parameters(text: str, name: str) -> tuple[str, ...]:
    """Return the names of the parameters of a function at the top level, in their order."""
    found = _function(text, name)
    return tuple(_parameters(found)) if found else ()


def changed_parameters(text: str, name: str) -> tuple[str, ...]:
    """Return the parameters whose value a function changes in place, in their order.

    One that the function binds anew anywhere is left out: what is changed may be a copy.

    Args:
        text: A module.
        name: Name of a function at its top level.
    """
    found = _function(text, name)
    if found is None:
        return ()
    nodes = [*_own(found)]
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    changed = {base for node in nodes for base in _changes(node)}
    return tuple(p for p in _parameters(found) if p in changed - bound)


def raised_exceptions(text: str, name: str) -> tuple[str, ...]:
    """Return the names of the exceptions that a function raises by itself, sorted.

    What it catches itself is left out, and so is what functions raise that it calls.
    """
    found = _function(text, name)
    if found is None:
        return ()
    nodes = [*_own(found)]
    caught = {
        _name(kind)
        for node in nodes
        if isinstance(node, ast.ExceptHandler)
        for kind in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])
        if kind is not None
    }
    raised = {_name(n.exc) for n in nodes if isinstance(n, ast.Raise) and n.exc is not None}
    return tuple(sorted(filter(None, raised - caught)))


def type_phrase(value: object) -> str:
    """Return the type of a literal in words, such as `list of int`."""
    kind = type(value).__name__
    if isinstance(value, list | tuple | set | frozenset):
        inner = {type_phrase(each) for each in value}
        return f"{kind} of {min(inner)}" if len(inner) == 1 else kind
    return kind


def _function(text: str, name: str) -> _Function | None:
    tree = parse(text)
    for node in tree.body if tree else ():
        if isinstance(node, _Function) and node.name == name:
            return node
    return None


def _parameters(function: _Function) -> Iterator[str]:
    given = function.args
    yield from (each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs))


def _own(function: _Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function, those of functions and classes inside of it left out."""
    todo: list[ast.AST] = [*function.body]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _Function | ast.ClassDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)


def _changes(node: ast.AST) -> Iterator[str]:
    """Yield the names whose value a node changes in place."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr=method)):
            if method in CHANGING_METHODS:
                yield base
        case ast.Subscript(value=ast.Name(id=base), ctx=ast.Store() | ast.Del()):
            yield base
        case ast.Attribute(value=ast.Name(id=base), ctx=ast.Store() | ast.Del()):
            yield base


def _name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
