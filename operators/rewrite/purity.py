"""Whether code does nothing but compute: the same result each time, and no other trace.

Wider than `effects.pure`, which looks at one expression: functions of the program are read
too. What cannot be read counts as impure. Not here: what stays the same in a loop (`effects`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from operators.rewrite.effects import QUERIES, READ_ONLY, handed
from operators.rewrite.freshness import depth, levels
from operators.rewrite.imports import imports
from operators.rewrite.library import is_match, only_computes
from operators.rewrite.making import is_fixed
from operators.rewrite.owners import called_function
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import bound, named, names, root, targets, written

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
_OF_MATCHES = frozenset({"group", "groupdict", "groups"})
_PLACES = frozenset({"end", "span", "start"})
"""What matches tell as well; other objects have methods of these names that do something."""
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


def leaves_no_trace(program: Program, call: cst.Call) -> bool:
    """Whether a call, its arguments aside, changes nothing and tells the same again."""
    none = frozenset[str]()
    return all(_callee(program, callee, {}, none, none) for callee in _called(call))


def may_come_early(program: Program, node: cst.CSTNode) -> bool:
    """Whether working a value out, to its end, leaves no trace; not one without an end.

    A generator function that has a `while` may have none.
    """
    import libcst as cst

    function = called_function(program, node)
    if function is None or not is_generated(program, node):
        return computes(program, node)
    waits = any(isinstance(part, cst.While) for part in walk(function.body))
    return only_tells(program, function) and not waits


def is_generated(program: Program, node: cst.CSTNode) -> bool:
    """Whether a value is what a generator function of the file yields."""
    function = called_function(program, node)
    return function is not None and _yields(program, function)


def _yields(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a function is a generator; one inside of it does not count."""
    import libcst as cst

    (own,) = (place.own for place in program.places if place.node is function)
    return any(isinstance(part, cst.Yield) for part in own)


def functions_behind(program: Program, node: cst.CSTNode) -> tuple[cst.FunctionDef, ...]:
    """Return the functions of the file that a value asks for, and those that they ask."""
    found = [*_asked(program, node)]
    for function in found:
        found += [each for each in _asked(program, function.body) if each not in found]
    return tuple(found)


def _asked(program: Program, node: cst.CSTNode) -> dict[cst.FunctionDef, None]:
    functions = (called_function(program, part) for part in walk(node))
    return dict.fromkeys(function for function in functions if function is not None)


def read_by(functions: Iterable[cst.FunctionDef]) -> frozenset[str]:
    """Return the names of the module that functions read."""
    found = (names(function.body) - bound(function) for function in functions)
    return frozenset().union(*found)


def only_tells(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a function does nothing but compute what it returns, or what it yields."""
    if function.decorators or function.asynchronous:
        return False
    name, body = function.name.value, function.body
    inside = bound(body) - {param.name.value for param in function.params.params}
    return _computes(program, body, inside, frozenset({name}), frozenset(), yields=True)


def _computes(
    program: Program,
    node: cst.CSTNode,
    own: frozenset[str],
    seen: frozenset[str],
    methods: frozenset[str],
    *,
    yields: bool = False,
) -> bool:
    import libcst as cst

    strange = (cst.Await, cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom)
    made = levels(node, own, _BUILTINS)
    for found in walk(node):
        if isinstance(found, strange) or (isinstance(found, cst.Yield) and not yields):
            return False
        # What was handed in may be a list, which grows in place.
        grown = named(found.target) if isinstance(found, cst.AugAssign) else ""
        if grown not in {"", *own} and not is_fixed(program, getattr(found, "value", None)):
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
        call = program.parent.get(callee)
        if (method := called_function(program, call)) is not None:
            return _function(program, method, callee, seen, methods)
        if only_computes(program, callee):
            return True
        name, receiver = callee.attr.value, root(callee.value)
        new = made.get(receiver, 0) >= depth(callee)
        of_match = name in _OF_MATCHES or (name in _PLACES and is_match(program, receiver))
        of_match = of_match and name not in program.functions
        asks = name in _METHODS | methods or of_match
        return asks or receiver == "math" or (name in _OWN and new)
    name = named(callee)
    known = program.functions.get(name, ())
    if not known and name in seen:
        return True
    if not known:
        in_library = only_computes(program, callee)
        return name in _BUILTINS or in_library or _is_operator(program, name)
    if len(known) > 1 or known[0].decorators or known[0].asynchronous:
        return False
    return _function(program, known[0], callee, seen, methods)


def _function(
    program: Program,
    function: cst.FunctionDef,
    callee: cst.BaseExpression,
    seen: frozenset[str],
    methods: frozenset[str],
) -> bool:
    """Whether a function that is called there leaves no trace."""
    name = function.name.value
    if name in seen:
        return True
    inside = bound(function.body) - {param.name.value for param in function.params.params}
    call = program.parent.get(callee)
    walked = call is not None and is_walked(program, call)
    return _computes(program, function.body, inside, seen | {name}, methods, yields=walked)


def is_walked(program: Program, call: cst.CSTNode) -> bool:
    """Whether a loop walks over what a call gives, where it stands."""
    import libcst as cst

    above = program.parent.get(call)
    return isinstance(above, (cst.For, cst.CompFor)) and above.iter is call


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
