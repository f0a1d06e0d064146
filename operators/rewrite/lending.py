"""Results that are remembered: may one be changed, or stand in an answer more than once?

A result that is computed anew belongs to who asked for it; one that is remembered is the same
object for all. Where it is only read, nobody can tell. Not here: what a change is (`purity`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from operators.rewrite.program import Program, walk
from operators.rewrite.reading import named

if TYPE_CHECKING:
    import libcst as cst

_MAKING = frozenset(
    ["Counter", "OrderedDict", "bytearray", "copy", "defaultdict", "deque", "dict", "list",
     "set", "sorted", "split"]
)  # fmt: skip
_STORING = frozenset(["add", "append", "appendleft", "insert", "setdefault"])
_ASKING = frozenset(["all", "any", "bool", "isinstance", "len", "repr", "str"])
_READING = _ASKING | frozenset(
    ["Counter", "enumerate", "extend", "frozenset", "join", "list", "map", "reversed", "set",
     "sorted", "sum", "tuple", "update", "zip"]
)  # fmt: skip


def lends(program: Program, function: cst.FunctionDef, calls: Iterable[cst.CSTNode]) -> bool:
    """Whether a result, remembered, may be changed or stand in an answer more than once.

    What other functions return is taken for something that cannot be changed.

    Args:
        program: That the function is in.
        function: Whose results are remembered.
        calls: Of the function, answered from memory.
    """
    import libcst as cst

    body = function.body
    results = (n.value for n in walk(body) if isinstance(n, cst.Return) and n.value)
    if not any(_new(value, body, frozenset()) for value in results):
        return False
    deep = any(_new(value, body, frozenset()) for value in _stored(body))
    return not all(_read(program, call, deep, frozenset()) for call in calls)


def _new(value: cst.CSTNode, body: cst.CSTNode, seen: frozenset[str]) -> bool:
    """Whether a value is written as a list or the like, or as a tuple that holds one."""
    import libcst as cst

    displays = (cst.List, cst.Set, cst.Dict, cst.ListComp, cst.SetComp, cst.DictComp)
    if isinstance(value, displays):
        return True
    if isinstance(value, cst.Name):
        return value.value not in seen and any(
            _new(given, body, seen | {value.value}) for given in _given(value.value, body)
        )
    parts: list[cst.CSTNode] = []
    if isinstance(value, cst.Call):
        return _called(value) in _MAKING
    if isinstance(value, cst.Tuple):
        parts = [element.value for element in value.elements]
    elif isinstance(value, (cst.BinaryOperation, cst.BooleanOperation)):
        parts = [value.left, value.right]
    elif isinstance(value, cst.IfExp):
        parts = [value.body, value.orelse]
    return any(_new(part, body, seen) for part in parts)


def _called(call: cst.Call) -> str:
    import libcst as cst

    return call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)


def _given(name: str, body: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what a name is given."""
    import libcst as cst

    for node in walk(body):
        if isinstance(node, cst.Assign) and any(named(t.target) == name for t in node.targets):
            yield node.value
        elif isinstance(node, (cst.AnnAssign, cst.NamedExpr)) and named(node.target) == name:
            yield from [node.value] if node.value else []


def _stored(body: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what is put into other values."""
    import libcst as cst

    for node in walk(body):
        if isinstance(node, (cst.Element, cst.DictElement)):
            yield node.value
        elif isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
            yield node.elt
        elif isinstance(node, cst.DictComp):
            yield node.value
        elif isinstance(node, cst.Call) and _called(node) in _STORING:
            yield from (arg.value for arg in node.args)
        elif isinstance(node, cst.Assign):
            places = [target.target for target in node.targets]
            yield from [node.value] if any(isinstance(p, cst.Subscript) for p in places) else []


def _read(program: Program, node: cst.CSTNode, deep: bool, seen: frozenset[str]) -> bool:
    """Whether a result is only read where it stands; one that is returned has one owner.

    Args:
        program: That it is in.
        node: The result, or a name of it.
        deep: Whether it may hold what can be changed.
        seen: Names that are being looked at.
    """
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, (cst.Return, cst.ComparisonTarget, cst.Comparison)):
        return True
    if isinstance(above, cst.Arg):
        call = program.parent[above]
        known = _ASKING if deep else _READING
        return isinstance(call, cst.Call) and _called(call) in known
    if isinstance(above, (cst.For, cst.CompFor)) and above.iter is node:
        return not deep or _name_read(program, above.target, False, seen)
    if isinstance(above, cst.Assign) and len(above.targets) == 1:
        return _name_read(program, above.targets[0].target, deep, seen)
    if isinstance(above, cst.AugAssign):
        return above.value is node and not deep
    if isinstance(above, cst.Subscript):
        written = (cst.AssignTarget, cst.AugAssign, cst.Del)
        return (
            above.value is node and not deep and not isinstance(program.parent[above], written)
        )
    copied = (cst.BinaryOperation, cst.StarredElement)
    return isinstance(above, copied) and not deep


def _name_read(program: Program, name: cst.CSTNode, deep: bool, seen: frozenset[str]) -> bool:
    """Whether what a name stands for is only read, in the function around it."""
    import libcst as cst

    if not isinstance(name, cst.Name):
        return False
    if name.value in seen:
        return True
    around = next(
        n for n in program.above(name) if isinstance(n, (cst.FunctionDef, cst.Module))
    )
    return all(
        _read(program, use, deep, seen | {name.value})
        for use in walk(around)
        if isinstance(use, cst.Name) and use.value == name.value and not _bound(program, use)
    )


def _bound(program: Program, name: cst.Name) -> bool:
    """Whether a name is given a value there, or is none of the variable."""
    import libcst as cst

    above = program.parent[name]
    if isinstance(above, (cst.For, cst.CompFor, cst.AnnAssign, cst.NamedExpr)):
        return above.target is name
    if isinstance(above, cst.Attribute):
        return above.attr is name
    if isinstance(above, cst.Arg):
        return above.keyword is name
    return isinstance(above, (cst.AssignTarget, cst.Param, cst.FunctionDef))
