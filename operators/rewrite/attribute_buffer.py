"""`self.out += piece` in methods that a loop calls -> a bytearray, or a list of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from operators.rewrite.attribute_pieces import fits, is_calm
from operators.rewrite.change import TreeChange
from operators.rewrite.own_attribute import (
    AttributeGrowth,
    OwnAttribute,
    attribute_growth,
    own_attribute,
)
from operators.rewrite.owners import first_parameter
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import bound, calls, named
from operators.rewrite.rule import Rule
from operators.rewrite.uses import truth_only

if TYPE_CHECKING:
    import libcst as cst

_BUFFERS = {"bytes": ("bytearray", "bytearray()"), "str": ("list[str]", "[]")}
_ALIKE = frozenset(
    ["count", "decode", "endswith", "find", "hex", "index", "rfind", "rindex", "startswith"]
)
"""Methods that bytes and a bytearray have, and that give no bytes."""

_New = Mapping["cst.CSTNode", "str | cst.CSTNode"]


class AttributeBuffer(Rule):
    """Let bytes in an attribute grow as a bytearray, and a text as a list of pieces.

    For growth across methods: the loop is elsewhere, and calls a method for each piece. Valid
    where the class sets the attribute to nothing but empty bytes, or texts, no other code of
    the file mentions it, reads get a copy that is of the old type, and none that would be made
    for each piece; and what is added, or asked, leaves the attribute alone meanwhile (all
    checked). That no other file reads the attribute, that what is added is of its type (a
    bytearray takes numbers, and a list anything), and that functions from elsewhere that work
    it out do not come back to the object, is left to the tests. Known as amortised
    appending: bytes and texts in an attribute are copied whenever they grow.
    """

    name = "attribute_buffer"
    relies_on = "no other file reads the attribute, and what is added is of its type"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each attribute whose first growth is in the method."""
        import libcst as cst

        done: set[str] = set()
        if not isinstance(place.node, cst.FunctionDef):
            return
        for node in place.own:
            growth = attribute_growth(node)
            if growth is None or isinstance(growth.piece, cst.BaseNumber):
                continue
            name = growth.target.attr.value
            if name in done or named(growth.target.value) != first_parameter(place.node):
                continue
            done.add(name)
            own = own_attribute(program, place.node, name)
            if own is not None and _first(own) is node and _holds(program, own):
                change = _change(program, own)
                if change is not None:
                    yield change


def _outside(own: OwnAttribute) -> list[AttributeGrowth]:
    """Return the growths in other methods than `__init__`."""
    return [g for g in own.growths if own.method[g.target].name.value != "__init__"]


def _first(own: OwnAttribute) -> cst.CSTNode | None:
    return next((growth.statement for growth in _outside(own)), None)


def _holds(program: Program, own: OwnAttribute) -> bool:
    """Whether names mean what they say, and pieces leave the attribute alone."""
    if bound(program.module) & {"bool", "bytearray", "bytes", "len", "str"}:
        return False
    return all(
        fits(program, own, growth) and is_calm(program, own, growth.target, growth.piece)
        for growth in own.growths
    )


def _change(program: Program, own: OwnAttribute) -> TreeChange | None:
    if all(_sized(program, node) for node in own.reads):
        return None  # what it holds is read elsewhere
    note, empty = _BUFFERS[own.kind]
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = dict.fromkeys(own.empties, empty)
    replaced |= dict.fromkeys(own.notes, note)
    copies: list[cst.CSTNode] = []
    for node in own.reads:
        new = _read(program, own, node)
        if new is None:
            return None
        replaced |= new
        copies += [node] if node in new else []
    if not _pays(program, own, copies):
        return None
    for growth in own.growths:
        added = _appended(growth) if own.kind == "str" else _extended(growth)
        if added is None:
            continue
        if any(node in replaced for node in walk(growth.piece)):
            return None
        replaced[growth.statement] = added
    whole, buffer = ("bytes", "a bytearray") if own.kind == "bytes" else ("text", "a list")
    return TreeChange(
        anchor=_outside(own)[0].statement,
        replaced=replaced,
        direction=f"Let the {whole} in an attribute grow as {buffer}",
        effect=f"no copy of the {whole} for each piece: O(n^2) -> O(n)",
    )


def _read(program: Program, own: OwnAttribute, node: cst.Attribute) -> _New | None:
    """Return the new code of a read: nothing for one that stays; None where it cannot be."""
    import libcst as cst

    above = program.parent[node]
    compared = above if isinstance(above, cst.Comparison) else program.parent[above]
    if isinstance(compared, cst.Comparison) and any(
        isinstance(part.operator, (cst.Is, cst.IsNot)) for part in compared.comparisons
    ):
        return None
    formatted = [n for n in program.above(node) if isinstance(n, cst.FormattedString)]
    fields = (n for n in program.above(node) if isinstance(n, cst.FormattedStringExpression))
    if any(field.equal for field in fields):
        return None
    code = f"{named(node.value)}.{own.name}"
    if own.kind == "bytes":
        kept = _kept(program, own, node)
        return {node: f"bytes({code})"} if kept is None else kept
    quotes = {each.start[-1] for each in formatted}
    if len(quotes) > 1 or _sized(program, node):
        return None
    empty = "''" if '"' in quotes else '""'
    return {node: f"{empty}.join({code})"}


def _sized(program: Program, node: cst.CSTNode) -> bool:
    """Whether a read only asks for the length, or whether there is anything."""
    call = program.parent[program.parent[node]]
    asked = any(calls(call, function) == [node] for function in ("bool", "len"))
    return asked or truth_only(program, node)


def _kept(program: Program, own: OwnAttribute, node: cst.Attribute) -> _New | None:
    """Return the new code of a read that a bytearray answers alike; None for other reads."""
    import libcst as cst

    above = program.parent[node]
    call = program.parent[above]
    if _sized(program, node):
        return {}
    if isinstance(above, cst.ComparisonTarget) and isinstance(call, cst.Comparison):
        sought = isinstance(above.operator, (cst.In, cst.NotIn)) and len(call.comparisons) == 1
        return {} if sought else None
    if isinstance(above, cst.Attribute) and isinstance(call, cst.Call) and call.func is above:
        alike = above.attr.value in _ALIKE and is_calm(program, own, node, *call.args)
        return {} if alike else None
    if not isinstance(above, cst.Subscript) or above.value is not node or len(above.slice) != 1:
        return None
    part = above.slice[0].slice
    if not is_calm(program, own, node, part):
        return None
    if isinstance(part, cst.Index):
        return {} if _is_number(program, part.value) else None
    return _slice(program, own, above, part)


def _is_number(program: Program, node: cst.BaseExpression) -> bool:
    """Whether an index is no slice: one is made by name, or comes to `__getitem__`."""
    import libcst as cst

    if isinstance(node, (cst.Integer, cst.UnaryOperation, cst.BinaryOperation)):
        return True
    return not {"slice", "__getitem__"} & program.names


def _slice(
    program: Program, own: OwnAttribute, whole: cst.Subscript, part: cst.BaseSlice
) -> _New | None:
    """Return the new code of a part of the bytes; None where it is all of them, or unclear."""
    import libcst as cst

    assert isinstance(part, cst.Slice)
    if part.lower is None and part.upper is None:
        return None
    inside = frozenset(walk(part))
    if any(_kept(program, own, node) != {} for node in own.reads if node in inside):
        return None
    added = program.parent[whole]
    if isinstance(added, cst.AugAssign) and attribute_growth(added) in own.growths:
        return {}
    arg = cst.Arg(whole.with_changes(lpar=(), rpar=()))
    return {whole: cst.Call(cst.Name("bytes"), [arg], lpar=whole.lpar, rpar=whole.rpar)}


def _appended(growth: AttributeGrowth) -> cst.Expr:
    """Return `self.out.append(piece)`, the piece as it was written."""
    import libcst as cst

    piece = growth.piece
    own_brackets = isinstance(piece, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield))
    call = cst.Call(cst.Attribute(growth.target, cst.Name("append")), [cst.Arg(piece)])
    if len(piece.lpar) == 1 and not own_brackets:
        before, after = piece.lpar[0].whitespace_after, piece.rpar[0].whitespace_before
        arg = cst.Arg(piece.with_changes(lpar=(), rpar=()), whitespace_after_arg=after)
        call = call.with_changes(args=[arg], whitespace_before_args=before)
    return cst.Expr(call, semicolon=growth.statement.semicolon)


def _extended(growth: AttributeGrowth) -> cst.AugAssign | None:
    """Return `self.out += piece` for `self.out = self.out + piece`, None where it is so."""
    import libcst as cst

    if isinstance(growth.statement, cst.AugAssign):
        return None
    return cst.AugAssign(
        growth.target, cst.AddAssign(), growth.piece, semicolon=growth.statement.semicolon
    )


def _pays(program: Program, own: OwnAttribute, copies: list[cst.CSTNode]) -> bool:
    """Whether it grows somewhere without being copied whole for each piece.

    Copies are made outside of loops; in a method that adds to the attribute, to be returned
    at its end. The same holds for calls of methods that copy. Where the attribute is emptied
    beside a copy, what was added since is copied once.
    """
    import libcst as cst

    whole = [node for node in copies if not _emptied_beside(program, own, node)]
    copying = {own.method[node].name.value for node in whole}
    around = {node: own.method[node] for node in whole} | _askers(program, copying)
    growing = {own.method[growth.target] for growth in own.growths}
    for node, method in around.items():
        if any(program.loops(node)):
            return False
        returned = any(isinstance(each, cst.Return) for each in program.above(node))
        if method in growing and not returned:
            return False
    busy = set(around.values())
    return any(
        own.method[growth.target] not in busy or any(program.loops(growth.statement))
        for growth in _outside(own)
    )


def _emptied_beside(program: Program, own: OwnAttribute, node: cst.CSTNode) -> bool:
    """Whether the block of a read also empties the attribute, each time it is read."""
    import libcst as cst

    if any(isinstance(each, (cst.Lambda, cst.BaseComp)) for each in program.loops(node)):
        return False
    line = program.statement(node)
    lines = {program.statement(value) for value in own.empties}
    block = program.block(line) if isinstance(line, cst.SimpleStatementLine) else ()
    return any(isinstance(n, cst.SimpleStatementLine) and n in lines for n in block)


def _askers(program: Program, names: set[str]) -> dict[cst.CSTNode, cst.FunctionDef]:
    """Return where methods ask their object for one of these, each with the method."""
    import libcst as cst

    found: dict[cst.CSTNode, cst.FunctionDef] = {}
    for node in program.nodes if names else ():
        if isinstance(node, cst.Attribute) and node.attr.value in names:
            outer = (n for n in program.above(node) if isinstance(n, cst.FunctionDef))
            method = next(outer, None)
            if method is not None and first_parameter(method) == named(node.value):
                found[node] = method
    return found
