"""What becomes of a value where it stands: only read, or kept; always evaluated, or not.

Not here: what changes a name (`effects`), what an expression does (`purity`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, named, names, target_names, targets, written

if TYPE_CHECKING:
    import libcst as cst

_KEEPING = frozenset(
    ["dict", "enumerate", "filter", "iter", "list", "map", "print", "reversed", "tuple", "zip"]
)
_CHOOSING = ("max", "min", "sum")  # of several arguments, one may be the result
_TAKING = (QUERIES - {"get"}) | {"extend", "isdisjoint", "update"}
_ASKING = QUERIES - {"items", "keys", "values"}


def mentions(place: Place, name: str) -> list[cst.CSTNode]:
    """Return every node of a function, nested ones included, that is this name."""
    return [node for node in walk(place.node) if named(node) == name]


def only_read(program: Program, node: cst.CSTNode) -> bool:
    """Whether the value at a node is looked at and forgotten: nobody keeps or changes it.

    Elements that are taken out of it may be kept.
    """
    import libcst as cst

    above = program.parent[node]
    if isinstance(above, cst.Arg):
        call = program.parent[above]
        if not isinstance(call, cst.Call) or above.star:
            return False
        if isinstance(call.func, cst.Attribute):
            return call.func.attr.value in _TAKING
        name = named(call.func)
        lazy = name in _KEEPING or (name in _CHOOSING and len(call.args) > 1)
        return name in READ_ONLY and (not lazy or only_read(program, call))
    if isinstance(above, cst.Attribute):
        return isinstance(program.parent[above], cst.Call) and above.attr.value in _ASKING
    if isinstance(above, cst.Subscript):
        return above.value is node and _element_read(program, above)
    if isinstance(above, (cst.For, cst.CompFor)):
        walker = program.parent[above]
        waits = isinstance(walker, cst.GeneratorExp)  # it walks when it is asked
        return above.iter is node and (not waits or only_read(program, walker))
    reading_nodes = (cst.Comparison, cst.ComparisonTarget, cst.If, cst.While, cst.IfExp)
    if isinstance(above, cst.IfExp):
        return above.test is node
    return isinstance(above, (*reading_nodes, cst.UnaryOperation, cst.BinaryOperation))


def _element_read(program: Program, node: cst.CSTNode) -> bool:
    """Whether an element is not assigned to, and nothing is done to it in place."""
    import libcst as cst

    above = program.parent[node]
    while isinstance(above, cst.Subscript) and above.value is node:
        node, above = above, program.parent[above]
    if isinstance(above, cst.Attribute):
        return isinstance(program.parent[above], cst.Call) and above.attr.value in QUERIES
    return not isinstance(above, (cst.AssignTarget, cst.AugAssign, cst.Del))


def stays_local(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether a value is only read: at its place, or by the name that it is given there."""
    pair = assigned(program.parent[node])
    if pair is None or pair[1] is not node:
        return only_read(program, node)
    import libcst as cst

    for mention in mentions(place, pair[0]):
        target = isinstance(program.parent[mention], (cst.AssignTarget, cst.AnnAssign))
        if not target and not only_read(program, mention):
            return False
    return True


def is_stored(program: Program, node: cst.CSTNode) -> bool:
    """Whether a part of something is given a value where it stands, or deleted."""
    import libcst as cst

    stored = (part for each in targets(program.statement(node)) for part in written(each))
    return node in stored or any(isinstance(above, cst.Del) for above in program.above(node))


def truth_only(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is asked for its truth only."""
    import libcst as cst

    above = program.parent[node]
    while isinstance(above, cst.BooleanOperation) or (
        isinstance(above, cst.UnaryOperation) and isinstance(above.operator, cst.Not)
    ):
        node, above = above, program.parent[above]
        if isinstance(node, cst.UnaryOperation) and not isinstance(above, cst.BooleanOperation):
            return True
    return isinstance(above, (cst.If, cst.While, cst.IfExp)) and above.test is node


def handed_on(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is handed on as it is, nothing set and no method called."""
    import libcst as cst

    above = program.parent[node]
    return isinstance(above, (cst.Arg, cst.Element, cst.DictElement, cst.Assign))


def asked(program: Program, node: cst.CSTNode, loop: cst.CSTNode) -> list[cst.CSTNode] | None:
    """Return the conditions between a loop and a node; None where they cannot be told.

    An empty list: the node is evaluated in every pass (or, in the test of a `while`, at
    least once).
    """
    import libcst as cst

    found: list[cst.CSTNode] = []
    below = node
    for above in program.above(node):
        if isinstance(above, (cst.Lambda, cst.Try, cst.TryStar, cst.Match, cst.FunctionDef)):
            return None
        if isinstance(above, cst.IndentedBlock):
            if any(_leaves(s) for s in above.body[: _position(above, below)]):
                found += above.body[: _position(above, below)]
        elif isinstance(above, (cst.If, cst.IfExp, cst.While)) and above is not loop:
            found += [] if above.test is below else [above.test]
        elif isinstance(above, cst.For) and above is not loop:
            found += [] if above.iter is below else [above.iter]
        elif isinstance(above, cst.With) and above.body is below:
            found += [each.item for each in above.items]  # which may take care of errors
        elif isinstance(above, cst.BooleanOperation) and above.right is below:
            found.append(above.left)
        elif isinstance(above, cst.CompFor):
            found += _before(above, below, walked=program.parent[above] is loop)
        elif isinstance(above, cst.BaseComp) and below is not above.for_in:
            found += _before(above.for_in, None, walked=above is loop)
        if above is loop:
            return found
        below = above
    return None


def _before(
    part: cst.CompFor, below: cst.CSTNode | None, *, walked: bool
) -> Iterator[cst.CSTNode]:
    """Yield what a comprehension asks before it comes to a part of it; None: its element.

    Args:
        part: One `for` of the comprehension.
        below: The part.
        walked: Whether passes of this `for` are what is asked about.
    """
    if below is part.iter:
        return
    if not walked:
        yield part.iter
    for each in part.ifs:
        if each is below:
            return
        yield each.test
    if below is None and part.inner_for_in is not None:
        yield from _before(part.inner_for_in, None, walked=False)


def _position(block: cst.IndentedBlock, statement: cst.CSTNode) -> int:
    return next((i for i, s in enumerate(block.body) if s is statement), 0)


def _leaves(statement: cst.CSTNode) -> bool:
    import libcst as cst

    leaving = (cst.Break, cst.Continue, cst.Return, cst.Raise)
    return any(isinstance(node, leaving) for node in walk(statement))


def free(node: cst.CSTNode) -> frozenset[str]:
    """Return the names that an expression takes from around it: not its own variables."""
    return names(node) - frozenset(_own(node))


def _own(node: cst.CSTNode) -> Iterator[str]:
    import libcst as cst

    for found in walk(node):
        if isinstance(found, cst.CompFor):
            yield from target_names(found.target)
        elif isinstance(found, cst.Lambda):
            yield from (param.name.value for param in found.params.params)
