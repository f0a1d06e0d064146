"""What a program does about errors: which ones it waits for, and where it goes on after one.

Not here: whether anything raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.rewrite.program import Program
from operators.rewrite.purity import calls_own
from operators.rewrite.reading import named, names

if TYPE_CHECKING:
    import libcst as cst


def awaited(program: Program, *errors: str) -> bool:
    """Whether a handler anywhere names one of these errors; a function may be called there."""
    return any(names(where) & frozenset(errors) for where in _waiting(program))


def tried(program: Program, node: cst.CSTNode) -> bool:
    """Whether an error at a node is handled in sight of what was done before it."""
    import libcst as cst

    around = (n for n in program.above(node) if isinstance(n, (cst.Try, cst.TryStar)))
    return any(n.handlers for n in around)


def caught(program: Program, node: cst.CSTNode) -> bool:
    """Whether an error at a node may be handled: here, or where a function is called."""
    import libcst as cst

    tries = (n for n in program.nodes if isinstance(n, (cst.Try, cst.TryStar)))
    return tried(program, node) or any(n.handlers and calls_own(program, n) for n in tries)


def _waiting(program: Program) -> list[cst.CSTNode]:
    import libcst as cst

    found: list[cst.CSTNode] = []
    for node in program.nodes:
        if isinstance(node, cst.ExceptHandler) and node.type is not None:
            found.append(node.type)
        elif isinstance(node, cst.Call):
            name = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
            found += [arg.value for arg in node.args if named(name) == "suppress"]
    return found
