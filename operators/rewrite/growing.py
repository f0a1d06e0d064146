"""A list that only grows by `append` after it is made: every mention, by what it does.

Not here: what is better kept beside it (the rules).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.effects import READ_ONLY
from operators.rewrite.freshness import bindings
from operators.rewrite.imports import imports
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, method, named, only, target_names, targets
from operators.rewrite.uses import mentions, truth_only

if TYPE_CHECKING:
    import libcst as cst

_ORDERING = frozenset(["copy", "count", "index", "reverse", "sort"])


@dataclass(kw_only=True)
class Growing:
    """The mentions of a list that only grows.

    Attributes:
        made: Values that it begins with, by the statement.
        appends: What is appended, by the statement.
        reads: Mentions that only read it, or bring it into another order.
    """

    made: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    appends: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    reads: list[cst.CSTNode] = field(default_factory=list)


@lru_cache(maxsize=512)  # four rules ask
def growing_lists(program: Program, place: Place) -> tuple[tuple[str, Growing], ...]:
    """Return the lists of a function that only grow, each with its mentions."""
    return tuple(_growing_lists(program, place))


def _growing_lists(program: Program, place: Place) -> Iterator[tuple[str, Growing]]:
    own = frozenset(place.own)
    found = (target for target in targets(place.node) if target in own)
    for name in dict.fromkeys(name for target in found for name in target_names(target)):
        if uses := _growing(program, place, name):
            yield name, uses


def _growing(program: Program, place: Place, name: str) -> Growing | None:
    """Return the mentions of a list, or None when one of them is not understood."""
    import libcst as cst

    found = Growing()
    for node in mentions(place, name):
        line = program.statement(node)
        small = only(line)
        grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
        if small and any(node in walk(target) for target in targets(line)):
            values = [v for each, v, below in bindings(line) if each == name and not below]
            value = values[0] if len(values) == 1 else None
            if not isinstance(value, cst.BaseExpression) or not _is_list(value):
                return None
            found.made[line] = value
        elif grown and grown[0] is node and len(grown[1]) == 1:
            found.appends[line] = grown[1][0]
        elif _reads(program, node):
            found.reads.append(node)
        else:
            return None
    return found if found.made and found.appends else None


def _is_list(node: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(node, cst.List) or calls(node, "list") is not None


def _reads(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention only reads: returned, looped over, indexed, or given to `len`."""
    import libcst as cst

    parent = program.parent[node]
    above = program.parent[parent]
    if isinstance(parent, cst.Arg):
        receiver = above.func if isinstance(above, cst.Call) else None
        known = {each.name for each in imports(program) if each.module == "statistics"}
        return named(receiver) in READ_ONLY | known or isinstance(receiver, cst.Attribute)
    if isinstance(parent, cst.Attribute):
        return isinstance(above, cst.Call) and parent.attr.value in _ORDERING
    if isinstance(parent, cst.Subscript):
        return not isinstance(above, (cst.AssignTarget, cst.AugAssign, cst.Del))
    kinds = (cst.Return, cst.For, cst.CompFor, cst.Element, cst.Comparison, cst.If, cst.While)
    operations = (cst.UnaryOperation, cst.BooleanOperation, cst.BinaryOperation)
    read = isinstance(parent, (*kinds, *operations, cst.ComparisonTarget))
    return read or truth_only(program, node)
