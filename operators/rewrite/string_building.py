"""`s += piece` in a loop -> pieces in a list, joined after the loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import grown
from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, bound, calls, named, only, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions

if TYPE_CHECKING:
    import libcst as cst


class StringBuilding(Rule):
    """Collect the pieces of a string in a list and join them after the loop.

    Where several lines of a block add to it, and nobody asks for it before the last of them,
    one list takes all pieces. Valid when the variable holds a string (it is set to one in the
    same function) and the loop does nothing with it but add at one end, nobody asks for it
    meanwhile: neither another function nor a handler of errors (all checked). That it is a
    string wherever the loop begins, and each piece is one, is left to the tests. Known as
    avoiding quadratic concatenation: a string is copied whenever it grows, a list is not.
    """

    name = "string_building"
    relies_on = "what is added is text"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each string that only grows in a block, or else in a loop."""
        done: set[tuple[str, cst.CSTNode | None]] = set()
        for node in place.own:
            added = _grown(node)
            if added is None or added.name not in _strings(place):
                continue
            loop = _loop(program, added)
            if loop is None or tried(program, loop) or added.name in _shared(place):
                continue
            key = added.name, loop
            if key in done or (added.name, None) in done:
                continue
            whole = _whole(program, place, added)
            done.add((added.name, None) if whole else key)
            yield whole or _change(program, added, loop)


class _Grown(NamedTuple):
    line: cst.CSTNode
    name: str
    piece: str
    in_front: bool


def _grown(line: cst.CSTNode) -> _Grown | None:
    """Return what `s += piece`, `s = s + piece` or `s = piece + s` adds to what."""
    import libcst as cst

    growth = grown(only(line))
    if growth is None or any(isinstance(p, (cst.List, cst.Tuple)) for p in growth.pieces):
        return None
    return _Grown(line, growth.name, " + ".join(map(text, growth.pieces)), growth.in_front)


def _loop(program: Program, first: _Grown) -> cst.CSTNode | None:
    """Return the outermost loop that only adds to the string, always at the same end."""
    import libcst as cst

    outermost = None
    for loop in program.loops(first.line):
        if not isinstance(loop, (cst.For, cst.While)):
            break
        added = [a for a in _added(loop, first.name) if a.in_front == first.in_front]
        mentions = sum(1 for n in walk(loop) if named(n) == first.name)
        if mentions != sum(_mentions(a.line, first.name) for a in added):
            break
        outermost = loop
    return outermost


def _added(loop: cst.CSTNode, name: str) -> list[_Grown]:
    found = (_grown(node) for node in walk(loop))
    return [each for each in found if each and each.name == name]


def _mentions(line: cst.CSTNode, name: str) -> int:
    return sum(1 for node in walk(line) if named(node) == name)


def _change(program: Program, first: _Grown, loop: cst.CSTNode) -> TreeChange:
    parts = program.fresh(f"{first.name}_parts")
    order = f"reversed({parts})" if first.in_front else parts
    return TreeChange(
        anchor=first.line,
        replaced=_appended(_added(loop, first.name), parts),
        before={loop: [f"{parts} = [{first.name}]"]},
        after={loop: [f'{first.name} = "".join({order})']},
        direction="Collect pieces in a list and join them once",
        effect="no copy of the string for each piece: O(n^2) -> O(n) where the copy is real",
    )


def _appended(every: Sequence[_Grown], parts: str) -> dict[cst.CSTNode, str | cst.CSTNode]:
    return {each.line: f"{parts}.append({each.piece})" for each in every}


def _whole(program: Program, place: Place, first: _Grown) -> TreeChange | None:
    """Return the change of all lines that add to a string, from its beginning to its use.

    None where one statement has them all, or the string is set anew, or asked for in between.
    """
    every = _added(place.node, first.name)
    grows = dict.fromkeys(each.line for each in every)
    others = (n for n in place.own if n not in grows)
    begins = [n for n in others if (assigned(only(n)) or ("",))[0] == first.name]
    pair = assigned(only(begins[0])) if len(begins) == 1 else None
    if pair is None or not _is_string(pair[1]):
        return None
    if any(tried(program, a.line) or a.in_front != first.in_front for a in every):
        return None
    block = program.block(begins[0])
    known = {node for line in (*grows, begins[0]) for node in walk(line)}
    asked = [node for node in mentions(place, first.name) if node not in known]
    added = {_index(program, block, line) for line in grows}
    least, last = min(added), max(added)
    early = any(_index(program, block, node) <= last for node in asked)
    if early or least <= block.index(begins[0]) or least == last:
        return None
    parts = program.fresh(f"{first.name}_parts")
    made = "[]" if text(pair[1]) in ('""', "''") else f"[{text(pair[1])}]"
    change = _change(program, first, block[last])
    return replace(
        change,
        replaced=_appended(every, parts) | {begins[0]: f"{parts} = {made}"},
        before={},
    )


def _index(program: Program, block: Sequence[cst.CSTNode], node: cst.CSTNode) -> int:
    """Return which statement of a block a node is in; -1: in none."""
    around = {node, *program.above(node)}
    return next((n for n, line in enumerate(block) if line in around), -1)


def _shared(place: Place) -> frozenset[str]:
    """Return the names that other functions may mention: they may ask at any time."""
    import libcst as cst

    own = frozenset(place.own)
    inner = (n for n in walk(place.node) if n not in own and isinstance(n, cst.Name))
    declared = (n for n in place.own if isinstance(n, (cst.Global, cst.Nonlocal)))
    outer = (item.name for n in declared for item in n.names)
    return frozenset(node.value for node in (*inner, *outer))


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
