"""Loops that change nothing but what their function made for itself, and keeps to itself.

Then a value is the same in each pass, however deep it looks into what it is made of, and under
whatever names that is known. Not here: loops that change other things (`invariants`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY, handed
from operators.rewrite.freshness import bindings
from operators.rewrite.invariants import is_new
from operators.rewrite.owners import called_function
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import leaves_no_trace, only_tells
from operators.rewrite.reading import (
    body_of,
    bound,
    calls,
    named,
    only,
    targets,
    variables,
    written,
)
from operators.rewrite.uses import only_read
from se_agent.program.changing import CHANGING_METHODS

if TYPE_CHECKING:
    import libcst as cst


def is_calm(program: Program, place: Place, code: cst.CSTNode, used: Collection[str]) -> bool:
    """Say whether code leaves alone all that existed before, and these names.

    Args:
        program: The program.
        place: The function that the code is in.
        code: A loop, or the statement around one.
        used: Names that a value is made of, in whatever way.
    """
    import libcst as cst

    strange = (cst.Await, cst.Global, cst.ImportFrom, cst.Import, cst.Nonlocal, cst.With,
               cst.Yield, cst.FunctionDef, cst.ClassDef)  # fmt: skip
    parts = [part for target in targets(code) for part in written(target)]
    if not isinstance(place.node, cst.FunctionDef) or any(
        isinstance(node, strange) or getattr(node, "asynchronous", None) for node in walk(code)
    ):
        return False
    asked = (node for node in walk(code) if isinstance(node, cst.Call))
    return all(_is_quiet(program, place, call, used) for call in asked) and all(
        _is_own(program, place, part, used) for part in parts
    )


def _is_quiet(program: Program, place: Place, call: cst.Call, used: Collection[str]) -> bool:
    """Whether a call changes nothing but a container that the function has for itself."""
    import libcst as cst

    function = called_function(program, call)
    if function is not None:
        return only_tells(program, function) and not _is_hook(function)
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in CHANGING_METHODS:
        mine = _is_kept(program, place, named(call.func.value), used)
        return mine and all(isinstance(each, cst.Lambda) for each in handed(call))
    return leaves_no_trace(program, call)


def _is_hook(function: cst.FunctionDef) -> bool:
    """Whether a function does nothing, as one does that others are to override."""
    import libcst as cst

    empty = (cst.Pass, cst.Raise, cst.Expr)
    return all(isinstance(only(row), empty) for row in body_of(function))


def _is_own(program: Program, place: Place, part: cst.CSTNode, used: Collection[str]) -> bool:
    """Whether setting this changes a name, or an element of the function's own container."""
    import libcst as cst

    name = named(part)
    if name:
        above = program.parent[part]
        return name not in used and (
            not isinstance(above, cst.AugAssign) or _is_plain(place, name)
        )
    return isinstance(part, cst.Subscript) and _is_kept(program, place, named(part.value), used)


def _is_plain(place: Place, name: str) -> bool:
    """Whether a name stands for numbers, texts and new containers: `+=` changes no other."""
    import libcst as cst

    plain = (cst.BaseNumber, cst.BaseString, cst.BinaryOperation, cst.UnaryOperation)
    given = [(value, below) for each, value, below in bindings(place.node) if each == name]
    return bool(given) and all(
        value is not None
        and not below
        and (isinstance(value, plain) or is_new(value) or named(value) in ("True", "False"))
        for value, below in given
    )


def _is_kept(program: Program, place: Place, name: str, used: Collection[str]) -> bool:
    """Whether a name stands for a container that the function made, and nobody else has."""
    import libcst as cst

    assert isinstance(place.node, cst.FunctionDef)
    given = [(value, below) for each, value, below in bindings(place.node) if each == name]
    made = all(value is not None and not below and is_new(value) for value, below in given)
    if not name or not given or not made or name in used or name in bound(place.node.params):
        return False
    set_here = {part for target in targets(place.node) for part in written(target)}
    mentions = (node for node in variables(place.node) if node.value == name)
    return all(node in set_here or _stays(program, node) for node in mentions)


def _stays(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention of a container gives it to nobody who keeps it, but the caller."""
    import libcst as cst

    above = program.parent[node]
    if isinstance(only(program.statement(node)), cst.Return):
        return True  # the loop is over
    if isinstance(above, cst.Attribute):
        asked = program.parent[above]
        known = CHANGING_METHODS | QUERIES
        return isinstance(asked, cst.Call) and above.attr.value in known
    if isinstance(above, cst.Subscript):
        return above.value is node
    if isinstance(above, cst.Arg):
        call = program.parent[above]
        eager = READ_ONLY - {"enumerate", "filter", "iter", "map", "reversed", "zip"}
        return any(calls(call, name) is not None for name in eager)
    return only_read(program, node)
