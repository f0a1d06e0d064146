"""Attributes that each object of a class is given once, where it is made.

As far as one file tells: who sets one from another file is not seen. Not here: what else may
be worked out there (the rules).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.owners import defined_in, first_parameter
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

_PLAIN = frozenset(["ABC", "Generic", "abc.ABC", "object", "typing.Generic"])
_WRITING = frozenset(
    ["__copy__", "__deepcopy__", "__delattr__", "__dict__", "__getattr__", "__getattribute__",
     "__getstate__", "__new__", "__reduce__", "__reduce_ex__", "__setattr__", "__setstate__",
     "delattr", "setattr", "vars"]
)  # fmt: skip
"""Ways to set, or to list, the attributes of an object without naming them."""


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
    noted: str = ""


def set_once(program: Program, around: cst.ClassDef, attribute: str) -> SetOnce | None:
    """Return where each object of a class is given an attribute that stays, else None.

    None also where a new attribute beside it would be refused, or be seen by somebody.
    """
    import libcst as cst

    init = _init(around)
    below, kin = _kin(program, around, above=False), _kin(program, around, above=True)
    if init is None or program.names & _WRITING:
        return None
    if any(_replaces(line) for each in below[1:] for line in lines(each.body)):
        return None
    if not all(_is_plain(program, each) for each in kin):
        return None
    owner, places = first_parameter(init), list(_set(program, kin, attribute))
    if len(places) != 1 or not owner or owner in bound(init.body):
        return None
    line = next((each for each in lines(init.body) if places[0] in walk(each)), None)
    value = _value(line) if line else None
    if line is None or value is None or flat(places[0]) != f"{owner}.{attribute}":
        return None
    small = only(line)
    noted = flat(small.annotation.annotation) if isinstance(small, cst.AnnAssign) else ""
    return SetOnce(init, line, value, noted)


def _value(line: cst.CSTNode) -> cst.BaseExpression | None:
    """Return what a line gives to its one target, else None."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.Assign):
        return small.value if len(small.targets) == 1 else None
    return small.value if isinstance(small, cst.AnnAssign) else None


def _init(around: cst.ClassDef) -> cst.FunctionDef | None:
    """Return the one plain `__init__` of a class."""
    import libcst as cst

    every = (node for node in lines(around.body) if isinstance(node, cst.FunctionDef))
    found = [node for node in every if node.name.value == "__init__"]
    return found[0] if len(found) == 1 and not found[0].decorators else None


def _set(
    program: Program, kin: Sequence[cst.ClassDef], attribute: str
) -> Iterator[cst.CSTNode]:
    """Yield each place that may set, or delete, an attribute of an object of some classes."""
    import libcst as cst

    for target in targets(program.module):
        for part in written(target):
            if _is(part, attribute) and not _is_of_others(program, kin, part):
                yield part
    for line in (line for each in kin for line in lines(each.body)):
        name, _ = assigned(only(line)) or ("", None)
        if attribute in (name, isinstance(line, cst.FunctionDef) and line.name.value):
            yield line


def _is(part: cst.CSTNode, attribute: str) -> bool:
    import libcst as cst

    return isinstance(part, cst.Attribute) and part.attr.value == attribute


def _is_of_others(program: Program, kin: Sequence[cst.ClassDef], part: cst.CSTNode) -> bool:
    """Whether a method of a class that is no kin sets an attribute of its own object."""
    import libcst as cst

    method = next((n for n in program.above(part) if isinstance(n, cst.FunctionDef)), None)
    around = defined_in(program, method) if method else None
    if method is None or not isinstance(around, cst.ClassDef) or around in kin:
        return False
    owner = first_parameter(method)
    if method.decorators or owner in bound(method.body) or not isinstance(part, cst.Attribute):
        return False
    return named(part.value) == owner


def _is_plain(program: Program, around: cst.ClassDef) -> bool:
    """Whether a class has nothing of other files, and its objects take any attribute."""
    import libcst as cst

    if around.decorators or around.keywords:
        return False
    if any(named(node) == "__slots__" for node in walk(around.body)):
        return False
    for code in (flat(base.value).partition("[")[0] for base in around.bases):
        known = program.definitions.get(code, ())
        own = len(known) == 1 and isinstance(known[0], cst.ClassDef)
        if not (own or (code in _PLAIN and not known)):
            return False
    return True


def _kin(program: Program, around: cst.ClassDef, *, above: bool) -> list[cst.ClassDef]:
    """Return a class, those of the file that derive from it, and so on.

    Args:
        program: The program.
        around: The class.
        above: Whether those that it derives from count as well.
    """
    import libcst as cst

    every = [node for node in program.nodes if isinstance(node, cst.ClassDef)]
    found = [around]
    for one in found:
        name, bases = one.name.value, _bases(one) if above else frozenset[str]()
        for other in every:
            related = name in _bases(other) or other.name.value in bases
            if related and other not in found:
                found.append(other)
    return found


def _bases(node: cst.ClassDef) -> frozenset[str]:
    codes = (flat(base.value).partition("[")[0] for base in node.bases)
    return frozenset(code.rpartition(".")[2] for code in codes)


def _replaces(line: cst.CSTNode) -> bool:
    """Whether a line defines an `__init__` that calls no other."""
    import libcst as cst

    if not isinstance(line, cst.FunctionDef) or line.name.value != "__init__":
        return False
    return not any(
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value == "__init__"
        for node in walk(line.body)
    )
