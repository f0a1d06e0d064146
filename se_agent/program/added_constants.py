"""Constants that a change adds at the top of a module: compiled patterns, tables, sets. Pure.

A rule that takes a compiled pattern out of a function has to put it somewhere. Beside the
function it changes nothing for others, as long as its name is new and making it is no work
worth measuring: what a module does when it is loaded is told apart from calls. Not here: which
functions may change (`editable`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

_MAKERS = frozenset(
    ["attrgetter", "compile", "dict", "frozenset", "itemgetter", "items", "keys", "maketrans",
     "set", "Struct", "tuple", "values"]
)  # fmt: skip
"""What may be called for the value of a constant, by the last part of its name."""

_ALLOWED = (
    ast.Add, ast.Attribute, ast.BinOp, ast.Call, ast.Constant, ast.Dict, ast.DictComp,
    ast.FormattedValue, ast.GeneratorExp, ast.JoinedStr, ast.List, ast.ListComp, ast.Load,
    ast.Name, ast.Set, ast.SetComp, ast.Store, ast.Tuple, ast.UnaryOp, ast.USub,
    ast.comprehension, ast.keyword,
)  # fmt: skip


def without_added_constants(body: Iterable[ast.stmt], old: ast.Module) -> Sequence[ast.stmt]:
    """Return the statements of a changed module but for constants that it adds.

    Args:
        body: Top level of the changed module.
        old: The module before.
    """
    known = _words(old)
    return [node for node in body if not _is_added(node, known)]


def _is_added(node: ast.stmt, known: frozenset[str]) -> bool:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    (target,) = node.targets
    new = isinstance(target, ast.Name) and target.id not in known
    return new and all(
        isinstance(part, _ALLOWED) and _is_light(part) for part in ast.walk(node.value)
    )


def _is_light(part: ast.AST) -> bool:
    """Whether a part of a value is no work: a comprehension walks over what has a name."""
    if isinstance(part, ast.Call):
        name = part.func.attr if isinstance(part.func, ast.Attribute) else part.func
        return (name.id if isinstance(name, ast.Name) else name) in _MAKERS
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
