"""A sequence compared with its sorted copy, or index by index -> neighbours compared in C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.loops import resolved, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    flat,
    index,
    integer,
    named,
    names,
    positional,
    same,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_OPERATORS = {
    "LessThan": "lt", "LessThanEqual": "le", "GreaterThan": "gt", "GreaterThanEqual": "ge",
    "Equal": "eq", "NotEqual": "ne",
}  # fmt: skip


class SortedCompare(Rule):
    """Ask whether a sequence is sorted by comparing neighbours, up to the first that fails.

    Valid for lists of elements with a total order (left to the tests: a text or a tuple never
    equals a list, and sorting raises where elements do not compare). Covers `xs == sorted(xs)`
    and its opposite, also in falling order, and `all` or `any` of comparisons of neighbours,
    by index or by `zip`. Known as the test of monotony.
    """

    name = "sorted_compare"
    relies_on = "elements have a total order"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each comparison."""
        import libcst as cst

        for node in place.own:
            found = None
            if isinstance(node, cst.Comparison):
                found = _with_copy(node)
            elif isinstance(node, cst.Call):
                found = _neighbours(place, node)
            if found is not None:
                yield _change(program, node, found)


class _Asked(NamedTuple):
    """What neighbours of which sequence are asked, and by `all` or `any`."""

    way: str
    operator: str
    values: str


def _change(program: Program, node: cst.CSTNode, found: _Asked) -> TreeChange:
    operator, imports = imported(program, "operator", found.operator)
    whole = found.values if found.values.isidentifier() else f"({found.values})"
    negated = "not " if found.way == "not all" else ""
    way = found.way.removeprefix("not ")
    return TreeChange(
        anchor=node,
        replaced={node: f"{negated}{way}(map({operator}, {whole}, {whole}[1:]))"},
        imports=imports,
        direction="Compare neighbours, up to the first pair that decides",
        effect="one pass in C at most, and nothing is sorted",
    )


def _with_copy(node: cst.Comparison) -> _Asked | None:
    """`xs == sorted(xs)`, either way round, perhaps of a copy."""
    sides = compared(node, "Equal", "NotEqual")
    for values, other in (sides, sides[::-1]) if sides else ():
        copied = calls(values, "list")
        plain = copied[0] if copied and len(copied) == 1 else values
        falling = _sorted(other, plain)
        if falling is not None and pure(plain):
            way = "all" if compared(node, "Equal") else "not all"
            return _Asked(way, "ge" if falling else "le", text(plain))
    return None


def _sorted(node: cst.BaseExpression, values: cst.BaseExpression) -> bool | None:
    """Return whether the node sorts the values in falling order; None for other nodes."""
    import libcst as cst

    if not isinstance(node, cst.Call) or named(node.func) != "sorted" or not node.args:
        return None
    first, *rest = node.args
    if first.keyword or first.star or not same(first.value, values):
        return None
    if not rest:
        return False
    order = named(rest[0].value) if named(rest[0].keyword) == "reverse" else ""
    return order == "True" if len(rest) == 1 and order in ("True", "False") else None


def _neighbours(place: Place, call: cst.Call) -> _Asked | None:
    """`all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))` and its like."""
    import libcst as cst

    arguments = positional(call) or []
    comp = arguments[0] if len(arguments) == 1 else None
    way = named(call.func)
    if way not in ("all", "any") or not isinstance(comp, (cst.GeneratorExp, cst.ListComp)):
        return None
    loop, test = comp_for(comp), comp.elt
    sides = compared(test, *_OPERATORS)
    if loop.ifs or loop.inner_for_in or loop.asynchronous or sides is None:
        return None
    assert isinstance(test, cst.Comparison)
    operator = _OPERATORS[type(test.comparisons[0].operator).__name__]
    for (early, late), asked in ((sides, operator), (sides[::-1], _turned(operator))):
        values = _zipped(loop, early, late) or _indexed(place, loop, early, late)
        if values:
            return _Asked(way, asked, values)
    return None


def _turned(operator: str) -> str:
    """Return what `b ? a` asks when `a ? b` is meant."""
    return {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}.get(operator, operator)


def _zipped(loop: cst.CompFor, early: cst.BaseExpression, late: cst.BaseExpression) -> str:
    """`for a, b in zip(xs, xs[1:])`."""
    import libcst as cst

    both = calls(loop.iter, "zip") or []
    if len(both) != 2 or not isinstance(loop.target, cst.Tuple):
        return ""
    targets = [named(element.value) for element in loop.target.elements]
    if targets != [named(early), named(late)] or not pure(both[0]):
        return ""
    return text(both[0]) if flat(both[1]) == f"{flat(both[0])}[1:]" else ""


def _indexed(
    place: Place, loop: cst.CompFor, early: cst.BaseExpression, late: cst.BaseExpression
) -> str:
    """`for i in range(len(xs) - 1)`, or from 1 on, with neighbours at `i`."""
    first, second = index(early), index(late)
    variable, span = named(loop.target), calls(loop.iter, "range")
    if first is None or second is None or not variable or not span or len(span) > 2:
        return ""
    if not same(first[0], second[0]) or variable in names(first[0]) or not pure(first[0]):
        return ""
    whole = f"len({flat(first[0])})"
    start = 0 if len(span) == 1 else integer(span[0])
    stop = "".join(_measured(place, span[-1]).split())
    spans = {(0, f"{whole}-1"): ("{}", "{}+1"), (1, whole): ("{}-1", "{}")}
    wanted = spans.get((start or 0, stop))
    asked = (flat(first[1]), flat(second[1]))
    fits = wanted and asked == tuple(each.format(variable) for each in wanted)
    return text(first[0]) if fits and start is not None else ""


def _measured(place: Place, node: cst.BaseExpression) -> str:
    """Return the code with the length that a name stands for."""
    import libcst as cst

    known: dict[cst.CSTNode, str] = {
        part: text(length)
        for part in walk(node)
        if isinstance(part, cst.Name) and (length := resolved(place, part)) is not part
    }
    return substituted(node, known)
