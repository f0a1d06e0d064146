"""What a program has of the library already: functions and imports that earlier edits brought.

Not here: what is inserted (`body`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from operators.known_functions.archetype import FunctionText
from se_agent.program.parsing import tree_of


@dataclass(frozen=True)
class Present:
    """The functions and imports of a module.

    Attributes:
        functions: By name.
        imports: Names that are bound, by the statement that binds nothing else, without `as`.
    """

    functions: Mapping[str, ast.FunctionDef]
    imports: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> Present:
        """Read a program; a name that is bound twice, wherever that is, stands for nothing."""
        body = tree_of(text).body
        bound = [*bound_names(tree_of(text))]
        functions = {
            each.name: each
            for each in body
            if isinstance(each, ast.FunctionDef) and bound.count(each.name) == 1
        }
        imports = {
            plain: name
            for each in body
            for plain, name in _imports(each)
            if bound.count(name) == 1
        }
        return cls(functions, imports)

    def function(self, part: FunctionText, names: Mapping[str, str]) -> str:
        """Return the name of a function with the code of a library function; empty: none has.

        Args:
            part: The library function.
            names: What the library functions that it uses are called here.
        """
        wanted = tree_of(part.text).body[0]
        called = {name: names.get(name, name) for name in part.uses}
        called |= {
            bound: self.imports[plain]
            for statement in part.imports
            for plain, bound in _imports(tree_of(statement).body[0])
            if plain in self.imports
        }
        for name, known in self.functions.items():
            if _code(wanted, called | {part.name: name}) == _code(known, {}):
                return name
        return ""

    def imported(self, statement: str) -> tuple[str, dict[str, str]] | None:
        """Return new names for what an import binds, if all of it is there; else None."""
        wanted = list(_imports(tree_of(statement).body[0]))
        if not wanted or any(plain not in self.imports for plain, _ in wanted):
            return None
        return "", {bound: self.imports[plain] for plain, bound in wanted}


class _Renamed(ast.NodeTransformer):
    """Gives names that stand for functions and modules other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self._names.get(node.name, node.name)
        return node


def _code(node: ast.stmt, names: Mapping[str, str]) -> str:
    """Return the code of a function under other names, without its layout."""
    copy = tree_of(ast.unparse(node)).body[0]
    return ast.dump(_Renamed(names).visit(copy))


def _imports(statement: ast.stmt) -> list[tuple[str, str]]:
    """Return each import of a statement alone and without `as`, and the name that it binds."""
    match statement:
        case ast.Import(names=names):
            return [(f"import {one.name}", one.asname or one.name) for one in names]
        case ast.ImportFrom(module=module, names=names, level=0):
            return [
                (f"from {module} import {one.name}", one.asname or one.name) for one in names
            ]
    return []


def bound_names(tree: ast.AST) -> Iterator[str]:
    """Yield each name that is bound in a tree, in whatever scope, once for each time."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
