"""A table of constants that each call makes anew -> made once, where the module begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.making import is_fixed
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    bound,
    named,
    only,
    target_names,
    targets,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst

_FEWEST = 3
"""Entries; fewer are made as fast as a global name is looked up."""
_WORDS = ("False", "None", "True")


class ConstantTable(Rule):
    """Make a dictionary or set of constants once, beside the function, not in each call.

    Such as a table of escape sequences in the loop that reads a text. Valid for a dictionary
    or set of numbers, texts and the like that is only read, by the one name that it is given
    or where it stands (checked). Known as hoisting a constant to module level.
    """

    name = "constant_table"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each such table of a function."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef):
            return
        inside = frozenset(walk(place.node.body))
        for node in place.own:
            if node not in inside or not _is_table(program, node):
                continue
            if not _is_folded(program, node) and _is_only_read(program, place, node):
                yield _change(program, place, node)


def _is_only_read(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether a table is only read: where it stands, or by the name that it is given there."""
    pair = assigned(program.parent[node])
    if pair is None or pair[1] is not node:
        return only_read(program, node)
    return all(only_read(program, use) for use in _reads(program, place, pair[0]))


def _is_table(program: Program, node: cst.CSTNode) -> bool:
    """Whether a node shows a dictionary or set of a few constants."""
    import libcst as cst

    if not isinstance(node, (cst.Dict, cst.Set)) or len(node.elements) < _FEWEST:
        return False
    parts: list[cst.BaseExpression] = []
    for each in node.elements:
        if isinstance(each, cst.DictElement):
            parts += [each.key, each.value]
        elif isinstance(each, cst.Element):
            parts.append(each.value)
        else:
            return False
    return all(_is_constant(program, part) for part in parts)


def _is_constant(program: Program, node: cst.BaseExpression) -> bool:
    """Whether an expression is the same for each call: made of numbers and texts alone."""
    import libcst as cst

    if isinstance(node, cst.Tuple):
        return all(_is_constant(program, element.value) for element in node.elements)
    moving = (cst.Call, cst.Comparison, cst.FormattedString)
    if any(isinstance(part, moving) for part in walk(node)):
        return False
    named_only = all(part.value in _WORDS for part in walk(node) if isinstance(part, cst.Name))
    return named_only and is_fixed(program, node)


def _is_folded(program: Program, node: cst.CSTNode) -> bool:
    """Whether CPython makes a set once by itself: one that stands behind `in`."""
    import libcst as cst

    return isinstance(node, cst.Set) and isinstance(program.parent[node], cst.ComparisonTarget)


def _change(program: Program, place: Place, node: cst.CSTNode) -> TreeChange:
    line, pair = program.statement(node), assigned(program.parent[node])
    own = pair[0] if pair and pair[1] is node else ""
    wanted = own or f"{place.name.rpartition('.')[2].strip('_')}_table"
    # Without underscores: within a class `__x` is another name.
    constant = program.fresh(wanted.lstrip("_").upper())
    replaced: dict[cst.CSTNode, str] = {node: constant}
    if own and only(line) and len(program.block(line)) > 1 and _is_set_once(place, own):
        replaced = dict.fromkeys(_reads(program, place, own), constant) | {line: ""}
    line_below, gap = _above(program, node)
    return TreeChange(
        anchor=node,
        replaced=replaced,
        before={line_below: [f"{gap}{constant} = {text(node)}"]},
        direction=f"Make the table `{constant}` once, where the module begins",
        effect="no table made anew in each call",
    )


def _above(program: Program, node: cst.CSTNode) -> tuple[cst.CSTNode, str]:
    """Return the statement that a table comes before, and the empty lines above the table.

    That is the function, but in a text with EVOLVE-BLOCK marks the loop around the table.
    """
    import libcst as cst

    loops = [*program.loops(node)]
    if loops and "EVOLVE-BLOCK-START" in program.code:
        return program.statement(loops[-1]), ""
    top = [*program.above(node)][-2]
    above = program.block(top)[: program.block(top).index(top)]
    beside = isinstance(above[-1], cst.SimpleStatementLine) if above else True
    return top, "" if beside else "\n\n"


def _is_set_once(place: Place, name: str) -> bool:
    """Whether a function, with those in it, gives a name a value in one place."""
    import libcst as cst

    assert isinstance(place.node, cst.FunctionDef)
    given = [n for t in targets(place.node) for n in target_names(t)]
    outer = any(isinstance(n, cst.NameItem) and named(n.name) == name for n in walk(place.node))
    return given.count(name) == 1 and name not in bound(place.node.params) and not outer


def _reads(program: Program, place: Place, name: str) -> Iterator[cst.CSTNode]:
    """Yield where a name is read."""
    import libcst as cst

    for node in variables(place.node):
        target = isinstance(program.parent[node], (cst.AssignTarget, cst.AnnAssign))
        if node.value == name and not target:
            yield node
