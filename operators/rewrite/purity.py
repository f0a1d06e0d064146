"""Whether code does nothing but compute: the same result each time, and no other trace.

Wider than `reading.pure`, which looks at one expression: functions of the program are read
too. What cannot be read counts as impure. Not here: what stays the same in a loop (`reading`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from operators.rewrite.freshness import depth, levels
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import QUERIES, READ_ONLY, bound, named, root, targets

if TYPE_CHECKING:
    import libcst as cst

_BUILTINS = (READ_ONLY - {"print", "id", "iter"}) | {"bin", "complex", "hex", "oct", "ascii"}
_METHODS = QUERIES | {
    "bit_length", "capitalize", "casefold", "isascii", "isdecimal", "isidentifier",
    "isnumeric", "isprintable", "istitle", "partition", "rfind", "rindex", "rsplit",
    "splitlines", "swapcase", "title", "zfill",
}  # fmt: skip
_OWN = frozenset({"add", "append", "extend", "insert", "pop", "reverse", "sort", "update"})


def computes(program: Program, node: cst.CSTNode) -> bool:
    """Whether evaluating code, an expression or statements, leaves no trace but its bindings.

    Args:
        program: That the code is in; its functions are looked up by name.
        node: The code. Local variables that it binds are not a trace.
    """
    return _computes(program, node, bound(node), frozenset())


def _computes(
    program: Program, node: cst.CSTNode, own: frozenset[str], seen: frozenset[str]
) -> bool:
    import libcst as cst

    strange = (cst.Await, cst.Yield, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)
    made = levels(node, own, _BUILTINS)
    for found in walk(node):
        if isinstance(found, strange):
            return False
        if isinstance(found, cst.Call) and not _call(program, found, made, seen):
            return False
    return all(
        made.get(root(part), 0) >= depth(part)
        for target in targets(node)
        for part in _written(target)
    )


def _written(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the subscripts and attributes that a target writes; what an index reads is none."""
    import libcst as cst

    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _written(element.value)
    elif isinstance(target, cst.StarredElement):
        yield from _written(target.value)
    elif isinstance(target, (cst.Subscript, cst.Attribute)):
        yield target


def _call(
    program: Program, call: cst.Call, made: Mapping[str, int], seen: frozenset[str]
) -> bool:
    import libcst as cst

    if isinstance(call.func, cst.Attribute):
        name, receiver = call.func.attr.value, root(call.func.value)
        new = made.get(receiver, 0) >= depth(call.func)
        return name in _METHODS or receiver == "math" or (name in _OWN and new)
    name = named(call.func)
    places = [p.node for p in program.places if p.node is not program.module]
    known = [n for n in places if isinstance(n, cst.FunctionDef) and n.name.value == name]
    if not known:
        return name in _BUILTINS
    if len(known) > 1 or known[0].decorators or known[0].asynchronous:
        return False
    if name in seen:
        return True
    parameters = {param.name.value for param in known[0].params.params}
    inside = bound(known[0].body) - parameters
    return _computes(program, known[0].body, inside, seen | {name})


def calls_own(program: Program, node: cst.CSTNode) -> bool:
    """Whether the code calls a function that the program defines."""
    import libcst as cst

    own = {place.name.rpartition(".")[2] for place in program.places[1:]}
    return any(isinstance(n, cst.Call) and named(n.func) in own for n in walk(node))
