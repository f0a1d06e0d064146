"""Which errors a program waits for: another one in the place of such an error is missed.

Not here: whether anything raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.rewrite.program import Program
from operators.rewrite.reading import named, names

if TYPE_CHECKING:
    import libcst as cst


def awaited(program: Program, *errors: str) -> bool:
    """Whether a handler anywhere names one of these errors; a function may be called there."""
    return any(names(where) & frozenset(errors) for where in _waiting(program))


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
