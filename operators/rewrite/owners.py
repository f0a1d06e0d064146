"""Methods and their objects: what a class gives an attribute, which method a call asks.

Not here: what methods do (`purity`), attributes that a loop keeps (`kept_attribute`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.imports import is_bound_once
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import bound, flat, named, targets, written

if TYPE_CHECKING:
    import libcst as cst

_WRITING = ("__delattr__", "__getattr__", "__getattribute__", "__setattr__")


def first_parameter(function: cst.CSTNode) -> str:
    """Return what a method calls its object, or nothing for what has no parameters."""
    import libcst as cst

    params = function.params.params if isinstance(function, cst.FunctionDef) else ()
    return params[0].name.value if params else ""


def defined_in(program: Program, function: cst.CSTNode) -> cst.CSTNode | None:
    """Return what a function stands in: a class, another statement, or the module."""
    import libcst as cst

    outer = (n for n in program.above(function) if not isinstance(n, cst.IndentedBlock))
    return next(outer, None)


@lru_cache(maxsize=1024)
def set_attributes(code: cst.CSTNode) -> tuple[cst.Attribute, ...]:
    """Return the attributes, of whatever object, that code sets or deletes."""
    import libcst as cst

    parts = (part for target in targets(code) for part in written(target))
    return tuple(part for part in parts if isinstance(part, cst.Attribute))


def values_of(
    program: Program, function: cst.CSTNode, attribute: str
) -> list[cst.BaseExpression]:
    """Return what the class of a method sets an attribute to; nothing where that is not all.

    A property, or a class that has its own ways with attributes, sets it otherwise. What
    grows by `+=` is left out.
    """
    import libcst as cst

    around = defined_in(program, function)
    if not isinstance(around, cst.ClassDef):
        return []
    found: list[cst.BaseExpression] = []
    for node in walk(around):
        if isinstance(node, cst.FunctionDef) and node.name.value in (attribute, *_WRITING):
            return []
        if isinstance(node, cst.Assign):
            if any(_is(target.target, attribute) for target in node.targets):
                found.append(node.value)
        elif isinstance(node, cst.AnnAssign) and _is(node.target, attribute):
            if node.value is None:
                return []
            found.append(node.value)
    return found


def _is(node: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    return isinstance(node, cst.Attribute) and node.attr.value == attribute


def called_function(program: Program, call: cst.CSTNode | None) -> cst.FunctionDef | None:
    """Return the function that a call asks, if the file tells: the one of that name.

    A function of the module by its name, or a method of the object of the method that the
    call stands in. A class in another file may have a method of its own by that name.
    """
    import libcst as cst

    if not isinstance(call, cst.Call):
        return None
    owner, dot, name = flat(call.func).rpartition(".")
    function, *others = program.functions.get(name, (None,))
    if function is None or others or function.decorators or function.asynchronous:
        return None
    if not is_bound_once(program, name):
        return None  # something else has its name, sometimes
    around = [n for n in program.above(call) if isinstance(n, cst.FunctionDef)]
    if not dot:
        shadowed = any(name in bound(n) for n in around)
        return None if shadowed or function not in program.module.body else function
    return function if around and _is_object(program, around[0], owner, function) else None


def _is_object(
    program: Program, method: cst.FunctionDef, owner: str, function: cst.FunctionDef
) -> bool:
    """Whether a name stands for the object of a method, whose class has the function."""
    import libcst as cst

    around = defined_in(program, method)
    if not isinstance(around, cst.ClassDef) or defined_in(program, function) is not around:
        return False
    own = owner == first_parameter(method) and owner not in bound(method.body)
    name = function.name.value
    given = any(each.attr.value == name for each in set_attributes(program.module))
    odd = program.functions.keys() & {"__getattr__", "__getattribute__"}
    static = {named(each.decorator) for each in method.decorators} & {
        "classmethod",
        "staticmethod",
    }
    return own and not given and not odd and not static


def looks_only(program: Program, node: cst.CSTNode) -> bool:
    """Whether an object is only asked for an attribute that is not called."""
    import libcst as cst

    above = program.parent[node]
    if not isinstance(above, cst.Attribute):
        return False
    call = program.parent[above]
    return not (isinstance(call, cst.Call) and call.func is above)
