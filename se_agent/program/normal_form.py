"""The normal form of a Python text: equal for texts that differ in layout and local names only.

Not a formatter: nobody reads the normal form, it is made to be hashed. It is *sound*: texts of
different meaning have different forms. So what could be seen from outside keeps its name:
parameters (keyword calls), nested functions and classes (`__name__`), attributes, globals.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from se_agent.program.parsing import tree_of

_SEES_LOCALS = frozenset(
    {
        "exec", "eval", "locals", "vars", "dir", "compile", "_getframe", "currentframe",
        "f_locals", "tb_frame", "__code__", "inspect", "breakpoint", "TypeVar", "ParamSpec",
        "TypeVarTuple", "TypeAlias",
    }
)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BINDING = (
    ast.NamedExpr, ast.Nonlocal, ast.Global, ast.alias, ast.ExceptHandler, ast.MatchAs,
    ast.MatchStar, ast.MatchMapping,
)  # fmt: skip
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SKIPPED = frozenset({"ctx", "kind", "type_comment", "type_ignores"})


@lru_cache(maxsize=4)  # a program is checked, addressed and described, one after the other
def parse(text: str) -> ast.Module | None:
    """Return the syntax tree, or None for a text that is not Python; nobody may change it."""
    try:
        return tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def normal_form(tree: ast.AST, *, rename: bool = True) -> str:
    """Return the normal form of a syntax tree.

    Args:
        tree: A module; or any node, for a fragment.
        rename: Number the local variables; without it only layout and comments are dropped.
    """
    writer = _Writer()
    writer.write(tree)
    return writer.text(rename=rename)


@dataclass(eq=False)
class _Scope:
    """Names bound in one scope: `local` may be renamed, `fixed` may not."""

    parent: _Scope | None
    kind: str  # module, class, function or comprehension
    local: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)  # declared nonlocal

    def function(self) -> _Scope:
        """Return the scope that a walrus inside this one binds in."""
        scope = self
        while scope.kind == "comprehension" and scope.parent:
            scope = scope.parent
        return scope

    def home(self, name: str) -> _Scope | None:
        """Return the scope whose renamable variable `name` is here, or None for a fixed one."""
        scope: _Scope | None = self
        while scope:
            # A class body is seen by its own statements only, not by what is nested in it.
            seen = scope.kind != "class" or scope is self
            if seen and name not in scope.outer:
                if name in scope.fixed:
                    return None
                if name in scope.local:
                    return scope if scope.kind in ("function", "comprehension") else None
            scope = scope.parent
        return None


class _Writer:
    """Writes the tree in one pass without recursion; names are resolved at the end."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._names: list[tuple[int, _Scope, str]] = []
        self._todo: list[tuple[object, _Scope]] = []
        self._open = False  # whether something here may look at local names
        self._kinds: dict[type[ast.AST], Callable[..., None]] = {
            ast.Constant: self._constant,
            **dict.fromkeys((*_FUNCTIONS, ast.ClassDef), self._scoped),
            **dict.fromkeys(_COMPREHENSIONS, self._comprehension),
            **dict.fromkeys(_BINDING, self._binding),
        }

    def write(self, tree: ast.AST) -> None:
        """Take in the whole tree, depth first, in the order of the fields."""
        todo, parts = self._todo, self._parts
        todo.append((tree, _Scope(None, "module")))
        while todo:
            item, scope = todo.pop()
            if type(item) is str:
                parts.append(item)
            elif isinstance(item, ast.Name):
                self._name(item, scope)
            elif isinstance(item, ast.AST):
                self._node(item, scope)
            else:
                self._list(item, scope)

    def text(self, *, rename: bool) -> str:
        """Return the form, with locals numbered in the order in which they appear."""
        number: dict[tuple[_Scope, str], str] = {}
        for place, scope, name in self._names:
            home = scope.home(name) if rename and not self._open else None
            if home is None or name.startswith("__"):  # a class mangles such a name
                self._parts[place] = name
            else:
                self._parts[place] = number.setdefault((home, name), f"${len(number)}")
        return " ".join(self._parts)

    def _name(self, node: ast.Name, scope: _Scope) -> None:
        if not isinstance(node.ctx, ast.Load):
            scope.local.add(node.id)
        self._use(node.id, scope)

    def _use(self, name: str, scope: _Scope) -> None:
        self._open = self._open or name in _SEES_LOCALS
        self._names.append((len(self._parts), scope, name))
        self._parts.append("")

    def _node(self, node: ast.AST, scope: _Scope) -> None:
        kind = type(node)
        self._parts.append(f"{kind.__name__}(")
        self._open = self._open or kind.__name__ in _SEES_LOCALS
        self._todo.append((")", scope))
        write = self._kinds.get(kind, self._fields)  # a table: the time is spent here
        write(node, scope)

    def _binding(self, node: ast.AST, scope: _Scope) -> None:
        """Write what binds elsewhere, or by a plain string: such a name stays as it is."""
        if isinstance(node, ast.NamedExpr):
            self._todo += [(node.value, scope), (node.target, scope.function())]
        elif isinstance(node, ast.Nonlocal):
            scope.outer.update(node.names)
            for name in node.names:
                self._use(name, scope)
        else:
            scope.fixed.update(_bound(node))
            self._fields(node, scope)

    def _scoped(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef,
        scope: _Scope,
    ) -> None:
        inner = _Scope(scope, "class" if isinstance(node, ast.ClassDef) else "function")
        if not isinstance(node, ast.Lambda):
            scope.fixed.add(node.name)
        if not isinstance(node, ast.ClassDef):
            args = node.args
            every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            inner.fixed.update(a.arg for a in every if a)
        # Defaults, annotations, decorators and bases are evaluated outside.
        self._fields(node, scope, body=inner)

    def _comprehension(self, node: _Comprehension, scope: _Scope) -> None:
        inner = _Scope(scope, "comprehension")
        first = node.generators[0]
        # Only the first iterable is evaluated outside; it is written last.
        self._todo.append((first.iter, scope))
        for each in reversed(node.generators):
            self._fields(each, inner, skip="iter" if each is first else "")
            self._todo.append(("comprehension", inner))
        self._fields(node, inner, skip="generators")

    def _fields(
        self, node: ast.AST, scope: _Scope, *, body: _Scope | None = None, skip: str = ""
    ) -> None:
        """Write the fields, the body perhaps in a scope of its own."""
        todo = self._todo
        for name, label in _labelled(node._fields):
            value = getattr(node, name, None)
            if value is None or value == [] or name == skip:
                continue
            if type(value) is str:
                self._open = self._open or value in _SEES_LOCALS
                value = repr(value)
            todo.append((value, body if body and name == "body" else scope))
            todo.append((label, scope))

    def _list(self, value: object, scope: _Scope) -> None:
        if not isinstance(value, list):  # a number, such as the level of an import
            self._parts.append(repr(value))
            return
        self._parts.append("[")
        self._todo.append(("]", scope))
        for item in reversed(value):
            plain = item is None or isinstance(item, str)
            self._todo.append((repr(item) if plain else item, scope))

    def _constant(self, node: ast.Constant, scope: _Scope) -> None:
        value = node.value
        self._open = self._open or (isinstance(value, str) and value in _SEES_LOCALS)
        # hex: repr refuses integers of thousands of digits
        self._parts.append(hex(value) if type(value) is int else repr(value))


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a node binds by plain strings."""
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, ast.Global):
        return node.names
    name = node.rest if isinstance(node, ast.MatchMapping) else getattr(node, "name", None)
    return [name] if name else []


@cache
def _labelled(fields: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a kind of node that matter, last first, each with its label."""
    names = (name for name in reversed(fields) if name not in _SKIPPED)
    return tuple((name, f"{name}=") for name in names)
