"""Loops in loops whose last variable the others decide, or whose tests come too late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    bound,
    calls,
    comp_for,
    compared,
    conjuncts,
    flat,
    integer,
    lines,
    named,
    names,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_WAYS = {
    "solved": (
        "Compute the variable that an equation decides instead of trying all its values",
        "one loop less: O(n) -> O(1) within the outer loops",
    ),
    "hoisted": (
        "Test as soon as the variables of the test are known",
        "the inner loop runs only where it can find something",
    ),
}


class NestedProduct(Rule):
    """Solve the innermost loop, or test before it starts.

    Valid where the loop is over a `range` of integers, its body is one test, and a part of
    the test is an equation in which the variable stands once, by itself, in a sum (checked);
    the other terms must be integers (left to the tests). A part of the test that does not
    mention the variable moves out of the loop. Covers loops and comprehensions.
    """

    name = "nested_product"
    relies_on = "the terms are whole numbers"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that is solved, and each test that moves out."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                yield from _loop(program, place, node)
            elif isinstance(node, cst.BaseComp):
                yield from _comprehension(program, node)


class _Solved(NamedTuple):
    """An equation, what the variable must be, and whether that must still be checked."""

    part: cst.CSTNode
    value: str
    imports: tuple[str, ...] = ()
    checked: bool = False


def _loop(program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
    import libcst as cst

    body, name = lines(loop.body), named(loop.target)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse or not name:
        return
    if not confined(program, place, loop, [name]) or not computes(program, test.test):
        return
    parts = list(conjuncts(test.test))
    span = calls(loop.iter, "range")
    if span and _steady(loop, name, span):
        yield from _solved(program, loop, parts, loop)
    early = [p for p in parts if not names(p) & (bound(loop) | changed(loop))]
    if early and computes(program, loop.iter):
        yield _earlier(loop, test, parts, early)


def _comprehension(program: Program, comp: cst.BaseComp) -> Iterator[TreeChange]:
    """The last `for` is solved; a test goes to the first `for` that knows its variables."""
    loops = _loops(comp)
    last, name = loops[-1], named(loops[-1].target)
    if not last.ifs or not computes(program, comp):
        return
    parts = [part for test in last.ifs for part in conjuncts(test.test)]
    span = calls(last.iter, "range")
    if name and span and not any(name in names(bound_) for bound_ in span):
        yield from _solved(program, comp, parts, last)
    if len(loops) > 1:
        early = [p for p in parts if not names(p) & bound(last)]
        if early:
            yield _change(comp, {comp: _moved(comp, loops, parts)}, "hoisted")


def _solved(
    program: Program,
    anchor: cst.CSTNode,
    parts: list[cst.BaseExpression],
    loop: cst.For | cst.CompFor,
) -> Iterator[TreeChange]:
    name = named(loop.target)
    span = calls(loop.iter, "range") or []
    positive = len(span) < 3 and _nonnegative(program, loop, span)
    solved = _solution(program, parts, name, positive=positive)
    if solved is None:
        return
    test = f"{name} in {text(loop.iter)}"
    test += f" and {text(solved.part)}" if solved.checked else ""
    yield _change(
        anchor,
        {loop.iter: f"[{solved.value}]", solved.part: test},
        "solved",
        solved.imports,
    )


def _nonnegative(program: Program, loop: cst.CSTNode, span: list[cst.BaseExpression]) -> bool:
    """Whether a range is seen to start at zero or more: itself, or at an outer variable."""
    import libcst as cst

    if len(span) == 1 or (integer(span[0]) is not None):
        return True
    for outer in program.above(loop):
        if isinstance(outer, (cst.For, cst.CompFor)) and named(outer.target) in names(span[0]):
            start = calls(outer.iter, "range") or []
            plain = named(span[0]) or _shifted_up(span[0])
            return bool(plain and start) and _nonnegative(program, outer, start)
    return False


def _shifted_up(node: cst.BaseExpression) -> bool:
    """Whether an expression is a variable plus a number."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Add):
        return False
    return bool(named(node.left)) and integer(node.right) is not None


def _change(
    anchor: cst.CSTNode,
    replaced: Mapping[cst.CSTNode, str | cst.CSTNode],
    how: str,
    imports: tuple[str, ...] = (),
) -> TreeChange:
    direction, effect = _WAYS[how]
    return TreeChange(
        anchor=anchor,
        replaced=replaced,
        imports=imports,
        parameters=(("how", how),),
        direction=direction,
        effect=effect,
    )


def _earlier(
    loop: cst.For,
    test: cst.If,
    parts: list[cst.BaseExpression],
    early: list[cst.BaseExpression],
) -> TreeChange:
    """The loop under the part of its test that does not depend on it."""
    import libcst as cst

    late = [part for part in parts if part not in early]
    body = [test.with_changes(test=_joined(late))] if late else lines(test.body)
    assert isinstance(loop.body, cst.IndentedBlock)
    moved = loop.with_changes(body=loop.body.with_changes(body=body), leading_lines=[])
    outer = cst.If(
        test=_joined(early),
        body=cst.IndentedBlock([moved], indent=loop.body.indent),
        leading_lines=loop.leading_lines,
    )
    return _change(test, {loop: outer}, "hoisted")


def _loops(comp: cst.BaseComp) -> list[cst.CompFor]:
    found: list[cst.CompFor] = []
    loop: cst.CompFor | None = comp_for(comp)
    while loop is not None:
        found.append(loop)
        loop = loop.inner_for_in
    return found


def _moved(
    comp: cst.BaseComp, loops: list[cst.CompFor], parts: list[cst.BaseExpression]
) -> cst.CSTNode:
    """Return the comprehension with each part of the last tests at the first fitting loop."""
    import libcst as cst

    own: list[list[cst.BaseExpression]] = [[] for _ in loops]
    for part in parts:
        later = [i for i, loop in enumerate(loops) if names(part) & _variables(loop)]
        own[max(later, default=0)].append(part)
    made: cst.CompFor | None = None
    for loop, tests in zip(reversed(loops), reversed(own), strict=True):
        old = [] if loop is loops[-1] else list(loop.ifs)
        new = [cst.CompIf(test, whitespace_before=cst.SimpleWhitespace(" ")) for test in tests]
        made = loop.with_changes(ifs=[*old, *new], inner_for_in=made)
    return comp.with_changes(for_in=made)


def _variables(loop: cst.CompFor) -> frozenset[str]:
    return frozenset(target_names(loop.target))


def _joined(parts: list[cst.BaseExpression]) -> cst.BaseExpression:
    import libcst as cst

    return cst.parse_expression(" and ".join(map(text, parts)))


def _steady(loop: cst.For, name: str, span: list[cst.BaseExpression]) -> bool:
    """Whether body and range leave the variable and the bounds alone."""
    used = {n for bound_ in span for n in names(bound_)}
    return name not in changed(loop.body) | used and not used & changed(loop.body)


def _solution(
    program: Program, parts: list[cst.BaseExpression], name: str, *, positive: bool
) -> _Solved | None:
    """Return the equation that decides the variable."""
    for part in parts:
        sides = compared(part, "Equal")
        for mine, other in (sides, sides[::-1]) if sides else ():
            if name in names(mine) and name not in names(other):
                found = _isolated(program, mine, name, text(other), positive=positive)
                if found is not None:
                    return found._replace(part=part)
    return None


def _isolated(
    program: Program, side: cst.BaseExpression, name: str, other: str, *, positive: bool
) -> _Solved | None:
    """Return what the variable of a sum must be for the sum to be `other`."""
    terms = list(_terms(side))
    mine = [(sign, term) for sign, term in terms if name in names(term)]
    if len(mine) != 1:
        return None
    sign, term = mine[0]
    rest = [(-s * sign, text(t)) for s, t in terms if name not in names(t)]
    value = f"({other})" if sign > 0 else f"-({other})"
    value += "".join(f" {'+' if s > 0 else '-'} ({t})" for s, t in rest)
    if named(term) == name:
        return _Solved(side, value)
    factor = _factor(term, name)
    if factor:
        return _Solved(side, f"({value}) // {factor}", checked=True)
    if positive and flat(term) in (f"{name}*{name}", f"{name}**2"):
        root, imports = imported(program, "math", "isqrt")
        return _Solved(side, f"{root}(max({value}, 0))", imports, checked=True)
    return None


def _factor(term: cst.BaseExpression, name: str) -> int:
    """Return the number that the variable is multiplied by, 0 for other terms."""
    import libcst as cst

    if isinstance(term, cst.BinaryOperation) and isinstance(term.operator, cst.Multiply):
        for one, other in ((term.left, term.right), (term.right, term.left)):
            if named(one) == name:
                return integer(other) or 0
    return 0


def _terms(node: cst.BaseExpression, sign: int = 1) -> Iterator[tuple[int, cst.BaseExpression]]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(
        node.operator, (cst.Add, cst.Subtract)
    ):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.operator, cst.Add) else -sign)
    else:
        yield sign, node
