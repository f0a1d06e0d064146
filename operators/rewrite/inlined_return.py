"""A helper that scans, called in a loop -> what it returns stands there, without the scan."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import added
from operators.rewrite.change import TreeChange, applied
from operators.rewrite.counter import Counter
from operators.rewrite.effects import pure
from operators.rewrite.first_by_key import FirstByKey
from operators.rewrite.join_dict import JoinDict
from operators.rewrite.loop_invariant import LoopInvariant
from operators.rewrite.loops import substituted
from operators.rewrite.owners import first_parameter
from operators.rewrite.position_table import PositionTable
from operators.rewrite.prefix_counts import PrefixCounts
from operators.rewrite.prefix_sums import PrefixSums
from operators.rewrite.program import Place, Program, program, walk
from operators.rewrite.reading import (
    assigned,
    body_of,
    bound,
    flat,
    integer,
    lines,
    method,
    named,
    names,
    only,
    positional,
    targets,
    text,
    variables,
)
from operators.rewrite.row_sets import RowSets
from operators.rewrite.rule import Rule
from operators.rewrite.running_aggregate import RunningAggregate
from operators.rewrite.set_membership import SetMembership

if TYPE_CHECKING:
    import libcst as cst

_RULES: tuple[type[Rule], ...] = (
    Counter,
    FirstByKey,
    JoinDict,
    LoopInvariant,
    PositionTable,
    PrefixCounts,
    PrefixSums,
    RowSets,
    RunningAggregate,
    SetMembership,
)


class InlinedReturn(Rule):
    """Write out a helper of the file where a loop calls it, if another rule then fits.

    Such as `[x for x in xs if is_known(x, names)]` with a helper that returns `x in names`: a
    set is made once. Valid for functions of the module, and methods of the same object, that
    are one `return`, or a loop that returns the first element that fits, or adds up or collects
    those that do, take plain arguments, and name nothing that means something else where they
    are called; arguments are only read (all checked). That no subclass elsewhere has a method
    of that name, and nobody outside of the file sets it, is left to the tests. The rest is as
    valid as the other rule. The helper stays as it is. Known as inlining to expose an
    invariant.
    """

    name = "inlined_return"
    relies_on = "no subclass in another file has a method of that name"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield what other rules make of a function in which one helper is written out."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef):
            return
        for name in dict.fromkeys(flat(n.func) for n in place.own if isinstance(n, cst.Call)):
            helper = _helper(program, place, name)
            if helper is not None and helper.node is not place.node:
                yield from _through(program, place, name, helper)


class _Helper(NamedTuple):
    """A function that comes to one expression: its parameters, and the expression."""

    node: cst.FunctionDef
    params: tuple[str, ...]
    value: cst.BaseExpression


def _helper(program: Program, place: Place, name: str) -> _Helper | None:
    """Return the helper of the module, or of a method's own object, that a call names."""
    import libcst as cst

    owner, dot, own = name.rpartition(".")
    around = place.name.rpartition(".")[0]
    if dot and (not around or owner != first_parameter(place.node)):
        return None
    if dot and not _is_own(program, place, owner):
        return None
    every = program.definitions.get(f"{around}.{own}" if dot else name, ())
    if len(every) != 1 or (dot and len(program.functions[own]) > 1):
        return None  # of several, a subclass may have one of its own
    (node,) = every
    if sum(_last_name(target) == own for target in targets(program.module)) > 1:
        return None  # set to something else, somewhere
    if not isinstance(node, cst.FunctionDef) or not _is_plain(node):
        return None
    value = _returned(body_of(node))
    params = tuple(param.name.value for param in node.params.params)
    return None if value is None else _Helper(node, params, value)


def _is_own(program: Program, place: Place, owner: str) -> bool:
    """Whether a method's first parameter is, and stays, an object with its class's methods."""
    import libcst as cst

    assert isinstance(place.node, cst.FunctionDef)
    ways = program.functions.keys() & {"__getattr__", "__getattribute__"}
    return not (ways or place.node.decorators or owner in bound(place.node.body))


def _last_name(target: cst.CSTNode) -> str:
    """Return the name, or the attribute, that a target sets."""
    import libcst as cst

    return named(target.attr if isinstance(target, cst.Attribute) else target)


def _returned(body: list[cst.CSTNode]) -> cst.BaseExpression | None:
    """Return what a body comes to: its one `return`, or what a loop finds or collects."""
    import libcst as cst

    last = only(body[-1]) if body else None
    if len(body) == 1 and isinstance(last, cst.Return):
        return _alone(last.value) if last.value and not _binds(last.value) else None
    if len(body) == 3 and isinstance(last, cst.Return):
        return _collected(only(body[0]), _filter(body[1]), last)
    loop, missing = _filter(body[0]) if body else None, None
    if len(body) == 2 and isinstance(last, cst.Return):
        missing = last.value
    elif len(body) != 1:
        return None
    if loop is None or not isinstance(loop.does, cst.Return) or loop.does.value is None:
        return None
    if missing and (names(missing) & loop.own or not _is_there(missing)):
        return None  # such as the last element, or what raises an error
    otherwise = _code(missing) if missing else "None"
    return _parsed(f"next(({_code(loop.does.value)} {loop.walked}), {otherwise})")


def _alone(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return a value as it may stand anywhere."""
    return value if _code(value) == text(value) else _parsed(_code(value))


def _code(value: cst.BaseExpression) -> str:
    """Return the code of a value as it may stand anywhere: `return a, b` has no brackets."""
    import libcst as cst

    loose = isinstance(value, (cst.Tuple, cst.IfExp, cst.Lambda)) and not value.lpar
    return f"({text(value)})" if loose else text(value)


def _parsed(code: str) -> cst.BaseExpression | None:
    """Return an expression; None for what cannot be written as one."""
    import libcst as cst

    try:
        return cst.parse_expression(code)
    except cst.ParserSyntaxError:
        return None


class _Filter(NamedTuple):
    """A loop that does one thing for each element that passes a test.

    Attributes:
        does: What it does.
        walked: What it walks over, and its test, as a comprehension has them.
        own: The names that an element is called.
        names: All names that it mentions but for what it does.
    """

    does: cst.BaseSmallStatement
    walked: str
    own: frozenset[str]
    names: frozenset[str]


def _filter(loop: cst.CSTNode) -> _Filter | None:
    import libcst as cst

    if not isinstance(loop, cst.For) or loop.orelse or loop.asynchronous:
        return None
    (test, *more) = lines(loop.body) or [loop]
    if more or not isinstance(test, cst.If) or test.orelse or len(lines(test.body)) != 1:
        return None
    does = only(lines(test.body)[0])
    walked = f"for {text(loop.target)} in {_code(loop.iter)} if {_code(test.test)}"
    mentioned = names(loop.target) | names(loop.iter) | names(test.test)
    if does is None or _binds(test.test):
        return None
    return _Filter(does, walked, bound(loop), mentioned)


def _collected(
    start: cst.CSTNode | None, loop: _Filter | None, last: cst.Return
) -> cst.BaseExpression | None:
    """Return the list or the sum that a loop collects and a function returns."""
    import libcst as cst

    name, empty = assigned(start) or ("", None)
    if loop is None or empty is None or named(last.value) != name or name in loop.names:
        return None
    step = added(loop.does)
    if step and step.name == name and integer(empty) == 0 and not _binds(step.value):
        return _parsed(f"sum({_code(step.value)} {loop.walked})")
    value = loop.does.value if isinstance(loop.does, cst.Expr) else None
    appended = method(value, "append")
    if flat(empty) != "[]" or not appended or named(appended[0]) != name:
        return None
    (element, *_) = appended[1]
    if name in names(element) or _binds(element):
        return None
    return _parsed(f"[{_code(element)} {loop.walked}]")


def _is_there(value: cst.BaseExpression) -> bool:
    """Whether a value may be worked out before anybody asked for it."""
    import libcst as cst

    open_nodes = (cst.Call, cst.Subscript, cst.BinaryOperation, cst.Attribute)
    return not any(isinstance(node, open_nodes) for node in walk(value))


def _is_plain(node: cst.FunctionDef) -> bool:
    """Whether a function is called with as many values as it has parameters."""
    import libcst as cst

    params = node.params
    more = (*params.kwonly_params, *params.posonly_params, *node.decorators)
    stars = not isinstance(params.star_arg, cst.MaybeSentinel) or params.star_kwarg
    optional = any(param.default for param in params.params)
    return not (more or stars or optional or node.asynchronous)


def _binds(value: cst.BaseExpression) -> bool:
    """Whether an expression leaves a name behind, is made to be called, or waits."""
    import libcst as cst

    kinds = (cst.Lambda, cst.NamedExpr, cst.Yield, cst.Await)
    return any(isinstance(node, kinds) for node in walk(value))


def _through(old: Program, place: Place, name: str, helper: _Helper) -> Iterator[TreeChange]:
    """Yield changes of a function in whose loops a helper is written out."""
    import libcst as cst

    free = names(helper.value) - {*helper.params} - bound(helper.value)
    around = [n for n in (place.node, *old.above(place.node)) if isinstance(n, cst.FunctionDef)]
    hidden = (free | {name}) & bound(around[-1])
    calls = (n for n in place.own if isinstance(n, cst.Call) and flat(n.func) == name)
    looped = (call for call in calls if any(True for _ in old.loops(call)))
    written: dict[cst.CSTNode, str] = {
        call: code for call in looped if (code := _written_out(call, helper))
    }
    if hidden or not written or name in names(helper.value):
        return
    change = TreeChange(anchor=next(iter(written)), replaced=written, direction="", effect="")
    new = program(applied(old, change) or "")
    here = next((p for p in new.places if p.name == place.name), None) if new else None
    if new is None or here is None:
        return
    codes = {_bare(cst.parse_expression(code)) for code in written.values()}
    own = frozenset(here.own)
    inside = {n for node in here.own if _is_one(node, codes) for n in walk(node) if n in own}
    for rule in _RULES:
        for each in rule().changes(new, here):
            found = each.anchor in inside and _function(new, here, each)
            if found:
                yield TreeChange(
                    anchor=next(iter(written)),
                    replaced={place.node: found},
                    imports=each.imports,
                    parameters=(("rule", rule.name), *each.parameters),
                    direction=f"{each.direction}, with `{name}` written out",
                    effect=each.effect,
                )


def _written_out(call: cst.Call, helper: _Helper) -> str:
    """Return what a helper returns for the arguments of a call; empty: it cannot be written."""
    import libcst as cst

    given = positional(call)
    if given is not None and isinstance(call.func, cst.Attribute):
        given = [call.func.value, *given]
    if given is None or len(given) != len(helper.params):
        return ""
    taken = {*helper.params, *(name for each in given for name in names(each))}
    if bound(helper.value) & taken:
        return ""
    if not all(map(pure, given)):
        return ""
    skipped = frozenset(_skipped(helper.value))
    new: dict[cst.CSTNode, str] = {}
    for param, value in zip(helper.params, given, strict=True):
        mentions = [node for node in variables(helper.value) if node.value == param]
        raising = (cst.Call, cst.Subscript, cst.BinaryOperation)
        if any(isinstance(node, raising) for node in walk(value)) and not any(
            mention not in skipped for mention in mentions
        ):
            return ""  # its error might never come
        new |= dict.fromkeys(mentions, text(value))
    return substituted(helper.value, new)


def _skipped(value: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """Yield the nodes of an expression that a test in it may leave out."""
    import libcst as cst

    for node in walk(value):
        if isinstance(node, cst.BooleanOperation):
            yield from walk(node.right)
        elif isinstance(node, cst.IfExp):
            yield from (*walk(node.body), *walk(node.orelse))


def _is_one(node: cst.CSTNode, codes: Collection[str]) -> bool:
    import libcst as cst

    return isinstance(node, cst.BaseExpression) and _bare(node) in codes


def _bare(node: cst.BaseExpression) -> str:
    """Return the code of an expression without the parentheses around it."""
    code, around = flat(node), len(node.lpar)
    return code[around : len(code) - around]


def _function(new: Program, here: Place, change: TreeChange) -> str:
    """Return the code of a function after a change that stays within it, else nothing."""
    nodes = (*change.before, *change.after, *change.lastly, *change.replaced)
    if not all(here.node in new.above(node) for node in nodes):
        return ""
    after = program(applied(new, change) or "")
    found = next((p for p in after.places if p.name == here.name), None) if after else None
    return text(found.node) if found else ""
