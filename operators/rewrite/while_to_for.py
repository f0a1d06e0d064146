"""A `while` that counts by hand -> `for` over a range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    bound,
    compared,
    flat,
    integer,
    lines,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class WhileToFor(Rule):
    """Let `range` count where a `while` compares and adds in every pass.

    Valid for a counter that changes only on the last line of the body, by a fixed number,
    an end that stays the same, no `continue`, and a counter that nobody asks for after the
    loop (all checked); both are integers (left to the tests). It also makes the loop one
    that other rules understand. Known as loop canonicalisation.
    """

    name = "while_to_for"
    relies_on = "counter and end are whole numbers"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each `while` that counts."""
        import libcst as cst

        for node in place.own:
            counting = _counting(node) if isinstance(node, cst.While) else None
            if counting is None or not isinstance(node, cst.While):
                continue
            fixed = altered(program, node.body) - {counting.name}
            if names(counting.stop) & (fixed | {counting.name}):
                continue
            used_up = computes(program, counting.stop) and _runs_through(program, node)
            if used_up and confined(program, place, node, {counting.name}):
                yield _change(program, node, counting)


class _Counting(NamedTuple):
    """A counter, the value that ends it, what its test adds to this, and the step."""

    name: str
    stop: cst.BaseExpression
    beyond: int
    step: int
    squared: bool = False


def _counting(loop: cst.While) -> _Counting | None:
    body = lines(loop.body)
    if len(body) < 2 or loop.orelse is not None:
        return None
    step = _step(only(body[-1]))
    upwards = (("LessThan", 0), ("LessThanEqual", 1))
    downwards = (("GreaterThan", 0), ("GreaterThanEqual", -1))
    if step is None or any(step[0] in bound(line) for line in body[:-1]):
        return None
    name, size = step
    for kind, beyond in upwards if size > 0 else downwards:
        sides = compared(loop.test, kind)
        if sides is None or _fractional(sides[1]):
            continue
        if named(sides[0]) == name:
            return _Counting(name, sides[1], beyond, size)
        if _square(sides[0], name) and kind == "LessThanEqual":
            return _Counting(name, sides[1], beyond, size, squared=True)
    return None


def _step(small: cst.CSTNode | None) -> tuple[str, int] | None:
    """Return counter and step of `i += 1`, `i = i + 1`, and the same downwards."""
    import libcst as cst

    pair = assigned(small)
    if isinstance(small, cst.AugAssign):
        name, value = named(small.target), integer(small.value)
        down, up = isinstance(small.operator, cst.SubtractAssign), cst.AddAssign
        known = down or isinstance(small.operator, up)
    elif pair and isinstance(pair[1], cst.BinaryOperation) and named(pair[1].left) == pair[0]:
        name, value = pair[0], integer(pair[1].right)
        down = isinstance(pair[1].operator, cst.Subtract)
        known = down or isinstance(pair[1].operator, cst.Add)
    else:
        return None
    return (name, -value if down else value) if known and name and value else None


def _square(node: cst.BaseExpression, name: str) -> bool:
    return flat(node) in (f"{name}*{name}", f"{name}**2")


def _fractional(stop: cst.BaseExpression) -> bool:
    """Whether an end is seen to be no integer."""
    import libcst as cst

    code = text(stop)
    divided = any(isinstance(node, (cst.Divide, cst.Float)) for node in walk(stop))
    return divided or "sqrt" in code.replace("isqrt", "") or "**" in code


def _runs_through(program: Program, loop: cst.While) -> bool:
    """Whether no `continue` of this loop skips the last line, and nothing else binds."""
    import libcst as cst

    strange = (cst.Try, cst.Yield, cst.FunctionDef, cst.Lambda, cst.Global, cst.Nonlocal)
    for node in walk(loop.body):
        if isinstance(node, strange):
            return False
        if isinstance(node, cst.Continue):
            loops = (n for n in program.above(node) if isinstance(n, (cst.For, cst.While)))
            if next(loops) is loop:
                return False
    return True


def _change(program: Program, loop: cst.While, counting: _Counting) -> TreeChange:
    import libcst as cst

    stop = text(counting.stop)
    imports: tuple[str, ...] = ()
    stop = stop if isinstance(counting.stop, (cst.Name, cst.Integer, cst.Call)) else f"({stop})"
    if counting.squared:
        isqrt, imports = imported(program, "math", "isqrt")
        stop = f"{isqrt}(max({stop}, 0))"
    if counting.beyond:
        number = integer(counting.stop) if not counting.squared else None
        sign = "+" if counting.beyond > 0 else "-"
        stop = f"{stop} {sign} 1" if number is None else str(number + counting.beyond)
    step = "" if counting.step == 1 else f", {counting.step}"
    assert isinstance(loop.body, cst.IndentedBlock)
    new = cst.For(
        target=cst.Name(counting.name),
        iter=cst.parse_expression(f"range({counting.name}, {stop}{step})"),
        body=loop.body.with_changes(body=loop.body.body[:-1]),
        leading_lines=loop.leading_lines,
    )
    return TreeChange(
        anchor=loop,
        replaced={loop: new},
        imports=imports,
        direction="Count with a range instead of by hand",
        effect="no comparison and no addition of integers in every pass",
    )
