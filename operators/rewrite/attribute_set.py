"""A list in an attribute that methods add to and search -> a set beside it that is searched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import QUERIES, READ_ONLY
from operators.rewrite.handlers import expects
from operators.rewrite.one_class import SetOnce, is_open, own_method, set_once
from operators.rewrite.owners import defined_in, first_parameter
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    bound,
    calls,
    compared,
    flat,
    method,
    named,
    only,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import is_stored, truth_only

if TYPE_CHECKING:
    import libcst as cst

_ORDERING = frozenset(["reverse", "sort"])
_READING = READ_ONLY - {
    "enumerate", "filter", "iter", "map", "max", "min", "reversed", "sum", "zip"
}  # fmt: skip


class AttributeSet(Rule):
    """Search a set instead of a list to which methods of an object add.

    Valid where `__init__` alone makes the list, which begins empty, plain lines of the class
    append to it or empty it, and all else in the file reads it where it stands (checked). That
    its elements are hashable and do not change, and that no other file adds to the list, is
    left to the tests. Known as a hashed visited set.
    """

    name = "attribute_set"
    relies_on = "elements are hashable, do not change, and come from no other file"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list that the method is the first to search."""
        import libcst as cst

        searched = [part for node in place.own if (part := _searched(node))]
        if not isinstance(place.node, cst.FunctionDef):
            return
        for name in dict.fromkeys(part.attr.value for part in searched):
            uses = _uses(program, place.node, name)
            if uses and uses.method[uses.tests[0]] is place.node:
                yield _change(program, uses)


class _Uses(NamedTuple):
    """All that a class does with a list in an attribute.

    Attributes:
        made: Where it is made.
        method: The method around each mention.
        tests: Mentions that search it.
        grown: Lines that append to it, with the element.
        emptied: Lines that empty it.
    """

    made: SetOnce
    method: dict[cst.Attribute, cst.FunctionDef]
    tests: list[cst.Attribute]
    grown: dict[cst.CSTNode, tuple[cst.Attribute, cst.BaseExpression]]
    emptied: dict[cst.CSTNode, cst.Attribute]


def _searched(node: cst.CSTNode) -> cst.Attribute | None:
    """Return the attribute that a comparison searches for something."""
    import libcst as cst

    sides = compared(node, "In", "NotIn")
    return sides[1] if sides and isinstance(sides[1], cst.Attribute) else None


def _uses(program: Program, inside: cst.FunctionDef, name: str) -> _Uses | None:
    """Return what is done with an attribute; None where a mention of it is not understood."""
    import libcst as cst

    around = defined_in(program, inside)
    if not isinstance(around, cst.ClassDef):
        return None
    made = set_once(program, around, name)
    if made is None:
        return None
    empty = isinstance(made.value, cst.List) and not made.value.elements
    if not empty and calls(made.value, "list") != []:
        return None
    matched = any(isinstance(node, cst.Match) for node in program.nodes)
    hashed = "__eq__" in program.functions or expects(program, "TypeError")
    if matched or hashed or is_open(program, name) or {"list", "set"} & bound(program.module):
        return None
    uses = _Uses(made, {}, [], {}, {})
    for node in program.nodes:
        if isinstance(node, cst.Attribute) and node.attr.value == name:
            if program.statement(node) is made.line:
                continue
            if not _is_understood(program, around, node, uses):
                return None
    return uses if uses.tests and uses.grown else None


def _is_understood(
    program: Program, around: cst.ClassDef, node: cst.Attribute, uses: _Uses
) -> bool:
    """Note what a mention does; False where it may change the list in another way."""
    import libcst as cst

    inside = next((n for n in program.above(node) if isinstance(n, cst.FunctionDef)), None)
    parent = program.parent[node]
    if isinstance(parent, cst.ComparisonTarget):
        sides = compared(program.parent[parent], "In", "NotIn")
        if sides is None or sides[1] is not node:
            return not isinstance(parent.operator, (cst.Equal, cst.NotEqual))
        if inside is None or own_method(program, around, node) is not inside:
            return True
        uses.method[node] = inside
        uses.tests.append(node)
        return not _is_unhashable(sides[0])
    if isinstance(parent, cst.Attribute) and parent.attr.value in ("append", "clear"):
        line = program.statement(node)
        small = only(line)
        call = small.value if isinstance(small, cst.Expr) else None
        if inside is None or own_method(program, around, node) is not inside:
            return False
        if (found := method(call, "append")) and found[0] is node and len(found[1]) == 1:
            uses.grown[line] = node, found[1][0]
            return not _is_unhashable(found[1][0])
        if (found := method(call, "clear")) and found == (node, []):
            uses.emptied[line] = node
            return True
        return False
    return _reads(program, node)


def _reads(program: Program, node: cst.Attribute) -> bool:
    """Whether a list is only read where it stands, or put in order."""
    import libcst as cst

    parent = program.parent[node]
    above = program.parent[parent]
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in QUERIES | _ORDERING and isinstance(above, cst.Call)
    if isinstance(parent, cst.Subscript):
        return parent.value is node and not is_stored(program, parent)
    if isinstance(parent, cst.Arg):
        return isinstance(above, cst.Call) and named(above.func) in _READING
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.iter is node
    return truth_only(program, node)


def _is_unhashable(value: cst.BaseExpression) -> bool:
    """Whether an element is seen to be of a kind that no set can hold."""
    import libcst as cst

    displays = (cst.Dict, cst.DictComp, cst.List, cst.ListComp, cst.Set, cst.SetComp)
    makers = ("dict", "list", "set", "sorted")
    made = any(calls(value, maker) is not None for maker in makers)
    return made or any(isinstance(part, displays) for part in walk(value))


def _change(program: Program, uses: _Uses) -> TreeChange:
    import libcst as cst

    name = uses.tests[0].attr.value
    known = program.fresh(f"_{name.lstrip('_')}_set")
    owner = first_parameter(uses.made.init)
    after = {uses.made.line: [f"{owner}.{known} = set()"]}
    for line, (node, element) in uses.grown.items():
        plain = isinstance(element, (cst.Name, cst.BaseNumber, cst.BaseString))
        added = text(element) if plain else f"{flat(node)}[-1]"
        after[line] = [f"{flat(node.value)}.{known}.add({added})"]
    for line, node in uses.emptied.items():
        after[line] = [f"{flat(node.value)}.{known}.clear()"]
    return TreeChange(
        anchor=uses.tests[0],
        replaced={node: f"{flat(node.value)}.{known}" for node in uses.tests},
        after=after,
        direction=f"Search a set beside the list `{name}` of an object",
        effect="O(n) -> O(1) a test",
    )
