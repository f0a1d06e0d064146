"""A loop that waits for a value -> it runs only where the value is there at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import altered, pure
from operators.rewrite.kinds import collection, iterator, mapping, may_be_none
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    calls,
    compared,
    conjuncts,
    index,
    lines,
    named,
    names,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class ScanGuard(Rule):
    """Ask first, in one step that runs in C, whether what a loop waits for is there.

    Valid where the loop does nothing for elements that differ from the value, or are in none
    of a collection of values (known to be no text), and its test leaves no trace (checked);
    an argument must be no iterator and, where it is asked by index, no dictionary (left to
    the tests). The loop itself stays as it is: the question may only be answered with no
    where all its steps are idle.
    """

    name = "scan_guard"
    relies_on = "the argument is no iterator"
    is_plain: ClassVar[bool] = False

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that only waits."""
        import libcst as cst

        for node in place.own:
            if not isinstance(node, cst.For) or node.orelse or node.asynchronous:
                continue
            body = lines(node.body)
            test = body[0] if len(body) == 1 else None
            if not isinstance(test, cst.If) or test.orelse or _guarded(program, node):
                continue
            asked = _asked(program, place, node, test.test)
            # A text over several lines would change with the indentation.
            whole = '"""' not in text(node) and "'''" not in text(node)
            own = target_names(node.target)
            if asked and whole and confined(program, place, node, own):
                code = cst.Module([]).code_for_node(node.with_changes(leading_lines=[]))
                rows = "".join(f"    {row}" for row in code.splitlines(keepends=True))
                yield TreeChange(
                    anchor=node,
                    replaced={node: f"if {asked}:\n{rows}"},
                    direction="Search for the value in C before the loop that waits for it",
                    effect="no steps at all where the value is missing",
                )


def _guarded(program: Program, loop: cst.For) -> bool:
    """Whether the loop is all that a test decides about."""
    import libcst as cst

    above = program.parent.get(program.parent[loop])
    return isinstance(above, cst.If) and len(lines(above.body)) == 1


def _asked(program: Program, place: Place, loop: cst.For, test: cst.BaseExpression) -> str:
    """Return code for whether the loop may find anything; nothing where it cannot be told."""
    if not computes(program, test) or not computes(program, loop.iter):
        return ""
    fixed = altered(program, loop)
    for part in conjuncts(test):
        equal, member = compared(part, "Equal"), compared(part, "In")
        for mine, other in (equal, equal[::-1]) if equal else (member,) if member else ():
            values = _sequence(loop, mine)
            if values is None or not pure(other) or names(other) & fixed:
                continue
            if names(values) & fixed or not _plain(program, place, values):
                continue
            if values is not loop.iter and mapping(program, place, values):
                continue
            if may_be_none(program, place, other):
                continue  # a text refuses to be asked for None
            if equal:
                return f"{text(other)} in {text(values)}"
            if collection(program, place, other):
                each = program.fresh("each")
                return f"any({each} in {text(values)} for {each} in {text(other)})"
    return ""


def _sequence(loop: cst.For, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return the sequence that the node is the element of, in each step of the loop."""
    name = named(loop.target)
    if name and named(node) == name:
        again = calls(loop.iter, "range") is None
        return loop.iter if again else None
    found, span = index(node), calls(loop.iter, "range")
    if found is None or span is None or not name or named(found[1]) != name:
        return None
    return None if name in names(found[0]) else found[0]


def _plain(program: Program, place: Place, values: cst.BaseExpression) -> bool:
    """Whether the elements can be asked for twice: a name, or a part of one."""
    import libcst as cst

    part = isinstance(values, (cst.Name, cst.Attribute, cst.Subscript)) and pure(values)
    return part and not iterator(program, place, values)
