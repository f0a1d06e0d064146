"""A loop that goes on after its answer is fixed -> it ends there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import additions, smalls
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import changed
from operators.rewrite.handlers import caught
from operators.rewrite.loops import confined, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    bound,
    compared,
    integer,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "End the loop as soon as the answer is fixed"
_EFFECT = "the rest of the loop is not run: from nothing to all but one step"
_ONCE = {
    "GreaterThan": "True", "GreaterThanEqual": "True", "LessThan": "False",
    "LessThanEqual": "False", "Equal": "False", "NotEqual": "True",
}  # fmt: skip
_REACHED = {"GreaterThanEqual": ">=", "LessThan": ">="}


class EarlyExit(Rule):
    """Leave a loop whose only effect is a flag that is set, or a count that is compared.

    Valid where nothing else of the loop is asked for after it and no step leaves a trace
    (checked), so that the steps that are left out could only raise, which nobody handles
    (checked, too). Covers `flag = constant`
    under tests, in loops within loops too, `ok = ok and ...`, and a count that is returned
    compared with a bound.
    """

    name = "early_exit"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each outermost loop that only finds something out."""
        import libcst as cst

        done: set[cst.CSTNode] = set()
        for node in place.own:
            if not isinstance(node, (cst.For, cst.While)) or node in done:
                continue
            if caught(program, node):
                continue
            change = _flagged(program, place, node) or _counted(program, place, node)
            if change:
                done |= set(walk(node))
                yield change


class _Flag(NamedTuple):
    """What a loop finds out: the lines that set the flag, and the test that it is set."""

    name: str
    lines: tuple[cst.CSTNode, ...]
    is_set: str
    value: str


def _flagged(program: Program, place: Place, loop: cst.For | cst.While) -> TreeChange | None:
    """Return how a loop ends once its flag is set: the one flag that is read after it."""
    if loop.orelse or not computes(program, loop):
        return None
    for flag in _flags(program, loop):
        if confined(program, place, loop, bound(loop) - {flag.name}):
            return _left(program, loop, flag)
    return None


def _left(program: Program, loop: cst.For | cst.While, flag: _Flag) -> TreeChange | None:
    # In order: nodes are hashed by their addresses.
    loops = dict.fromkeys(n for line in flag.lines for n in _between(program, line, loop))
    returned = _returned(program, loop, flag) if flag.value else ""
    if returned:
        hits = dict.fromkeys(flag.lines, returned)
        return _change(loop, replaced=hits)
    after: dict[cst.CSTNode, list[str]] = {inner: [_test(flag)] for inner in loops}
    if not flag.value:
        return _change(loop, after={**after, **{n: [_test(flag)] for n in flag.lines}})
    lasting = [line for line in flag.lines if not _leaves(program, line)]
    if not lasting and not after:
        return None
    return _change(loop, after={**after, **{line: ["break"] for line in lasting}})


def _test(flag: _Flag) -> str:
    return f"if {flag.is_set}:\n    break"


def _change(
    loop: cst.CSTNode,
    *,
    replaced: dict[cst.CSTNode, str] | None = None,
    after: dict[cst.CSTNode, list[str]] | None = None,
) -> TreeChange:
    return TreeChange(
        anchor=loop,
        replaced=replaced or {},
        after=after or {},
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _flags(program: Program, loop: cst.For | cst.While) -> Iterator[_Flag]:
    """Yield the flags that a loop sets, each always to the same constant, in their order."""
    import libcst as cst

    pairs = [(s, pair) for s in smalls(loop) if (pair := assigned(s))]
    if any(isinstance(s, (cst.Return, cst.Raise, cst.Assert)) for s in smalls(loop)):
        return
    constants = [(s, pair) for s, pair in pairs if _constant(pair[1])]
    kept = [(s, pair) for s, pair in pairs if _narrowed(pair)]
    if len(kept) == 1 and not constants:
        line, (name, both) = program.parent[kept[0][0]], kept[0][1]
        # `ok and f(x)`: once it is false it stays false.
        is_set = f"not {name}" if " and " in text(both) else name
        asked = sum(1 for n in walk(loop) if named(n) == name)
        if asked == 2:
            yield _Flag(name, (line,), is_set, "")
    for name in dict.fromkeys(pair[0] for _, pair in constants):
        values = {text(pair[1]) for _, pair in pairs if pair[0] == name}
        sites = [program.parent[s] for s, pair in pairs if pair[0] == name]
        asked = sum(1 for n in walk(loop) if named(n) == name)
        if len(values) == 1 and asked == len(sites) and all(map(only, sites)):
            value = min(values)
            same = "is" if value in ("True", "False", "None") else "=="
            if all(_under_test(program, site, loop) for site in sites):
                yield _Flag(name, tuple(sites), f"{name} {same} {value}", value)


def _constant(value: cst.BaseExpression) -> bool:
    import libcst as cst

    literal = isinstance(value, (cst.Integer, cst.SimpleString))
    return literal or named(value) in ("True", "False", "None")


def _narrowed(pair: tuple[str, cst.BaseExpression]) -> bool:
    """Whether the value is `name and ...` or `name or ...`."""
    import libcst as cst

    name, value = pair
    return (
        isinstance(value, cst.BooleanOperation)
        and named(value.left) == name
        and name not in names(value.right)
    )


def _between(
    program: Program, line: cst.CSTNode, loop: cst.CSTNode
) -> Iterator[cst.For | cst.While]:
    """Yield the loops around a line that are within `loop`, itself left out."""
    import libcst as cst

    for inner in program.loops(line):
        if inner is loop:
            return
        if isinstance(inner, (cst.For, cst.While)):
            yield inner


def _under_test(program: Program, line: cst.CSTNode, loop: cst.CSTNode) -> bool:
    import libcst as cst

    for outer in program.above(line):
        if outer is loop:
            return False
        if isinstance(outer, cst.If):
            return True
    return False


def _leaves(program: Program, line: cst.CSTNode) -> bool:
    """Whether the line is followed by a `break` already."""
    import libcst as cst

    block = program.block(line)
    later = block[block.index(line) + 1 :] if line in block else ()
    return bool(later) and isinstance(only(later[-1]), cst.Break)


def _returned(program: Program, loop: cst.CSTNode, flag: _Flag) -> str:
    """Return the statement that follows at once and returns the flag, with its value."""
    import libcst as cst

    block = program.block(loop)
    after = block[block.index(loop) + 1 :] if loop in block else ()
    small = only(after[0]) if after else None
    if not isinstance(small, cst.Return) or small.value is None:
        return ""
    if names(small.value) != {flag.name}:
        return ""
    own = {node: flag.value for node in walk(small.value) if named(node) == flag.name}
    return f"return {substituted(small.value, own)}"


def _counted(program: Program, place: Place, loop: cst.For | cst.While) -> TreeChange | None:
    """`count = 0; for ...: if ...: count += 1; return count >= bound`."""
    import libcst as cst

    sums = additions(loop) if isinstance(loop, cst.For) and not loop.orelse else None
    block = program.block(loop)
    at = block.index(loop) if loop in block else 0
    if not sums or not at or at + 1 >= len(block) or not computes(program, loop):
        return None
    total, last = sums[0].name, only(block[at + 1])
    test = last.value if isinstance(last, cst.Return) else None
    if test is None or not confined(program, place, loop, bound(loop) - {total}):
        return None
    kind = (
        type(test.comparisons[0].operator).__name__ if isinstance(test, cst.Comparison) else ""
    )
    sides = compared(test, *_ONCE)
    steady = all(a.name == total and (integer(a.value) or 0) > 0 for a in sums)
    if not sides or not steady or named(sides[0]) != total:
        return None
    if names(sides[1]) & (changed(loop) | {total}) or not computes(program, sides[1]):
        return None
    reached = f"if {total} {_REACHED.get(kind, '>')} {text(sides[1])}:"
    lines = [program.parent[a.statement] for a in sums]
    return _change(loop, after={n: [f"{reached}\n    return {_ONCE[kind]}"] for n in lines})
