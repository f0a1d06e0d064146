"""How much of an object was made by the code itself: what it may change without a trace.

A copy of a list is new, but not the rows in it. Not here: what a change is (`purity`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.program import walk
from operators.rewrite.reading import named, target_names, targets

if TYPE_CHECKING:
    import libcst as cst

_NEW = 9  # levels of an object that holds nothing older than itself
_COPYING = frozenset(
    ["Counter", "dict", "enumerate", "filter", "frozenset", "list", "map", "reversed", "set",
     "sorted", "tuple", "zip", "copy", "difference", "intersection", "items", "keys",
     "most_common", "union", "values"]
)  # fmt: skip
_HANDING_ON = frozenset(["get", "max", "min", "pop"])

Binding = tuple[str, "cst.CSTNode | None", int]
"""A name, what it is given (None: something older), and how far below that it lies."""


def levels(node: cst.CSTNode, own: frozenset[str], builtins: frozenset[str]) -> dict[str, int]:
    """Return for each name how many levels of its object the code made itself.

    Args:
        node: The code.
        own: Names that it binds.
        builtins: Functions that are known to return new objects, or their arguments.
    """
    given = list(bindings(node))
    found = dict.fromkeys(sorted(own), _NEW)
    while True:
        least = dict(found)
        for name, value, below in given:
            level = _level(value, found, builtins) - below if value else 0
            least[name] = min(least.get(name, 0), max(level, 0))
        if least == found:
            return found
        found = least


def depth(target: cst.CSTNode) -> int:
    """Return how many levels below a name an assignment to `name[i].b` reaches."""
    import libcst as cst

    found = 0
    while isinstance(target, (cst.Attribute, cst.Subscript)):
        found, target = found + 1, target.value
    return found


@lru_cache(maxsize=1024)
def bindings(node: cst.CSTNode) -> tuple[Binding, ...]:
    """Return what the code below gives to names, one by one where it unpacks."""
    return tuple(_bindings(node))


def _bindings(node: cst.CSTNode) -> Iterator[Binding]:
    import libcst as cst

    told: set[cst.CSTNode] = set()
    for part in walk(node):
        pairs: list[tuple[cst.CSTNode, cst.CSTNode, int]] = []
        if isinstance(part, cst.Assign):
            pairs = [(target.target, part.value, 0) for target in part.targets]
        elif isinstance(part, (cst.AnnAssign, cst.NamedExpr)) and part.value:
            pairs = [(part.target, part.value, 0)]
        elif isinstance(part, (cst.For, cst.CompFor)):
            pairs = [(part.target, part.iter, 1)]
        elif isinstance(part, cst.AugAssign):
            told.add(part.target)
        for target, value, below in pairs:
            told.add(target)
            yield from _paired(target, value, below)
    for target in targets(node):
        if target not in told:
            yield from ((name, None, 0) for name in target_names(target))


def _paired(target: cst.CSTNode, value: cst.CSTNode, below: int) -> Iterator[Binding]:
    import libcst as cst

    sequences = (cst.Tuple, cst.List)
    if isinstance(target, cst.Name):
        yield target.value, value, below
    elif isinstance(target, sequences) and isinstance(value, sequences) and not below:
        same = len(target.elements) == len(value.elements)
        for i, element in enumerate(target.elements):
            given = value.elements[i].value if same else value
            yield from _paired(element.value, given, 0 if same else 1)
    else:
        yield from ((name, value, below + 1) for name in target_names(target))


def _level(value: cst.CSTNode, known: Mapping[str, int], builtins: frozenset[str]) -> int:
    """Return how many levels of a value are new; 0: it may be an older object itself."""
    import libcst as cst

    def of(*parts: cst.CSTNode) -> int:
        return min((_level(part, known, builtins) for part in parts), default=_NEW)

    if isinstance(value, cst.Name):
        return _NEW if value.value in ("True", "False", "None") else known.get(value.value, 0)
    if isinstance(value, (cst.List, cst.Set, cst.Tuple)):
        return 1 + of(*(element.value for element in value.elements))
    if isinstance(value, cst.Dict):
        return 1 + of(*(element.value for element in value.elements))
    if isinstance(value, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
        return 1 + of(value.elt)
    if isinstance(value, cst.DictComp):
        return 1 + of(value.value)
    if isinstance(value, cst.IfExp):
        return of(value.body, value.orelse)
    if isinstance(value, cst.BooleanOperation):
        return of(value.left, value.right)
    if isinstance(value, cst.BinaryOperation):
        sides = of(value.left), of(value.right)
        return max(1, max(sides) if isinstance(value.operator, cst.Multiply) else min(sides))
    if isinstance(value, cst.Subscript):
        cut = any(isinstance(part.slice, cst.Slice) for part in value.slice)
        return 1 if cut else max(of(value.value) - 1, 0)
    if isinstance(value, cst.Call):
        return _made(value, builtins)
    plain = (cst.BaseNumber, cst.BaseString, cst.UnaryOperation, cst.Comparison)
    return _NEW if isinstance(value, plain) else 0


def _made(call: cst.Call, builtins: frozenset[str]) -> int:
    import libcst as cst

    is_method = isinstance(call.func, cst.Attribute)
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)
    if name in _HANDING_ON or not (is_method or name in builtins):
        return 0
    return 1 if name in _COPYING and (is_method or call.args) else _NEW
