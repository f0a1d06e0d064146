"""A costly value that is the same in every pass of a loop -> worked out once before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.calm import is_calm
from operators.rewrite.change import TreeChange
from operators.rewrite.invariants import can_precede, stays
from operators.rewrite.kinds import iterator, may_be_none
from operators.rewrite.making import results
from operators.rewrite.own_results import own_result, stays_own
from operators.rewrite.owners import called_function
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import (
    computes,
    functions_behind,
    is_generated,
    is_walked,
    may_come_early,
    read_by,
)
from operators.rewrite.reading import body_of, flat, named, names, only, same, text, variables
from operators.rewrite.rule import Rule
from operators.rewrite.uses import asked, free, stays_local

if TYPE_CHECKING:
    import libcst as cst

_TOTAL = frozenset(
    ["Counter", "frozenset", "len", "list", "range", "repr", "set", "sorted", "str", "sum",
     "tuple"]
)  # fmt: skip
_CHEAP = frozenset(["abs", "bool", "enumerate", "float", "int", "isinstance", "len", "ord",
                    "range", "reversed", "round", "type", "zip", "chr", "get", "keys",
                    "items", "values", "isqrt", "sqrt", "map", "filter", "startswith",
                    "endswith"])  # fmt: skip
_FRESH = frozenset(["Counter", "dict", "list", "set", "sorted", "split", "splitlines", "copy",
                    "most_common"])  # fmt: skip

_SHORT = 4
"""Letters of words that say little by themselves, such as `of` or `from`."""
_VIEWS = frozenset(["items", "keys", "values"])
_WALKING = frozenset(["Counter", "all", "any", "dict", "frozenset", "join", "list", "max",
                      "min", "set", "sorted", "sum", "tuple"])  # fmt: skip


class LoopInvariant(Rule):
    """Work out once, before the loop, what every pass works out again.

    Valid when nothing that the value is made of changes in the loop, working it out has no
    effect of its own, and what is made is only read (all checked). What may raise is moved
    only from where every pass comes along, and not for a loop that has no pass. So are a
    property and a method without arguments of the object of a method. What functions of the
    file yield is kept in a list. Left to the tests: that no class below has another method of
    that name, that working elements out which nobody came to raises nothing, and that what
    functions are given is no iterator. Known as loop-invariant code motion.
    """

    name = "loop_invariant"
    relies_on = (
        "no subclass in another file has a method of that name, and arguments are no iterators"
    )

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each value and the outermost loop that it is the same in."""
        found: dict[tuple[str, cst.CSTNode], _Hoisted] = {}
        for node in place.own:
            own = own_result(program, place, node)
            costly = _costly(node) or (own and any(map(_takes_time, walk(own.function.body))))
            hoisted = _hoisted(program, place, node) if costly else None
            if hoisted:
                found.setdefault((text(hoisted.value), hoisted.loop), hoisted)
        every = list(found.values())
        if len(every) > 1:
            yield _change(program, place, every)
        for hoisted in every:
            yield _change(program, place, [hoisted])


class _Hoisted(NamedTuple):
    """A value that leaves a loop, and the guard that it needs before it, often none."""

    value: cst.BaseExpression
    loop: cst.CSTNode
    guard: str = ""
    is_generated: bool = False


def _change(program: Program, place: Place, every: list[_Hoisted]) -> TreeChange:
    replaced: dict[cst.CSTNode, str] = {}
    before: dict[cst.CSTNode, list[str]] = {}
    for found in every:
        name = _new_name(program, place, found.value, frozenset(replaced.values()))
        guard = f" if {found.guard} else None" if found.guard else ""
        value = f"list({text(found.value)})" if found.is_generated else text(found.value)
        line = f"{name} = {value}{guard}"
        before.setdefault(program.statement(found.loop), []).append(line)
        replaced |= dict.fromkeys(_alike(program, place, found), name)
    code = " ".join(text(every[0].value).split())[:60]
    what = f"`{code}`" if len(every) == 1 else f"{len(every)} values"
    return TreeChange(
        anchor=every[0].value,
        replaced=replaced,
        before=before,
        parameters=() if len(every) == 1 else (("values", "all"),),
        direction=f"Work out {what} once before the loop",
        effect="its cost once, not in every pass of the loop",
    )


def _alike(program: Program, place: Place, found: _Hoisted) -> Iterator[cst.CSTNode]:
    """Yield the value wherever it stands in the loop and may be taken from the name."""
    for node in place.own:
        if type(node) is type(found.value) and same(node, found.value):
            inside = found.loop in program.loops(node)
            if inside and _movable(program, place, node, found.loop) == found.guard:
                yield node


def _new_name(
    program: Program, place: Place, value: cst.BaseExpression, taken: frozenset[str]
) -> str:
    own = own_result(program, place, value)
    wanted = own.function.name.value.strip("_") if own else called_after(value)
    if own:  # an attribute's name, which no variable has
        taken |= names(place.node) | {named(node) for node in program.places[0].own}
        if wanted not in taken:
            return wanted
    number, name = 2, program.fresh(wanted)
    while name in taken:
        name = program.fresh(f"{wanted}_{number}")
        number += 1
    return name


def _hoisted(program: Program, place: Place, node: cst.CSTNode) -> _Hoisted | None:
    """Return the largest unchanging value around a costly node, and the loop to leave."""
    import libcst as cst

    found: _Hoisted | None = None
    here: cst.CSTNode | None = node
    while isinstance(here, (cst.BaseExpression, cst.Arg, cst.ComparisonTarget, cst.Index,
                            cst.SubscriptElement)):  # fmt: skip
        if isinstance(here, cst.BaseExpression):
            loop = _left(program, place, here)
            if loop is None:
                break
            guard = _movable(program, place, here, loop)
            if guard is not None and (found is None or loop is found.loop):
                found = _Hoisted(here, loop, guard, is_generated(program, here))
        here = program.parent.get(here)
    return found


def _left(program: Program, place: Place, node: cst.BaseExpression) -> cst.CSTNode | None:
    """Return the outermost loop around a node in which its value stays the same."""
    import libcst as cst

    own, behind = own_result(program, place, node), functions_behind(program, node)
    used, outermost = free(node) | read_by(behind), None
    for loop in program.loops(node):
        if own:
            same_value = stays_own(program, loop, own)
        elif behind:  # which may look into what they are given
            same_value = is_calm(program, place, loop, used)
        else:
            same_value = stays(program, loop, node, used)
        if isinstance(loop, cst.Lambda) or not same_value:
            break
        outermost = loop
    if outermost is None or not used or _passing(node):
        return None
    if own is None and not (
        may_come_early(program, node) and _may_be_kept(program, place, node)
    ):
        return None
    return outermost if can_precede(program, outermost, used) else None


def _may_be_kept(program: Program, place: Place, node: cst.BaseExpression) -> bool:
    """Whether a value that functions work out is not used up, and what it is made of is not."""
    if is_generated(program, node) and not is_walked(program, node):
        return False
    return not any(iterator(program, place, name) for name in variables(node))


def _passing(node: cst.BaseExpression) -> bool:
    """Whether a value is used up by its first reader, or leaves a name behind."""
    import libcst as cst

    lazy = ("enumerate", "filter", "iter", "map", "reversed", "zip")
    used_up = isinstance(node, cst.Call) and named(node.func) in lazy
    leaves = any(isinstance(found, cst.NamedExpr) for found in walk(node))
    return used_up or leaves or isinstance(node, (cst.GeneratorExp, cst.Lambda))


def _movable(
    program: Program, place: Place, node: cst.CSTNode, loop: cst.CSTNode
) -> str | None:
    """Return the guard that a value needs before the loop (often none); None: it must stay."""
    own = own_result(program, place, node)
    made = results(program, own.function) if own else None
    fresh = made.new if made else is_fresh(program, node)
    if (made and made.once) or (fresh and not stays_local(program, place, node)):
        return None
    conditions = asked(program, node, loop)
    if conditions is None:
        return None
    total = _total(node) if own is None else _returns_total(own.function)
    if total and not _absent(program, place, node):
        used = free(node)
        return None if any(used & free(condition) for condition in conditions) else ""
    if conditions:
        return None
    return pass_guard(program, node, loop)


def pass_guard(program: Program, node: cst.CSTNode, loop: cst.CSTNode) -> str | None:
    """Return what tells before a loop whether it has a pass; empty: no need to ask.

    Args:
        program: The program.
        node: What is asked for in each pass of the loop.
        loop: The loop.

    Returns:
        Code of a condition; None where none can be told.
    """
    import libcst as cst

    if isinstance(loop, cst.For):
        return text(loop.iter) if computes(program, loop.iter) and _sized(loop.iter) else None
    if isinstance(loop, cst.While):
        inside = loop.test is node or any(part is node for part in walk(loop.test))
        return "" if inside else text(loop.test) if computes(program, loop.test) else None
    if isinstance(loop, cst.BaseComp) and _walks_at_once(program, loop):
        values = loop.for_in.iter
        return text(values) if computes(program, values) and _sized(values) else None
    return None


def _walks_at_once(program: Program, comp: cst.BaseComp) -> bool:
    """Whether a comprehension walks over its values where it stands."""
    import libcst as cst

    if not isinstance(comp, cst.GeneratorExp):
        return True
    above = program.parent[comp]
    call = program.parent[above] if isinstance(above, cst.Arg) else None
    return isinstance(call, cst.Call) and _function(call) in _WALKING


def _absent(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether a part of a value may be None: then it cannot be worked out for no pass."""
    import libcst as cst

    names = (part for part in walk(node) if isinstance(part, cst.Name))
    return any(may_be_none(program, place, name) for name in names)


def _sized(node: cst.BaseExpression) -> bool:
    """Whether a value is seen to be false exactly when it is empty, as far as syntax tells."""
    import libcst as cst

    if isinstance(node, cst.Call):
        view = isinstance(node.func, cst.Attribute) and _function(node) in _VIEWS
        return view or named(node.func) in ("range", "sorted", "list", "set", "tuple", "str")
    return isinstance(node, (cst.Name, cst.Attribute, cst.Subscript, cst.List, cst.Tuple))


def _costly(node: cst.CSTNode) -> bool:
    """Whether working out a node takes time that grows with what it is given."""
    import libcst as cst

    if isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp)):
        return True
    if isinstance(node, cst.Subscript):
        return any(isinstance(part.slice, cst.Slice) for part in node.slice)
    if not isinstance(node, cst.Call) or not (
        node.args or isinstance(node.func, cst.Attribute)
    ):
        return False
    return _function(node) not in _CHEAP


def _function(call: cst.Call) -> str:
    import libcst as cst

    return call.func.attr.value if isinstance(call.func, cst.Attribute) else named(call.func)


def is_fresh(program: Program, node: cst.CSTNode) -> bool:
    """Whether the value is a new object that somebody could change."""
    function = called_function(program, node)
    return _makes_fresh(node) if function is None else results(program, function).new


def _makes_fresh(node: cst.CSTNode) -> bool:
    import libcst as cst

    if isinstance(node, cst.Call):
        if named(node.func) == "sum" and len(node.args) > 1:
            return True  # `sum(rows, [])`
        return _function(node) in _FRESH or (
            bool(named(node.func)) and not _plain_result(named(node.func))
        )
    plain = (cst.Comparison, cst.Name, cst.Attribute, cst.UnaryOperation, cst.BaseString)
    if isinstance(node, cst.Subscript):
        return any(isinstance(part.slice, cst.Slice) for part in node.slice)
    if isinstance(node, cst.BinaryOperation):
        return _makes_fresh(node.left) or _makes_fresh(node.right)
    return not isinstance(node, plain)


def _plain_result(function: str) -> bool:
    return function in {
        "abs", "all", "any", "bool", "divmod", "float", "frozenset", "hash", "int", "len",
        "max", "min", "ord", "pow", "range", "repr", "round", "str", "sum", "tuple",
    }  # fmt: skip


def _takes_time(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, (cst.For, cst.While)) or _costly(node)


def _returns_total(function: cst.FunctionDef) -> bool:
    """Whether a function does nothing but return what can always be worked out."""
    import libcst as cst

    (line, *others) = body_of(function) or [function]
    returned = only(line)
    value = returned.value if isinstance(returned, cst.Return) else None
    return not others and value is not None and _total(value)


def _total(node: cst.CSTNode) -> bool:
    """Whether a value can always be worked out, given what such code is given."""
    import libcst as cst

    methods = _FRESH | _VIEWS | {"lower", "upper", "strip", "replace", "count", "find", "join",
                        "casefold", "title", "lstrip", "rstrip"}  # fmt: skip
    raising = (cst.Divide, cst.FloorDivide, cst.Modulo)
    for found in walk(node):
        if isinstance(found, cst.Call):
            known = methods if isinstance(found.func, cst.Attribute) else _TOTAL
            if _function(found) not in known:
                return False
        elif isinstance(found, (*raising, cst.Index)):
            return False
    return True


def called_after(node: cst.BaseExpression) -> str:
    """Return a name for a value, after what makes it."""
    import libcst as cst

    call = next((n for n in walk(node) if isinstance(n, cst.Call)), None)
    if call is None:
        first = next((named(n) for n in walk(node) if named(n)), "")
        return f"{first}_part".lstrip("_")
    function = _function(call).strip("_")
    *_, what = function.split("_")
    own = flat(call.func).startswith("self.")
    if len(what) > _SHORT and (own or (named(call.func) and what != function)):
        return what  # such as `ranges` of `statement_ranges(lines)`
    words = [named(n) for n in walk(call) if isinstance(n, cst.Name)]
    of = next((word for word in words if word not in (_function(call), "len", "x")), "fixed")
    return f"{of}_{_function(call)}".strip("_")
