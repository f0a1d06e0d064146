"""A buffer of bits that keeps what was read from it -> one that drops these bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import flat, integer, named, only, targets, written
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_SHRINKING = ("SubtractAssign", "ModuloAssign", "BitAndAssign")


class BitBuffer(Rule):
    """Drop the bits that were read, where a number holds bits that came and were not read yet.

    Such as `bits = (bits << 8) | byte` with `(bits >> (count - width)) & mask`: the number gets
    as long as the input, and so does each shift of it. Valid where all that reads the number
    takes bits below the count of those that are left, and the count goes with the number
    (checked); that a mask is no wider than what is read, and that no other file looks at the
    buffer of an object, is left to the tests.
    """

    name = "bit_buffer"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each buffer that grows in a place."""
        found: dict[tuple[str, str], list[_Growth]] = {}
        for line in place.own:
            growth = _growth(program, line)
            if growth is not None:
                found.setdefault((growth.buffer, growth.count), []).append(growth)
        for (buffer, count), every in found.items():
            use = _Use(program, _scope(program, place, buffer), buffer, count)
            if use.is_front_only():
                yield _change(use, every)


@dataclass(frozen=True)
class _Growth:
    """A line that shifts a buffer, and the line that counts the bits."""

    line: cst.CSTNode
    buffer: str
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
        mentions = self._mentions(self.buffer)
        return (
            mentions is not None
            and all(self._is_fine(node) for node in mentions)
            and all(self._counts(node) for node in self._mentions(self.count) or ())
        )

    def _mentions(self, code: str) -> list[cst.CSTNode] | None:
        """Return all that is called so; None where an attribute has another owner, too."""
        import libcst as cst

        field = code.rpartition(".")[2]
        found: list[cst.CSTNode] = []
        for node in walk(self.scope):
            if isinstance(node, cst.Attribute) and node.attr.value == field and "." in code:
                if flat(node) != code:
                    return None
                found.append(node)
            elif named(node) == code:
                found.append(node)
        return found

    def _is_fine(self, node: cst.CSTNode) -> bool:
        """Whether a mention of the buffer sets it, lets it grow, or reads unread bits."""
        import libcst as cst

        above = self.program.parent[node]
        if isinstance(above, cst.NameItem) or self._is_set(node):
            return True
        if isinstance(above, cst.AugAssign) and above.target is node:
            if isinstance(above.operator, cst.LeftShiftAssign):
                return _growth(self.program, self.program.statement(node)) is not None
            return isinstance(above.operator, cst.BitOrAssign)
        if not isinstance(above, cst.BinaryOperation) or above.left is not node:
            return False
        line = self.program.statement(node)
        growth = _growth(self.program, line)
        grows = growth is not None and growth.buffer == self.buffer
        if grows and isinstance(above.operator, cst.LeftShift):
            return True
        return self._takes_front(above, line)

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
        block = self.program.block(line)
        before = block[: block.index(line)] if line in block else ()
        return flat(by) == self.count and any(self._lowers(each) for each in before)

    def _lowers(self, line: cst.CSTNode) -> bool:
        import libcst as cst

        small = only(line)
        if not isinstance(small, cst.AugAssign) or flat(small.target) != self.count:
            return False
        return type(small.operator).__name__ in _SHRINKING

    def _counts(self, node: cst.CSTNode) -> bool:
        """Whether a mention of the count reads it, lowers it, or sets it with the buffer."""
        import libcst as cst

        above = self.program.parent[node]
        line = self.program.statement(node)
        if isinstance(above, cst.AugAssign) and above.target is node:
            return self._lowers(line) or any(
                growth.counting is line for growth in self._grown_beside(line)
            )
        if not self._is_set(node):
            return True
        beside = {flat(each) for other in self.program.block(line) for each in _set(other)}
        value = getattr(only(line), "value", None)
        return integer(value) == 0 or self.buffer in beside

    def _is_set(self, node: cst.CSTNode) -> bool:
        """Whether a mention is what its line assigns to, alone or among others."""
        return any(each is node for each in _set(self.program.statement(node)))

    def _grown_beside(self, line: cst.CSTNode) -> Iterator[_Growth]:
        for each in self.program.block(line):
            growth = _growth(self.program, each)
            if growth is not None and growth.buffer == self.buffer:
                yield growth


def _set(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what a line of assignments sets, each part of a tuple by itself."""
    import libcst as cst

    small = only(line)
    if isinstance(small, (cst.Assign, cst.AnnAssign)):
        for target in targets(small):
            yield from written(target)


def _growth(program: Program, line: cst.CSTNode) -> _Growth | None:
    """Return what grows in `b = (b << n) | x` or `b <<= n`, where a line beside counts `n`."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.LeftShiftAssign):
        target, shift = small.target, small.value
    elif isinstance(small, cst.Assign) and len(small.targets) == 1:
        target, value = small.targets[0].target, small.value
        if not isinstance(value, cst.BinaryOperation):
            return None
        moved = value.left if isinstance(value.operator, (cst.BitOr, cst.Add)) else value
        if not isinstance(moved, cst.BinaryOperation) or flat(moved.left) != flat(target):
            return None
        if not isinstance(moved.operator, cst.LeftShift):
            return None
        shift = moved.right
    else:
        return None
    for each in program.block(line):
        count = _counted(only(each), flat(shift))
        if count and _is_place(target):
            return _Growth(line, flat(target), count, each)
    return None


def _counted(small: cst.CSTNode | None, by: str) -> str:
    """Return the code of what a line adds so much to."""
    import libcst as cst

    if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
        return ""
    return flat(small.target) if _is_place(small.target) and flat(small.value) == by else ""


def _is_place(node: cst.CSTNode) -> bool:
    """Whether a value is held by a name, or by an attribute of one."""
    import libcst as cst

    return bool(named(node) or (isinstance(node, cst.Attribute) and named(node.value)))


def _scope(program: Program, place: Place, buffer: str) -> cst.CSTNode:
    """Return where a buffer may be mentioned: the outermost function, or the whole file."""
    import libcst as cst

    chain = [place.node, *program.above(place.node)]
    functions = [node for node in chain if isinstance(node, cst.FunctionDef)]
    return chain[-1] if "." in buffer or not functions else functions[-1]


def _change(use: _Use, every: list[_Growth]) -> TreeChange:
    mask = f"{use.buffer} &= (1 << {use.count}) - 1"
    return TreeChange(
        anchor=every[0].line,
        before={_filling(use, growth): [mask] for growth in every},
        direction=f"Drop the bits of `{use.buffer}` that were read",
        effect="a shift moves the bits that are left, not all that ever came",
    )


def _filling(use: _Use, growth: _Growth) -> cst.CSTNode:
    """Return what the buffer is cut back before: the loop that only fills it, or the line."""
    import libcst as cst

    block = use.program.block(growth.line)
    loop = use.program.parent[use.program.parent[growth.line]]
    if isinstance(loop, (cst.For, cst.While)) and not any(
        isinstance(node, cst.BinaryOperation)
        and isinstance(node.operator, cst.RightShift)
        and flat(node.left) == use.buffer
        for node in walk(loop)
    ):
        return loop
    return min((growth.line, growth.counting), key=block.index)
