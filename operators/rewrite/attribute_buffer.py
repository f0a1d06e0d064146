"""`self.out += piece` in methods that a loop calls -> a bytearray, or a list of texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.own_attribute import (
    AttributeGrowth,
    OwnAttribute,
    attribute_growth,
    only_adds,
    own_attribute,
)
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import bound, calls, lines, only, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import truth_only

if TYPE_CHECKING:
    import libcst as cst


class AttributeBuffer(Rule):
    """Let bytes in an attribute grow as a bytearray, and a text as a list of pieces.

    For growth across methods: the loop is elsewhere, and calls a method for each piece. Valid
    where plain lines of one class set the attribute to an empty literal, and add to it; no
    other code of the file mentions it; reads get a copy of the old type, and none for each
    piece; and what works out a piece leaves the attribute alone (all checked). That no other
    file reads the attribute, that what is added is of its type (a bytearray takes numbers, and
    a list anything), and that objects from elsewhere do not come back to it when a piece is
    made of them, is left to the tests. Known as amortised appending: bytes and texts in an
    attribute are copied whenever they grow.
    """

    name = "attribute_buffer"
    relies_on = "no other file reads the attribute, and what is added is of its type"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each attribute whose first growth is in the method."""
        import libcst as cst

        found = [growth for node in place.own if (growth := attribute_growth(node))]
        hidden = found and bound(program.module) & {"bytearray", "bytes", "len"}
        if hidden or not isinstance(place.node, cst.FunctionDef):
            return
        for name in dict.fromkeys(growth.target.attr.value for growth in found):
            own = own_attribute(program, place.node, name)
            if own is None or own.method[own.growths[0].target] is not place.node:
                continue
            if all(only_adds(program, own, growth) for growth in own.growths):
                change = _change(program, own)
                if change is not None:
                    yield change


def _change(program: Program, own: OwnAttribute) -> TreeChange | None:
    import libcst as cst

    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {}
    for small in own.empties:
        assert small.value is not None
        replaced[small.value] = "bytearray()" if own.kind == "bytes" else "[]"
        if isinstance(small, cst.AnnAssign):
            replaced[small.annotation.annotation] = "bytearray"
    copies = [node for node in own.reads if not _stays(program, own, node)]
    for node in copies:
        copied = _copied(program, own, node)
        if copied is None:
            return None
        replaced[node] = copied
    if not _pays(program, own, copies):
        return None
    for growth in own.growths:
        if own.kind == "str" or isinstance(growth.statement, cst.Assign):
            replaced[program.statement(growth.statement)] = _added(own, growth)
    whole, buffer = ("bytes", "a bytearray") if own.kind == "bytes" else ("text", "a list")
    return TreeChange(
        anchor=own.growths[0].statement,
        replaced=replaced,
        direction=f"Let the {whole} in an attribute grow as {buffer}",
        effect=f"no copy of the {whole} for each piece: O(n^2) -> O(n)",
    )


def _added(own: OwnAttribute, growth: AttributeGrowth) -> str:
    """Return the line that adds a piece to the buffer, the piece as it was written."""
    target, piece = text(growth.target), text(growth.piece)
    if own.kind == "bytes":
        return f"{target} += {piece}"
    return f"{target}.append" + (piece if growth.piece.lpar else f"({piece})")


def _stays(program: Program, own: OwnAttribute, node: cst.Attribute) -> bool:
    """Whether a read asks bytes for what a bytearray answers alike."""
    import libcst as cst

    above = program.parent[node]
    if own.kind != "bytes":
        return False
    if isinstance(above, cst.Subscript) and len(above.slice) == 1:
        part = above.slice[0].slice
        at = part.value if above.value is node and isinstance(part, cst.Index) else None
        return isinstance(
            at.expression if isinstance(at, cst.UnaryOperation) else at, cst.Integer
        )
    return _asks_size(program, node)


def _asks_size(program: Program, node: cst.Attribute) -> bool:
    """Whether a read only asks how much there is, or whether there is anything."""
    call = program.parent[program.parent[node]]
    return truth_only(program, node) or calls(call, "len") == [node]


def _copied(program: Program, own: OwnAttribute, node: cst.Attribute) -> str | None:
    """Return the code of a copy of the old type; None where the mention is no bare read."""
    import libcst as cst

    above = program.parent[node]
    sides = (cst.Assign, cst.AugAssign, cst.FormattedStringExpression)
    operations = (cst.BinaryOperation, cst.BooleanOperation)
    whole = program.parent[above] if isinstance(above, cst.ComparisonTarget) else above
    if isinstance(whole, cst.Comparison):
        if any(isinstance(n.operator, (cst.Is, cst.IsNot)) for n in whole.comparisons):
            return None
    elif not isinstance(above, (cst.Return, cst.Arg, cst.Element, *sides, *operations)):
        return None
    fields = [n for n in program.above(node) if isinstance(n, cst.FormattedStringExpression)]
    if len(fields) > 1 or any(n.equal or n.conversion or n.format_spec for n in fields):
        return None
    code = f"{text(node.value)}.{own.name}"
    if own.kind == "bytes":
        return f"bytes({code})"
    if _asks_size(program, node):
        return None  # a list knows, but not without its pieces
    around = program.parent[fields[0]] if fields else None
    quoted = isinstance(around, cst.FormattedString) and around.start.endswith('"')
    return f"''.join({code})" if quoted else f'"".join({code})'


def _pays(program: Program, own: OwnAttribute, copies: list[cst.Attribute]) -> bool:
    """Whether copies are made outside of loops, or at the end of a method that adds to it."""
    import libcst as cst

    around = program.parent[own.method[own.growths[0].target]]
    asked = {own.method[node].name.value for node in copies}
    methods = (n for n in walk(around) if isinstance(n, cst.Attribute))
    growing = {own.method[growth.target] for growth in own.growths}
    busy: set[cst.CSTNode] = set()
    for node in (*copies, *(n for n in methods if n.attr.value in asked)):
        method = next(n for n in program.above(node) if isinstance(n, cst.FunctionDef))
        line = program.statement(node)
        ends = isinstance(only(line), cst.Return) and lines(method.body)[-1] is line
        if any(program.loops(node)) or (method in growing and not ends):
            return False
        busy.add(method)
    return bool(copies) and any(
        own.method[growth.target] not in busy or any(program.loops(growth.statement))
        for growth in own.growths
    )
