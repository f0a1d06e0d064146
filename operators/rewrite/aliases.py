"""Names that may stand for one object, so that what changes one of them changes all.

Not here: whether an object has no other name at all (`in_place`), what changes it (`effects`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY, altered, changed
from operators.rewrite.freshness import bindings
from operators.rewrite.imports import imports
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import bound, named, root, targets

if TYPE_CHECKING:
    import libcst as cst

_OLDER = ""
"""Stands for all objects that a function did not make itself."""

_IN_PLACE = frozenset(
    {
        "__iadd__", "__iand__", "__ifloordiv__", "__ilshift__", "__imod__", "__ior__",
        "__ipow__", "__irshift__", "__isub__", "__itruediv__", "__ixor__",
    }
)  # fmt: skip
"""Methods by which an object takes a number in place; none of Python's own has them for one."""


def changed_elsewhere(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether the object of a name may be changed in a loop by another name of it.

    Args:
        program: The program.
        place: The function.
        name: Name of the object.
        loop: The loop. What it does to the name itself is not looked at.
    """
    import libcst as cst

    mine = _aliases(place)[name]
    waits = any(isinstance(node, (cst.Yield, cst.Await)) for node in walk(loop))
    outside = altered(program, loop) - changed(loop)
    if (outside or waits) and (_OLDER in mine or name in outside):
        return True
    modules = {each.name for each in imports(program) if not each.part}
    changes = frozenset(touched(program, loop)) - {name, ""} - modules
    older = _OLDER in mine and bool(changes - _bound_here(place))
    return older or bool(changes & mine)


def same_objects(place: Place, name: str) -> frozenset[str]:
    """Return the names of a function that may stand for an object, or for a part of it."""
    return _aliases(place)[name] - {_OLDER}


def touched(program: Program, loop: cst.CSTNode) -> Iterator[str]:
    """Yield the names whose objects a loop may change; a name that is bound anew is none."""
    import libcst as cst

    for node in walk(loop):
        if isinstance(node, cst.Call):
            if isinstance(node.func, cst.Attribute):
                if node.func.attr.value not in QUERIES:
                    yield root(node.func.value)
            elif named(node.func) not in READ_ONLY:
                yield from (named(arg.value) for arg in node.args)
        elif isinstance(node, cst.AugAssign) and not _adds_number(program, node):
            yield root(node.target)
    for target in targets(loop):
        for part in walk(target):
            if isinstance(part, (cst.Subscript, cst.Attribute)):
                yield root(part)


def _adds_number(program: Program, line: cst.AugAssign) -> bool:
    """Whether `+=` or the like gives a name another number, and changes no object."""
    import libcst as cst

    if not named(line.target) or isinstance(line.operator, cst.MultiplyAssign):
        return False  # `*=` also makes a list longer in place
    return _is_number(line.value) and not _adds_in_place(program)


@lru_cache(maxsize=128)
def _adds_in_place(program: Program) -> bool:
    """Whether there may be objects that take numbers in place: of a library, or of a class."""
    import libcst as cst

    modules = {each.module.partition(".")[0] for each in imports(program)}
    starred = any(isinstance(node, cst.ImportStar) for node in program.nodes)
    return starred or bool(modules - sys.stdlib_module_names or program.names & _IN_PLACE)


def _is_number(value: cst.BaseExpression) -> bool:
    """Whether an expression is a plain number, as far as its code tells."""
    import libcst as cst

    if isinstance(value, cst.UnaryOperation):
        return _is_number(value.expression)
    if isinstance(value, cst.BinaryOperation):
        return _is_number(value.left) and _is_number(value.right)
    called = named(value.func) if isinstance(value, cst.Call) else ""
    return isinstance(value, cst.BaseNumber) or called in ("float", "int", "len", "ord")


@lru_cache(maxsize=256)
def _bound_here(place: Place) -> frozenset[str]:
    import libcst as cst

    return bound(place.node.body if isinstance(place.node, cst.FunctionDef) else place.node)


class _Groups(dict[str, frozenset[str]]):
    """Names that may stand for one object, by name; one that nobody joined stands alone."""

    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset([name])

    def join(self, one: str, other: str) -> None:
        both = self[one] | self[other]
        for name in both:
            self[name] = both


@lru_cache(maxsize=256)
def _aliases(place: Place) -> _Groups:
    import libcst as cst

    groups = _Groups()
    here = _bound_here(place)
    if isinstance(place.node, cst.FunctionDef):
        for part in walk(place.node.params):
            if isinstance(part, cst.Param):
                groups.join(part.name.value, _OLDER)
    for name, value, _ in bindings(place.node):
        for other in _parts(value) if value is not None else (_OLDER,):
            groups.join(name, other if other in here or other in groups else _OLDER)
    return groups


def _parts(value: cst.CSTNode) -> Iterator[str]:
    """Yield the names whose objects, or parts of them, a value may be; copies are new."""
    import libcst as cst

    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, cst.Name):
            yield node.value
        elif isinstance(node, cst.Attribute):
            yield root(node) or _OLDER
        elif isinstance(node, cst.Subscript):
            if not any(isinstance(part.slice, cst.Slice) for part in node.slice):
                todo.append(node.value)
        elif isinstance(node, cst.Call):
            todo += _given(node)
        elif isinstance(node, (cst.BooleanOperation, cst.IfExp)):
            first = node.left if isinstance(node, cst.BooleanOperation) else node.body
            last = node.right if isinstance(node, cst.BooleanOperation) else node.orelse
            todo += [first, last]
        elif isinstance(node, cst.NamedExpr):
            todo.append(node.value)
        elif isinstance(node, (cst.Tuple, cst.List, cst.Set)):
            todo += [element.value for element in node.elements]
        elif isinstance(node, (cst.Await, cst.Yield)):
            yield _OLDER


def _given(call: cst.Call) -> list[cst.CSTNode]:
    """Return what a call may return, or return a part of."""
    import libcst as cst

    if named(call.func) in READ_ONLY - {"iter", "max", "min"}:
        return []
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in QUERIES - {"get"}:
        return []
    return [call.func, *(arg.value for arg in call.args)]
