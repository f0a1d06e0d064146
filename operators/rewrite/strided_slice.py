"""`enumerate` of which only every k-th element is wanted -> a slice that steps by k."""

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

_SEQUENCES = frozenset({"list", "sorted", "str", "tuple"})


class StridedSlice(Rule):
    """Take every k-th element by a slice instead of asking each for its index.

    Valid where the loop does nothing for indices with another remainder and the elements
    stay the same meanwhile (checked); they must be of a sequence, not of an iterator (left to
    the tests). An index that is still asked for comes from a range with the same steps.
    """

    name = "strided_slice"
    relies_on = "the elements are a sequence"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop or comprehension that waits for indices."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For):
                body = lines(node.body)
                test = body[0] if len(body) == 1 and node.orelse is None else None
                if isinstance(test, cst.If) and test.orelse is None:
                    yield from _loop(program, place, node, test)
            elif isinstance(node, cst.CompFor) and node.ifs and not node.asynchronous:
                yield from _comprehension(program, node)


class _Slice(NamedTuple):
    """The test of the index, and the target and the iterable that take its place."""

    part: cst.BaseExpression
    target: cst.BaseExpression
    iterable: str


def _loop(program: Program, place: Place, loop: cst.For, test: cst.If) -> Iterator[TreeChange]:
    found = _slice(loop, test.test, loop.body)
    if found is None or not confined(program, place, loop, names(loop.target)):
        return
    rest = [text(part) for part in conjuncts(test.test) if part is not found.part]
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {
        loop.iter: found.iterable,
        loop.target: found.target,
    }
    if rest:
        replaced[test.test] = " and ".join(rest)
    else:
        replaced[loop.body] = test.body
    yield _change(found, replaced)


def _comprehension(program: Program, loop: cst.CompFor) -> Iterator[TreeChange]:
    import libcst as cst

    whole = next(n for n in program.above(loop) if isinstance(n, cst.BaseComp))
    found = _slice(loop, loop.ifs[0].test, whole)
    if found is not None:
        iterable = cst.parse_expression(found.iterable)
        ifs = _without(loop, found.part)
        new = loop.with_changes(target=found.target, iter=iterable, ifs=ifs)
        yield _change(found, {loop: new})


def _change(found: _Slice, replaced: dict[cst.CSTNode, str | cst.CSTNode]) -> TreeChange:
    return TreeChange(
        anchor=found.part,
        replaced=replaced,
        direction="Take every k-th element by a slice",
        effect="a k-th of the passes, and no division in them",
    )


def _slice(
    loop: cst.For | cst.CompFor, test: cst.BaseExpression, scope: cst.CSTNode
) -> _Slice | None:
    import libcst as cst

    numbered = calls(loop.iter, "enumerate")
    if not numbered or len(numbered) != 1 or not isinstance(loop.target, cst.Tuple):
        return None
    (values,) = numbered
    targets = [element.value for element in loop.target.elements]
    if len(targets) != 2 or not named(targets[0]) or not _sequence(values):
        return None
    for part in conjuncts(test):
        asked = _remainder(part, named(targets[0]))
        step = integer(asked[0]) if asked else None
        if asked is None or step is None or not 0 <= asked[1] < step:
            continue
        if names(values) & changed(scope):
            continue
        first = str(asked[1] or "")
        source = text(values)
        iterable = f"{source}[{first}::{step}]"
        other = sum(1 for n in walk(scope) if named(n) == named(targets[0]))
        own = sum(1 for n in walk(part) if named(n) == named(targets[0]))
        if other == own + (0 if isinstance(loop, cst.For) else 1):
            return _Slice(part, targets[1], iterable)
        numbers = f"range({first or 0}, len({source}), {step})"
        return _Slice(part, loop.target, f"zip({numbers}, {iterable})")
    return None


def _sequence(values: cst.BaseExpression) -> bool:
    """Whether the elements may be those of a sequence: what is called returns one."""
    import libcst as cst

    if isinstance(values, cst.Call):
        return named(values.func) in _SEQUENCES and pure(values)
    return isinstance(values, (cst.Name, cst.Attribute, cst.Subscript)) and pure(values)


def _without(loop: cst.CompFor, part: cst.BaseExpression) -> list[cst.CompIf]:
    """Return the conditions of a comprehension with a part of the first one left out."""
    import libcst as cst

    first = loop.ifs[0]
    rest = " and ".join(text(each) for each in conjuncts(first.test) if each is not part)
    kept = [first.with_changes(test=cst.parse_expression(rest))] if rest else []
    return [*kept, *loop.ifs[1:]]


def _remainder(
    part: cst.BaseExpression, variable: str
) -> tuple[cst.BaseExpression, int] | None:
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
