"""A list that grows, and is asked for a sorted copy or its median -> one in order beside it.

Not here: a list that is itself in order (`bisect_insertion`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import same_objects
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed
from operators.rewrite.freshness import bindings
from operators.rewrite.growing import Growing, growing_lists
from operators.rewrite.imports import imports
from operators.rewrite.invariants import is_new
from operators.rewrite.own_results import attributes_changed, changing, is_ours
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, flat, named, root, text
from operators.rewrite.uses import free, only_read

if TYPE_CHECKING:
    import libcst as cst

_MEDIANS = ("median", "median_low", "median_high")
_EFFECT = "O(n log n) or O(n) comparisons -> O(log n) an element"


def sorted_beside(program: Program, place: Place) -> Iterator[TreeChange]:
    """Yield a change for each list that grows in the loop in which it is sorted."""
    for name, uses in growing_lists(program, place):
        asked = [_asked(program, node) for node in uses.reads]
        calls_of = [call for call in asked if call is not None and _repeats(program, call)]
        orders = {_order(call) for call in calls_of}
        if len(orders) != 1:
            continue
        options = calls_of[0].args[1:]
        keys = (option.value for option in options if named(option.keyword) == "key")
        key = next(keys, None)
        if not all(keeps_order(place, option.value) for option in options):
            continue
        if any(elements_change(program, place, name, n, key) for n in uses.appends.items()):
            continue
        (order,) = orders
        kept = program.fresh(f"{name}_sorted")
        insort, lines = imported(program, "bisect", order.insort)
        one = f"{insort}({kept}, {name}[-1]{order.key})"
        made = {line: [f"{kept} = {order.first(value)}"] for line, value in uses.made.items()}
        yield TreeChange(
            anchor=calls_of[0],
            replaced={call: _answer(program, call, kept, uses) for call in calls_of},
            after={**made, **{line: [one] for line in uses.appends}},
            imports=lines,
            direction=f"Keep `{name}` in order beside it instead of sorting it anew",
            effect=_EFFECT,
            parameters=(("form", "beside"),),
        )


class _Order(NamedTuple):
    """How a list is to be sorted: code of its key as an argument, and whether from the end.

    One that is read from its end has the newest of equal elements first.
    """

    key: str
    turned: bool

    @property
    def insort(self) -> str:
        """The function that puts one more element in."""
        return "insort_left" if self.turned else "insort"

    def first(self, value: cst.BaseExpression) -> str:
        """Return code for the elements of a list in order."""
        if flat(value) in ("[]", "list()"):
            return "[]"
        turned = ", reverse=True)[::-1]" if self.turned else ")"
        return f"sorted({text(value)}{self.key}{turned}"


def _order(call: cst.Call) -> _Order:
    options = {named(option.keyword): option for option in call.args[1:]}
    key = f", {text(options['key'])}" if "key" in options else ""
    return _Order(key, "reverse" in options)


def _asked(program: Program, node: cst.CSTNode) -> cst.Call | None:
    """Return the call of `sorted`, or of a median, that a list is given to."""
    import libcst as cst

    above = program.parent[node]
    call = program.parent[above] if isinstance(above, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return None
    first, *rest = call.args
    if first is not above or first.star or first.keyword:
        return None
    if _is_median(program, call):
        return None if rest else call
    known = all(
        named(arg.keyword) == "key"
        or (named(arg.keyword) == "reverse" and named(arg.value) == "True")
        for arg in rest
    )
    return call if named(call.func) == "sorted" and known else None


def _is_median(program: Program, call: cst.Call) -> bool:
    """Whether one of the functions is called that look at the middle of the sorted elements."""
    code, known = flat(call.func), imports(program)
    return any(
        code == (each.name if each.part else f"{each.name}.{median}")
        for each in known
        for median in _MEDIANS
        if each.module == "statistics" and each.part in ("", median)
    )


def _answer(program: Program, call: cst.Call, kept: str, uses: Growing) -> str:
    """Return what a question becomes for the list in order."""
    if _order(call).turned:
        return f"{kept}[::-1]"
    if _is_median(program, call):
        middle = f"{kept}[(len({kept}) - 1) // 2 : len({kept}) // 2 + 1]"
        return f"{text(call.func)}({middle})"
    return kept if _passes(program, call, uses) else f"{kept}[:]"


def _repeats(program: Program, node: cst.CSTNode) -> bool:
    return any(True for _ in program.loops(node))


def _passes(program: Program, call: cst.CSTNode, uses: Growing) -> bool:
    """Whether a sorted copy is only read, and no more so once the list grows again."""
    pair = assigned(program.parent[call])
    if pair is None:
        return only_read(program, call)
    line = program.statement(call)
    block = program.block(line)
    after = {n for each in block[block.index(line) + 1 :] for n in walk(each)} if block else {}
    around = next(n for n in program.above(call) if type(n).__name__ == "FunctionDef")
    reads = [n for n in walk(around) if named(n) == pair[0]]
    target = sum(1 for node in reads if program.statement(node) is line)
    return (
        target == 1
        and not any(grown in after for grown in uses.appends)
        and all(
            n in after and only_read(program, n)
            for n in reads
            if program.statement(n) is not line
        )
    )


def elements_change(
    program: Program,
    place: Place,
    name: str,
    appended: tuple[cst.CSTNode, cst.BaseExpression],
    key: cst.BaseExpression | None,
) -> bool:
    """Whether a loop sets what elements of a list are compared by, as far as names tell.

    Args:
        program: The program.
        place: The function.
        name: Name of the list.
        appended: A line and the element that it appends: one that is made in the loop may be
            changed before.
        key: What elements are compared by; None: all that they have.
    """
    import libcst as cst

    line, value = appended
    loop = [line, *program.loops(line)][-1]
    asked = {n.attr.value for n in walk(key) if isinstance(n, cst.Attribute)} if key else set()
    told = {named(n) for n in walk(loop)} & program.functions.keys()
    functions = (body for each in sorted(told) for body in program.functions[each])
    if any(asked & attributes_changed(program, body) for body in functions):
        return True
    mine = (same_objects(place, name) | {named(value)}) - {""}
    nodes = [*walk(loop)]
    made = [given for each, given, _ in bindings(loop) if each == named(value)]
    early = set(nodes[: nodes.index(line)]) if made and all(map(_is_made, made)) else set()
    for part in changing(loop):
        if root(part) == named(value) and part in early:
            continue
        if any(isinstance(n, cst.Attribute) and n.attr.value in asked for n in walk(part)):
            return True
        deep = isinstance(part, cst.Subscript) and isinstance(part.value, cst.Subscript)
        whole = root(part) != name and not is_ours(program, part)
        if not asked and root(part) in mine and (whole or deep):
            return True
    return False


def _is_made(value: cst.CSTNode | None) -> bool:
    """Whether a value is a container, or an object of a class, that is made where it stands."""
    import libcst as cst

    called = named(value.func) if isinstance(value, cst.Call) else ""
    return value is not None and (is_new(value) or called[:1].isupper())


def keeps_order(place: Place, key: cst.BaseExpression) -> bool:
    """Whether a key orders alike at all times, as far as its names tell."""
    import libcst as cst

    scope = place.node.body if isinstance(place.node, cst.FunctionDef) else place.node
    return not free(key) & changed(scope)
