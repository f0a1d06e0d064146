"""What a program does about errors: which ones it waits for, and where it goes on after one.

Not here: whether anything raises.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.effects import changed
from operators.rewrite.program import Program, walk
from operators.rewrite.purity import calls_own
from operators.rewrite.reading import lines, named, names, only

if TYPE_CHECKING:
    import libcst as cst


def awaited(program: Program, *errors: str) -> bool:
    """Whether a handler anywhere names one of these errors; a function may be called there."""
    return any(names(where) & frozenset(errors) for where in _waiting(program))


def expects(program: Program, *errors: str) -> bool:
    """Whether one of these errors may be waited for, by no name too, or seen as it passes."""
    import libcst as cst

    bare = any(isinstance(n, cst.ExceptHandler) and n.type is None for n in program.nodes)
    lastly = any(isinstance(n, cst.Finally) for n in program.nodes)
    return bare or lastly or awaited(program, "BaseException", "Exception", *errors)


def tried(program: Program, node: cst.CSTNode) -> bool:
    """Whether an error at a node is handled in sight of what was done before it."""
    import libcst as cst

    above = [*program.above(node)]
    tries = [n for n in above if isinstance(n, (cst.Try, cst.TryStar))]
    handlers = (handler for n in tries for handler in n.handlers)
    lastly = (n.finalbody for n in tries if n.finalbody)
    return (
        any(not _leaves(each) or names(each) & changed(node) for each in handlers)
        or any(names(each) & changed(node) for each in lastly)
        or any(isinstance(n, cst.With) and _may_suppress(program, n) for n in above)
    )


def _may_suppress(program: Program, block: cst.With) -> bool:
    """Whether a `with` may go on after an error: `suppress`, or what the program defines."""
    import libcst as cst

    known = {"suppress", "raises", "assertRaises", *program.functions, *program.definitions}
    used = (n for item in block.items for n in walk(item.item) if isinstance(n, cst.Name))
    return any(name.value in known for name in used)


def _leaves(handler: cst.CSTNode) -> bool:
    """Whether a handler ends the function, one way or the other."""
    import libcst as cst

    assert isinstance(handler, (cst.ExceptHandler, cst.ExceptStarHandler))
    block = lines(handler.body)
    return bool(block) and isinstance(only(block[-1]), (cst.Return, cst.Raise))


def caught(program: Program, node: cst.CSTNode) -> bool:
    """Whether an error at a node may be handled: here, or where a function is called."""
    import libcst as cst

    above = set(program.above(node))
    tries = (n for n in program.nodes if isinstance(n, (cst.Try, cst.TryStar)))
    return any(n.handlers and (n in above or calls_own(program, n)) for n in tries)


@lru_cache(maxsize=128)  # as many as `program` keeps
def _waiting(program: Program) -> tuple[cst.CSTNode, ...]:
    import libcst as cst

    found: list[cst.CSTNode] = []
    for node in program.nodes:
        if isinstance(node, cst.ExceptHandler) and node.type is not None:
            found.append(node.type)
        elif isinstance(node, cst.Call):
            name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
            found += [arg.value for arg in node.args if named(name) == "suppress"]
    return tuple(found)
