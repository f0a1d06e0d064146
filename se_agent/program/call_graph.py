"""The calls between the functions of a text, as far as names tell. Pure.

Not here: calls of what lies in other files, and calls through values, which no name tells of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from se_agent.program.clike.functions import functions as c_functions
from se_agent.program.clike.tokens import source
from se_agent.program.features import definitions
from se_agent.program.language import Language
from se_agent.program.normal_form import parse

_C_LIKE = {one.suffix: one for one in Language if one not in (Language.PYTHON, Language.RUST)}
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def call_graph(path: str, text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the functions of a text in order, each with those of the text that it calls.

    Args:
        path: Path of the file; its suffix names the language. Rust has no functions here.
        text: The whole file. One that cannot be parsed has no functions.
    """
    suffix = PurePosixPath(path).suffix
    if suffix == Language.PYTHON.suffix:
        return _in_python(text)
    language = _C_LIKE.get(suffix)
    return _in_c(text, language) if language else {}


def _in_python(text: str) -> dict[str, tuple[str, ...]]:
    tree = parse(text)
    if tree is None:
        return {}
    nodes = dict(definitions(tree))
    names = tuple(nodes)
    return {
        name: tuple(dict.fromkeys(filter(None, (_meant(c, name, names) for c in _calls(node)))))
        for name, node in nodes.items()
    }


def _calls(node: ast.AST) -> Iterator[str]:
    """Yield the names that a function calls itself; `.add` for a method."""
    waiting = [*ast.iter_child_nodes(node)]
    while waiting:
        inner = waiting.pop(0)
        if isinstance(inner, _SCOPES):
            continue
        if isinstance(inner, ast.Call):
            called = inner.func
            if isinstance(called, ast.Name):
                yield called.id
            elif isinstance(called, ast.Attribute):
                yield f".{called.attr}"
        waiting = [*ast.iter_child_nodes(inner), *waiting]


def _meant(called: str, caller: str, names: Sequence[str]) -> str:
    """Return the function that a call means: the nearest of that name; empty: none, or many."""
    if called.startswith("."):
        found = [name for name in names if name.endswith(called)]
        own = [name for name in found if name == f"{caller.rpartition('.')[0]}{called}"]
        return next(iter(own or (found if len(found) == 1 else ())), "")
    scope = caller
    while scope:
        if f"{scope}.{called}" in names:
            return f"{scope}.{called}"
        scope = scope.rpartition(".")[0]
    return called if called in names else ""


def _in_c(text: str, language: Language) -> dict[str, tuple[str, ...]]:
    tokens = source(text, language)
    if tokens is None:
        return {}
    named = [one for one in c_functions(tokens) if one.name]
    names = {one.name for one in named}
    found: dict[str, dict[str, None]] = {one.name: {} for one in named}
    for one in named:
        for place in range(one.body, tokens.closing.get(one.body, one.body)):
            called = tokens.at(place)
            if called in names and tokens.at(place + 1) == "(":
                found[one.name][called] = None
    return {name: tuple(calls) for name, calls in found.items()}
