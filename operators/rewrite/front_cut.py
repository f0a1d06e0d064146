"""Lines that take the front off a text or a list: by how much, and what is sure before them.

Not here: what takes their place (`front_offset`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    assigned,
    compared,
    conjuncts,
    flat,
    integer,
    method,
    named,
    names,
    only,
    text,
)

if TYPE_CHECKING:
    import libcst as cst

_MIRRORED = {"GreaterThanEqual": "LessThanEqual", "GreaterThan": "LessThan"}


class FrontCut(NamedTuple):
    """A line that takes the front off a buffer.

    Attributes:
        line: The line.
        buffer: Code of what is cut: a name, or an attribute of one.
        target: Where the rest goes: the same code.
        source: What the rest is taken from: the same code.
        by: How much goes; None: all until a separator, and the separator.
        separator: What the front ends with, where it is cut there.
        beside: What the line sets besides, and to what; the front of a separator has no value.
        mark: What the line calls the separator, found or not; empty: one has to be there.
    """

    line: cst.CSTNode
    buffer: str
    target: cst.CSTNode
    source: cst.CSTNode
    by: cst.BaseExpression | None = None
    separator: cst.BaseExpression | None = None
    beside: tuple[cst.BaseExpression, cst.BaseExpression | None] | None = None
    mark: str = ""


def front_cut(line: cst.CSTNode) -> FrontCut | None:
    """Return what a line such as `buf = buf[n:]` takes off, None for any other.

    Also `x, buf = buf[0], buf[n:]`, `x, _, buf = buf.partition(end)` and
    `x, buf = buf.split(end, 1)`; the buffer is a name, or `self.buf`.
    """
    import libcst as cst

    small = only(line)
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        pair = assigned(small)
        if pair is None or not isinstance(small, cst.AnnAssign):
            return None
        return _sliced(line, small.target, pair[1])
    target, value = small.targets[0].target, small.value
    if not isinstance(target, cst.Tuple):
        return _sliced(line, target, value)
    taken = [element.value for element in target.elements]
    if isinstance(value, cst.Tuple):
        given = [element.value for element in value.elements]
        if len(given) != 2 or len(taken) != 2 or not named(taken[0]):
            return None
        found = _sliced(line, taken[1], given[1])
        if found is None or found.by is None or named(taken[0]) in names(found.by):
            return None  # it means the value before
        return found._replace(beside=(taken[0], given[0]))
    return _parted(line, taken, value)


def _sliced(
    line: cst.CSTNode, target: cst.BaseExpression, value: cst.BaseExpression
) -> FrontCut | None:
    """Return the cut if a value is `buffer[n:]`, and n neither below nought nor left out."""
    import libcst as cst

    buffer = _buffer(target)
    if not buffer or not isinstance(value, cst.Subscript) or _buffer(value.value) != buffer:
        return None
    part = value.slice[0].slice
    if len(value.slice) != 1 or not isinstance(part, cst.Slice):
        return None
    if part.lower is None or part.upper or part.step:
        return None
    if isinstance(part.lower, cst.UnaryOperation):
        return None
    return FrontCut(line, buffer, target, value.value, by=part.lower)


def _parted(
    line: cst.CSTNode, taken: list[cst.BaseExpression], value: cst.BaseExpression
) -> FrontCut | None:
    """Return the cut of `x, _, buf = buf.partition(end)` or `x, buf = buf.split(end, 1)`."""
    whole, halves = method(value, "partition"), method(value, "split")
    found = whole or halves
    buffer = _buffer(taken[-1])
    if found is None or not buffer or _buffer(found[0]) != buffer or not named(taken[0]):
        return None
    source, arguments = found
    if whole and (len(taken) != 3 or len(arguments) != 1 or not named(taken[1])):
        return None
    if halves and (len(taken) != 2 or len(arguments) != 2 or integer(arguments[1]) != 1):
        return None
    own = {named(each) for each in taken}
    if names(arguments[0]) & own or len(own) < len(taken) or _length(arguments[0]) == 0:
        return None
    return FrontCut(
        line,
        buffer,
        taken[-1],
        source,
        separator=arguments[0],
        beside=(taken[0], None),
        mark=named(taken[1]) if whole else "",
    )


def _buffer(node: cst.CSTNode) -> str:
    """Return the code of a name, or of an attribute of one; nothing for anything else."""
    import libcst as cst

    attribute = isinstance(node, cst.Attribute) and named(node.value)
    return named(node) or (flat(node) if attribute else "")


def _length(separator: cst.BaseExpression) -> int | None:
    import libcst as cst

    if isinstance(separator, (cst.SimpleString, cst.ConcatenatedString)):
        value = separator.evaluated_value
        return None if value is None else len(value)
    return None


def size_of(separator: cst.BaseExpression) -> str:
    """Return code for the length of a separator."""
    known = _length(separator)
    return f"len({text(separator)})" if known is None else str(known)


def held(program: Program, cut: FrontCut) -> bool:
    """Whether a test around a cut says that the rest is as long as what it takes off."""
    return any(_enough(test, cut) for test in _tests(program, cut))


def separated(program: Program, cut: FrontCut) -> cst.CSTNode | None:
    """Return the test around a cut that says that its separator is there, if there is one."""
    wanted = flat(cut.separator) if cut.separator else ""
    for test in _tests(program, cut):
        sides = compared(test, "In")
        if sides and flat(sides[0]) == wanted and flat(sides[1]) == cut.buffer:
            return test
    return None


def _tests(program: Program, cut: FrontCut) -> Iterator[cst.BaseExpression]:
    """Yield what is sure where a cut is made: tests around it, with no other cut between."""
    import libcst as cst

    below: cst.CSTNode = cut.line
    for above in program.above(cut.line):
        if isinstance(above, (cst.If, cst.While)) and above.body is below:
            if _cuts_before(above.body, cut):
                return
            yield from conjuncts(above.test)
        if isinstance(above, (cst.For, cst.While)):
            return  # a test outside was true before the first round only
        below = above


def _cuts_before(body: cst.CSTNode, cut: FrontCut) -> bool:
    """Whether another cut may come between the beginning of a block and this one."""
    for line in walk(body):
        if line is cut.line:
            return False
        other = front_cut(line)
        if other and other.buffer == cut.buffer:
            return True
    return False


def _enough(test: cst.BaseExpression, cut: FrontCut) -> bool:
    """Whether a test says that at least so much is left."""
    if cut.by is None:
        return False
    least = integer(cut.by)
    if least is not None and least <= 1 and flat(test) == cut.buffer:
        return True
    length = f"len({cut.buffer})"
    for kind, more in (("GreaterThanEqual", 0), ("GreaterThan", 1)):
        sides = compared(test, kind)
        mirrored = compared(test, _MIRRORED[kind])
        left, right = sides or (mirrored or (None, None))[::-1]
        if left is None or right is None or flat(left) != length:
            continue
        bound = integer(right)
        if bound is not None and least is not None:
            return bound + more >= least
        if flat(right) == flat(cut.by):
            return True
    return False
