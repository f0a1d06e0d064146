"""What is read of the elements that a loop walks over: does it stay while the loop runs?

Not here: which elements there are (`invariants`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from operators.rewrite.effects import waits
from operators.rewrite.freshness import bindings
from operators.rewrite.invariants import is_new
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import (
    flat,
    has_fixed_index,
    index,
    names,
    root,
    targets,
    written,
)

if TYPE_CHECKING:
    import libcst as cst

_MOVING = frozenset(
    ["__setitem__", "appendleft", "clear", "extendleft", "insert", "pop", "popitem", "popleft",
     "remove", "reverse", "rotate", "sort", "update"]
)  # fmt: skip


def elements_stay(
    program: Program, loop: cst.CSTNode, parts: Iterable[cst.BaseExpression]
) -> bool:
    """Whether nothing that runs in a loop sets what is read of elements, by whatever name.

    Args:
        program: The program.
        loop: The loop. Functions whose names it mentions run in it, too.
        parts: What is read, such as `item.size`. A call, or an index that is no constant, does
            not show what is read.
    """
    nodes = [node for part in parts for node in walk(part)]
    return not any(map(_is_open, nodes)) and parts_stay(program, loop, nodes)


def parts_stay(program: Program, loop: cst.CSTNode, nodes: Iterable[cst.CSTNode]) -> bool:
    """Whether no attribute or index that one of the nodes reads is set in a loop.

    Not seen: a function that goes by another name than its own.
    """
    import libcst as cst

    read = {_part(node) for node in nodes} - {""}
    properties = {f".{name}" for name in program.functions}
    indexed = any(part.startswith("[") for part in read)
    if read & properties or (read and waits(loop)):
        return False
    for code in _run(program, loop) if read else ():
        if names(code) & {"delattr", "setattr", "vars"}:
            return False
        for node in (part for target in targets(code) for part in written(target)):
            cut = isinstance(node, cst.Subscript) and not has_fixed_index(node)
            if _part(node) in read or (
                indexed and cut and _may_be_element(program, code, node)
            ):
                return False
        if indexed and any(_reorders(program, code, node) for node in walk(code)):
            return False
    return True


def _reorders(program: Program, code: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a node is a method that moves, or replaces, what is in an element."""
    import libcst as cst

    function = node.func if isinstance(node, cst.Call) else None
    if not isinstance(function, cst.Attribute) or function.attr.value not in _MOVING:
        return False
    return _may_be_element(program, code, function)


def _may_be_element(program: Program, code: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether the object that a node starts from may be one of the elements of a loop.

    Not what the function makes anew, nor its arguments, nor what is of the module.
    """
    import libcst as cst

    name, around = root(node), (code, *program.above(code))
    function = next((n for n in around if isinstance(n, cst.FunctionDef)), None)
    if not name or function is None:
        return True
    params = {p.name.value for p in walk(function.params) if isinstance(p, cst.Param)}
    return any(
        own == name
        and not (is_new(value) if value else name in params and function is not code)
        for own, value, _ in bindings(function)
    )


def _run(program: Program, loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a loop, and the functions of the program whose names it mentions, and so on."""
    import libcst as cst

    todo, seen = [loop], set[cst.CSTNode]()
    while todo:
        code = todo.pop()
        yield code
        mentioned = (node.value for node in walk(code) if isinstance(node, cst.Name))
        new = {f for name in mentioned for f in program.functions.get(name, ())} - seen
        seen |= new
        todo += new


def _part(node: cst.CSTNode) -> str:
    """Return the attribute, or the index, that a node reads; or nothing."""
    import libcst as cst

    if isinstance(node, cst.Attribute):
        return f".{node.attr.value}"
    pair = index(node)
    if pair and isinstance(pair[1], (cst.SimpleString, cst.Integer)):
        return f"[{pair[1].evaluated_value!r}]"
    return f"[{flat(pair[1])}]" if pair else ""


def _is_open(node: cst.CSTNode) -> bool:
    """Whether it does not show what is read of an element."""
    import libcst as cst

    cut = isinstance(node, cst.Subscript) and not has_fixed_index(node)
    return isinstance(node, cst.Call) or cut
