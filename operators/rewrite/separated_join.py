"""Pieces with a separator between them, added one by one -> one join."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import Addition, added
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import changed
from operators.rewrite.handlers import tried
from operators.rewrite.loops import confined, indexed, measured
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    bound,
    calls,
    flat,
    lines,
    named,
    names,
    only,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_MAPPED = frozenset({"ascii", "bin", "chr", "hex", "oct", "repr", "str"})


class SeparatedJoin(Rule):
    """Join all pieces at once instead of adding a separator and a piece in each pass.

    Valid for a loop that does nothing else: over `range(len(xs))` whose index serves for
    `xs[i]` and the test alone, or over `enumerate(xs)`; with the separator, a literal text,
    before all pieces but the first or behind all but the last. The pieces only compute, and
    nobody asks for the text meanwhile, nor for the loop's variables later (all checked). What
    is no text raises in both cases.
    """

    name = "separated_join"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each such loop."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                joined = _joined(program, place, node)
                if joined and confined(program, place, node, target_names(node.target)):
                    yield TreeChange(
                        anchor=node,
                        replaced={node: joined},
                        direction="Join the pieces with their separator at once",
                        effect="no test and no copy in each pass",
                    )


class _Walk(NamedTuple):
    """What a loop walks over: the sequence, its counter and its item, and `xs[i]` in it."""

    sequence: cst.BaseExpression
    counter: str
    item: str
    lengths: tuple[str, ...]
    items: tuple[cst.CSTNode, ...] = ()


def _joined(program: Program, place: Place, loop: cst.For) -> str:
    """Return the statement that takes the loop's place; empty: there is none."""
    found = None if tried(program, loop) else _walk(program, place, loop)
    parts = _parts(loop, found) if found else None
    if found is None or parts is None:
        return ""
    separator, piece = parts
    inside = names(piece.value) | names(loop.iter)
    if piece.name in inside or not computes(program, piece.value):
        return ""
    if names(found.sequence) & (changed(loop.body) | bound(loop)):
        return ""
    value = _value(found, piece.value)
    return f"{piece.name} += {separator}.join({value})" if value else ""


def _walk(program: Program, place: Place, loop: cst.For) -> _Walk | None:
    import libcst as cst

    sequence = measured(place, loop.iter)
    if sequence is not None and (name := named(loop.target)):
        (*_, last) = calls(loop.iter, "range") or [sequence]
        items = tuple(indexed(loop.body, sequence, name))
        lengths = (f"len({flat(sequence)})", flat(last))
        return _Walk(sequence, name, program.fresh("item"), lengths, items)
    counted = calls(loop.iter, "enumerate") or []
    if len(counted) != 1 or not isinstance(loop.target, cst.Tuple):
        return None
    own = [named(element.value) for element in loop.target.elements]
    if len(own) != 2 or not all(own):
        return None
    return _Walk(counted[0], own[0], own[1], (f"len({flat(counted[0])})",))


def _parts(loop: cst.For, found: _Walk) -> tuple[str, Addition] | None:
    """Return the separator and the piece of a pass that adds both, in either order."""
    import libcst as cst

    body, i = lines(loop.body), found.counter
    if len(body) != 2:
        return None
    first = {f"{i}>0", f"{i}!=0", f"0<{i}", f"0!={i}", f"{i}>=1", i}
    last = {
        test
        for n in found.lengths
        for test in (f"{i}<{n}-1", f"{i}!={n}-1", f"{i}+1<{n}", f"{i}+1!={n}", f"{i}<={n}-2")
    }
    for test, other, wanted in ((body[0], body[1], first), (body[1], body[0], last)):
        if isinstance(test, cst.If) and not test.orelse and flat(test.test) in wanted:
            block = lines(test.body)
            between = added(only(block[0])) if len(block) == 1 else None
            piece = added(only(other))
            if between and piece and between.name == piece.name:
                literal = isinstance(between.value, cst.SimpleString)
                return (text(between.value), piece) if literal else None
    return None


def _value(found: _Walk, piece: cst.BaseExpression) -> str:
    """Return the pieces as something that can be joined; empty: the counter has another use."""
    import libcst as cst

    uses = [node for node in walk(piece) if named(node) == found.counter]
    own = [node for node in walk(piece) if node in found.items]
    if len(uses) != len(own):
        return ""
    whole = text(found.sequence)

    def is_item(node: cst.CSTNode) -> bool:
        return node in found.items or (not found.items and named(node) == found.item)

    if is_item(piece):
        return whole
    if isinstance(piece, cst.Call) and (function := named(piece.func)) in _MAPPED:
        arguments = calls(piece, function) or []
        if len(arguments) == 1 and is_item(arguments[0]):
            return f"map({function}, {whole})"
    made = piece
    for node in own:
        made = made.deep_replace(node, cst.Name(found.item))
    return f"[{text(made)} for {found.item} in {whole}]"
