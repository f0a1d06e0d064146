"""Attributes that each object of a class is given once, where it is made.

As far as one file tells: who sets one from another file is not seen. Not here: what else may
be worked out there (the rules).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.owners import first_parameter
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    flat,
    lines,
    named,
    only,
    targets,
    written,
)

if TYPE_CHECKING:
    import libcst as cst

_WRITING = frozenset(
    ["__copy__", "__deepcopy__", "__delattr__", "__dict__", "__getattr__", "__getattribute__",
     "__getstate__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__setstate__",
     "__slots__", "delattr", "setattr", "vars"]
)  # fmt: skip
"""Ways to set, list or restrict the attributes of an object without naming them."""


class SetOnce(NamedTuple):
    """Where an attribute is set: in which `__init__`, by which line, to what.

    Attributes:
        init: The function.
        line: Its line.
        value: What the attribute is set to.
        noted: The type that the line notes; empty: none.
    """

    init: cst.FunctionDef
    line: cst.CSTNode
    value: cst.BaseExpression
    noted: str


def set_once(program: Program, around: cst.ClassDef, attribute: str) -> SetOnce | None:
    """Return where each object of a class is given an attribute that stays, else None.

    None also where a new attribute beside it would be refused, or be seen by somebody; and for
    a class that derives from another, or has one of the file below it.
    """
    import libcst as cst

    body = lines(around.body)
    every = [n for n in body if isinstance(n, cst.FunctionDef) and n.name.value == "__init__"]
    if len(every) != 1 or every[0].decorators or not _stands_alone(program, around):
        return None
    init, owner = every[0], first_parameter(every[0])
    parts = (part for target in targets(program.module) for part in written(target))
    setting = [n for n in parts if isinstance(n, cst.Attribute) and n.attr.value == attribute]
    of_class = any((assigned(only(line)) or ("",))[0] == attribute for line in body)
    if len(setting) != 1 or of_class or program.names & _WRITING:
        return None
    if owner in bound(init.body) or flat(setting[0]) != f"{owner}.{attribute}":
        return None
    for line in lines(init.body):
        small = only(line)
        if isinstance(small, cst.Assign) and [t.target for t in small.targets] == setting:
            return SetOnce(init, line, small.value, "")
        if isinstance(small, cst.AnnAssign) and small.target is setting[0] and small.value:
            return SetOnce(init, line, small.value, flat(small.annotation.annotation))
    return None


def _stands_alone(program: Program, around: cst.ClassDef) -> bool:
    """Whether a class is nobody's base in the file, and has neither bases nor decorators."""
    import libcst as cst

    classes = (node for node in program.nodes if isinstance(node, cst.ClassDef))
    bases = (node for each in classes for base in each.bases for node in walk(base))
    if any(named(node) == around.name.value for node in bases):
        return False
    plain = all(flat(base.value) == "object" for base in around.bases)
    return plain and not (around.decorators or around.keywords)
