"""An attribute that only methods of one class mention: where it is emptied, grown and read.

Also whether what is added to it leaves it alone meanwhile. Not here: what to do about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import QUERIES, waits
from operators.rewrite.handlers import expects
from operators.rewrite.one_class import classes, is_open, is_plain, own_method
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, flat, named, only, same, targets

if TYPE_CHECKING:
    import libcst as cst

_OF_TEXTS = frozenset(name for name in dir(bytes) + dir(str) if not name.startswith("_"))
_METHODS = _OF_TEXTS | {"pack", "to_bytes"}
_MAKING = {
    "bytes": frozenset(["bytearray", "bytes"]),
    "str": frozenset(["ascii", "bin", "chr", "format", "hex", "oct", "repr", "str"]),
}


class AttributeGrowth(NamedTuple):
    """A statement that adds a piece at the end of an attribute; `of` mentions the old one."""

    statement: cst.AugAssign | cst.Assign
    target: cst.Attribute
    of: cst.CSTNode
    piece: cst.BaseExpression


class OwnAttribute(NamedTuple):
    """An attribute of which each mention in a file is known, with the method around it."""

    name: str
    kind: str  # `bytes` or `str`
    empties: list[cst.Assign | cst.AnnAssign]  # maybe annotated as `bytes`
    growths: list[AttributeGrowth]  # in the order of the text
    reads: list[cst.Attribute]
    method: dict[cst.Attribute, cst.FunctionDef]


def attribute_growth(node: cst.CSTNode | None) -> AttributeGrowth | None:
    """Return what `self.out += piece` or `self.out = self.out + piece` does."""
    import libcst as cst

    if isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Attribute):
        adds = isinstance(node.operator, cst.AddAssign)
        return AttributeGrowth(node, node.target, node.target, node.value) if adds else None
    if not isinstance(node, cst.Assign) or len(node.targets) > 1:
        return None
    target, total = node.targets[0].target, node.value
    if not isinstance(target, cst.Attribute) or not isinstance(total, cst.BinaryOperation):
        return None
    adds = isinstance(total.operator, cst.Add) and same(total.left, target)
    return AttributeGrowth(node, target, total.left, total.right) if adds else None


def own_attribute(program: Program, inside: cst.FunctionDef, name: str) -> OwnAttribute | None:
    """Return all mentions of an attribute of a method's object; None where others may be."""
    import libcst as cst

    around = defined_in(program, inside)
    if not isinstance(around, cst.ClassDef) or not is_plain(around) or is_open(program, name):
        return None
    method: dict[cst.Attribute, cst.FunctionDef] = {}
    for node in (n for n in program.nodes if named(n) == name):
        whole = program.parent[node]
        found = own_method(program, around, whole)
        if not isinstance(whole, cst.Attribute) or whole.attr is not node or found is None:
            return None
        method[whole] = found
    return None if waits(around) else _sorted_out(program, name, method)


def _sorted_out(
    program: Program, name: str, method: dict[cst.Attribute, cst.FunctionDef]
) -> OwnAttribute | None:
    import libcst as cst

    stored = {part for target in targets(program.module) for part in walk(target)}
    own = OwnAttribute(name, "", [], [], [], method)
    kinds, begun = list[str](), False
    for node in method:
        small = only(program.statement(node))
        growth = attribute_growth(small)
        first = method[node].name.value == "__init__"
        if growth is not None and growth.target is node and not first:
            own.growths.append(growth)
        elif isinstance(small, (cst.Assign, cst.AnnAssign)) and _kind(small, node):
            own.empties.append(small)
            kinds.append(_kind(small, node))
            begun = begun or first
        elif node in stored:
            return None
        elif growth is None or growth.of is not node:
            own.reads.append(node)
    return own._replace(kind=kinds[0]) if begun and len({*kinds}) == 1 else None


def _kind(small: cst.Assign | cst.AnnAssign, node: cst.CSTNode) -> str:
    """Return `bytes` or `str` where a statement sets just the node to an empty one."""
    import libcst as cst

    if not isinstance(small.value, cst.SimpleString) or small.value.evaluated_value:
        return ""
    kind = type(small.value.evaluated_value).__name__
    if isinstance(small, cst.AnnAssign):
        noted = kind == "bytes" == flat(small.annotation.annotation)
        return kind if noted and small.target is node else ""
    return kind if [each.target for each in small.targets] == [node] else ""


def only_adds(program: Program, own: OwnAttribute, growth: AttributeGrowth) -> bool:
    """Whether a piece is not seen to be of another type, and leaves the attribute alone."""
    import libcst as cst

    within = any(isinstance(n, cst.With) for n in program.above(growth.statement))
    if within or expects(program, "TypeError"):
        return False  # somebody may wait for the error of a wrong piece
    method = own.method[growth.target]
    return _fits(program, growth.piece, own.kind) and all(
        _is_calm(program, method, node) for node in walk(growth.piece)
    )


def _fits(program: Program, piece: cst.BaseExpression, kind: str) -> bool:
    """Whether syntax does not tell that a piece is of another type."""
    import libcst as cst

    if isinstance(piece, cst.BinaryOperation):
        left, right = (_fits(program, side, kind) for side in (piece.left, piece.right))
        either = isinstance(piece.operator, cst.Multiply) and (left or right)
        both = isinstance(piece.operator, cst.Add) and left and right
        return either or both or (isinstance(piece.operator, cst.Modulo) and left)
    if isinstance(piece, (cst.SimpleString, cst.ConcatenatedString)):
        return type(piece.evaluated_value).__name__ == kind
    if isinstance(piece, cst.Call) and isinstance(piece.func, cst.Name):
        return piece.func.value in _MAKING[kind] | program.functions.keys()
    if isinstance(piece, cst.Name):
        return piece.value not in ("False", "None", "True")
    asked = isinstance(piece, (cst.Attribute, cst.Call, cst.Subscript))
    return asked or (isinstance(piece, cst.FormattedString) and kind == "str")


def _is_calm(program: Program, method: cst.FunctionDef, node: cst.CSTNode) -> bool:
    """Whether what a part of a piece does cannot come to the object of the method."""
    import libcst as cst

    owner = first_parameter(method)
    if isinstance(node, cst.Name):
        return node.value != owner or isinstance(program.parent[node], cst.Attribute)
    if isinstance(node, cst.Attribute):
        return node.attr.value not in _of_classes(program)
    if not isinstance(node, cst.Call):
        return not isinstance(node, (cst.BaseComp, cst.Lambda, cst.NamedExpr))
    if isinstance(node.func, cst.Attribute):
        return node.func.attr.value in _METHODS and named(node.func.value) != owner
    name, own = named(node.func), program.functions.keys()
    if name in bound(method if name in own else program.module):
        return False  # it may be another function
    if name in own and (QUERIES | _OF_TEXTS) & own:
        return False  # what it calls may be methods of the program
    made = name in _MAKING["bytes"] | _MAKING["str"] and name not in own
    return made or computes(program, node)


def _of_classes(program: Program) -> frozenset[str]:
    """Return what may be a method of the program, or a property, by the names that are set."""
    import libcst as cst

    bodies = (each.body.body for each in classes(program))
    plain = (n for body in bodies for n in body if not isinstance(n, cst.FunctionDef))
    stored = {t.attr.value for t in targets(program.module) if isinstance(t, cst.Attribute)}
    return frozenset(program.functions).union(_METHODS & stored, *map(bound, plain))
