"""Search for a divisor up to n -> search up to the square root of n."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    comp_for,
    compared,
    conjuncts,
    flat,
    integer,
    lines,
    named,
    names,
    only,
    same,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Stop the search for a divisor at the square root"
_EFFECT = "O(n) -> O(sqrt n) divisions"
_NOTHING = (["else:", "continue"], ["else:", "pass"])


class TrialDivisionBound(Rule):
    """Stop the search for a divisor at the square root.

    Valid where only the existence of a divisor matters, not which (checked: the hit returns
    or assigns a constant), and the search ends below n (checked: n itself, n - 1, n // 2):
    then a divisor above the root has a partner below it. A search in odd steps needs an odd
    n (a test of `n % 2` must be in sight). Known as trial division up to the square root.
    """

    name = "trial_division_bound"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each search: a `for`, a `while`, or inside `any` and `all`."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.For):
                yield from self._for(program, place, node)
            elif isinstance(node, cst.While):
                yield from self._while(place, node)
            elif isinstance(node, cst.Call) and named(node.func) in ("any", "all"):
                yield from self._comprehension(program, place, node)

    def _for(self, program: Program, place: Place, loop: cst.For) -> Iterator[TreeChange]:
        number = hit(lines(loop.body), named(loop.target))
        if number is not None:
            yield from _shorter(program, place, loop.iter, number, loop.body)

    def _comprehension(
        self, program: Program, place: Place, call: cst.Call
    ) -> Iterator[TreeChange]:
        import libcst as cst

        inner = call.args[0].value if len(call.args) == 1 else None
        if not isinstance(inner, (cst.GeneratorExp, cst.ListComp)):
            return
        loop = comp_for(inner)
        plain = not loop.ifs and not loop.inner_for_in
        asked = divided if named(call.func) == "any" else not_divided
        number = asked(inner.elt, named(loop.target)) if plain else None
        if number is not None:
            yield from _shorter(program, place, loop.iter, number, inner.elt)

    def _while(self, place: Place, loop: cst.While) -> Iterator[TreeChange]:
        body = lines(loop.body)
        for part in conjuncts(loop.test):
            sides = compared(part, "LessThan", "LessThanEqual")
            divisor = named(sides[0]) if sides else ""
            number = hit(body[:-1], divisor) if divisor else None
            if sides is None or number is None or not counts_up(place, loop, divisor):
                continue
            open_end = compared(part, "LessThan") is not None
            if not _below(sides[1], number, open_end=open_end):
                continue
            if names(number) & changed(loop.body) or not pure(number):
                continue
            bound = f"{divisor} * {divisor} <= {text(number)}"
            if any(text(other) == bound for other in conjuncts(loop.test)):
                continue
            yield TreeChange(
                anchor=part,
                replaced={part: _both(part, bound, number)},
                direction=_DIRECTION,
                effect=_EFFECT,
            )


def _both(part: cst.BaseExpression, bound: str, number: cst.BaseExpression) -> str:
    """Return the new test; the old bound stays where it may be the smaller one."""
    sides = compared(part, "LessThan")
    whole = sides is not None and same(sides[1], number)
    return bound if whole else f"({bound} and {text(part)})"


def _shorter(
    program: Program,
    place: Place,
    search: cst.BaseExpression,
    number: cst.BaseExpression,
    body: cst.CSTNode,
) -> Iterator[TreeChange]:
    arguments = calls(search, "range") or []
    if len(arguments) < 2 or names(number) & changed(body) or not pure(number):
        return
    start, step = integer(arguments[0]), integer([*arguments, None][2])
    odd = (start, step) == (3, 2) and f"{text(number)} % 2" in text(place.node)
    if not odd and (start, step or 1) != (2, 1):
        return
    if len(arguments) == 3 and step is None:
        return
    stop = arguments[1]
    if not _below(stop, number, open_end=True):
        return
    root, imports = imported(program, "math", "isqrt")
    value = text(number) if _guarded(place, number) else f"max({text(number)}, 0)"
    new = f"{root}({value}) + 1"
    yield TreeChange(
        anchor=search,
        replaced={stop: new if same(stop, number) else f"min({text(stop)}, {new})"},
        imports=imports,
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def hit(body: Sequence[cst.CSTNode], divisor: str) -> cst.BaseExpression | None:
    """Return n if the body only says that n has a divisor, else None."""
    import libcst as cst

    if len(body) != 1 or not isinstance(body[0], cst.If):
        return None
    found = body[0]
    plain = found.orelse is None or text(found.orelse).split() in _NOTHING
    number = divided(found.test, divisor)
    return number if plain and _constant(found.body) else None


def _constant(body: cst.BaseSuite) -> bool:
    """Whether the statements are the same for every divisor, and may run once or often."""
    import libcst as cst

    smalls = [only(line) for line in lines(body)] or list(getattr(body, "body", ()))
    for small in smalls:
        pair = assigned(small)
        value = small.value if isinstance(small, cst.Return) else pair[1] if pair else None
        fixed = isinstance(small, cst.Return) and small.value is None
        fixed = fixed or isinstance(small, cst.Break)
        if not fixed and (value is None or names(value) - {"True", "False", "None"}):
            return False
    return bool(smalls)


def divided(test: cst.CSTNode, divisor: str) -> cst.BaseExpression | None:
    """Return n of `n % d == 0` and its like, else None."""
    import libcst as cst

    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _rest(test.expression, divisor)
    equal, less = compared(test, "Equal"), compared(test, "LessThan")
    if equal and integer(equal[1]) == 0:
        return _rest(equal[0], divisor)
    return _rest(less[0], divisor) if less and integer(less[1]) == 1 else None


def not_divided(test: cst.CSTNode, divisor: str) -> cst.BaseExpression | None:
    """Return n of `n % d != 0` and its like, else None."""
    sides = compared(test, "NotEqual", "GreaterThan")
    return _rest(sides[0] if sides and integer(sides[1]) == 0 else test, divisor)


def _rest(node: cst.CSTNode, divisor: str) -> cst.BaseExpression | None:
    """Return n of `n % d`, else None."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Modulo):
        return None
    fits = named(node.right) == divisor and divisor not in names(node.left)
    return node.left if fits and divisor else None


def _below(stop: cst.BaseExpression, number: cst.BaseExpression, *, open_end: bool) -> bool:
    """Whether a search to `stop` leaves out n itself."""
    n, end = re.escape(flat(number)), flat(stop)
    exact = rf"{n}-\d+|{n}//[2-9](\+1)?|int\({n}/[2-9]\)(\+1)?|round\({n}/2\)(\+1)?|\(?{n}\)?"
    closed = rf"{n}-[1-9]\d*|{n}//[2-9]|int\({n}/[2-9]\)"
    return (
        re.fullmatch(
            exact if open_end else closed,
            end.replace("(" + flat(number) + ")", flat(number)),
        )
        is not None
    )


def _guarded(place: Place, number: cst.BaseExpression) -> bool:
    """Whether n is seen not to be negative."""
    n, code = flat(number), flat(place.node)
    return n.startswith("len(") or any(f"{n}{test}" in code for test in ("<2:", "<=1:", "<=2:"))


def counts_up(place: Place, loop: cst.While, divisor: str) -> bool:
    """Whether the divisor runs 2, 3, 4 ... and is not asked for after the loop."""
    steps = (f"{divisor}+=1", f"{divisor}={divisor}+1")
    last = flat(lines(loop.body)[-1])
    starts = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == divisor]
    outside = [s for s in starts if s not in walk(loop)]
    everywhere = sum(1 for node in place.own if named(node) == divisor)
    inside = sum(1 for node in walk(loop) if named(node) == divisor)
    return (
        last in steps
        and bool(outside)
        and all(integer(start) == 2 for start in outside)
        and everywhere == inside + len(outside)
    )
