"""A recursion that meets the same arguments again -> `functools.cache` in one outer call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered, changed
from operators.rewrite.freshness import bindings
from operators.rewrite.lending import lends
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    bound,
    flat,
    lines,
    named,
    names,
    only,
    root,
    targets,
    written,
)
from operators.rewrite.rule import Rule
from se_agent.program.changing import CHANGING_METHODS

if TYPE_CHECKING:
    import libcst as cst

_EFFECT = "exponential -> one evaluation for each distinct argument"
_IMPURE = frozenset(
    ["print", "input", "open", "next", "random", "randint", "shuffle", "choice"]
)


class MemoizeRecursion(Rule):
    """Remember the results of a pure recursion, for the time of one outer call.

    Valid for a function that calls itself more than once (or in a loop), changes nothing
    outside itself and gets hashable arguments (the last is left to the tests). Arguments
    that every inner call passes on unchanged, such as a list that is searched, are no part
    of the key. Lists and the like that it returns are only read by who asks (checked): a
    remembered one would be changed for all, or stand in the answer twice. A call through the
    cache takes two levels of the limit of recursion, equal arguments of two types are one key,
    and a subclass may have a method of that name (all left to the tests). The cache dies with
    the outer call: nothing is carried from one call of the program to the next. Known as
    memoization, or top-down dynamic programming.
    """

    name = "memoize_recursion"
    relies_on = "arguments are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield the one change of a function that qualifies."""
        import libcst as cst

        node = place.node
        if (
            not isinstance(node, cst.FunctionDef)
            or node.decorators
            or not _qualifies(program, node)
        ):
            return
        calls = [c for c in walk(node.body) if _calls(c, node)]
        if not _overlap(program, calls) or not _pure(node) or _hidden(program, node):
            return
        cache, imports = imported(program, "functools", "cache")
        kept = _passed_on(node, calls)
        if kept is None:
            return
        inside = isinstance(program.parent[node], cst.IndentedBlock)
        whole = inside and not kept and _nested(program, node) and _is_steady(program, node)
        if lends(program, node, _named(program, node) if whole else calls):
            return
        new = _decorated(node, cache) if whole else _wrapped(program, node, kept, cache)
        yield TreeChange(
            anchor=node,
            replaced={node: new},
            imports=imports,
            direction="Remember the results of the recursion",
            effect=_EFFECT,
        )


def _qualifies(program: Program, node: cst.FunctionDef) -> bool:
    """Whether all parameters are plain, with fixed defaults if any, and it is no generator."""
    import libcst as cst

    p = node.params
    plain = not (p.kwonly_params or p.posonly_params or p.star_kwarg)
    plain = plain and not isinstance(p.star_arg, (cst.Param, cst.ParamStar)) and bool(p.params)
    strange = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal)
    return (
        plain
        and p.params[0].name.value != "cls"
        and _asks_readers_alone(program, node)
        and node.asynchronous is None
        and all(_is_fixed(param.default) for param in p.params if param.default)
        and not any(isinstance(n, strange) for n in walk(node.body))
    )


def _owner(node: cst.FunctionDef) -> str:
    """Return what a method calls its object; nothing for a function."""
    first = node.params.params[0].name.value
    return first if first == "self" else ""


def _asks_readers_alone(program: Program, node: cst.FunctionDef) -> bool:
    """Whether a method, the one of its name, asks its object for methods that only read it."""
    owner, own = _owner(node), node.name.value
    if not owner:
        return True
    if _changes_what_it_got(program, node):
        return False
    seen, todo = {own}, [node]
    while todo:
        for name in sorted(_asked(program, todo.pop(), owner) - seen):
            method, *others = program.functions.get(name, (None,))
            if (
                method is None
                or others
                or _owner(method) != owner
                or not _only_reads(program, method)
            ):
                return False
            seen.add(name)
            todo.append(method)
    return len(program.functions[own]) == 1


def _changes_what_it_got(program: Program, method: cst.FunctionDef) -> bool:
    """Whether a method changes in place what an attribute, or another method, gave it."""
    import libcst as cst

    owner, body = _owner(method), method.body
    got = {
        name for name, value, _ in bindings(body)
        if value and any(named(n) == owner for n in walk(value))
    }  # fmt: skip
    parts = [part for target in targets(body) for part in written(target)]
    stored = {root(p) for p in parts if isinstance(p, (cst.Attribute, cst.Subscript))}
    grown = {named(n.target) for n in walk(body) if isinstance(n, cst.AugAssign)}
    asked = {
        root(n.func) for n in walk(body)
        if isinstance(n, cst.Call) and isinstance(n.func, cst.Attribute)
        and n.func.attr.value in CHANGING_METHODS
    }  # fmt: skip
    alone = any(
        named(n) == owner and not isinstance(program.parent[n], cst.Attribute)
        for n in walk(body)
    )
    return alone or bool(got & (stored | grown | asked))


def _asked(program: Program, node: cst.FunctionDef, owner: str) -> set[str]:
    """Return the names of the methods that a method asks its object for, called or not."""
    import libcst as cst

    found = (each for each in walk(node.body) if isinstance(each, cst.Attribute))
    own = [each for each in found if named(each.value) == owner]
    called = {each.attr.value for each in own if isinstance(program.parent[each], cst.Call)}
    return called | ({each.attr.value for each in own} & program.functions.keys())


def _only_reads(program: Program, method: cst.FunctionDef) -> bool:
    """Whether a method is a plain one that leaves no trace, as far as syntax tells."""
    import libcst as cst

    strange = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal)
    plain = not any(isinstance(n, strange) for n in walk(method)) and not method.decorators
    quiet = plain and _pure(method) and not _hidden(program, method)
    return quiet and not _changes_what_it_got(program, method)


def _is_fixed(default: cst.BaseExpression) -> bool:
    """Whether a default is a literal that nobody can change."""
    import libcst as cst

    literal = isinstance(default, (cst.BaseNumber, cst.SimpleString))
    return literal or named(default) in ("None", "True", "False")


def _named(program: Program, node: cst.FunctionDef) -> list[cst.CSTNode]:
    """Return all calls by the function's name."""
    return [call for call in program.nodes if _calls(call, node)]


def _overlap(program: Program, calls: list[cst.CSTNode]) -> bool:
    """Whether one run of the body may make several inner calls."""
    import libcst as cst

    if any(True for call in calls for _ in program.loops(call)):
        return True
    returns = [
        small for c in calls if isinstance(small := only(program.statement(c)), cst.Return)
    ]
    return len(calls) > 1 and (len(returns) < len(calls) or len(set(returns)) < len(returns))


def _calls(call: cst.CSTNode, node: cst.FunctionDef) -> bool:
    import libcst as cst

    owner = f"{_owner(node)}.".lstrip(".")
    return isinstance(call, cst.Call) and flat(call.func) == f"{owner}{node.name.value}"


def _pure(node: cst.FunctionDef) -> bool:
    """Whether the body changes only what it made itself, as far as syntax tells."""
    import libcst as cst

    parameters = {param.name.value for param in node.params.params}
    own = bound(node.body)
    for target in targets(node.body):
        for part in walk(target):
            if isinstance(part, cst.Subscript) and named(part.value) not in own:
                return False
            if isinstance(part, cst.Attribute):
                return False
    for call in walk(node.body):
        if isinstance(call, cst.Call) and named(call.func) in _IMPURE:
            return False
        if isinstance(call, cst.Expr) and not isinstance(call.value, cst.BaseString):
            outside = changed(call) - own
            if outside or (changed(call) & parameters):
                return False
    return True


def _hidden(program: Program, node: cst.FunctionDef) -> bool:
    """Whether the body changes what is around it, by a function or in an expression."""
    import libcst as cst

    body = node.body
    elsewhere = (altered(program, body) - changed(body)) & bound(program.module)
    helpers = {name: program.functions.get(name, ()) for name in names(body)}
    helped = (n for known in helpers.values() for helper in known for n in walk(helper.body))
    tells = any(isinstance(n, cst.Call) and named(n.func) in _IMPURE for n in helped)
    return (
        bool(elsewhere)
        or tells
        or any(
            isinstance(call, cst.Call)
            and isinstance(call.func, cst.Attribute)
            and call.func.attr.value in CHANGING_METHODS
            and root(call.func.value) not in bound(body)
            for call in walk(body)
        )
    )


def _passed_on(node: cst.FunctionDef, calls: list[cst.CSTNode]) -> list[int] | None:
    """Return the positions of the parameters that every inner call passes on unchanged.

    None if a call is not plain, or builds a list, which cannot be a key.
    """
    import libcst as cst

    names = [param.name.value for param in node.params.params]
    kept = [i for i, name in enumerate(names) if name not in bound(node.body)]
    own = int(bool(_owner(node)))  # the object is no argument
    if own and 0 not in kept:
        return None
    for call in calls:
        assert isinstance(call, cst.Call)
        given = [arg.value for arg in call.args]
        if len(given) + own != len(names) or any(arg.keyword or arg.star for arg in call.args):
            return None
        kept = [i for i in kept if i < own or named(given[i - own]) == names[i]]
        made = (cst.List, cst.ListComp, cst.Dict, cst.Set)
        if any(isinstance(part, made) for arg in call.args for part in _parts(arg.value)):
            return None
    return kept if len(kept) < len(names) else None


def _parts(value: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """Yield the terms of a value that decide its type: the sides of a sum."""
    import libcst as cst

    yield value
    if isinstance(value, cst.BinaryOperation):
        yield from _parts(value.left)
        yield from _parts(value.right)


def _nested(program: Program, node: cst.FunctionDef) -> bool:
    """Whether the function is made anew for each call of one around it."""
    import libcst as cst

    nearest = next(
        n
        for n in program.above(node)
        if isinstance(n, (cst.FunctionDef, cst.ClassDef, cst.Module))
    )
    return isinstance(nearest, cst.FunctionDef)


def _is_steady(program: Program, node: cst.FunctionDef) -> bool:
    """Whether nothing after a function, as long as it is there, changes what it reads."""
    import libcst as cst

    block = program.block(node)
    later = [*block[block.index(node) + 1 :]]
    for above in program.above(node):
        if isinstance(above, cst.FunctionDef):
            break
        if isinstance(above, (cst.For, cst.While)):
            later.append(above)
    read = names(node.body) - bound(node.body) - bound(node.params)
    return not any(read & altered(program, code) for code in later)


def _decorated(node: cst.FunctionDef, cache: str) -> cst.FunctionDef:
    import libcst as cst

    return node.with_changes(decorators=[cst.Decorator(cst.Name(cache))])


def _wrapped(
    program: Program,
    node: cst.FunctionDef,
    kept: list[int],
    cache: str,
) -> cst.FunctionDef:
    """Return the function with a cached one of its own inside that does the work."""
    import libcst as cst

    inner = program.fresh(f"{node.name.value}_cached")
    bare = {"default": None, "equal": cst.MaybeSentinel.DEFAULT}  # inner calls give them all
    params = [p.with_changes(**bare) for i, p in enumerate(node.params.params) if i not in kept]
    own = int(bool(_owner(node)))
    old = f"{_owner(node)}.".lstrip(".") + node.name.value
    renamed = _Renamed(old, inner, frozenset(i - own for i in kept))
    body = node.body.visit(renamed.visitor())
    assert isinstance(body, cst.BaseSuite)
    above, below = _documentation(body)
    work = cst.FunctionDef(
        name=cst.Name(inner),
        params=cst.Parameters(
            [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in params]
        ),
        body=below,
        decorators=[cst.Decorator(cst.Name(cache))],
        returns=node.returns,
    )
    passed = ", ".join(p.name.value for p in params)
    last = cst.parse_statement(f"return {inner}({passed})")
    return node.with_changes(body=cst.IndentedBlock([*above, work, last]))


def _documentation(body: cst.BaseSuite) -> tuple[list[cst.BaseStatement], cst.BaseSuite]:
    """Split a body into its docstring, if it has one, and the rest."""
    import libcst as cst

    small = only(lines(body)[0]) if len(lines(body)) > 1 else None
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString):
        assert isinstance(body, cst.IndentedBlock)
        first, *rest = body.body
        return [first], body.with_changes(body=rest)
    return [], body


class _Renamed:
    """Names the inner calls anew and leaves out the arguments that are always the same."""

    def __init__(self, old: str, new: str, dropped: frozenset[int]) -> None:
        self._old, self._new, self._dropped = old, new, dropped

    def visitor(self) -> cst.CSTTransformer:
        """Return the transformer that does it."""
        import libcst as cst

        old, new, dropped = self._old, self._new, self._dropped

        class Visitor(cst.CSTTransformer):
            def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
                if flat(updated_node.func) != old:
                    return updated_node
                args = [a for i, a in enumerate(updated_node.args) if i not in dropped]
                if args:
                    args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
                return updated_node.with_changes(func=cst.Name(new), args=args)

        return Visitor()
