"""Whether code does nothing but compute: the same result each time, and no other trace.

Wider than `effects.pure`, which looks at one expression: functions of the program are read
too. What cannot be read counts as impure. Not here: what stays the same in a loop (`effects`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY, handed
from operators.rewrite.freshness import depth, levels
from operators.rewrite.imports import imports
from operators.rewrite.library import only_computes
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import bound, named, root, targets, written

if TYPE_CHECKING:
    import libcst as cst

_BUILTINS = (READ_ONLY - {"print", "id", "iter"}) | {"bin", "complex", "hex", "oct", "ascii"}
_METHODS = QUERIES | {
    "bit_length", "capitalize", "casefold", "isascii", "isdecimal", "isidentifier",
    "isnumeric", "isprintable", "istitle", "partition", "rfind", "rindex", "rsplit",
    "splitlines", "swapcase", "title", "zfill",
}  # fmt: skip
_OPERATORS = {
    "add", "and_", "attrgetter", "contains", "eq", "floordiv", "ge", "getitem", "gt",
    "itemgetter", "le", "lt", "mod", "mul", "ne", "neg", "not_", "or_", "pow", "sub",
    "truediv", "xor",
}  # fmt: skip
_OWN = frozenset({"add", "append", "extend", "insert", "pop", "reverse", "sort", "update"})


def computes(
    program: Program, node: cst.CSTNode, methods: frozenset[str] = frozenset()
) -> bool:
    """Whether evaluating code, an expression or statements, leaves no trace but its bindings.

    Args:
        program: The program that the code is in; its functions are looked up by name.
        node: The code. Local variables that it binds are not a trace.
        methods: Names of functions and methods that are known to compute only.
    """
    return _computes(program, node, bound(node), methods, methods)


def _computes(
    program: Program,
    node: cst.CSTNode,
    own: frozenset[str],
    seen: frozenset[str],
    methods: frozenset[str],
) -> bool:
    import libcst as cst

    strange = (cst.Await, cst.Yield, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)
    made = levels(node, own, _BUILTINS)
    for found in walk(node):
        if isinstance(found, strange):
            return False
        if isinstance(found, cst.Call) and not all(
            _callee(program, callee, made, seen, methods) for callee in _called(found)
        ):
            return False
    return all(
        made.get(root(part), 0) >= depth(part)
        for target in targets(node)
        for part in written(target)
        if isinstance(part, (cst.Subscript, cst.Attribute))
    )


def _called(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """Yield what a call calls; lambdas are left out: their bodies are read with the rest."""
    import libcst as cst

    yield call.func
    yield from (one for one in handed(call) if not isinstance(one, cst.Lambda))


def _callee(
    program: Program,
    callee: cst.BaseExpression,
    made: Mapping[str, int],
    seen: frozenset[str],
    methods: frozenset[str],
) -> bool:
    """Whether calling this leaves no trace."""
    import libcst as cst

    if isinstance(callee, cst.Call):  # such as `itemgetter(1)`
        return _is_operator(program, named(callee.func))
    if isinstance(callee, cst.Attribute):
        if only_computes(program, callee):
            return True
        name, receiver = callee.attr.value, root(callee.value)
        new = made.get(receiver, 0) >= depth(callee)
        return name in _METHODS | methods or receiver == "math" or (name in _OWN and new)
    name = named(callee)
    known = program.functions.get(name, ())
    if not known and name in seen:
        return True
    if not known:
        in_library = only_computes(program, callee)
        return name in _BUILTINS or in_library or _is_operator(program, name)
    if len(known) > 1 or known[0].decorators or known[0].asynchronous:
        return False
    if name in seen:
        return True
    parameters = {param.name.value for param in known[0].params.params}
    inside = bound(known[0].body) - parameters
    return _computes(program, known[0].body, inside, seen | {name}, methods)


def _is_operator(program: Program, name: str) -> bool:
    """Whether a name is a function of the module `operator` that only computes."""
    return any(
        each.name == name and each.module == "operator" and each.part in _OPERATORS
        for each in imports(program)
    )


def calls_own(program: Program, node: cst.CSTNode) -> bool:
    """Whether the code calls a function that the program defines."""
    import libcst as cst

    calls = (n for n in walk(node) if isinstance(n, cst.Call))
    return any(named(call.func) in program.functions for call in calls)
