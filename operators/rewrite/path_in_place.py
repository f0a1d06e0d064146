"""`walk(child, path + [x])` in a recursion -> one path that grows and shrinks again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import bound, flat, method, named, names, only, positional, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, only_read

if TYPE_CHECKING:
    import libcst as cst


class PathInPlace(Rule):
    """Let a recursion share one path instead of copying it for each call.

    Valid where inner calls are lines of their own, outside of what handles errors, and the
    function does nothing with the path but read it, keep it (a copy is kept then), hand it on,
    or hand on a longer one (checked). A default, which later calls would find longer after an
    error, is left alone (checked). That whoever calls it first does not look at the path after
    an error, nor by another name while it runs, is left to the tests. Known as backtracking.
    """

    name = "path_in_place"
    relies_on = "the caller does not look at the path while the function runs"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each parameter that inner calls are given a longer copy of."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef) or _waits(place):
            return
        if place.node.decorators or len(program.functions[place.node.name.value]) > 1:
            return  # others may keep what they are given
        for number, param in enumerate(place.node.params.params):
            name = param.name.value
            if param.default is None and name not in bound(place.node.body):
                found = _inner(program, place, number, name)
                if found:
                    kept = _kept(program, place, name, found)
                    if kept is not None:
                        yield _change(name, found, kept)


class _Inner(NamedTuple):
    """An inner call: its line, what it is given for the path, and what that adds to it."""

    line: cst.CSTNode
    argument: cst.BaseExpression
    added: tuple[str, ...]


def _waits(place: Place) -> bool:
    """Whether a function is a generator or a coroutine, or has functions within."""
    import libcst as cst

    strange = (cst.Yield, cst.Await, cst.Lambda, cst.FunctionDef)
    return any(isinstance(node, strange) for node in walk(place.node) if node is not place.node)


def _inner(program: Program, place: Place, number: int, name: str) -> list[_Inner] | None:
    """Return the inner calls; None where one of them cannot share the path."""
    import libcst as cst

    found: list[_Inner] = []
    for call in place.own:
        if not isinstance(call, cst.Call) or not _is_inner(place, call):
            continue
        given = positional(call) or []
        own = isinstance(call.func, cst.Attribute)  # `self` is no argument
        if number - own >= len(given) or number < own:
            return None
        argument = given[number - own]
        others = [each for each in given if each is not argument]
        if any(name in names(each) or not pure(each) for each in others):
            return None
        if named(argument) == name:
            continue
        each = _longer(program, call, argument, name)
        if each is None:
            return None
        found.append(each)
    return found


def _is_inner(place: Place, call: cst.Call) -> bool:
    own = place.name.rpartition(".")[2]
    return flat(call.func) in (own, f"self.{own}")


def _longer(
    program: Program, call: cst.Call, argument: cst.BaseExpression, name: str
) -> _Inner | None:
    """Return an inner call in a line of its own that is given `path + [x]`."""
    import libcst as cst

    line = program.statement(call)
    small = only(line)
    alone = isinstance(small, (cst.Expr, cst.Assign, cst.AugAssign)) and small.value is call
    if not alone or tried(program, line) or not isinstance(argument, cst.BinaryOperation):
        return None
    added = argument.right
    grows = isinstance(argument.operator, cst.Add) and named(argument.left) == name
    if not grows or not isinstance(added, cst.List) or not pure(added):
        return None
    plain = all(isinstance(element, cst.Element) for element in added.elements)
    plain = plain and name not in names(added)
    if not plain or not added.elements or _walked(program, line, name):
        return None
    return _Inner(line, argument, tuple(text(element.value) for element in added.elements))


def _walked(program: Program, line: cst.CSTNode, name: str) -> bool:
    """Whether a loop around a line walks over the path, which would change under its feet."""
    import libcst as cst

    return any(isinstance(n, cst.For) and name in names(n.iter) for n in program.above(line))


def _kept(
    program: Program, place: Place, name: str, found: list[_Inner]
) -> list[cst.CSTNode] | None:
    """Return the mentions at which the path is kept; None where more may be done with it."""
    import libcst as cst

    own = frozenset(place.own)
    handed = {node for each in found for node in walk(each.argument)}
    kept: list[cst.CSTNode] = []
    for node in mentions(place, name):
        above = program.parent[node]
        if isinstance(above, cst.Param) or node in handed:
            continue
        if node not in own or any(isinstance(n, cst.GeneratorExp) for n in program.above(node)):
            return None
        call = program.parent[above]
        if isinstance(above, (cst.Return, cst.Element)) or method(call, "append"):
            kept.append(node)
        elif isinstance(call, cst.Call) and _is_inner(place, call):
            continue
        elif not only_read(program, node):
            return None
    return kept


def _change(name: str, found: list[_Inner], kept: list[cst.CSTNode]) -> TreeChange:
    before = {each.line: [f"{name}.append({one})" for one in each.added] for each in found}
    after = {each.line: [f"{name}.pop()" for _ in each.added] for each in found}
    return TreeChange(
        anchor=found[0].line,
        replaced=dict.fromkeys((each.argument for each in found), name)
        | dict.fromkeys(kept, f"{name}.copy()"),
        before=before,
        after=after,
        direction=f"Let `{name}` grow and shrink in place instead of copying it for each call",
        effect="no copy of the path for each call: O(depth) -> O(1)",
    )
