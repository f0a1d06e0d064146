"""`xs.remove(x)` for one element after the other -> one pass that keeps the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.handlers import awaited, tried
from operators.rewrite.invariants import has_changed_alias
from operators.rewrite.kinds import hashes, iterator
from operators.rewrite.loops import confined, indexed, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    compared,
    flat,
    grouped,
    index,
    lines,
    method,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_TELLING = frozenset(["format", "id", "isinstance", "repr", "str", "type"])
"""Functions that may differ for elements that are equal."""


class FilteredRemoval(Rule):
    """Go through a list once and keep what is not taken out, instead of a search for each.

    Such as `for x in gone: if x in xs: xs.remove(x)`, or, of the list's own elements,
    `for x in list(xs): if odd(x): xs.remove(x)`. Valid where the loop does nothing else, and
    the test leaves no trace, asks nothing of the list, and does not tell equal elements apart
    (checked). Elements are hashable where those that go are given (left to the tests). Known
    as stable compaction.
    """

    name = "filtered_removal"
    relies_on = "elements are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that only takes elements out of a list."""
        import libcst as cst

        for loop in place.own:
            if not isinstance(loop, cst.For) or loop.orelse or loop.asynchronous:
                continue
            if not named(loop.target) or tried(program, loop):
                continue
            if not confined(program, place, loop, [named(loop.target)]):
                continue
            found = _given(program, place, loop) or _tested(program, place, loop)
            found = found or _backwards(program, loop)
            if found is not None:
                yield found


def _given(program: Program, place: Place, loop: cst.For) -> TreeChange | None:
    """Return the change where a loop walks over what is to go."""
    body = lines(loop.body)
    found = _removal(body[0], named(loop.target)) if len(body) == 1 else None
    if found is None:
        return None
    values, how = found
    if names(values) & (names(loop.iter) | {named(loop.target)}) or not pure(values):
        return None
    if hashes(program, place, values) or has_changed_alias(program, loop, names(loop.iter)):
        return None
    if iterator(program, place, loop.iter):
        return None  # it may walk over the list meanwhile
    if how == "sure" and awaited(program, "ValueError"):
        return None
    each, kept = program.fresh("each"), program.fresh("kept")
    if how == "all":
        gone = program.fresh("gone")
        stays = f"[{each} for {each} in {text(values)} if {each} not in {gone}]"
        made = f"{gone} = set({text(loop.iter)})"
        return _change(loop, f"{made}\n{text(values)}[:] = {stays}")
    counter, imports = imported(program, "collections", "Counter")
    left = program.fresh("left")
    rows = [
        f"{left} = {counter}({text(loop.iter)})",
        f"{kept} = []",
        f"for {each} in {text(values)}:",
        f"    if {left}.get({each}):",
        f"        {left}[{each}] -= 1",
        "    else:",
        f"        {kept}.append({each})",
        f"{text(values)}[:] = {kept}",
    ]
    if how == "sure":
        missed = 'raise ValueError("list.remove(x): x not in list")'
        rows += [f"if any({left}.values()):", f"    {missed}"]
    return _change(loop, "\n".join(rows), imports)


def _removal(line: cst.CSTNode, item: str) -> tuple[cst.BaseExpression, str] | None:
    """Return the list that a line takes an element out of, and how: once, all, or surely."""
    import libcst as cst

    small = only(line)
    call = method(small.value, "remove") if isinstance(small, cst.Expr) else None
    if call is not None:
        return (call[0], "sure") if [*map(named, call[1])] == [item] else None
    if isinstance(line, cst.Try):
        handler = line.handlers[0] if len(line.handlers) == 1 else None
        passes = handler is not None and flat(handler.body) in ("pass", ":pass")
        if handler is None or named(handler.type) != "ValueError" or not passes:
            return None
        if line.orelse or line.finalbody:
            return None
    elif isinstance(line, cst.With):
        used = [flat(each.item) for each in line.items]
        if used not in (["suppress(ValueError)"], ["contextlib.suppress(ValueError)"]):
            return None
    elif not isinstance(line, (cst.If, cst.While)) or line.orelse:
        return None
    body = lines(line.body)
    found = _removal(body[0], item) if len(body) == 1 else None
    if found is None or found[1] != "sure":
        return None
    if isinstance(line, (cst.If, cst.While)):
        sides = compared(line.test, "In")
        if sides is None or named(sides[0]) != item or flat(sides[1]) != flat(found[0]):
            return None
    return found[0], "all" if isinstance(line, cst.While) else "once"


def _tested(program: Program, place: Place, loop: cst.For) -> TreeChange | None:
    """Return the change where a loop walks over a copy of the list, and a test decides."""
    import libcst as cst

    body, item = lines(loop.body), named(loop.target)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse or len(lines(test.body)) != 1:
        return None
    found = _removal(lines(test.body)[0], item)
    if found is None or found[1] != "sure" or not _copies(loop.iter, found[0]):
        return None
    values = found[0]
    if hashes(program, place, values) or not _decides(program, test.test, values):
        return None
    kept = f"[{item} for {item} in {text(values)} if {_not(test.test)}]"
    return _change(loop, f"{text(values)}[:] = {kept}")


def _copies(value: cst.BaseExpression, values: cst.BaseExpression) -> bool:
    """Whether a value is a copy of a list."""
    whole = flat(values)
    return flat(value) in (
        f"list({whole})",
        f"tuple({whole})",
        f"{whole}[:]",
        f"{whole}.copy()",
    )


def _decides(program: Program, test: cst.BaseExpression, values: cst.BaseExpression) -> bool:
    """Whether a test asks for the element alone, and for nothing that equal ones differ in."""
    import libcst as cst

    telling = (cst.Is, cst.IsNot, cst.FormattedString)
    apart = any(isinstance(node, telling) for node in walk(test))
    if apart or names(test) & _TELLING or not pure(values):
        return False
    partly = "__eq__" in program.functions or "compare=False" in program.code
    if partly and any(isinstance(node, cst.Attribute) for node in walk(test)):
        return False  # equal ones may differ in it
    return not names(values) & names(test) and computes(program, test)


def _not(test: cst.BaseExpression) -> str:
    import libcst as cst

    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return text(test.expression)
    loose = isinstance(test, (cst.BooleanOperation, cst.IfExp, cst.NamedExpr))
    return f"not {grouped(test) if loose else text(test)}"


def _backwards(program: Program, loop: cst.For) -> TreeChange | None:
    """Return the change where a loop goes back through a list, and takes out by position."""
    import libcst as cst

    body, at = lines(loop.body), named(loop.target)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse or len(lines(test.body)) != 1:
        return None
    values = _taken(only(lines(test.body)[0]), at)
    if values is None or not _counts_down(loop.iter, values) or at in names(values):
        return None
    item = program.fresh("each")
    places = dict.fromkeys(indexed(test.test, values, at), item)
    rest = substituted(test.test, places)
    decided = cst.parse_expression(rest)
    if not places or at in names(decided) or not computes(program, test.test):
        return None
    if names(values) & names(decided) or not pure(values):
        return None
    kept = f"[{item} for {item} in {text(values)} if {_not(decided)}]"
    return _change(loop, f"{text(values)}[:] = {kept}")


def _taken(small: cst.CSTNode | None, at: str) -> cst.BaseExpression | None:
    """Return the list of `del xs[i]` or `xs.pop(i)`."""
    import libcst as cst

    if isinstance(small, cst.Del):
        found = index(small.target)
        return found[0] if found and named(found[1]) == at else None
    popped = method(small.value, "pop") if isinstance(small, cst.Expr) else None
    return popped[0] if popped and [*map(named, popped[1])] == [at] else None


def _counts_down(value: cst.BaseExpression, values: cst.BaseExpression) -> bool:
    """Whether a value counts from the last place of a list to the first."""
    size = f"len({flat(values)})"
    return flat(value) in (
        f"range({size}-1,-1,-1)",
        f"reversed(range({size}))",
        f"range({size})[::-1]",
    )


def _change(loop: cst.For, code: str, imports: tuple[str, ...] = ()) -> TreeChange:
    return TreeChange(
        anchor=loop,
        replaced={loop: code},
        imports=imports,
        direction="Keep what is not taken out, in one pass",
        effect="no search and no shift for each element that goes: O(n^2) -> O(n)",
    )
