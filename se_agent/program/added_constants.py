"""What a change adds at the top of a module: compiled patterns, tables, new functions. Pure.

A rule that takes a compiled pattern out of a function has to put it somewhere. Beside the
function it changes nothing for others, as long as its name is new and making it is no work
worth measuring: what a module does when it is loaded is told apart from calls. The same holds
for a new function, and for a cache of `functools` around one. Not here: which functions may
change (`editable`).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

_MAKERS = frozenset(
    ["attrgetter", "compile", "dict", "frozenset", "itemgetter", "Struct", "set", "tuple"]
)
"""What may be called for the value of a constant by its bare name, if no function has it."""

_METHODS = frozenset(
    ["attrgetter", "compile", "itemgetter", "items", "keys", "maketrans", "Struct", "values"]
)
"""What may be called for it behind a dot."""

_CACHES = frozenset(["cache", "lru_cache"])
"""Decorators of `functools` that a function may get: nothing runs when it is defined."""

_LIBRARY = frozenset(["bytes", "operator", "re", "str", "struct"])
"""Modules and types whose functions of these names may be called in any module."""

_ALLOWED = (
    ast.Add, ast.Attribute, ast.BinOp, ast.Call, ast.Constant, ast.Dict, ast.DictComp,
    ast.FormattedValue, ast.GeneratorExp, ast.JoinedStr, ast.List, ast.ListComp, ast.Load,
    ast.Name, ast.Set, ast.SetComp, ast.Store, ast.Tuple, ast.UnaryOp, ast.USub,
    ast.comprehension, ast.keyword,
)  # fmt: skip


_COMPREHENSIONS = (ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Makers(NamedTuple):
    """What may be called in a module: by its bare name, and behind a dot."""

    bare: frozenset[str]
    methods: frozenset[str]


def without_added_constants(body: Iterable[ast.stmt], old: ast.Module) -> Sequence[ast.stmt]:
    """Return the statements of a changed module but for constants that it adds.

    Args:
        body: Top level of the changed module.
        old: The module before.
    """
    known = _words(old)
    own = {node.name for node in ast.walk(old) if isinstance(node, _DEFINITIONS)}
    makers = _Makers(_MAKERS - own, _METHODS - own)
    body = list(body)
    caches = caches_of(body)
    return [
        node
        for node in body
        if not (_is_added(node, known, makers) or _is_new_function(node, known, caches))
    ]


def caches_of(body: Iterable[ast.stmt]) -> frozenset[str]:
    """Return by which names a module calls the caches of `functools`."""
    found = set[str]()
    for node in body:
        if isinstance(node, ast.Import):
            named = any(each.name == "functools" and not each.asname for each in node.names)
            found.update(f"functools.{name}" for name in _CACHES if named)
        elif isinstance(node, ast.ImportFrom) and node.module == "functools":
            known = (each for each in node.names if each.name in _CACHES)
            found.update(each.asname or each.name for each in known if not node.level)
    return frozenset(found)


def is_cache(decorator: ast.expr, caches: Collection[str]) -> bool:
    """Say whether a decorator is a cache, with numbers and the like as its arguments.

    Args:
        decorator: The decorator.
        caches: See `caches_of`.
    """
    if not isinstance(decorator, ast.Call):
        return ast.unparse(decorator) in caches
    given = [*decorator.args, *(word.value for word in decorator.keywords)]
    plain = all(isinstance(each, ast.Constant) for each in given)
    return plain and ast.unparse(decorator.func) in caches


def _is_new_function(node: ast.stmt, known: frozenset[str], caches: Collection[str]) -> bool:
    """Whether a function has a new name, and nothing runs when it is defined."""
    if not isinstance(node, ast.FunctionDef) or node.name in known:
        return False
    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    return (
        not node.name.startswith("__")
        and all(isinstance(each, ast.Constant) for each in defaults)
        and all(is_cache(each, caches) for each in node.decorator_list)
        and not _notes(node)
    )


def _notes(node: ast.FunctionDef) -> list[ast.expr]:
    """Return annotations that call something: they run when the function is defined."""
    noted = (each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg))
    return [
        each
        for each in filter(None, (*noted, node.returns))
        if any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(each))
    ]


def _is_added(node: ast.stmt, known: frozenset[str], makers: _Makers) -> bool:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    (target,) = node.targets
    if not isinstance(target, ast.Name) or target.id in known:
        return False
    if target.id.startswith("__"):
        return False  # Python asks the module for it, as for `__getattr__`
    parts = ast.walk(node.value)
    return _walks_once(node.value) and all(
        isinstance(part, _ALLOWED) and _is_light(part, makers) for part in parts
    )


def _walks_once(value: ast.AST) -> bool:
    """Whether comprehensions take no more steps than there are elements in what has a name.

    One in another may only walk over the elements of that one: two walks over the same, or over
    two things, would be a table of all their pairs.
    """
    walks = [part for part in ast.walk(value) if isinstance(part, _COMPREHENSIONS)]
    for outer in walks:
        rows, *more = outer.generators
        inner = [
            *more,
            *(
                walk
                for part in ast.walk(outer)
                if part is not outer and isinstance(part, _COMPREHENSIONS)
                for walk in part.generators
            ),
        ]
        each = {name.id for name in ast.walk(rows.target) if isinstance(name, ast.Name)}
        listed = isinstance(rows.iter, ast.List | ast.Tuple)
        if len(inner) > 1 or any(listed or _root(walk.iter) not in each for walk in inner):
            return False
    return True


def _root(node: ast.AST) -> str:
    """Return the name that an expression such as `row.values()` is asked of, or nothing."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _is_light(part: ast.AST, makers: _Makers) -> bool:
    """Whether a part of a value is no work: a comprehension walks over what has a name."""
    if isinstance(part, ast.Call):
        if isinstance(part.func, ast.Attribute):
            owner = part.func.value
            known = isinstance(owner, ast.Name) and owner.id in _LIBRARY
            return part.func.attr in (_METHODS if known else makers.methods)
        return isinstance(part.func, ast.Name) and part.func.id in makers.bare
    if isinstance(part, ast.comprehension):
        return isinstance(part.iter, ast.Name | ast.Attribute | ast.Call | ast.Tuple | ast.List)
    return True


def _words(tree: ast.Module) -> frozenset[str]:
    """Return all that may be a name in a module, texts that name one included."""
    found = set[str]()
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            found.update(
                each
                for each in (value if isinstance(value, list) else [value])
                if isinstance(each, str)
            )
    return frozenset(found)
