"""What kind of object a name stands for, as far as the lines that set it tell.

Not here: what is done with the object (`uses`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.owners import values_of
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import assigned, compared, named, text

if TYPE_CHECKING:
    import libcst as cst

_MAPPINGS = frozenset({"dict", "Counter", "defaultdict", "OrderedDict", "Dict", "DictComp"})
_HASHED = _MAPPINGS | {"Set", "SetComp", "frozenset", "range", "set", "FrozenSet"}
_CHANGEABLE = _MAPPINGS | {"List", "Set", "bytearray", "deque", "list", "set"}
_ITERATORS = frozenset(
    {"GeneratorExp", "enumerate", "filter", "iter", "map", "open", "reversed", "zip"}
)
_COLLECTIONS = _MAPPINGS | {
    "List", "ListComp", "Set", "SetComp", "Tuple",
    "frozenset", "list", "range", "set", "sorted", "tuple",
}  # fmt: skip

_TEXTS = frozenset(
    {
        "ConcatenatedString", "FormattedString", "SimpleString", "casefold", "format", "input",
        "join", "lower", "lstrip", "read", "read_text", "readline", "replace", "rstrip", "str",
        "strip", "swapcase", "title", "upper",
    }
)  # fmt: skip


def mapping(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be a dictionary: its elements are keys, `[]` gives values."""
    return any(kind in _MAPPINGS for kind in _kinds(program, place, node))


def hashes(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be a set or a dictionary: `in` asks for a hash already."""
    return any(kind in _HASHED for kind in _kinds(program, place, node))


def iterator(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be an iterator: its elements are there once."""
    return any(kind in _ITERATORS for kind in _kinds(program, place, node))


def whole_text(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be a text: `in` looks for any part of it."""
    return any(kind in _TEXTS for kind in _kinds(program, place, node))


def collection(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node is known to hold elements, as no text does: `in` asks for one."""
    kinds = list(_kinds(program, place, node))
    return bool(kinds) and all(kind in _COLLECTIONS for kind in kinds)


def holds_floats(place: Place, node: cst.CSTNode) -> bool:
    """Whether a parameter's annotation says that it holds floats, such as `list[float]`."""
    import libcst as cst

    params = place.node.params.params if isinstance(place.node, cst.FunctionDef) else ()
    noted = (p.annotation for p in params if p.name.value == named(node))
    return any(each and "[float" in text(each.annotation) for each in noted)


def takes_unhashable(program: Program, function: cst.FunctionDef) -> bool:
    """Whether annotations of a function say that it is given lists, sets or dictionaries."""
    return any(_noted(program, param) in _CHANGEABLE for param in function.params.params)


def elements_of(program: Program, place: Place, node: cst.BaseExpression) -> str:
    """Return code for the elements of a node before anybody asked whether it is None."""
    return f"{text(node)} or ()" if may_be_none(program, place, node) else text(node)


def may_be_none(program: Program, place: Place, node: cst.BaseExpression) -> bool:
    """Whether a name is None by default, is compared with it, or must be true for more."""
    import libcst as cst

    name = named(node)
    if isinstance(place.node, cst.FunctionDef) and name:
        for param in place.node.params.params:
            if param.name.value == name and none_by_signature(param):
                return True
    for part in place.own if name else ():
        above = program.parent.get(part)
        if named(part) == name and isinstance(above, cst.BooleanOperation):
            return True
        sides = compared(part, "Is", "IsNot", "Equal", "NotEqual") or ()
        if {name, "None"} == set(map(named, sides)):
            return True
    return False


def none_by_signature(param: cst.Param) -> bool:
    """Whether a parameter is None by default, or by its annotation."""
    noted = text(param.annotation.annotation) if param.annotation else ""
    return named(param.default) == "None" or "None" in noted or "Optional" in noted


def _kinds(program: Program, place: Place, node: cst.CSTNode) -> Iterator[str]:
    """Yield a word for each value that the node may be: who makes it, or its annotation."""
    import libcst as cst

    name = named(node)
    if not name:
        if isinstance(node, cst.Attribute) and named(node.value):
            for value in values_of(program, place.node, node.attr.value):
                yield _made(value)
        yield _made(node)
        return
    if isinstance(place.node, cst.FunctionDef):
        for param in place.node.params.params:
            if param.name.value == name:
                yield _noted(program, param)
    for part in (*place.own, *program.places[0].own):
        pair = assigned(part)
        if pair and pair[0] == name:
            yield _made(pair[1])


def _noted(program: Program, param: cst.Param) -> str:
    """Return the type that a parameter's annotation names; an alias stands for another."""
    word = text(param.annotation.annotation).partition("[")[0] if param.annotation else ""
    for part in program.places[0].own if word else ():
        pair = assigned(part)
        if pair and pair[0] == word:
            return text(pair[1]).partition("[")[0]
    return word


def _made(node: cst.CSTNode) -> str:
    import libcst as cst

    if isinstance(node, cst.Call):
        return text(node.func).rpartition(".")[2]
    return type(node).__name__
