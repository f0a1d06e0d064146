"""A buffer of bits that keeps what was read from it -> one that drops these bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import flat, integer, named, only, targets, variables, written
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_LOOKED_INTO = frozenset({"__dict__", "asdict", "astuple", "dataclass", "vars"})


class BitBuffer(Rule):
    """Drop the bits that were read, where a number holds bits that came and were not read yet.

    Such as `bits = (bits << 8) | byte` with `(bits >> (count - width)) & mask`: the number gets
    as long as the input, and so does each shift of it. Valid where all that reads the number
    takes bits below the count of those that are left, and the count goes up beside the number
    and else only down (checked). That a mask is no wider than what is read, that no more is
    read than came, and nothing negative, and that no other file looks at the buffer of an
    object, is left to the tests.
    """

    name = "bit_buffer"
    relies_on = "no more bits are taken than came, none of them negative"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each buffer that grows in a function."""
        found: dict[tuple[str, str], list[_Growth]] = {}
        for line in place.own if place.name else ():
            growth = _growth(program, line)
            if growth is not None:
                found.setdefault((growth.buffer, growth.count), []).append(growth)
        for (buffer, count), every in found.items():
            use = _Use(program, _scope(program, place, buffer, count), buffer, count)
            if not _is_open(program, buffer, count) and use.is_front_only():
                yield _change(use, every)


@dataclass(frozen=True)
class _Growth:
    """A line that shifts a buffer: what is shifted, and the line beside it that counts."""

    line: cst.CSTNode
    buffer: str
    moved: cst.CSTNode
    count: str
    counting: cst.CSTNode


@dataclass(frozen=True)
class _Use:
    """All that is done with a buffer and its count."""

    program: Program
    scope: cst.CSTNode
    buffer: str
    count: str

    def is_front_only(self) -> bool:
        """Whether nothing reads a bit of the buffer again that the count has left behind."""
        buffers, counts = self._mentions(self.buffer), self._mentions(self.count)
        if buffers is None or counts is None:
            return False
        bound = frozenset(each for target in targets(self.scope) for each in written(target))
        return (
            all(self._is_fine(node, bound) for node in buffers)
            and all(self._counts(node, bound) for node in counts)
            and any(self._lowers(self.program.statement(node)) for node in counts)
        )

    def _mentions(self, code: str) -> list[cst.CSTNode] | None:
        """Return all that is called so; None where an attribute has another owner, too."""
        import libcst as cst

        field = code.rpartition(".")[2]
        found: list[cst.CSTNode] = []
        for node in walk(self.scope):
            if isinstance(node, cst.Attribute) and node.attr.value == field and "." in code:
                call = self.program.parent[node]
                if isinstance(call, cst.Call) and call.func is node:
                    continue  # a method of that name
                if flat(node) != code:
                    return None
                found.append(node)
        if "." not in code:
            found += [name for name in variables(self.scope) if name.value == code]
        return found

    def _is_fine(self, node: cst.CSTNode, bound: frozenset[cst.CSTNode]) -> bool:
        """Whether a mention of the buffer sets it, lets it grow, or reads unread bits."""
        import libcst as cst

        above, line = self.program.parent[node], self.program.statement(node)
        growth = _growth(self.program, line)
        if growth is not None and growth.buffer == self.buffer and growth.moved is node:
            return True
        if isinstance(above, cst.NameItem) or _is_set(line, node):
            return True
        if isinstance(above, cst.AugAssign) and above.target is node:
            return isinstance(above.operator, cst.BitOrAssign)
        if node in bound or not isinstance(above, cst.BinaryOperation):
            return False
        return above.left is node and self._takes_front(above, line)

    def _takes_front(self, shifted: cst.BinaryOperation, line: cst.CSTNode) -> bool:
        """Whether `(buffer >> (count - n)) & mask` or the like takes bits below the count."""
        import libcst as cst

        above, by = self.program.parent[shifted], shifted.right
        if not isinstance(above, cst.BinaryOperation):
            return False
        if not isinstance(above.operator, cst.BitAnd):
            return False
        less = by if isinstance(by, cst.BinaryOperation) else None
        if less is not None and not isinstance(less.operator, cst.Subtract):
            return False
        if isinstance(shifted.operator, cst.LeftShift):  # the last bits, filled up with zeros
            return less is not None and flat(less.right) == self.count
        if not isinstance(shifted.operator, cst.RightShift):
            return False
        if less is not None:
            return flat(less.left) == self.count
        return flat(by) == self.count and self._was_lowered(line)

    def _was_lowered(self, line: cst.CSTNode) -> bool:
        """Whether the count was lowered just before a line, and nothing came in since."""
        block = self.program.block(line)
        before = block[: block.index(line)] if line in block else ()
        for each in reversed(before):
            if self._lowers(each):
                return True
            if not _is_plain(each):
                return False
        return False

    def _lowers(self, line: cst.CSTNode) -> bool:
        import libcst as cst

        small = only(line)
        if not isinstance(small, cst.AugAssign) or flat(small.target) != self.count:
            return False
        return isinstance(small.operator, cst.SubtractAssign)

    def _counts(self, node: cst.CSTNode, bound: frozenset[cst.CSTNode]) -> bool:
        """Whether a mention of the count reads it, lowers it, or sets it with the buffer."""
        import libcst as cst

        above, line = self.program.parent[node], self.program.statement(node)
        if isinstance(above, cst.NameItem) or node not in bound:
            return True
        if isinstance(above, cst.AugAssign):
            return self._lowers(line) or any(
                growth is not None and growth.counting is line and growth.count == self.count
                for growth in (_growth(self.program, e) for e in self.program.block(line))
            )
        if not _is_set(line, node):
            return False
        beside = {flat(each) for each in _set(line)}
        return integer(getattr(only(line), "value", None)) == 0 or self.buffer in beside


def _is_set(line: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a mention is what its line assigns to, alone or among others."""
    return any(each is node for each in _set(line))


def _set(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what a line of assignments sets, each part of a tuple by itself."""
    import libcst as cst

    small = only(line)
    if isinstance(small, (cst.Assign, cst.AnnAssign)):
        for target in targets(small):
            yield from written(target)
        if isinstance(small, cst.AnnAssign) and small.value is None:
            yield small.target


def _growth(program: Program, line: cst.CSTNode) -> _Growth | None:
    """Return what grows in `b = (b << n) | x` or `b <<= n`, where a line beside counts `n`."""
    import libcst as cst

    small, more = only(line), None
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.LeftShiftAssign):
        target: cst.CSTNode = small.target
        moved, shift = target, small.value
    elif isinstance(small, cst.Assign) and len(small.targets) == 1:
        target, value = small.targets[0].target, small.value
        if not isinstance(value, cst.BinaryOperation):
            return None
        joined = isinstance(value.operator, (cst.BitOr, cst.Add))
        shifted, more = (value.left, value.right) if joined else (value, None)
        if not isinstance(shifted, cst.BinaryOperation) or flat(shifted.left) != flat(target):
            return None
        if not isinstance(shifted.operator, cst.LeftShift):
            return None
        moved, shift = shifted.left, shifted.right
    else:
        return None
    if not _is_place(target):
        return None
    around = [line, *program.above(line)]
    raises = _may_raise(more) or any(isinstance(n, (cst.Try, cst.TryStar)) for n in around)
    for count, each in _counted(program.block(line), line, flat(shift), raises):
        return _Growth(line, flat(target), moved, count, each)
    return None


def _may_raise(value: cst.CSTNode | None) -> bool:
    """Whether a value may not come, as where a text ends."""
    import libcst as cst

    return value is not None and not isinstance(value, (cst.Name, cst.Integer))


def _counted(
    block: Sequence[cst.CSTNode], line: cst.CSTNode, by: str, raises: bool
) -> Iterator[tuple[str, cst.CSTNode]]:
    """Yield what is counted up by so much in a line beside, and that line."""
    import libcst as cst

    here = block.index(line) if line in block else 0
    for place, each in enumerate(block):
        small = only(each)
        if not isinstance(small, cst.AugAssign) or not isinstance(
            small.operator, cst.AddAssign
        ):
            continue
        if not _is_place(small.target) or flat(small.value) != by or (place < here and raises):
            continue
        first, last = sorted((place, here))
        if all(_is_plain(between) for between in block[first + 1 : last]):
            yield flat(small.target), each


def _is_plain(line: cst.CSTNode) -> bool:
    """Whether a line counts, or joins what came: nothing is called, and nothing ends there."""
    import libcst as cst

    small = only(line)
    if not isinstance(small, cst.AugAssign):
        return False
    return not any(isinstance(node, (cst.Call, cst.RightShift)) for node in walk(small))


def _is_place(node: cst.CSTNode) -> bool:
    """Whether a value is held by a name, or by an attribute of one."""
    import libcst as cst

    return bool(named(node) or (isinstance(node, cst.Attribute) and named(node.value)))


def _is_open(program: Program, buffer: str, count: str) -> bool:
    """Whether others may ask for a buffer by its name: a global one, or a field's text."""
    import libcst as cst

    field = buffer.rpartition(".")[2]
    for node in program.nodes:
        if isinstance(node, cst.Global) and {named(n.name) for n in node.names} & {
            buffer,
            count,
        }:
            return True
        if "." not in buffer:
            continue
        if isinstance(node, cst.SimpleString) and node.evaluated_value == field:
            return True
        if isinstance(node, cst.MatchKeywordElement) and named(node.key) == field:
            return True
    return "." in buffer and bool(field in program.functions or _LOOKED_INTO & program.names)


def _scope(program: Program, place: Place, buffer: str, count: str) -> cst.CSTNode:
    """Return where a buffer may be mentioned: the outermost function, or the whole file."""
    import libcst as cst

    chain = [place.node, *program.above(place.node)]
    functions = [node for node in chain if isinstance(node, cst.FunctionDef)]
    return chain[-1] if "." in buffer + count or not functions else functions[-1]


def _change(use: _Use, every: list[_Growth]) -> TreeChange:
    mask = f"{use.buffer} &= (1 << {use.count}) - 1"
    return TreeChange(
        anchor=every[0].line,
        before={_filling(use, growth): [mask] for growth in every},
        direction=f"Drop the bits of `{use.buffer}` that were read",
        effect="a shift moves the bits that are left, not all that ever came",
    )


def _filling(use: _Use, growth: _Growth) -> cst.CSTNode:
    """Return what the buffer is cut back before: the loop that only fills it, or the line.

    The loop asks for the count, so that there is one before its first pass.
    """
    import libcst as cst

    block = use.program.block(growth.line)
    loop = use.program.parent[use.program.parent[growth.line]]
    if isinstance(loop, cst.While) and use.count in {flat(node) for node in walk(loop.test)}:
        reads = (
            isinstance(node, cst.BinaryOperation)
            and isinstance(node.operator, cst.RightShift)
            and flat(node.left) == use.buffer
            for node in walk(loop)
        )
        if not any(reads):
            return loop
    return min((growth.line, growth.counting), key=block.index)
