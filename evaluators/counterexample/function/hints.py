"""Type hints of the entry point, read from the text: nothing of it is imported or run here.

A hint widens a shape where the inputs seen leave it open: what stands in a list that was always
empty, None where it is optional, floats where only ints were seen. It never narrows one.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

from evaluators.counterexample.function.shape import (
    MAPPINGS,
    SEQUENCES,
    SETS,
    Shape,
    Step,
    shape_of,
)
from se_agent.program.parsing import expression_tree, tree_of

_TYPES = (type(None), bool, int, float, str)
_LEAVES: Mapping[str, Shape] = {
    "None": shape_of([None]),
    "bool": shape_of([False, True]),
    "int": shape_of([0, 9]),
    "float": shape_of([0.0, 0.25, 9.0]),
    "str": shape_of(["a", "bcd", "za"]),
}
"""Few and plain values: a hint says nothing of ranges and letters."""

_CONTAINERS: Mapping[str, type] = {
    "list": list,
    "List": list,
    "Sequence": list,
    "Iterable": list,
    "Collection": list,
    "MutableSequence": list,
    "deque": deque,
    "Deque": deque,
    "set": set,
    "Set": set,
    "AbstractSet": set,
    "frozenset": frozenset,
    "FrozenSet": frozenset,
    "dict": dict,
    "Dict": dict,
    "Mapping": dict,
    "MutableMapping": dict,
}
_TUPLES = ("tuple", "Tuple")
_LONGEST = 3  # elements of a container that was always empty
_DEEPEST = 16
_UNKNOWN = Shape()


def hinted(text: str, entry_point: str) -> Shape:
    """Return what the hints of a function say of its tuple of arguments.

    Args:
        text: Program that defines the function.
        entry_point: Its name.
    """
    try:
        body = tree_of(text).body
    except (SyntaxError, ValueError, RecursionError):
        return _UNKNOWN
    functions = [n for n in body if isinstance(n, ast.FunctionDef) and n.name == entry_point]
    if not functions:
        return _UNKNOWN
    given = functions[-1].args
    reader = _Reader(_aliases(body))
    hints = [arg.annotation for arg in (*given.posonlyargs, *given.args)]
    return Shape(
        kinds=frozenset({tuple}),
        parts={n: reader.shape(hint) for n, hint in enumerate(hints) if hint is not None},
    )


def widened(seen: Shape, hint: Shape | None) -> Shape:
    """Return the shape of what was seen, wider where a hint says what was left open.

    A hint that does not fit what was seen says nothing.
    """
    if hint is None or not hint.kinds or not all(_fits(kind, hint) for kind in seen.kinds):
        return seen
    found = _with_leaves(seen, hint)
    steps = {
        step: widened(part, hint.part(step) or hint.part("value" if seen.names else "*"))
        for step, part in seen.parts.items()
    }
    inner: dict[Step, Shape] = {}
    if not steps:
        inner = {s: p for s, p in hint.parts.items() if type(s) is str and p.kinds}
    if not inner or not seen.count or not seen.kinds - set(_TYPES):
        return replace(found, parts=steps)
    return replace(found, parts=inner, sizes=(found.sizes[0], _LONGEST))


def _fits(kind: type, hint: Shape) -> bool:
    """Say whether a hint speaks of a type; a sequence is a sequence, and an int a float."""
    for family in (SEQUENCES, SETS, MAPPINGS):
        if kind in family:
            return bool(hint.kinds & set(family))
    return kind in hint.kinds or (kind is int and float in hint.kinds)


def _with_leaves(seen: Shape, hint: Shape) -> Shape:
    """Add the plain types that a hint names and that were not seen."""
    more = (hint.kinds - seen.kinds) & set(_TYPES)
    found = replace(seen, kinds=seen.kinds | more)
    if more & {int, float, bool} and not seen.kinds & {int, float, bool}:
        found = replace(found, low=hint.low, high=hint.high)
    if float in more:
        found = replace(found, places=hint.places, few=frozenset())
    if str in more:
        sizes = hint.sizes if seen.sizes == (0, 0) else seen.sizes
        found = replace(found, texts=hint.texts, alphabet=hint.alphabet, sizes=sizes)
    return found


def _either(one: Shape, other: Shape) -> Shape:
    """Return the shape of what may be the one or the other."""
    if not one.kinds or not other.kinds:
        return _UNKNOWN
    return replace(
        _with_leaves(one, other), parts=one.parts or other.parts, kinds=one.kinds | other.kinds
    )


def _aliases(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return what names of the module stand for."""
    found: dict[str, ast.expr] = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        if isinstance(target, ast.Name):
            found[target.id] = value
    return found


@dataclass(frozen=True)
class _Reader:
    """Reads annotations; what it does not know says nothing."""

    aliases: Mapping[str, ast.expr]

    def shape(self, hint: ast.expr, depth: int = _DEEPEST) -> Shape:
        """Return the shape that an annotation describes."""
        if depth == 0:
            return _UNKNOWN
        if isinstance(hint, ast.Constant):
            return self._constant(hint.value, depth)
        if isinstance(hint, ast.BinOp) and isinstance(hint.op, ast.BitOr):
            return _either(self.shape(hint.left, depth - 1), self.shape(hint.right, depth - 1))
        if isinstance(hint, ast.Subscript):
            inner = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else [hint.slice]
            return self._generic(_name(hint.value), inner, depth - 1)
        name = _name(hint)
        if name in _LEAVES:
            return _LEAVES[name]
        if isinstance(hint, ast.Name) and name in self.aliases:
            return self.shape(self.aliases[name], depth - 1)
        return self._generic(name, [], depth - 1)

    def _constant(self, value: object, depth: int) -> Shape:
        if value is None:
            return _LEAVES["None"]
        if not isinstance(value, str):
            return _UNKNOWN
        try:
            return self.shape(expression_tree(value), depth - 1)
        except (SyntaxError, ValueError, RecursionError):
            return _UNKNOWN

    def _generic(self, name: str, inner: list[ast.expr], depth: int) -> Shape:
        if name == "Annotated" and inner:
            return self.shape(inner[0], depth)
        if name in ("Optional", "Union") and inner:
            one, *others = [self.shape(part, depth) for part in inner]
            if name == "Optional":
                others = [_LEAVES["None"]]
            return reduce(_either, others, one)
        if name in _TUPLES:
            return self._tuple(inner, depth)
        kind = _CONTAINERS.get(name)
        if kind is None:
            return _UNKNOWN
        steps: tuple[Step, ...] = ("key", "value") if kind is dict else ("*",)
        parts = {s: self.shape(p, depth) for s, p in zip(steps, inner, strict=False)}
        complete = len(parts) == len(steps) and all(part.kinds for part in parts.values())
        return Shape(
            kinds=frozenset({kind}), sizes=(1, _LONGEST), parts=parts if complete else {}
        )

    def _tuple(self, inner: list[ast.expr], depth: int) -> Shape:
        kinds = frozenset({tuple})
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return Shape(
                kinds=kinds, sizes=(1, _LONGEST), parts={"*": self.shape(inner[0], depth)}
            )
        size = len(inner)
        parts: dict[Step, Shape] = {n: self.shape(part, depth) for n, part in enumerate(inner)}
        return Shape(kinds=kinds, sizes=(size, size), fields=size, parts=parts)


def _name(node: ast.expr) -> str:
    """Return the last name of a dotted one; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
