"""The same work for every equal element -> once for each distinct one, times its number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.adding import Addition, additions
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.handlers import caught, tried
from operators.rewrite.loops import (
    Elements,
    characters,
    confined,
    elements,
    substituted,
)
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import calls_own, computes
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    comp_for,
    flat,
    integer,
    named,
    names,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import stays_local

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Do the work once for each distinct element"
_EFFECT = "one evaluation a distinct element instead of one an element"
_DISTINCT = frozenset(["set", "frozenset", "dict.fromkeys"])


class DistinctMap(Rule):
    """Let equal elements share the work: evaluate once, and multiply by their number.

    Valid for sums and counts whose terms depend on the element alone (checked), of hashable
    elements with many repetitions: characters are the usual case, and the only one that is
    tried unless the term calls a function of the program. Covers loops that only add to
    variables, `sum`, `len` of a filtered list, `any`, `all`, and lists of results (a table by
    element). Sums of floats may differ in the last digits (left to the tests).
    """

    name = "distinct_map"
    relies_on = "elements are hashable, and sums of floats may differ in their last digits"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop and each comprehension."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For):
                if not tried(program, node):
                    yield from _loop(program, place, node)
            elif isinstance(node, (cst.GeneratorExp, cst.ListComp)):
                yield from _comprehension(program, place, node)


def _loop(program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
    found = elements(program, place, loop)
    if found is None or loop.orelse or loop.asynchronous or not _worth_it(program, found, loop):
        return
    sums = additions(loop)
    if sums is None or not computes(program, loop.body):
        return
    if any(_grows(place, found, addition) for addition in sums):
        return
    own = bound(loop) - {name for _, name, _ in sums}
    if not confined(program, place, loop, own) or names(found.sequence) & changed(loop):
        return
    number = program.fresh("number")
    times: dict[cst.CSTNode, str] = {
        value: _times(substituted(value, found.replaced), number) for _, _, value in sums
    }
    inside = {n for value in times for n in walk(value)}
    rest = {n: new for n, new in found.replaced.items() if n not in inside}
    pairs, imports = _counted(program, found, loop)
    yield TreeChange(
        anchor=loop,
        replaced={**rest, **times, loop.target: f"{found.name}, {number}", loop.iter: pairs},
        imports=imports,
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _grows(place: Place, found: Elements, addition: Addition) -> bool:
    """Whether a total is a text or a list, where the order of the terms counts."""
    import libcst as cst

    value = addition.value
    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == addition.name]
    kinds = (cst.List, cst.ListComp, cst.Tuple)
    if any(_is_text(v) for v in (value, *given)):
        return True
    if any(isinstance(v, kinds) or calls(v, "str") or calls(v, "chr") for v in (value, *given)):
        return True
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        return value.func.attr.value in ("lower", "upper", "swapcase", "casefold")
    return found.replaced.get(value, named(value)) == found.name


def _is_text(node: cst.BaseExpression) -> bool:
    """Whether an expression is a text for certain: written out, or made of one that is."""
    import libcst as cst

    if isinstance(node, cst.BinaryOperation):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, cst.BaseString)


def _times(value: str, number: str) -> str:
    return number if value == "1" else f"({value}) * {number}"


def _counted(
    program: Program, found: Elements, body: cst.CSTNode
) -> tuple[str, tuple[str, ...]]:
    """Return code for pairs of element and number, and its imports.

    Of a text, `count` for each distinct character is faster than a table of all.
    """
    source = text(found.sequence)
    if pure(found.sequence) and not calls(found.sequence, "str") and characters(found, body):
        item = program.fresh("each")
        counted = source if named(found.sequence) else f"({source})"
        return f"[({item}, {counted}.count({item})) for {item} in set({source})]", ()
    counter, imports = imported(program, "collections", "Counter")
    return f"{counter}({source}).items()", imports


def _comprehension(
    program: Program, place: Place, comp: cst.GeneratorExp | cst.ListComp
) -> Iterator[TreeChange]:
    import libcst as cst

    loop = comp_for(comp)
    found = elements(program, place, loop)
    argument = program.parent[comp]
    call = program.parent.get(argument)
    if found is None or loop.inner_for_in or loop.asynchronous or not computes(program, comp):
        return
    if not _worth_it(program, found, comp):
        return
    element = substituted(comp.elt, found.replaced)
    tests = [substituted(each.test, found.replaced) for each in loop.ifs]
    called = named(call.func) if isinstance(call, cst.Call) and len(call.args) == 1 else ""
    filters = "".join(f" if {test}" for test in tests)
    source, name = text(found.sequence), found.name
    if called in ("any", "all") and integer(comp.elt) is None:
        if isinstance(comp, cst.ListComp) and caught(program, comp):
            return  # the whole list was made, with all errors
        # A function may raise, and must not before the answer: the order stays.
        asked = any(isinstance(n, cst.Call) and named(n.func) for n in walk(comp.elt))
        kinds = "dict.fromkeys" if asked else "set"
        yield _change(comp, f"({element} for {name} in {kinds}({source}){filters})")
    elif called == "sum" or (called == "len" and tests):
        number = program.fresh("number")
        term = _times(element if called == "sum" else "1", number)
        pairs, imports = _counted(program, found, comp)
        new = f"sum({term} for {name}, {number} in {pairs}{filters})"
        yield _change(call or comp, new, imports)
    elif isinstance(comp, cst.ListComp) and calls_own(program, comp.elt) and not tests:
        line = program.statement(comp)
        if names(comp) & _loop_names(program, comp, line) or _asked_first(program, comp, line):
            return
        if _new_each(program, comp.elt) and not stays_local(program, place, comp):
            return
        table = program.fresh("results")
        made = f"{table} = {{{name}: {element} for {name} in set({source})}}"
        yield TreeChange(
            anchor=comp,
            replaced={comp: f"[{table}[{name}] for {name} in {source}]"},
            before={line: [made]},
            direction=_DIRECTION,
            effect=_EFFECT,
        )


def _change(node: cst.CSTNode, new: str, imports: tuple[str, ...] = ()) -> TreeChange:
    return TreeChange(
        anchor=node,
        replaced={node: new},
        imports=imports,
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _asked_first(program: Program, comp: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a node may be evaluated never, or more than once, in its statement."""
    import libcst as cst

    asking = (cst.IfExp, cst.BooleanOperation, cst.Lambda)
    above = iter(program.above(comp))
    return isinstance(line, (cst.While, cst.FunctionDef)) or any(
        isinstance(outer, asking) for outer in iter(lambda: next(above), line)
    )


def _new_each(program: Program, element: cst.BaseExpression) -> bool:
    """Whether elements are objects that may be changed: equal ones would share theirs."""
    import libcst as cst

    made = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)
    makers = frozenset(["Counter", "defaultdict", "deque", "dict", "list", "set", "sorted"])
    if isinstance(element, made):
        return True
    if isinstance(element, cst.BinaryOperation):
        return _new_each(program, element.left) or _new_each(program, element.right)
    if not isinstance(element, cst.Call) or named(element.func) in makers:
        return isinstance(element, cst.Call)
    for called in program.places[1:]:
        if isinstance(called.node, cst.FunctionDef) and calls(element, called.node.name.value):
            given = dict(pair for n in called.own if (pair := assigned(n)))
            values = [n.value for n in called.own if isinstance(n, cst.Return) and n.value]
            values = [given.get(named(value), value) for value in values]
            if any(not calls_own(program, v) and _new_each(program, v) for v in values):
                return True
    return False


def _loop_names(program: Program, comp: cst.CSTNode, line: cst.CSTNode) -> frozenset[str]:
    """Return the variables of comprehensions between a node and its statement."""
    import libcst as cst

    own: set[str] = set()
    for outer in program.above(comp):
        if outer is line:
            break
        if isinstance(outer, (cst.BaseComp, cst.Lambda)):
            own |= bound(outer)
    return frozenset(own)


def _worth_it(program: Program, found: Elements, body: cst.CSTNode) -> bool:
    """Whether repetitions are likely, for characters, or worth a try, for costly terms."""
    import libcst as cst

    distinct = isinstance(found.sequence, cst.Call) and flat(found.sequence.func) in _DISTINCT
    if distinct or isinstance(found.sequence, cst.BaseString):
        return False
    return characters(found, body) or calls_own(program, body)
