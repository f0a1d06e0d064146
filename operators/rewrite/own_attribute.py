"""An attribute that only methods of one class touch: where it is emptied, grown and read.

Not here: whether others ask for it by its name, or look into the object (`by_name`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.by_name import is_open
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import bound, calls, flat, named, targets, written

if TYPE_CHECKING:
    import libcst as cst

_DECORATORS = frozenset(
    {"abstractmethod", "cached_property", "contextmanager", "override", "property", "setter"}
)
_OF_CLASSES = frozenset({"__class_getitem__", "__init_subclass__", "__new__"})


class AttributeGrowth(NamedTuple):
    """A statement that adds a piece at the end of an attribute of an object.

    Attributes:
        statement: It may share its line with others.
        target: The attribute; on the left side.
        piece: What is added.
    """

    statement: cst.BaseSmallStatement
    target: cst.Attribute
    piece: cst.BaseExpression


@dataclass(frozen=True, eq=False)
class OwnAttribute:
    """An attribute of which each use in a file is known.

    Attributes:
        name: Its name.
        kind: `bytes` or `str`: what it is whenever it is emptied.
        empties: Values that it is set to, all of them empty.
        notes: Annotations of these, all of the kind.
        growths: Where it grows, in the order of the text.
        reads: The other mentions.
        method: The method around each growth and read.
    """

    name: str
    kind: str
    empties: tuple[cst.CSTNode, ...]
    notes: tuple[cst.CSTNode, ...]
    growths: tuple[AttributeGrowth, ...]
    reads: tuple[cst.Attribute, ...]
    method: dict[cst.CSTNode, cst.FunctionDef]


def attribute_growth(node: cst.CSTNode) -> AttributeGrowth | None:
    """Return what `self.out += piece` or `self.out = self.out + piece` does."""
    import libcst as cst

    if isinstance(node, cst.AugAssign) and isinstance(node.operator, cst.AddAssign):
        target, piece = node.target, node.value
    elif isinstance(node, cst.Assign) and len(node.targets) == 1:
        target = node.targets[0].target
        rest = _added_to(node.value, flat(target))
        if rest is None:
            return None
        piece = rest
    else:
        return None
    if not isinstance(target, cst.Attribute) or not named(target.value):
        return None
    return AttributeGrowth(node, target, piece)


def _added_to(total: cst.BaseExpression, target: str) -> cst.BaseExpression | None:
    """Return `p + q` for `target + p + q`."""
    import libcst as cst

    if not isinstance(total, cst.BinaryOperation) or not isinstance(total.operator, cst.Add):
        return None
    if flat(total.left) == target:
        return total.right
    rest = _added_to(total.left, target)
    return total.with_changes(left=rest) if rest is not None else None


def own_attribute(
    program: Program, function: cst.FunctionDef, name: str
) -> OwnAttribute | None:
    """Return all uses of an attribute of a method's object; None where there may be others.

    Args:
        program: The file.
        function: The method.
        name: Name of the attribute.
    """
    import libcst as cst

    around = defined_in(program, function)
    if not isinstance(around, cst.ClassDef) or around.decorators or around.keywords:
        return None
    return _own(program, around, name)


@lru_cache(maxsize=1024)  # methods share it
def _own(program: Program, around: cst.ClassDef, name: str) -> OwnAttribute | None:
    nodes = _attributes(program)[name]
    method = {node: _method(program, around, node) for node in nodes}
    known: dict[cst.CSTNode, cst.FunctionDef] = {
        node: found for node, found in method.items() if found is not None
    }
    found = _sorted_out(program, name, known) if len(known) == len(nodes) else None
    return None if found is None or is_open(program, name) else found


@lru_cache(maxsize=128)
def _attributes(program: Program) -> dict[str, list[cst.Attribute]]:
    """Return each attribute that is mentioned, by name."""
    import libcst as cst

    found: dict[str, list[cst.Attribute]] = {}
    for node in program.nodes:
        if isinstance(node, cst.Attribute):
            found.setdefault(node.attr.value, []).append(node)
    return found


@lru_cache(maxsize=1024)
def _bound_in(method: cst.FunctionDef) -> frozenset[str]:
    return bound(method.body)


def _method(
    program: Program, around: cst.ClassDef, node: cst.Attribute
) -> cst.FunctionDef | None:
    """Return the method whose own object is asked for the attribute, if it is of a class."""
    import libcst as cst

    method = next((n for n in program.above(node) if isinstance(n, cst.FunctionDef)), None)
    if method is None or defined_in(program, method) is not around:
        return None
    owner = first_parameter(method)
    if owner != named(node.value) or method.params.posonly_params:
        return None
    noted = (each.decorator for each in method.decorators)
    if method.name.value in _OF_CLASSES or any(_last(n) not in _DECORATORS for n in noted):
        return None
    inside = method.body in program.above(node)
    return method if inside and owner not in _bound_in(method) else None


def _last(node: cst.CSTNode) -> str:
    """Return the last word of `a.b.c`."""
    import libcst as cst

    return node.attr.value if isinstance(node, cst.Attribute) else named(node)


def _sorted_out(
    program: Program, name: str, method: dict[cst.CSTNode, cst.FunctionDef]
) -> OwnAttribute | None:
    import libcst as cst

    growths: list[AttributeGrowth] = []
    empties: dict[cst.CSTNode, cst.CSTNode] = {}  # by target
    notes: list[cst.CSTNode] = []
    for node in dict.fromkeys(_small(program, node) for node in method):
        growth = attribute_growth(node)
        if growth is not None and growth.target in method:
            growths.append(growth)
        elif isinstance(node, cst.Assign) and len(node.targets) == 1:
            empties |= _pairs(node.targets[0].target, node.value)
        elif isinstance(node, cst.AnnAssign) and node.value and node.target in method:
            empties[node.target] = node.value
            notes.append(node.annotation.annotation)
    empties = {target: value for target, value in empties.items() if target in method}
    kinds = {_kind(value) for value in empties.values()} | {flat(note) for note in notes}
    grown = {growth.target for growth in growths}
    taken = {whole for growth in growths if (whole := _whole(growth))}
    stored = {part for node in method for part in _stored(program, node) if part in method}
    if len(kinds) != 1 or "" in kinds or stored != grown | empties.keys():
        return None
    if not _begins(program, [method[target] for target in empties]):
        return None
    reads = [n for n in method if n not in stored | taken and isinstance(n, cst.Attribute)]
    (kind,) = kinds
    values = tuple(empties.values())
    return OwnAttribute(name, kind, values, tuple(notes), tuple(growths), tuple(reads), method)


def _small(program: Program, node: cst.CSTNode) -> cst.CSTNode:
    """Return the small statement around a node, or the one that it is part of the head of."""
    import libcst as cst

    kinds = (cst.BaseSmallStatement, cst.BaseStatement)
    return next(n for n in program.above(node) if isinstance(n, kinds))


def _pairs(target: cst.CSTNode, value: cst.BaseExpression) -> dict[cst.CSTNode, cst.CSTNode]:
    """Return values by targets, also of `self.a, self.b = 0, b""`."""
    import libcst as cst

    if not isinstance(target, cst.Tuple):
        return {target: value}
    if not isinstance(value, cst.Tuple) or len(value.elements) != len(target.elements):
        return {}
    parts = [*target.elements, *value.elements]
    if not all(isinstance(part, cst.Element) for part in parts):
        return {}
    both = zip(target.elements, value.elements, strict=True)
    return {left.value: right.value for left, right in both}


def _kind(value: cst.CSTNode) -> str:
    """Return `bytes` or `str` for an empty one, else nothing."""
    import libcst as cst

    if isinstance(value, cst.SimpleString) and not value.evaluated_value:
        return type(value.evaluated_value).__name__
    return next((kind for kind in ("bytes", "str") if calls(value, kind) == []), "")


def _whole(growth: AttributeGrowth) -> cst.CSTNode | None:
    """Return the mention on the right side of `self.out = self.out + p`."""
    import libcst as cst

    if not isinstance(growth.statement, cst.Assign):
        return None
    node: cst.CSTNode = growth.statement.value
    while isinstance(node, cst.BinaryOperation):
        node = node.left
        if flat(node) == flat(growth.target):
            break
    return node


def _stored(program: Program, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what the statement around a node sets or deletes, and of what it sets a part."""
    import libcst as cst

    for target in targets(_small(program, node)):
        for part in written(target):
            yield part
            whole = part
            while isinstance(whole, (cst.Attribute, cst.Subscript)):
                whole = whole.value
                yield whole


def _begins(program: Program, setting: list[cst.FunctionDef]) -> bool:
    """Whether `__init__` sets the attribute, or calls a method that does."""
    import libcst as cst

    names = {method.name.value for method in setting}
    if "__init__" in names:
        return True
    around = defined_in(program, setting[0]) if setting else None
    for method in program.functions.get("__init__", ()):
        if defined_in(program, method) is around:
            own = first_parameter(method)
            asked = (n.func for n in walk(method) if isinstance(n, cst.Call))
            return any(
                isinstance(n, cst.Attribute) and named(n.value) == own and n.attr.value in names
                for n in asked
            )
    return False
