"""A helper that scans, called in a loop -> what it returns stands there, without the scan."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, applied
from operators.rewrite.counter import Counter
from operators.rewrite.effects import pure
from operators.rewrite.loop_invariant import LoopInvariant
from operators.rewrite.loops import substituted
from operators.rewrite.position_table import PositionTable
from operators.rewrite.prefix_sums import PrefixSums
from operators.rewrite.program import Place, Program, program, walk
from operators.rewrite.reading import (
    bound,
    flat,
    lines,
    named,
    names,
    only,
    positional,
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
    LoopInvariant,
    PositionTable,
    PrefixSums,
    RowSets,
    RunningAggregate,
    SetMembership,
)


class InlinedReturn(Rule):
    """Write out a helper of the file where a loop calls it, if another rule then fits.

    Such as `[x for x in xs if is_known(x, names)]` with a helper that returns `x in names`: a
    set is made once. Valid for functions of the module that are one `return`, take plain
    arguments, and name nothing that means something else where they are called; an argument
    that does more than be read is named once (all checked). The rest is as valid as the other
    rule. The helper stays as it is. Known as inlining to expose an invariant.
    """

    name = "inlined_return"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield what other rules make of a function in which one helper is written out."""
        import libcst as cst

        if not isinstance(place.node, cst.FunctionDef):
            return
        helpers = _helpers(program)
        for name in dict.fromkeys(named(n.func) for n in place.own if isinstance(n, cst.Call)):
            if name in helpers and helpers[name].node is not place.node:
                yield from _through(program, place, name, helpers[name])


class _Helper(NamedTuple):
    """A function that is one `return`: its definition, parameters, and what it returns."""

    node: cst.FunctionDef
    params: tuple[str, ...]
    value: cst.BaseExpression


def _helpers(program: Program) -> dict[str, _Helper]:
    """Return the functions of the module that are one `return`, by name."""
    import libcst as cst

    found: dict[str, _Helper] = {}
    for name, every in program.definitions.items():
        node = every[0]
        if len(every) > 1 or "." in name or not isinstance(node, cst.FunctionDef):
            continue
        body = [line for line in lines(node.body) if not _is_documentation(line)]
        small = only(body[0]) if len(body) == 1 else None
        value = small.value if isinstance(small, cst.Return) else None
        if value is not None and _is_plain(node) and not _binds(value):
            params = tuple(param.name.value for param in node.params.params)
            found[name] = _Helper(node, params, value)
    return found


def _is_plain(node: cst.FunctionDef) -> bool:
    """Whether a function is called with as many values as it has parameters."""
    import libcst as cst

    params = node.params
    more = (*params.kwonly_params, *params.posonly_params, *node.decorators)
    stars = not isinstance(params.star_arg, cst.MaybeSentinel) or params.star_kwarg
    optional = any(param.default for param in params.params)
    return not (more or stars or optional or node.asynchronous)


def _is_documentation(line: cst.CSTNode) -> bool:
    import libcst as cst

    small = only(line)
    return isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)


def _binds(value: cst.BaseExpression) -> bool:
    """Whether an expression has names of its own, or waits."""
    import libcst as cst

    kinds = (cst.Lambda, cst.NamedExpr, cst.BaseComp, cst.Yield, cst.Await)
    return any(isinstance(node, kinds) for node in walk(value))


def _through(old: Program, place: Place, name: str, helper: _Helper) -> Iterator[TreeChange]:
    """Yield changes of a function in whose loops a helper is written out."""
    import libcst as cst

    hidden = ((names(helper.value) - {*helper.params}) | {name}) & bound(place.node)
    calls = (n for n in place.own if isinstance(n, cst.Call) and named(n.func) == name)
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
    given = positional(call)
    if given is None or len(given) != len(helper.params):
        return ""
    new: dict[cst.CSTNode, str] = {}
    for param, value in zip(helper.params, given, strict=True):
        mentions = [node for node in variables(helper.value) if node.value == param]
        if len(mentions) != 1 and not pure(value):
            return ""
        new |= dict.fromkeys(mentions, text(value))
    return substituted(helper.value, new)


def _is_one(node: cst.CSTNode, codes: Collection[str]) -> bool:
    import libcst as cst

    return isinstance(node, cst.BaseExpression) and _bare(node) in codes


def _bare(node: cst.BaseExpression) -> str:
    """Return the code of an expression without the parentheses around it."""
    return flat(node.with_changes(lpar=[], rpar=[]) if node.lpar else node)


def _function(new: Program, here: Place, change: TreeChange) -> str:
    """Return the code of a function after a change that stays within it, else nothing."""
    nodes = (*change.before, *change.after, *change.lastly, *change.replaced)
    if not all(here.node in new.above(node) for node in nodes):
        return ""
    after = program(applied(new, change) or "")
    found = next((p for p in after.places if p.name == here.name), None) if after else None
    return text(found.node) if found else ""
