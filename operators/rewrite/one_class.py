"""One class of a file: who else may have to do with it, its own attributes, what sets them.

As far as one file tells: who sets an attribute from another file is not seen. Not here: the
object of a method while a loop runs (`owners`), what becomes of an attribute (the rules).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.imports import imports
from operators.rewrite.owners import defined_in, first_parameter, set_attributes
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import assigned, bound, flat, lines, named, only

if TYPE_CHECKING:
    import libcst as cst

BY_FORCE = frozenset(
    ["__copy__", "__deepcopy__", "__delattr__", "__dict__", "__getattr__", "__getattribute__",
     "__getstate__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__setstate__",
     "delattr", "eval", "exec", "setattr", "vars"]
)  # fmt: skip
"""Ways to set or list the attributes of an object without naming them, or to make one."""

BY_TEXT = frozenset(
    ["__class_getitem__", "__init_subclass__", "__match_args__", "asdict", "astuple",
     "attrgetter", "getattr", "getmembers", "hasattr", "methodcaller"]
)  # fmt: skip
"""Ways to ask objects for attributes that only a text names, or another class."""


_COPYING = frozenset(["cloudpickle", "copy", "copyreg", "dill", "inspect", "pickle", "shelve"])
"""Modules that see the attributes of an object."""


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


@lru_cache(maxsize=128)
def classes(program: Program) -> tuple[cst.ClassDef, ...]:
    """Return all classes of a file, in the order of the text."""
    import libcst as cst

    return tuple(node for node in program.nodes if isinstance(node, cst.ClassDef))


def plain_lines(body: cst.Module | cst.BaseSuite) -> list[cst.CSTNode]:
    """Return the lines of a module or class that define no function or class."""
    import libcst as cst

    return [n for n in body.body if not isinstance(n, (cst.FunctionDef, cst.ClassDef))]


def is_plain(around: cst.ClassDef) -> bool:
    """Whether a class has neither bases, but `object`, nor decorators or keywords."""
    own = all(flat(base.value) == "object" for base in around.bases)
    return own and not (around.decorators or around.keywords)


def is_open(program: Program, attribute: str) -> bool:
    """Whether a file may reach an attribute by a text, a copy, or its mangled name."""
    import libcst as cst

    modules = {each.module.partition(".")[0] for each in imports(program)}
    if attribute.startswith("__") or (BY_FORCE | BY_TEXT) & program.names or _COPYING & modules:
        return True
    texts = (cst.SimpleString, cst.FormattedStringText)
    return any(isinstance(n, texts) and f".{attribute}" in n.value for n in program.nodes)


def is_derived(program: Program, around: cst.ClassDef) -> bool:
    """Whether a class of the file names this one among its bases."""
    bases = (node for each in classes(program) for base in each.bases for node in walk(base))
    return any(named(node) == around.name.value for node in bases)


def function_around(program: Program, node: cst.CSTNode) -> cst.CSTNode | None:
    """Return the function or lambda that a node stands in, the nearest one."""
    import libcst as cst

    scopes = (cst.FunctionDef, cst.Lambda)
    return next((n for n in program.above(node) if isinstance(n, scopes)), None)


def own_method(
    program: Program, around: cst.ClassDef, node: cst.CSTNode
) -> cst.FunctionDef | None:
    """Return the method whose own object a node asks for an attribute, if it is of a class."""
    import libcst as cst

    method = function_around(program, node)
    if not isinstance(method, cst.FunctionDef) or defined_in(program, method) is not around:
        return None
    owner = "" if method.params.posonly_params else first_parameter(method)
    kinds = {named(each.decorator) for each in method.decorators}
    asked = isinstance(node, cst.Attribute) and named(node.value) == owner != ""
    plain = kinds <= {"cached_property", "property"} and method.body in program.above(node)
    return method if asked and plain and owner not in bound(method.body) else None


def set_once(program: Program, around: cst.ClassDef, attribute: str) -> SetOnce | None:
    """Return where each object of a class is given an attribute that stays, else None.

    None also where a new attribute beside it would be refused, or be seen by somebody; and for
    a class that derives from another, or has one of the file below it.
    """
    import libcst as cst

    body = lines(around.body)
    every = [n for n in body if isinstance(n, cst.FunctionDef) and n.name.value == "__init__"]
    if len(every) != 1 or every[0].decorators or is_derived(program, around):
        return None
    init = every[0]
    setting = [n for n in set_attributes(program.module) if n.attr.value == attribute]
    of_class = any((assigned(only(line)) or ("",))[0] == attribute for line in body)
    unseen = program.names & (BY_FORCE | {"__slots__"})
    if len(setting) != 1 or of_class or unseen or not is_plain(around):
        return None
    if own_method(program, around, setting[0]) is not init:
        return None
    for line in lines(init.body):
        small = only(line)
        if isinstance(small, cst.Assign) and [t.target for t in small.targets] == setting:
            return SetOnce(init, line, small.value, "")
        if isinstance(small, cst.AnnAssign) and small.target is setting[0] and small.value:
            return SetOnce(init, line, small.value, flat(small.annotation.annotation))
    return None
