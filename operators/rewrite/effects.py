"""What code may change: the names it binds, the objects it alters, what leaves all as it was.

Answers lean to the safe side: what cannot be seen to be untouched counts as changed. Not here:
what is written in a node (`reading`), functions of the program that only compute (`purity`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from operators.rewrite.program import Program, walk
from operators.rewrite.reading import assigned, bound, named, names, root, targets, written
from se_agent.program.changing import CHANGING_FUNCTIONS

if TYPE_CHECKING:
    import libcst as cst

READ_ONLY = frozenset(
    {
        "Counter", "abs", "all", "any", "bool", "chr", "dict", "divmod", "enumerate",
        "filter", "float", "frozenset", "hash", "id", "int", "isinstance", "iter", "len",
        "list", "map", "max", "min", "ord", "pow", "print", "range", "repr", "reversed",
        "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
    }
)  # fmt: skip
"""Builtins that leave their arguments as they are."""

QUERIES = frozenset(
    {
        "__contains__", "__getitem__", "copy", "count", "difference", "endswith", "find",
        "format", "get", "index", "intersection", "isalnum", "isalpha", "isdigit", "islower",
        "isspace", "issubset",
        "issuperset", "isupper", "items", "join", "keys", "lower", "lstrip", "most_common",
        "replace", "rstrip", "split", "startswith", "strip", "union", "upper", "values",
    }
)  # fmt: skip
"""Methods that leave their object as it is."""


_CLASSES = frozenset(["Counter", "bytearray", "deque", "dict", "list", "set"])


@lru_cache(maxsize=1024)
def changed(node: cst.CSTNode) -> frozenset[str]:
    """Return the names that the code below may bind anew or whose objects it may change."""
    import libcst as cst

    found = set(bound(node))
    for target in targets(node):
        found |= {root(part) for part in written(target)}
    for call in walk(node):
        if isinstance(call, cst.Call):
            found |= _touched(call)
    return frozenset(found - {""})


@lru_cache(maxsize=1024)
def altered(program: Program, node: cst.CSTNode) -> frozenset[str]:
    """Return what `changed` does, and what is changed by functions that the code names.

    Those are functions of the program, and names that stand for a lambda or a method: who
    names one may call it, or hand it to somebody who does. While a generator or a coroutine
    waits, others may change all that it did not make itself.
    """
    import libcst as cst

    found, known, told = changed(node), frozenset[str](), names(node)
    for call in walk(node):
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
            found |= _handed_to(program, call, call.func)
    if waits(node):
        found |= told - _made_here(program, node)
    while new := (told & _functions(program).keys()) - known:
        known |= new
        for body in (body for name in sorted(new) for body in _functions(program)[name]):
            found |= _leaked(body)
            told |= names(body)
    return found


def _handed_to(program: Program, call: cst.Call, method: cst.Attribute) -> set[str]:
    """Return the names whose objects a method of the file, or of a class, may change.

    Such as `self.fill(xs)`, `list.append(xs, 1)` and `super().add(1)`.
    """
    import libcst as cst

    receiver, given = method.value, [named(arg.value) for arg in call.args]
    if isinstance(receiver, cst.Call) and named(receiver.func) == "super":
        return {"self", "cls", *given} - {""}
    of_class = named(receiver) in _CLASSES or named(receiver) in program.definitions
    if of_class and method.attr.value not in QUERIES:
        return {*given} - {""}
    for function in program.functions.get(method.attr.value, ()):
        if (bound(function.params) - {"self", "cls"}) & changed(function.body):
            return {*given} - {""}
    return set()


def waits(node: cst.CSTNode) -> bool:
    """Whether code holds a `yield` or waits: others run meanwhile."""
    import libcst as cst

    return any(
        isinstance(found, (cst.Yield, cst.Await)) or getattr(found, "asynchronous", None)
        for found in walk(node)
    )


def _made_here(program: Program, node: cst.CSTNode) -> frozenset[str]:
    import libcst as cst

    around = (n for n in program.above(node) if isinstance(n, cst.FunctionDef))
    function = next(around, None)
    return bound(function.body) if function else frozenset()


@lru_cache(maxsize=128)
def _functions(program: Program) -> dict[str, list[cst.CSTNode]]:
    """Return definitions by name, and what is assigned that may be called."""
    import libcst as cst

    found: dict[str, list[cst.CSTNode]] = {}
    for node in program.nodes:
        pair = assigned(node)
        if isinstance(node, cst.FunctionDef):
            found.setdefault(node.name.value, []).append(node)
        elif pair and isinstance(pair[1], (cst.Lambda, cst.Attribute)):
            found.setdefault(pair[0], []).append(pair[1])
    return found


@lru_cache(maxsize=1024)
def identifiers(function: cst.FunctionDef) -> frozenset[str]:
    """Return every name in the body of a function, of an attribute as well."""
    return frozenset(map(named, walk(function.body))) - {""}


def reaching(program: Program, seeds: set[str]) -> set[str]:
    """Return these names, and those of functions that come to one; `__init__` is none."""
    found, before = set(seeds), 0
    while before < len(found):
        before = len(found)
        every = [(name, f) for name, fs in program.functions.items() for f in fs]
        found |= {name for name, f in every if name != "__init__" and found & identifiers(f)}
    return found


def _leaked(function: cst.CSTNode) -> frozenset[str]:
    """Return the names around a function whose objects it may change, or that it binds."""
    import libcst as cst

    if isinstance(function, cst.Attribute):
        queried = function.attr.value in QUERIES
        return frozenset() if queried else frozenset({root(function.value)} - {""})
    outer = {
        item.name.value
        for node in walk(function)
        if isinstance(node, (cst.Global, cst.Nonlocal))
        for item in node.names
    }
    return changed(function) - (bound(function) - outer)


def _touched(call: cst.Call) -> set[str]:
    """Return the names whose objects a call may change: receiver and bare arguments."""
    import libcst as cst

    methods = [call.func, *handed(call)]
    found = {
        root(one.value)
        for one in methods
        if isinstance(one, cst.Attribute) and one.attr.value not in QUERIES
    }
    if isinstance(call.func, cst.Attribute) and call.func.attr.value in CHANGING_FUNCTIONS:
        return found | {root(arg.value) for arg in call.args}
    if isinstance(call.func, cst.Attribute) or named(call.func) in READ_ONLY:
        # What is appended or joined is stored, not changed.
        return found
    return {named(arg.value) for arg in call.args}


def handed(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """Yield what a builtin is given to call: the function of `map`, the key of `sorted`."""
    import libcst as cst

    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)
    if name in ("map", "filter") and call.args and named(call.args[0].value) != "None":
        yield call.args[0].value
    for arg in call.args if name in ("max", "min", "sort", "sorted") else ():
        if arg.keyword and arg.keyword.value == "key" and named(arg.value) != "None":
            yield arg.value


def pure(node: cst.CSTNode) -> bool:
    """Whether evaluating an expression twice, or elsewhere, is the same as once."""
    import libcst as cst

    effects = (cst.Await, cst.Yield, cst.NamedExpr, cst.Lambda, cst.GeneratorExp)
    for found in walk(node):
        if isinstance(found, effects):
            return False
        if isinstance(found, cst.Call) and not all(map(_asks, (found.func, *handed(found)))):
            return False
    return True


def _asks(function: cst.CSTNode) -> bool:
    """Whether a function is known to look at things only, each time in the same way."""
    import libcst as cst

    if isinstance(function, cst.Attribute):
        return function.attr.value in QUERIES
    return named(function) in READ_ONLY - {"print", "id", "iter", "map", "filter", "zip"}
