"""What a helper works out again for each pass of its caller's loop -> handed down to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.calm import is_calm
from operators.rewrite.change import TreeChange
from operators.rewrite.imports import is_bound_once
from operators.rewrite.invariants import can_precede
from operators.rewrite.kinds import iterator
from operators.rewrite.loop_invariant import called_after, is_fresh, pass_guard
from operators.rewrite.loops import substituted
from operators.rewrite.owners import called_function, defined_in
from operators.rewrite.program import Place, Program, place_of, walk
from operators.rewrite.purity import (
    functions_behind,
    is_generated,
    is_walked,
    may_come_early,
    read_by,
)
from operators.rewrite.reading import bound, named, text, variables
from operators.rewrite.rule import Rule
from operators.rewrite.uses import asked, free, stays_local

if TYPE_CHECKING:
    import libcst as cst

_COSTLY = frozenset(["Counter", "dict", "frozenset", "list", "set", "sorted", "sum", "tuple"])
_DEEPEST = 3
"""Helpers between a loop and the value."""


class HandedDown(Rule):
    """Work out before a loop what a helper that it calls works out again, and hand it down.

    Such as the ranges of all statements of a file, for each message about one of its lines. A
    helper, and those between it and the loop, gets one more argument, which may be left out:
    then it works the value out itself, as before. Valid for functions of the module, private
    methods, and values that each call works out, without effects, from arguments that it only
    reads, in a loop that changes nothing but what its function keeps to itself (all checked).
    That arguments are no iterators, and that a value worked out early, or whole where a
    generator was left half-read, raises nothing else, is left to the tests; so is that nobody
    overrides a private method. Known as interprocedural loop-invariant code motion.
    """

    name = "handed_down"
    relies_on = (
        "what is worked out before the loop raises nothing, and arguments are no iterators"
    )

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each value and each way from a loop to the function."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef) or not _is_plain(program, place.node):
            return
        for value in filter(None, (_value(program, place, node) for node in place.own)):
            for way in _ways(program, place.node, value, value.params):
                yield _change(program, value, way)


class _Value(NamedTuple):
    """What a helper works out in each call of it.

    Attributes:
        node: The expression.
        params: Parameters that it is worked out from.
        fixed: Names of the module that it mentions, or that functions read which it asks.
    """

    node: cst.BaseExpression
    params: frozenset[str]
    fixed: frozenset[str]


class _Way(NamedTuple):
    """How a value comes from before a loop to a helper.

    Attributes:
        loop: The loop.
        guard: What tells whether it has a pass; often nothing.
        calls: From the one in the loop down to the one of the helper.
        names: What the caller around the loop calls the helper's parameters.
    """

    loop: cst.CSTNode
    guard: str
    calls: tuple[cst.Call, ...]
    names: Mapping[str, str]


def _is_plain(program: Program, function: cst.FunctionDef) -> bool:
    """Whether a function of the module, or a method, takes arguments by their names alone."""
    import libcst as cst

    p = function.params
    named_only = not (p.posonly_params or p.kwonly_params or p.star_kwarg)
    named_only = named_only and not isinstance(p.star_arg, (cst.Param, cst.ParamStar))
    around, name = defined_in(program, function), function.name.value
    # Who overrides a method that is not private knows nothing of a new argument.
    private = name.startswith("_") and not name.endswith("__")
    at_home = isinstance(around, cst.Module) or (isinstance(around, cst.ClassDef) and private)
    return (
        at_home
        and isinstance(function.body, cst.IndentedBlock)
        and is_bound_once(program, name)
        and not any(isinstance(node, cst.ImportStar) for node in program.nodes)
        and named_only
        and not (function.decorators or function.asynchronous)
    )


def _is_costly(program: Program, node: cst.BaseExpression) -> bool:
    """Whether a value takes a loop to work out: of a function of the module, or in C."""
    import libcst as cst

    if isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp)):
        return True
    if not isinstance(node, cst.Call) or not node.args:
        return False
    function = called_function(program, node)
    found = walk(function.body) if function else ()
    loops = any(isinstance(n, (cst.For, cst.While, cst.BaseComp)) for n in found)
    return loops or named(node.func) in _COSTLY


def _value(program: Program, place: Place, node: cst.CSTNode) -> _Value | None:
    """Return what is known of a costly value, the same for the same arguments, else None."""
    import libcst as cst

    assert isinstance(place.node, cst.FunctionDef)
    if not isinstance(node, cst.BaseExpression) or not _is_costly(program, node):
        return None
    body, used = place.node.body, free(node)
    every = {param.name.value for param in place.node.params.params}
    fixed = (used - every) | read_by(functions_behind(program, node))
    if not used & every or (used | fixed) & bound(body) or not _is_asked(program, node, body):
        return None
    generated = is_generated(program, node)
    if not may_come_early(program, node) or (generated and not is_walked(program, node)):
        return None
    if (generated or is_fresh(program, node)) and not stays_local(program, place, node):
        return None
    return _Value(node, used & every, fixed)


def _is_asked(program: Program, node: cst.CSTNode, body: cst.BaseSuite) -> bool:
    """Whether each call of a function comes to a node, once."""
    return asked(program, node, body) == [] and not any(program.loops(node))


def _ways(
    program: Program,
    function: cst.FunctionDef,
    value: _Value,
    given: frozenset[str],
    below: tuple[cst.Call, ...] = (),
) -> Iterator[_Way]:
    """Yield the ways from a loop to a function that needs these of its parameters."""
    import libcst as cst

    for call in program.nodes:
        if not isinstance(call, cst.Call) or called_function(program, call) is not function:
            continue
        caller, names = place_of(program, call), _passed(function, call, given)
        if not names or caller.node is function or value.fixed & bound(caller.node):
            continue
        calls, used = (call, *below), frozenset(names.values())
        loop = _loop(program, caller, call, used | value.fixed)
        if loop is not None:
            guard = pass_guard(program, call, loop)
            if asked(program, call, loop) == [] and guard is not None:
                yield _Way(loop, guard, calls, names)
        elif len(calls) < _DEEPEST and _hands_on(program, caller, call, used):
            assert isinstance(caller.node, cst.FunctionDef)
            for way in _ways(program, caller.node, value, used, calls):
                through = {param: way.names[name] for param, name in names.items()}
                yield way._replace(names=through)


def _passed(
    function: cst.FunctionDef, call: cst.Call, given: frozenset[str]
) -> dict[str, str] | None:
    """Return what a call passes for some parameters, where each is a plain name; else None."""
    import libcst as cst

    params = [param.name.value for param in function.params.params]
    passed = dict[str, str]()
    if isinstance(call.func, cst.Attribute):
        passed[params.pop(0)] = named(call.func.value)
    if any(arg.star for arg in call.args) or len(call.args) > len(params):
        return None
    passed |= {
        arg.keyword.value if arg.keyword else param: named(arg.value)
        for param, arg in zip(params, call.args, strict=False)
    }
    names = {name: passed.get(name, "") for name in sorted(given)}
    return names if all(names.values()) else None


def _loop(
    program: Program, caller: Place, call: cst.Call, used: frozenset[str]
) -> cst.CSTNode | None:
    """Return the outermost loop around a call in which a value made of these stays."""
    import libcst as cst

    outermost = None
    for loop in program.loops(call):
        if isinstance(loop, cst.Lambda) or not is_calm(program, caller, loop, used):
            break
        outermost = loop
    if outermost is None or not can_precede(program, outermost, used):
        return None
    read_once = (n for n in variables(caller.node) if n.value in used)
    return None if any(iterator(program, caller, n) for n in read_once) else outermost


def _hands_on(program: Program, caller: Place, call: cst.Call, used: frozenset[str]) -> bool:
    """Whether a function hands its own parameters on, as they are, in each call of it."""
    import libcst as cst

    node = caller.node
    if not isinstance(node, cst.FunctionDef) or not _is_plain(program, node):
        return False
    own = {param.name.value for param in node.params.params}
    return used <= own and not used & bound(node.body) and _is_asked(program, call, node.body)


def _change(program: Program, value: _Value, way: _Way) -> TreeChange:
    import libcst as cst

    node, name = value.node, program.fresh(called_after(value.node))
    own: dict[cst.CSTNode, str] = {
        n: way.names[n.value] for n in variables(node) if n.value in value.params
    }
    new = substituted(node, own)
    new = f"list({new})" if is_generated(program, node) else new
    guard = f" if {way.guard} else None" if way.guard else ""
    functions = [called_function(program, call) for call in way.calls]
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {node: name}
    for call, function in zip(way.calls, functions, strict=True):
        assert function is not None
        others = len(function.params.params) - isinstance(call.func, cst.Attribute)
        replaced[call] = _with_argument(call, name, others)
        replaced[function.params] = _with_parameter(function, name)
    itself = f"if {name} is None:\n    {name} = {text(node)}"
    what = " ".join(text(node).split())[:60]
    return TreeChange(
        anchor=node,
        replaced=replaced,
        before={
            program.statement(node): [itself],
            program.statement(way.loop): [f"{name} = {new}{guard}"],
        },
        direction=f"Work out `{what}` once before the loop that calls for it, and hand it down",
        effect="its cost once, not in every call of the helper",
    )


def _with_argument(call: cst.Call, name: str, count: int) -> cst.Call:
    """Return a call with one more argument; by its position, if all others are."""
    import libcst as cst

    in_order = len(call.args) == count and not any(arg.keyword for arg in call.args)
    made = f"f({name})" if in_order else f"f({name}={name})"
    new = cst.ensure_type(cst.parse_expression(made), cst.Call).args[0]
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    before = [*call.args[:-1], *(arg.with_changes(comma=comma) for arg in call.args[-1:])]
    return call.with_changes(args=[*before, new])


def _with_parameter(function: cst.FunctionDef, name: str) -> cst.Parameters:
    """Return parameters with one more, which may be left out."""
    import libcst as cst

    made = cst.ensure_type(cst.parse_statement(f"def f({name}=None): ..."), cst.FunctionDef)
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    *others, last = function.params.params
    new = [*others, last.with_changes(comma=comma), made.params.params[0]]
    return function.params.with_changes(params=new)
