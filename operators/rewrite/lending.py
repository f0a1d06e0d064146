"""Results that are remembered: may one be changed, or stand in an answer more than once?

A result that is computed anew belongs to who asked for it; one that is remembered is the same
object for all. Where it is only read, nobody can tell. Not here: which results
are new (`making`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from operators.rewrite.making import called, results
from operators.rewrite.program import Program, walk

if TYPE_CHECKING:
    import libcst as cst

_ASKING = frozenset(["all", "any", "bool", "isinstance", "len", "repr", "str"])
_READING = _ASKING | frozenset(
    ["Counter", "enumerate", "extend", "frozenset", "join", "list", "map", "reversed", "set",
     "sorted", "sum", "tuple", "update", "zip"]
)  # fmt: skip


def lends(program: Program, function: cst.FunctionDef, calls: Iterable[cst.CSTNode]) -> bool:
    """Whether a result, remembered, may be changed or stand in an answer more than once.

    What functions return that are not of the program is taken for a new object, unless they
    are known to return numbers, texts and the like.

    Args:
        program: The program that the function is in.
        function: The function; its results are remembered.
        calls: Calls of the function that are answered from memory.
    """
    made = results(program, function)
    if made.once:  # Reading an iterator takes from it.
        return True
    return made.new and not all(_read(program, call, made.deep, frozenset()) for call in calls)


def _read(program: Program, node: cst.CSTNode, deep: bool, seen: frozenset[str]) -> bool:
    """Whether a result is only read where it stands; one that is returned has one owner.

    Args:
        program: The program that it is in.
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
        return isinstance(call, cst.Call) and called(call) in known
    if isinstance(above, (cst.For, cst.CompFor)) and above.iter is node:
        return not deep or _name_read(program, above.target, False, seen)
    if isinstance(above, cst.Assign) and len(above.targets) == 1:
        return _name_read(program, above.targets[0].target, deep, seen)
    if isinstance(above, cst.AugAssign):
        return above.value is node and not deep
    if isinstance(above, cst.Subscript):
        return above.value is node and not deep and not _written(program, above)
    copied = (cst.BinaryOperation, cst.StarredElement)
    return isinstance(above, copied) and not deep


def _written(program: Program, node: cst.CSTNode) -> bool:
    """Whether what stands there is given a value, or deleted: it, or a part of it."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, (cst.Tuple, cst.List, cst.Element, cst.StarredElement)):
        return _written(program, above)
    if isinstance(above, cst.Subscript):
        return above.value is node and _written(program, above)
    targets = (cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor)
    if isinstance(above, targets):
        return above.target is node
    return isinstance(above, (cst.AssignTarget, cst.AsName, cst.Del))


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
