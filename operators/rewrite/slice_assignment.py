"""A loop that writes the same constant at regular places -> one assignment to a slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import added
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    index,
    integer,
    lines,
    named,
    names,
    only,
    root,
    same,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class SliceAssignment(Rule):
    """Mark many places at once: `s[i:n:k] = [value] * how_many`.

    Valid for lists and bytearrays whose places exist (left to the tests: a slice ends at the
    end, an index raises there) and are counted upwards from zero or more. The value is a
    constant (checked), the index is not read after the loop (checked). Known from the sieve
    of Eratosthenes; the loop is left to C.
    """

    name = "slice_assignment"
    relies_on = "the places exist"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that only marks."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                marks = _range(node)
            elif isinstance(node, cst.While) and not node.orelse:
                marks = _while(program, node)
            else:
                continue
            if marks is None or _table(place, marks.values):
                continue
            if confined(program, place, marks.loop, [marks.counter]):
                yield _change(place, marks)


class _Marks(NamedTuple):
    """A loop that sets `values[counter]` for counter in range(start, stop, step)."""

    loop: cst.CSTNode
    counter: str
    values: cst.BaseExpression
    value: cst.BaseExpression
    start: str
    stop: str
    step: str
    first: cst.CSTNode | None = None


def _change(place: Place, marks: _Marks) -> TreeChange:
    new = text(marks.value)
    bounds = f"{marks.start}, {marks.stop}" + (f", {marks.step}" if marks.step != "1" else "")
    if marks.step == "1" and marks.start == "0":
        bounds = marks.stop
    sliced = f"{marks.start}:{marks.stop}" + (f":{marks.step}" if marks.step != "1" else "")
    one = f"bytes([{new}])" if _bytes(place, marks.values) else f"[{new}]"
    code = f"{text(marks.values)}[{sliced}] = {one} * len(range({bounds}))"
    return TreeChange(
        anchor=marks.loop,
        replaced={marks.loop: code, **({marks.first: ""} if marks.first else {})},
        direction="Mark all places with one slice assignment",
        effect="the loop runs in C: about ten times less a place",
    )


def _bytes(place: Place, values: cst.BaseExpression) -> bool:
    """Whether the name is seen to hold a bytearray."""
    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == named(values)]
    return any(
        calls(part, "bytearray") is not None
        for value in given
        for part in (value, getattr(value, "left", None), getattr(value, "right", None))
    )


def _table(place: Place, values: cst.BaseExpression) -> bool:
    """Whether the name is seen to hold a dictionary, which has no slices."""
    import libcst as cst

    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == root(values)]
    kinds = ("dict", "defaultdict", "Counter", "OrderedDict")
    return any(
        isinstance(value, (cst.Dict, cst.DictComp))
        or (isinstance(value, cst.Call) and named(value.func) in kinds)
        for value in given
    )


def _range(loop: cst.For) -> _Marks | None:
    bounds = calls(loop.iter, "range")
    found = _marked(lines(loop.body), named(loop.target))
    if not bounds or not found or not all(map(pure, bounds)):
        return None
    if named(loop.target) in names(found[0]) | {n for b in bounds for n in names(b)}:
        return None
    given = [text(bound) for bound in bounds]
    if len(given) == 1:
        given.insert(0, "0")
    return _checked(loop, named(loop.target), found, [*given, "1"][:3])


def _checked(
    loop: cst.CSTNode,
    index_name: str,
    found: tuple[cst.BaseExpression, cst.BaseExpression],
    bounds: list[str],
    first: cst.CSTNode | None = None,
) -> _Marks | None:
    if any(bound.startswith("-") for bound in bounds):
        return None
    start, stop, step = bounds
    return _Marks(loop, index_name, *found, start, stop, step, first)


def _while(program: Program, loop: cst.While) -> _Marks | None:
    """`i = start; while i < stop: values[i] = value; i += step`."""
    import libcst as cst

    sides = compared(loop.test, "LessThan", "LessThanEqual")
    body = lines(loop.body)
    name = named(sides[0]) if sides else ""
    if sides is None or not name or len(body) < 2 or not pure(sides[1]):
        return None
    last = only(body[-1])
    step = added(last)
    found = _marked(body[:-1], name)
    block = program.block(loop)
    place = block.index(loop) if loop in block else 0
    first = block[place - 1] if place else None
    set_to = assigned(only(first)) if first is not None else None
    if not (found and step and set_to) or step.name != name or set_to[0] != name:
        return None
    fixed = [set_to[1], sides[1], step.value]
    if any(name in names(part) for part in [found[0], *fixed]) or not all(map(pure, fixed)):
        return None
    closed = (
        " + 1"
        if isinstance(loop.test, cst.Comparison) and compared(loop.test, "LessThanEqual")
        else ""
    )
    start, stop, by = (text(part) for part in fixed)
    return _checked(loop, name, found, [start, stop + closed, by], first)


def _marked(
    body: tuple[cst.CSTNode, ...], name: str
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return list and constant of `values[name] = constant`, which may have its own test."""
    import libcst as cst

    if len(body) != 1 or not name:
        return None
    if isinstance(body[0], cst.If) and not body[0].orelse:
        found = _marked(lines(body[0].body), name)
        asked = index(body[0].test)
        # `if s[j]: s[j] = False` is the same as without the test.
        fits = found and asked and named(asked[1]) == name and same(asked[0], found[0])
        return found if fits and found and text(found[1]) in ("False", "0") else None
    small = only(body[0])
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    place = index(small.targets[0].target)
    if place is None or named(place[1]) != name or not pure(place[0]):
        return None
    return (place[0], small.value) if _constant(small.value) else None


def _constant(value: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(value, cst.UnaryOperation):
        return integer(value.expression) is not None
    literal = isinstance(value, (cst.Integer, cst.Float, cst.SimpleString))
    return literal or named(value) in ("True", "False", "None")
