"""Ways to an attribute that no `object.name` shows: by its name as a text, or by the object.

Not here: what is done with the attribute where its name is written (`own_attribute`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.imports import imports
from operators.rewrite.program import Program
from operators.rewrite.reading import assigned, named, target_names, targets

if TYPE_CHECKING:
    import libcst as cst

_LOOKING = frozenset(
    {
        "__copy__", "__deepcopy__", "__delattr__", "__dict__", "__getattr__",
        "__getattribute__", "__getstate__", "__reduce__", "__reduce_ex__", "__setattr__",
        "__setstate__", "eval", "exec", "getmembers", "vars",
    }
)  # fmt: skip
_COPYING = frozenset({"cloudpickle", "copy", "copyreg", "dill", "pickle", "shelve"})
_ASKING = {"attrgetter": 0, "delattr": 1, "getattr": 1, "hasattr": 1, "setattr": 1}
"""Functions that are given names of attributes, and from which argument on."""


def is_open(program: Program, attribute: str) -> bool:
    """Whether a file may reach an attribute otherwise: by a text, a copy, or its class."""
    if _LOOKING & program.names or any(
        each.module.partition(".")[0] in _COPYING for each in imports(program)
    ):
        return True
    return any(_opens(program, node, attribute) for node in _openings(program)) or any(
        attribute in target_names(target) and _of_class(program, target)
        for target in targets(program.module)
    )


@lru_cache(maxsize=128)
def _openings(program: Program) -> tuple[cst.CSTNode, ...]:
    """Return the nodes that may reach an attribute by name."""
    import libcst as cst

    kinds = (cst.SimpleString, cst.FormattedStringText, cst.MatchKeywordElement, cst.Attribute)
    return tuple(
        node
        for node in program.nodes
        if isinstance(node, kinds) or (isinstance(node, cst.Call) and _called(node) in _ASKING)
    )


def _opens(program: Program, node: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    if isinstance(node, cst.Call):
        return _asks(program, node, attribute)
    if isinstance(node, cst.MatchKeywordElement):
        return node.key.value == attribute
    if isinstance(node, cst.Attribute):
        return _is_mangled(node.attr.value, attribute)
    assert isinstance(node, (cst.SimpleString, cst.FormattedStringText))
    field = rf"\{{[^{{}}]*\.{re.escape(attribute)}\b"  # such as `"{0.name}".format(x)`
    return f".{attribute}" in node.value and re.search(field, node.value) is not None


def _is_mangled(name: str, attribute: str) -> bool:
    """Whether a name is what `__attribute` of some class is called outside of it."""
    private = attribute.startswith("__") and name != attribute
    return private and name.startswith("_") and name.endswith(attribute)


def _of_class(program: Program, target: cst.CSTNode) -> bool:
    """Whether a name is bound in the body of a class: a default, a method, a property."""
    import libcst as cst

    scopes = (cst.FunctionDef, cst.ClassDef)
    around = (
        n for n in program.above(target) if isinstance(n, scopes) and n.name is not target
    )
    return isinstance(next(around, None), cst.ClassDef)


def _called(call: cst.Call) -> str:
    import libcst as cst

    return named(call.func.attr if isinstance(call.func, cst.Attribute) else call.func)


def _asks(program: Program, call: cst.Call, attribute: str) -> bool:
    """Whether a call such as `getattr(x, name)` may ask for the attribute."""
    first = _ASKING[_called(call)]
    last = first + 1 if first else len(call.args)
    given = call.args[first:last]
    starred = any(arg.star for arg in call.args)
    return starred or not given or any(_may_be(program, a.value, attribute) for a in given)


def _may_be(program: Program, node: cst.CSTNode, attribute: str) -> bool:
    """Whether code may spell the attribute; a name is what the file sets it to."""
    import libcst as cst

    if isinstance(node, cst.Name):
        given = [
            pair[1] for n in program.nodes if (pair := assigned(n)) and pair[0] == node.value
        ]
        bound = [t for t in targets(program.module) if node.value in target_names(t)]
        plain = bool(given) and len(given) == len(bound)
        return not plain or any(
            isinstance(each, cst.Name) or _may_be(program, each, attribute) for each in given
        )
    if isinstance(node, cst.SimpleString):
        return attribute in str(node.evaluated_value).split(".")
    if isinstance(node, cst.FormattedString):
        first = node.parts[0] if node.parts else None
        prefix = first.value if isinstance(first, cst.FormattedStringText) else ""
        return attribute.startswith(prefix)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.left, cst.SimpleString):
        prefix = str(node.left.evaluated_value).partition("%")[0]
        return attribute.startswith(prefix)
    return True
