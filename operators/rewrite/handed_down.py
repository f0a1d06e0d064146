"""What a helper works out again for each pass of its caller's loop -> handed down to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.invariants import (
    can_precede,
    disturbed,
    has_changed_alias,
    has_changed_part,
    stays,
)
from operators.rewrite.loop_invariant import (
    called_after,
    is_total,
    makes_fresh,
    pass_guard,
)
from operators.rewrite.loops import substituted
from operators.rewrite.owners import called_function, defined_in
from operators.rewrite.program import Place, Program, place_of, walk
from operators.rewrite.purity import (
    functions_behind,
    is_generated,
    may_come_early,
    read_by,
)
from operators.rewrite.reading import assigned, bound, lines, named, text, variables
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
    then it works the value out itself, as before. Valid for plain functions of the module and
    values that each call works out from arguments that the loop leaves as they are, without
    effects, and only reads (all checked). That a value worked out early, or whole where a
    generator was left half-read, raises nothing else is left to the tests; so is that nobody
    changes what a generator walks over while it waits. Known as interprocedural loop-invariant
    code motion.
    """

    name = "handed_down"
    relies_on = "what is worked out before the loop raises nothing, and stays during the loop"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each value and each way from a loop to the function."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef) or not _is_plain(program, place.node):
            return
        for value in filter(None, (_value(program, place, node) for node in place.own)):
            for way in _ways(program, place.node, value, value.params):
                yield _change(program, place, value, way)


class _Value(NamedTuple):
    """What a helper works out.

    Attributes:
        node: The expression.
        params: Parameters that it is worked out from.
        fixed: Names of the module that it mentions, or that functions read which it asks.
        total: Whether it can be worked out where nobody asks for it.
    """

    node: cst.BaseExpression
    params: frozenset[str]
    fixed: frozenset[str]
    total: bool

    def is_asked(self, program: Program, node: cst.CSTNode, code: cst.CSTNode) -> bool:
        """Whether a pass of some code comes to a node, or need not."""
        conditions = asked(program, node, code)
        return conditions is not None and (self.total or not conditions)


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
    at_home = isinstance(defined_in(program, function), (cst.ClassDef, cst.Module))
    return (
        at_home
        and isinstance(function.body, cst.IndentedBlock)
        and len(program.functions[function.name.value]) == 1
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
    params = used & every
    fixed = (used - params) | read_by(functions_behind(program, node))
    found = _Value(node, params, fixed, is_total(node))
    before = [body] if any(program.loops(node)) else [*_until(program, body, node)]
    same = {name: name for name in sorted(params)}
    if not params or not all(_is_steady(program, code, found, same) for code in before):
        return None
    if not found.is_asked(program, node, body):
        return None
    pair = assigned(program.parent[node])
    if not may_come_early(program, node) or (pair and pair[0] in every):
        return None
    if makes_fresh(node) and not stays_local(program, place, node):
        return None
    return found


def _until(program: Program, body: cst.BaseSuite, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the statements of a body up to the one that a node is in."""
    above = {node, *program.above(node)}
    for line in lines(body):
        yield line
        if line in above:
            return


def _is_steady(
    program: Program, code: cst.CSTNode, value: _Value, names: Mapping[str, str]
) -> bool:
    """Whether code leaves alone what a value is made of.

    Args:
        program: The program.
        code: What runs.
        value: The value.
        names: What its parameters are called there.
    """
    used = frozenset(names.values())
    clash = (used | value.fixed) & disturbed(program, code, walked_stays=True)
    same = all(names.get(name) == name for name in clash)
    return not clash or (same and stays(program, code, value.node, clash))


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
        loop = _loop(program, call, value, names)
        if loop is not None:
            guard = "" if value.total else pass_guard(program, call, loop)
            if value.is_asked(program, call, loop) and guard is not None:
                yield _Way(loop, guard, calls, names)
        elif len(calls) < _DEEPEST and _hands_on(program, caller, call, names, value):
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
    program: Program, call: cst.Call, value: _Value, names: Mapping[str, str]
) -> cst.CSTNode | None:
    """Return the outermost loop around a call that leaves its arguments as they are."""
    import libcst as cst

    outermost, used = None, frozenset(names.values())
    for loop in program.loops(call):
        if isinstance(loop, cst.Lambda) or not _is_steady(program, loop, value, names):
            break
        if has_changed_alias(program, loop, used) or has_changed_part(program, loop, used):
            break
        outermost = loop
    if outermost is None or not can_precede(program, outermost, used):
        return None
    return outermost


def _hands_on(
    program: Program, caller: Place, call: cst.Call, names: Mapping[str, str], value: _Value
) -> bool:
    """Whether a function hands its own parameters on, as they are, in each call of it."""
    import libcst as cst

    node = caller.node
    if not isinstance(node, cst.FunctionDef) or not _is_plain(program, node):
        return False
    own = {param.name.value for param in node.params.params}
    before = _until(program, node.body, call)
    stays_so = all(_is_steady(program, code, value, names) for code in before)
    alone = {*names.values()} <= own and not any(program.loops(call))
    return alone and stays_so and value.is_asked(program, call, node.body)


def _change(program: Program, place: Place, value: _Value, way: _Way) -> TreeChange:
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
    assert isinstance(place.node, cst.FunctionDef)
    documented = place.node.get_docstring() is not None
    first = lines(place.node.body)[documented]
    itself = f"if {name} is None:\n    {name} = {text(node)}"
    what = " ".join(text(node).split())[:60]
    return TreeChange(
        anchor=node,
        replaced=replaced,
        before={
            first: [itself],
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
    *others, last = call.args
    return call.with_changes(args=[*others, last.with_changes(comma=comma), new])


def _with_parameter(function: cst.FunctionDef, name: str) -> cst.Parameters:
    """Return parameters with one more, which may be left out."""
    import libcst as cst

    made = cst.ensure_type(cst.parse_statement(f"def f({name}=None): ..."), cst.FunctionDef)
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    *others, last = function.params.params
    new = [*others, last.with_changes(comma=comma), made.params.params[0]]
    return function.params.with_changes(params=new)
