"""Lines that take the front off a text or a list: by how much, and what is sure before them.

Also who else has the object. Not here: what takes their place (`front_offset`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.freshness import bindings
from operators.rewrite.invariants import is_new
from operators.rewrite.program import Place, Program, walk
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
from operators.rewrite.uses import only_read, truth_only

if TYPE_CHECKING:
    import libcst as cst

TEXT_METHODS = frozenset(
    ["decode", "endswith", "find", "isalnum", "isalpha", "isdecimal", "isdigit", "isidentifier",
     "isspace", "lstrip", "partition", "rfind", "rindex", "rpartition", "rsplit", "rstrip",
     "split", "splitlines", "startswith", "strip"]
)  # fmt: skip
"""Methods that only a text or bytes has, as far as they tell a list from them."""
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
        in_place: Whether the object itself gets shorter.
    """

    line: cst.CSTNode
    buffer: str
    target: cst.CSTNode
    source: cst.CSTNode
    by: cst.BaseExpression | None = None
    separator: cst.BaseExpression | None = None
    beside: tuple[cst.BaseExpression, cst.BaseExpression | None] | None = None
    mark: str = ""
    in_place: bool = False


def front_cut(line: cst.CSTNode) -> FrontCut | None:
    """Return what a line such as `buf = buf[n:]` takes off, None for any other.

    Also `x, buf = buf[0], buf[n:]`, `x, _, buf = buf.partition(end)`,
    `x, buf = buf.split(end, 1)` and `del buf[:n]`; the buffer is a name, or `self.buf`.
    """
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.Del):
        return _deleted(line, small.target)
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


def _deleted(line: cst.CSTNode, target: cst.BaseExpression) -> FrontCut | None:
    """Return the cut if `buffer[:n]` is deleted."""
    import libcst as cst

    if not isinstance(target, cst.Subscript) or not (buffer := _buffer(target.value)):
        return None
    part = target.slice[0].slice
    if len(target.slice) != 1 or not isinstance(part, cst.Slice) or part.step:
        return None
    if part.upper is None or isinstance(part.upper, cst.UnaryOperation):
        return None
    if part.lower is not None and integer(part.lower) != 0:
        return None
    return FrontCut(line, buffer, target.value, target.value, by=part.upper, in_place=True)


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


def grows_at_end(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention puts something to the end of a list."""
    import libcst as cst

    small, above = only(program.statement(node)), program.parent[node]
    call = small.value if isinstance(small, cst.Expr) else None
    puts = isinstance(call, cst.Call) and call.func is above
    return (
        puts and isinstance(above, cst.Attribute) and above.attr.value in ("append", "extend")
    )


def has_no_other_reader(program: Program, every: list[cst.CSTNode], loop: cst.CSTNode) -> bool:
    """Whether nobody else has the object that gets shorter, as far as the function tells."""
    import libcst as cst

    inside = frozenset(walk(loop))
    targets = (cst.AssignTarget, cst.AnnAssign, cst.Param, cst.Return)
    outside = (node for node in every if node not in inside)
    return all(
        isinstance(program.parent[node], targets)
        or (assigned(only(program.statement(node))) or ("",))[0] == named(node)
        or only_read(program, node)
        or truth_only(program, node)
        for node in outside
    )


def is_made_here(place: Place, name: str) -> bool:
    """Whether a name is set to nothing but what is made where it stands, or a part of it."""
    import libcst as cst

    params = place.node.params.params if isinstance(place.node, cst.FunctionDef) else ()
    given = [value for each, value, _ in bindings(place.node) if each == name]
    made = all(value is not None and (is_new(value) or _cut_of(value, name)) for value in given)
    return made and bool(given) and not any(param.name.value == name for param in params)


def _cut_of(value: cst.CSTNode, name: str) -> bool:
    """Whether a value is a slice of a name: of a list, a new one."""
    import libcst as cst

    if not isinstance(value, cst.Subscript) or named(value.value) != name:
        return False
    return all(isinstance(part.slice, cst.Slice) for part in value.slice)


def is_seen_as_text(program: Program, every: list[cst.CSTNode]) -> bool:
    """Whether the name is seen to stand for a text or bytes, which nobody can change."""
    import libcst as cst

    for node in every:
        above = program.parent[node]
        whole = program.parent[above] if isinstance(above, cst.Subscript) else above
        if isinstance(whole, cst.Attribute) and whole.attr.value in TEXT_METHODS:
            return True
        if isinstance(above, cst.Param) and above.annotation:
            return text(above.annotation.annotation) in ("str", "bytes")
    return False
