"""A loop over all numbers that waits for every k-th -> a range that steps by k."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import changed, pure
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    compared,
    conjuncts,
    integer,
    lines,
    named,
    names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class StridedRange(Rule):
    """Step over the numbers that a remainder rules out.

    Valid where the loop does nothing for numbers with another remainder, and the number that
    it divides by stays the same (checked) and is positive (left to the tests where it has a
    name). Known as strength reduction of a filter to a stride.
    """

    name = "strided_range"
    relies_on = "the divisor is positive"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop or comprehension that waits."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For):
                body = lines(node.body)
                test = body[0] if len(body) == 1 and node.orelse is None else None
                private = confined(program, place, node, {named(node.target)})
                if private and isinstance(test, cst.If) and test.orelse is None:
                    yield from _loop(node, test)
            elif isinstance(node, cst.CompFor) and node.ifs and not node.asynchronous:
                yield from _comprehension(node)


class _Stride(NamedTuple):
    part: cst.BaseExpression
    iterable: str


def _loop(loop: cst.For, test: cst.If) -> Iterator[TreeChange]:
    stride = _stride(loop.iter, named(loop.target), test.test, loop.body)
    if stride is None:
        return
    rest = [text(part) for part in conjuncts(test.test) if part is not stride.part]
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {loop.iter: stride.iterable}
    if rest:
        replaced[test.test] = " and ".join(rest)
    else:
        replaced[loop.body] = test.body
    yield _change(stride.part, replaced)


def _comprehension(loop: cst.CompFor) -> Iterator[TreeChange]:
    import libcst as cst

    first = loop.ifs[0].test
    stride = _stride(loop.iter, named(loop.target), first, loop)
    if stride is not None:
        iterable = cst.parse_expression(stride.iterable)
        new = loop.with_changes(iter=iterable, ifs=without(loop, stride.part))
        yield _change(stride.part, {loop: new})


def without(loop: cst.CompFor, part: cst.BaseExpression) -> list[cst.CompIf]:
    """Return the conditions of a comprehension with a part of the first one left out."""
    import libcst as cst

    first = loop.ifs[0]
    rest = " and ".join(text(each) for each in conjuncts(first.test) if each is not part)
    kept = [first.with_changes(test=cst.parse_expression(rest))] if rest else []
    return [*kept, *loop.ifs[1:]]


def _change(anchor: cst.CSTNode, replaced: dict[cst.CSTNode, str | cst.CSTNode]) -> TreeChange:
    return TreeChange(
        anchor=anchor,
        replaced=replaced,
        direction="Step over what a remainder rules out",
        effect="a k-th of the passes, and no division in them",
    )


def _stride(
    span: cst.BaseExpression, variable: str, test: cst.BaseExpression, body: cst.CSTNode
) -> _Stride | None:
    arguments = calls(span, "range") or []
    if not 1 <= len(arguments) <= 2 or not variable or not all(map(pure, arguments)):
        return None
    start, stop = ("0", arguments[0]) if len(arguments) == 1 else (
        text(arguments[0]), arguments[1])  # fmt: skip
    for part in conjuncts(test):
        found = remainder(part, variable)
        if found is None or (names(found[0]) & (changed(body) | {variable})):
            continue
        divisor, rest = found
        first = _first(start, divisor, rest)
        if first is not None:
            return _Stride(part, f"range({first}, {text(stop)}, {text(divisor)})")
    return None


def _first(start: str, divisor: cst.BaseExpression, rest: int) -> str | None:
    """Return the first number at or above the start that has the remainder."""
    size = integer(divisor)
    if size is None and rest:
        return None
    if size is not None and not 0 <= rest < size:
        return None
    if start.isdigit() and size:
        return str(int(start) + (rest - int(start)) % size)
    if start == "0":
        return "0"
    start = start if start.isidentifier() or start.isdigit() else f"({start})"
    shift = f"({rest} - {start})" if rest else f"-{start}"
    return f"{start} + {shift} % {text(divisor)}"


def remainder(part: cst.BaseExpression, variable: str) -> tuple[cst.BaseExpression, int] | None:
    """Return k and r where the part says that `variable % k` is r, else None."""
    import libcst as cst

    equal, unequal = compared(part, "Equal"), compared(part, "NotEqual")
    if equal and integer(equal[1]) is not None:
        left, wanted = equal[0], integer(equal[1])
    elif unequal and integer(unequal[1]) in (0, 1):
        left, wanted = unequal[0], 1 - (integer(unequal[1]) or 0)
    elif isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
        left, wanted = part.expression, 0
    else:
        left, wanted = part, 1
    only_two = wanted != 0 and not equal
    if not isinstance(left, cst.BinaryOperation) or named(left.left) != variable:
        return None
    divisor, size = left.right, integer(left.right)
    if isinstance(left.operator, cst.BitAnd) and size == 1:
        return cst.Integer("2"), wanted or 0
    known = isinstance(divisor, (cst.Integer, cst.Name))
    if not isinstance(left.operator, cst.Modulo) or not known or size in (0, 1):
        return None
    unclear = (only_two or (unequal is not None)) and size != 2
    return None if unclear or any(named(n) == variable for n in walk(divisor)) else (
        divisor, wanted or 0)  # fmt: skip
