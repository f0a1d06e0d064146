"""What a change adds at the top of a module: compiled patterns, tables, new functions. Pure.

A rule that takes a compiled pattern out of a function has to put it somewhere. Beside the
function it changes nothing for others, as long as its name is new and making it is no work
worth measuring: what a module does when it is loaded is told apart from calls. The same holds
for a new function, and for a cache of `functools` around one. Not here: which functions may
change (`editable`).
"""

from __future__ import annotations

import ast
import builtins
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

_TYPES = frozenset(["dict", "frozenset", "list", "set", "tuple", "type"])
"""Types whose parts an annotation may name."""

_LIBRARY = frozenset(["bytes", "operator", "re", "str", "struct"])
"""Modules and types whose functions of these names may be called in any module."""

_ALLOWED = (
    ast.Add, ast.Attribute, ast.BinOp, ast.Call, ast.Constant, ast.Dict, ast.DictComp,
    ast.FormattedValue, ast.GeneratorExp, ast.JoinedStr, ast.List, ast.ListComp, ast.Load,
    ast.Name, ast.Set, ast.SetComp, ast.Store, ast.Tuple, ast.UnaryOp, ast.USub,
    ast.comprehension, ast.keyword,
)  # fmt: skip


_COMPREHENSIONS = (ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
_IMPORTS = (ast.Import, ast.ImportFrom)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Makers(NamedTuple):
    """What may be called in a module: by its bare name, and behind a dot."""

    bare: frozenset[str]
    methods: frozenset[str]


def without_added_constants(
    body: Iterable[ast.stmt], old: ast.Module, caches: Collection[str] = ()
) -> Sequence[ast.stmt]:
    """Return the statements of a changed module but for constants and functions that it adds.

    Args:
        body: Top level of the changed module.
        old: The module before.
        caches: Decorators that a new function may have; see `caches_of`.
    """
    body, known = list(body), _words(old)
    every = [node for part in (old, *body) for node in ast.walk(part)]
    own = {node.name for node in every if isinstance(node, _DEFINITIONS)} | _renamed(every)
    makers = _Makers(_MAKERS - own, _METHODS - own)
    return [
        node
        for node in body
        if not (_is_added(node, known, makers) or _is_new_function(node, known, caches))
    ]


def _renamed(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that imports bind to anything but makers of the library."""
    found = set[str]()
    for node in nodes:
        module = node.module if isinstance(node, ast.ImportFrom) else ""
        for each in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            kept = module in ("operator", "re", "struct") and not each.asname
            found |= set() if kept else {each.asname or each.name}
    return found


def caches_of(body: Iterable[ast.stmt]) -> frozenset[str]:
    """Return by which names a module calls the caches of `functools`, and nothing else."""
    found, others = set[str](), set[str]()
    for node in (each for line in body for each in ast.walk(line)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) if not getattr(node, "level", 0) else None
            for each in node.names:
                own = each.asname or each.name.partition(".")[0]
                if isinstance(node, ast.Import) and each.name == own == "functools":
                    found.update(f"functools.{name}" for name in _CACHES)
                elif module == "functools" and each.name in _CACHES:
                    found.add(own)
                else:
                    others.add(own)
        elif isinstance(node, _DEFINITIONS):
            others.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            others.add(node.id)
    return frozenset(name for name in found if name.partition(".")[0] not in others)


def rebound_by_imports(old: ast.Module, new: ast.Module) -> bool:
    """Say whether a new import takes a name that the module has for something else."""
    known = {ast.dump(node) for node in old.body if isinstance(node, _IMPORTS)}
    come = {
        each.asname or each.name.partition(".")[0]
        for node in new.body
        if isinstance(node, _IMPORTS) and ast.dump(node) not in known
        for each in node.names
    }
    own = {node.name for node in old.body if isinstance(node, _DEFINITIONS)}
    own |= {
        part.id
        for node in old.body
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    return bool(come & (own | (vars(builtins).keys() & _words(old))))


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
    """Whether a function has a new name of the module's own, and defining it runs nothing."""
    if not isinstance(node, ast.FunctionDef) or node.name in known:
        return False
    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    return (
        node.name[0] == "_" != node.name[1:2]  # `from module import *` takes no such name
        and all(isinstance(each, ast.Constant) for each in defaults)
        and all(is_cache(each, caches) for each in node.decorator_list)
        and all(map(is_plain_note, notes(node)))
    )


def notes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Return the annotations of a function: they run when it is defined."""
    noted = (each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg))
    return [*filter(None, (*noted, node.returns))]


def is_plain_note(note: ast.expr) -> bool:
    """Whether an annotation runs nothing but what names, and types of Python, do."""
    if isinstance(note, ast.Subscript):
        typed = isinstance(note.value, ast.Name) and note.value.id in _TYPES
        return typed and is_plain_note(note.slice)
    if isinstance(note, ast.Tuple):
        return all(map(is_plain_note, note.elts))
    return isinstance(note, ast.Name | ast.Constant)


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
