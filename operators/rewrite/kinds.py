"""What kind of object a name stands for, as far as the lines that set it tell.

Not here: what is done with the object (`uses`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.program import Place, Program
from operators.rewrite.reading import assigned, named, text

if TYPE_CHECKING:
    import libcst as cst

_MAPPINGS = frozenset({"dict", "Counter", "defaultdict", "OrderedDict", "Dict", "DictComp"})
_ITERATORS = frozenset(
    {"GeneratorExp", "enumerate", "filter", "iter", "map", "open", "reversed", "zip"}
)
_COLLECTIONS = _MAPPINGS | {
    "List", "ListComp", "Set", "SetComp", "Tuple",
    "frozenset", "list", "range", "set", "sorted", "tuple",
}  # fmt: skip


def mapping(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be a dictionary: its elements are keys, `[]` gives values."""
    return any(kind in _MAPPINGS for kind in _kinds(program, place, node))


def iterator(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node may be an iterator: its elements are there once."""
    return any(kind in _ITERATORS for kind in _kinds(program, place, node))


def collection(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the node is known to hold elements, as no text does: `in` asks for one."""
    kinds = list(_kinds(program, place, node))
    return bool(kinds) and all(kind in _COLLECTIONS for kind in kinds)


def _kinds(program: Program, place: Place, node: cst.CSTNode) -> Iterator[str]:
    """Yield a word for each value that the node may be: who makes it, or its annotation."""
    import libcst as cst

    name = named(node)
    if not name:
        yield _made(node)
        return
    if isinstance(place.node, cst.FunctionDef):
        for param in place.node.params.params:
            if param.name.value == name:
                noted = param.annotation and text(param.annotation.annotation)
                yield (noted or "").partition("[")[0]
    for part in (*place.own, *program.places[0].own):
        pair = assigned(part)
        if pair and pair[0] == name:
            yield _made(pair[1])


def _made(node: cst.CSTNode) -> str:
    import libcst as cst

    if isinstance(node, cst.Call):
        return text(node.func).rpartition(".")[2]
    return type(node).__name__
