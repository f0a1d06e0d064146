"""The object of a method, while a loop keeps one of its attributes in a local name.

Valid as long as nobody asks the object for that attribute meanwhile. Not here: what is done
with the attribute (the rules).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY
from operators.rewrite.owners import looks_only
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import bound, named, names

if TYPE_CHECKING:
    import libcst as cst

_STORING = frozenset(["add", "append", "extend", "group", "groups", "setdefault", "update"])
_READING = frozenset(
    ["decode", "encode", "find", "from_bytes", "hex", "isalnum", "isspace", "loads", "match",
     "partition", "rfind", "rindex", "rpartition", "rsplit", "search", "span", "splitlines",
     "start", "end", "title", "unpack", "unpack_from"]
)  # fmt: skip


def is_quiet(program: Program, loop: cst.CSTNode, owner: str) -> bool:
    """Whether nothing in a loop hands the object to anybody, or may ask it, or waits."""
    import libcst as cst

    waiting = (cst.Yield, cst.Await, cst.Lambda, cst.FunctionDef)
    for node in walk(loop):
        if isinstance(node, waiting):
            return False
        if named(node) == owner and not looks_only(program, node):
            return False
        if isinstance(node, cst.Call) and not _asks_nobody(program, node, owner):
            return False
    return True


def _asks_nobody(program: Program, call: cst.Call, owner: str) -> bool:
    """Whether a call is known to look at its arguments only, or to store them."""
    import libcst as cst

    if isinstance(call.func, cst.Attribute):
        known = QUERIES | _STORING | _READING
        return call.func.attr.value in known and named(call.func.value) != owner
    own = owner in names(call)
    return bool(names(call.func) & (READ_ONLY | {"bytes"})) or (
        not own and computes(program, call)
    )


def may_wait(program: Program, place: Place, owner: str, loop: cst.CSTNode) -> bool:
    """Whether something made before a loop may ask for the object while it runs.

    Such as a generator that the loop walks over: it reads the attribute as it goes.
    """
    import libcst as cst

    waiting = (cst.GeneratorExp, cst.Lambda, cst.FunctionDef)
    used = names(loop)
    for node in (each for each in walk(place.node) if named(each) == owner):
        above = program.parent[node]
        outer = [each for each in program.above(node) if place.node in program.above(each)]
        if isinstance(above, cst.Param):
            continue
        if not isinstance(above, cst.Attribute) or any(isinstance(n, waiting) for n in outer):
            return True  # another name of it, or one who asks later
        line = program.statement(node)
        if not looks_only(program, node) and bound(line) & used:
            return True  # what its own method returned
    return False


def may_end_early(loop: cst.CSTNode, safe: Collection[str]) -> bool:
    """Whether a loop may be left by an error or a `return`.

    Args:
        loop: The loop.
        safe: Functions and methods that raise nothing.
    """
    import libcst as cst

    for node in walk(loop):
        if isinstance(node, (cst.Return, cst.Raise, cst.Index, cst.Assert)):
            return True
        if isinstance(node, cst.Call):
            attribute = isinstance(node.func, cst.Attribute) and node.func.attr.value
            if (attribute or named(node.func)) not in safe:
                return True
    return False
