"""`any(low <= x < high for low, high in spans)` in a loop -> bisection in sorted spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import changed_elsewhere
from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of, iterator
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    comp_for,
    conjuncts,
    lines,
    names,
    only,
    root,
    spoken,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_BELOW = {"LessThan": "bisect_left", "LessThanEqual": "bisect_right"}
_ABOVE = {"GreaterThan": ">", "GreaterThanEqual": ">="}
_MIRRORED = {
    "LessThan": "GreaterThan", "LessThanEqual": "GreaterThanEqual",
    "GreaterThan": "LessThan", "GreaterThanEqual": "LessThanEqual",
}  # fmt: skip


class IntervalTable(Rule):
    """Sort spans once, and ask by bisection whether one of them holds a value, or overlaps.

    Of the spans that begin early enough the one that ends last decides. Valid where the spans
    stay as they are while the loop runs, and the test bounds one part of a span from above and
    another one from below by values that do not depend on the span (checked); ends must be
    ordered, unlike `nan` (left to the tests). Known as stabbing queries on sorted intervals.
    """

    name = "interval_table"
    relies_on = "ends of intervals have an order, unlike NaN"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each question to spans that is asked again and again."""
        for node in place.own:
            found = _any(node) or _loop(program, place, node)
            if found is None or iterator(program, place, found.spans):
                continue
            loop = invariant_loop(program, node, found.spans)
            if loop is None or loop is node or not pure(found.spans):
                continue
            name = root(found.spans)
            if name and changed_elsewhere(program, place, name, loop):
                continue
            yield _change(
                program,
                found,
                program.statement(loop),
                elements_of(program, place, found.spans),
            )


class _Bounds(NamedTuple):
    """A test of a span: what it begins and ends with, what these are compared with, and how."""

    begin: cst.BaseExpression
    most: cst.BaseExpression
    search: str
    end: cst.BaseExpression
    least: cst.BaseExpression
    sign: str


class _Question(NamedTuple):
    """A question to spans: where it stands, and what is done where one of them fits."""

    node: cst.CSTNode
    target: cst.BaseExpression
    spans: cst.BaseExpression
    bounds: _Bounds
    then: str = ""
    otherwise: str = ""


def _any(node: cst.CSTNode) -> _Question | None:
    """Return the question of `any(test for span in spans)`."""
    import libcst as cst

    (values,) = given if len(given := calls(node, "any") or []) == 1 else (None,)
    if not isinstance(values, (cst.GeneratorExp, cst.ListComp)):
        return None
    loop = comp_for(values)
    if loop.inner_for_in or loop.asynchronous or loop.ifs:
        return None
    bounds = _bounds(values.elt, frozenset(target_names(loop.target)))
    return _Question(node, loop.target, loop.iter, bounds) if bounds else None


def _loop(program: Program, place: Place, node: cst.CSTNode) -> _Question | None:
    """Return the question of a loop that does something for the first span that fits."""
    import libcst as cst

    if not isinstance(node, cst.For) or node.asynchronous:
        return None
    body = lines(node.body)
    test = body[0] if len(body) == 1 else None
    own = frozenset(target_names(node.target))
    if not isinstance(test, cst.If) or test.orelse or not confined(program, place, node, own):
        return None
    *done, last = lines(test.body) or [test]
    leaves = isinstance(only(last), (cst.Break, cst.Return))
    if not leaves or names(test.body) & own:
        return None
    if any(isinstance(n, (cst.Break, cst.Continue)) for line in done for n in walk(line)):
        return None
    bounds = _bounds(test.test, own)
    if bounds is None or '"""' in text(node) or "'''" in text(node):
        return None
    kept = done if isinstance(only(last), cst.Break) else [*done, last]
    then = "\n".join(map(text, kept))
    missed = "\n".join(map(text, lines(node.orelse.body))) if node.orelse else ""
    if not then and not missed:
        return None
    return _Question(node, node.target, node.iter, bounds, then, missed)


def _bounds(test: cst.BaseExpression, own: frozenset[str]) -> _Bounds | None:
    """Return what a test compares, where it bounds one part from above, another from below."""
    import libcst as cst

    pairs: list[tuple[cst.BaseExpression, str, cst.BaseExpression]] = []
    for part in conjuncts(test):
        if not isinstance(part, cst.Comparison):
            return None
        left = part.left
        for target in part.comparisons:
            pairs.append((left, type(target.operator).__name__, target.comparator))
            left = target.comparator
    if len(pairs) != 2 or not pure(test):
        return None
    above: list[tuple[cst.BaseExpression, cst.BaseExpression, str]] = []
    below: list[tuple[cst.BaseExpression, cst.BaseExpression, str]] = []
    for left, operator, right in pairs:
        if names(left) & own:
            mine, sign, other = left, operator, right
        else:
            mine, sign, other = right, _MIRRORED.get(operator, ""), left
        if names(other) & own or not names(mine) or names(mine) - own:
            return None
        if sign in _BELOW:
            below.append((mine, other, _BELOW[sign]))
        elif sign in _ABOVE:
            above.append((mine, other, _ABOVE[sign]))
    return _Bounds(*below[0], *above[0]) if below and above else None


def _change(program: Program, found: _Question, line: cst.CSTNode, spans: str) -> TreeChange:
    accumulate, line_1 = imported(program, "itertools", "accumulate")
    search, line_2 = imported(program, "bisect", found.bounds.search)
    word = spoken(found.spans) or "spans"
    each, begins, ends, has, number = (
        program.fresh(f"{word}_sorted"),
        program.fresh(f"{word}_begin"),
        program.fresh(f"{word}_end"),
        program.fresh(f"has_{word}"),
        program.fresh("number"),
    )
    bounds, most, least = found.bounds, program.fresh("most"), program.fresh("least")
    same = text(bounds.most) == text(bounds.least)
    given = text(bounds.most) if same else f"{text(bounds.most)}, {text(bounds.least)}"
    parts = f"({text(bounds.begin)}, {text(bounds.end)})"
    span = program.fresh("span")
    fits = f"{ends}[{number} - 1] {bounds.sign} {most if same else least}"
    body = [
        f"def {has}({most}{'' if same else f', {least}'}):",
        f"    {number} = {search}({begins}, {most})",
        f"    return {number} > 0 and {fits}",
    ]
    before = [
        f"{each} = sorted({parts} for {text(found.target)} in {spans})",
        f"{begins} = [{span}[0] for {span} in {each}]",
        f"{ends} = [*{accumulate}(({span}[1] for {span} in {each}), max)]",
        "\n".join(body),
    ]
    asked = f"{has}({given})"
    if found.then:
        new = f"if {asked}:\n{_indented(found.then)}"
        asked = f"{new}\nelse:\n{_indented(found.otherwise)}" if found.otherwise else new
    elif found.otherwise:
        asked = f"if not {asked}:\n{_indented(found.otherwise)}"
    return TreeChange(
        anchor=found.node,
        replaced={found.node: asked},
        before={line: before},
        imports=(*line_1, *line_2),
        direction=f"Sort `{text(found.spans)}` once and ask by bisection",
        effect="O(n) -> O(log n) a question, for one sort",
    )


def _indented(code: str) -> str:
    return "".join(f"    {row}" for row in code.splitlines(keepends=True))
