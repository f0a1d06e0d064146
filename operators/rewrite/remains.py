"""What a loop leaves in a list that it takes elements from, and whether anybody can see it.

Not here: how the elements are taken (`heap_min`, `lazy_heap`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.rewrite.freshness import bindings
from operators.rewrite.handlers import tried
from operators.rewrite.invariants import is_new
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import flat, named, only, targets, variables, written
from operators.rewrite.uses import only_read

if TYPE_CHECKING:
    import libcst as cst


def is_exhausted(program: Program, loop: cst.CSTNode, name: str) -> bool:
    """Whether a loop only ends once its list holds one element at most."""
    import libcst as cst

    size = f"len({name})"
    tests = (name, size, f"{size}>0", f"{size}!=0", f"{size}>1", f"{size}>=1", f"{size}>=2")
    if not isinstance(loop, cst.While) or flat(loop.test) not in tests:
        return False
    leaving = (cst.Await, cst.Raise, cst.Return, cst.Yield)
    return not tried(program, loop) and not any(
        isinstance(node, leaving)
        or (isinstance(node, cst.Break) and next(program.loops(node)) is loop)
        for node in walk(loop.body)
    )


def is_made_for(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether a name is given a new list just for a loop, which nobody reads after it."""
    return is_own(program, place, name, loop) and is_unread(program, place, name, loop)


def is_own(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether a list is made in the block of a loop, and has no other name when it begins."""
    import libcst as cst

    line, value = _making(program, name, loop)
    if value is None or not _is_made_there(value):
        return False
    between = {node for each in _lines(program, line, loop)[1:-1] for node in walk(each)}
    for node in variables(place.node):
        if node.value == name and node in between and not only_read(program, node):
            above = program.parent[node]
            if not isinstance(above, (cst.Attribute, cst.AugAssign, cst.Subscript)):
                return False
    return True


def is_unread(program: Program, place: Place, name: str, loop: cst.CSTNode) -> bool:
    """Whether nobody asks for what a name stands for once a loop has ended."""
    import libcst as cst

    line, _ = _making(program, name, loop)
    lines = (*_lines(program, line, loop)[1:], loop)
    inside = {node for each in lines for node in walk(each)}
    for target in targets(place.node):
        if not isinstance(program.parent[target], cst.AugAssign):
            inside.update(written(target))
    around = [n for n in program.loops(loop) if isinstance(n, (cst.For, cst.While))]
    before = frozenset(place.own[: place.own.index([loop, *around][-1])])
    later = (cst.Lambda, cst.NameItem)
    for node in variables(place.node):
        if node.value != name or node in inside:
            continue
        if node not in before or any(isinstance(n, later) for n in program.above(node)):
            return False
    return True


def _making(
    program: Program, name: str, loop: cst.CSTNode
) -> tuple[cst.CSTNode, cst.CSTNode | None]:
    """Return the last line before a loop that sets a name, and to what: or the loop itself."""
    for line in reversed(_lines(program, None, loop)[:-1]):
        found = [(value, below) for each, value, below in bindings(line) if each == name]
        if found:
            value, below = found[-1]
            small = only(line)
            alone = small is not None and len(getattr(small, "targets", (small,))) == 1
            return line, value if alone and not below else None
    return loop, None


def _lines(
    program: Program, first: cst.CSTNode | None, loop: cst.CSTNode
) -> tuple[cst.CSTNode, ...]:
    """Return the lines of a block from one (None: its first) to a loop."""
    block = program.block(loop)
    return block[block.index(first) if first else 0 : block.index(loop) + 1]


def _is_made_there(value: cst.CSTNode) -> bool:
    """Whether a value is a new list, set or deque, as far as its code tells."""
    import libcst as cst

    if isinstance(value, cst.Subscript):
        return any(isinstance(part.slice, cst.Slice) for part in value.slice)
    if isinstance(value, cst.Call):
        maker = value.func.attr if isinstance(value.func, cst.Attribute) else value.func
        if named(maker) in ("copy", "deepcopy", "sorted", "split", "splitlines"):
            return True
    return is_new(value) or isinstance(value, cst.BinaryOperation)
