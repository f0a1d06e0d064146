"""`s += piece` in a loop -> pieces in a list, joined after the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, bound, calls, named, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class StringBuilding(Rule):
    """Collect the pieces of a string in a list and join them after the loop.

    Valid when the variable holds a string (it is set to one in the same function) and the
    loop does nothing with it but add at one end, nobody asks for it meanwhile: neither a
    function within nor a handler of errors (all checked). Known as avoiding quadratic
    concatenation: a string is copied whenever it grows, a list is not.
    """

    name = "string_building"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each string and outermost loop that only adds to it."""
        done = set()
        for node in place.own:
            grown = _grown(node)
            if grown is None or grown.name not in _strings(place):
                continue
            loop = _loop(program, grown)
            if loop is None or tried(program, loop) or grown.name in _shared(place):
                continue
            if (grown.name, loop) not in done:
                done.add((grown.name, loop))
                yield _change(program, grown, loop)


class _Grown(NamedTuple):
    line: cst.CSTNode
    name: str
    piece: str
    in_front: bool


def _grown(line: cst.CSTNode) -> _Grown | None:
    """Return what `s += piece`, `s = s + piece` or `s = piece + s` adds to what."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.AddAssign):
        name = named(small.target)
        itself = any(named(node) == name for node in walk(small.value))
        return None if itself or not name else _Grown(line, name, text(small.value), False)
    pair = assigned(small)
    name, total = pair or ("", None)
    if not isinstance(total, cst.BinaryOperation):
        return None
    terms = _terms(total)
    if len(terms) < 2 or sum(name in map(named, walk(term)) for term in terms) != 1:
        return None
    if named(terms[0]) == name:
        return _Grown(line, name, " + ".join(map(text, terms[1:])), False)
    if named(total.right) == name:
        return _Grown(line, name, text(total.left), True)
    return None


def _terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [*_terms(node.left), node.right]
    return [node]


def _loop(program: Program, grown: _Grown) -> cst.CSTNode | None:
    """Return the outermost loop that only adds to the string, always at the same end."""
    import libcst as cst

    outermost = None
    for loop in program.loops(grown.line):
        if not isinstance(loop, (cst.For, cst.While)):
            break
        added = [a for a in _added(loop, grown.name) if a.in_front == grown.in_front]
        mentions = sum(1 for n in walk(loop) if named(n) == grown.name)
        if mentions != sum(_mentions(a.line, grown.name) for a in added):
            break
        outermost = loop
    return outermost


def _added(loop: cst.CSTNode, name: str) -> list[_Grown]:
    found = (_grown(node) for node in walk(loop))
    return [grown for grown in found if grown and grown.name == name]


def _mentions(line: cst.CSTNode, name: str) -> int:
    return sum(1 for node in walk(line) if named(node) == name)


def _change(program: Program, grown: _Grown, loop: cst.CSTNode) -> TreeChange:
    parts = program.fresh(f"{grown.name}_parts")
    order = f"reversed({parts})" if grown.in_front else parts
    return TreeChange(
        anchor=grown.line,
        replaced={a.line: f"{parts}.append({a.piece})" for a in _added(loop, grown.name)},
        before={loop: [f"{parts} = [{grown.name}]"]},
        after={loop: [f'{grown.name} = "".join({order})']},
        direction="Collect pieces in a list and join them once",
        effect="no copy of the string for each piece: O(n^2) -> O(n) where the copy is real",
    )


def _shared(place: Place) -> frozenset[str]:
    """Return the names that functions within this one mention: they may ask at any time."""
    import libcst as cst

    own = frozenset(place.own)
    inner = (n for n in walk(place.node) if n not in own and isinstance(n, cst.Name))
    return frozenset(node.value for node in inner)


def _strings(place: Place) -> frozenset[str]:
    """Return the names that are set to a string somewhere in the function."""
    found = set()
    for node in place.own:
        pair = assigned(node)
        if pair and (_is_string(pair[1]) or calls(pair[1], "str") is not None):
            found.add(pair[0])
    return frozenset(found & bound(place.node))


def _is_string(node: cst.BaseExpression) -> bool:
    """Whether a literal is a text, not bytes."""
    import libcst as cst

    raw = isinstance(node, cst.SimpleString) and "b" in node.prefix.lower()
    return isinstance(node, cst.BaseString) and not raw
