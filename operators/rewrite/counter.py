"""`values.count(x)` inside a loop -> one Counter built before the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    integer,
    method,
    named,
    names,
    spoken,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class Counter(Rule):
    """Count all values once instead of one value at a time.

    Valid when what is counted does not change while the loop runs (checked) and its elements
    are hashable (left to the tests); of a string, single characters are counted. Covers
    `.count(x)`, the key `values.count`, and `sum` or `len` over a comprehension with `==`.
    Known as a frequency table or histogram.
    """

    name = "counter"
    relies_on = "elements are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each counted sequence and loop."""
        import libcst as cst

        found: dict[tuple[str, cst.CSTNode], list[tuple[cst.CSTNode, str]]] = {}
        sources: dict[tuple[str, cst.CSTNode], cst.BaseExpression] = {}
        for node in place.own:
            source, use = _counted(node) or _key(program, node) or (None, "")
            if source is None or not names(source) or not pure(source):
                continue
            around = node if isinstance(node, cst.Attribute) else None
            loop = invariant_loop(program, source) or around
            if loop is not None:
                key = (text(source), program.statement(loop))
                sources.setdefault(key, source)
                found.setdefault(key, []).append((node, use))
        for key, source in sources.items():
            yield _change(program, source, key[1], found[key])


def _change(
    program: Program,
    source: cst.BaseExpression,
    line: cst.CSTNode,
    nodes: list[tuple[cst.CSTNode, str]],
) -> TreeChange:
    maker, imports = imported(program, "collections", "Counter")
    name = program.fresh(f"{spoken(source) or 'value'}_counts")
    return TreeChange(
        anchor=nodes[0][0],
        replaced={node: f"{name}{use}" for node, use in nodes},
        before={line: [f"{name} = {maker}({text(source)})"]},
        imports=imports,
        direction="Count all values once with a Counter",
        effect="O(n) -> O(1) a count, for one pass that counts all",
    )


def _key(program: Program, node: cst.CSTNode) -> tuple[cst.BaseExpression, str] | None:
    """Return the same for `key=values.count`, which is called once for each value."""
    import libcst as cst

    above = program.parent.get(node)
    as_key = isinstance(above, cst.Arg) and named(above.keyword) == "key"
    if as_key and isinstance(node, cst.Attribute) and node.attr.value == "count":
        return node.value, ".__getitem__"
    return None


def _counted(node: cst.CSTNode) -> tuple[cst.BaseExpression, str] | None:
    """Return what is counted in, and how the table is asked instead; None for other code."""
    call = method(node, "count")
    if call and len(call[1]) == 1:
        return call[0], f"[{text(call[1][0])}]"
    for function in ("sum", "len"):
        arguments = calls(node, function)
        if arguments and len(arguments) == 1:
            return _comprehension(arguments[0], function)
    return None


def _comprehension(
    node: cst.BaseExpression, function: str
) -> tuple[cst.BaseExpression, str] | None:
    import libcst as cst

    if not isinstance(node, (cst.ListComp, cst.GeneratorExp)):
        return None
    loop = comp_for(node)
    variable = named(loop.target)
    if loop.inner_for_in or loop.asynchronous or not variable:
        return None
    test = loop.ifs[0].test if len(loop.ifs) == 1 else None
    if function == "sum" and not loop.ifs:
        test = node.elt
    elif function == "sum" and integer(node.elt) != 1:
        return None
    sides = compared(test, "Equal") if test else None
    for mine, other in (sides, sides[::-1]) if sides else ():
        if named(mine) == variable and variable not in names(other) and pure(other):
            return loop.iter, f"[{text(other)}]"
    return None
