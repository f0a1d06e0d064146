"""`xs.pop(i)` where a loop goes by -> what stays moves up, and the rest is cut off once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.aliases import changed_elsewhere
from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    bound,
    calls,
    compared,
    conjuncts,
    flat,
    index,
    integer,
    method,
    named,
    only,
    target_names,
    targets,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class CursorRemoval(Rule):
    """Keep two positions in a list, one that reads and one up to which elements stay.

    Such as for `while i < len(xs): if odd(xs[i]): xs.pop(i) else: i += 1`, or where neighbours
    are merged: `xs[i] = both(xs[i], xs.pop(i + 1))`. Valid where the loop asks for nothing of
    the list but its element there, its neighbour and its length, takes one or moves on by one
    in a pass, is left by no `return` or error that is handled, and nobody changes the list
    under another name (all checked). Known as compaction in place.
    """

    name = "cursor_removal"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop that goes through a list and takes elements out."""
        import libcst as cst

        for loop in place.own:
            if isinstance(loop, cst.While) and not tried(program, loop):
                for test in conjuncts(loop.test):
                    found = _walked(program, place, loop, test)
                    if found is not None and (change := _change(program, found)):
                        yield change


class _Walk(NamedTuple):
    """A loop through a list.

    Attributes:
        loop: The loop.
        test: Its test that there is another element.
        values: Name of the list.
        at: Name of the position.
        beyond: How far behind the position elements are taken out: 0 or 1.
        mentions: Where the loop names the list.
    """

    loop: cst.While
    test: cst.CSTNode
    values: str
    at: str
    beyond: int
    mentions: tuple[cst.CSTNode, ...]


def _walked(
    program: Program, place: Place, loop: cst.While, test: cst.BaseExpression
) -> _Walk | None:
    """Return the walk of `while i < len(xs)` or `while i < len(xs) - 1`, else None."""
    import libcst as cst

    less, more = compared(test, "LessThan"), compared(test, "GreaterThan")
    if (less is None and more is None) or loop.orelse:
        return None
    small, large = less or (more or (test, test))[::-1]
    beyond = 0
    if isinstance(large, cst.BinaryOperation) and isinstance(large.operator, cst.Subtract):
        beyond, large = integer(large.right) or 9, large.left
    if isinstance(small, cst.BinaryOperation) and isinstance(small.operator, cst.Add):
        beyond, small = beyond + (integer(small.right) or 9), small.left
    lengths = calls(large, "len")
    values, at = named(lengths[0]) if lengths else "", named(small)
    leaving = (cst.Return, cst.Raise, cst.Yield, cst.Await, cst.Lambda, cst.FunctionDef)
    if not values or not at or beyond > 1 or any(isinstance(n, leaving) for n in walk(loop)):
        return None
    if changed_elsewhere(program, place, values, loop) or values in bound(loop):
        return None
    mentions = tuple(n for n in walk(loop) if named(n) == values)
    own = frozenset(place.own)
    everywhere = [n for n in walk(place.node) if named(n) in (values, at)]
    later = (cst.Lambda, cst.GeneratorExp)
    if any(
        n not in own or any(isinstance(a, later) for a in program.above(n)) for n in everywhere
    ):
        return None  # asked for at any time
    return _Walk(loop, test, values, at, beyond, mentions)


def _change(program: Program, found: _Walk) -> TreeChange | None:
    steps = [line for line in walk(found.loop) if _moves_on(line, found.at)]
    taken = [n for n in found.mentions if _takes(program, n, found)]
    lines = [*steps, *(program.statement(n) for n in taken)]
    if not taken or not steps or not _one_a_pass(program, found.loop, lines):
        return None
    import libcst as cst

    read = program.fresh("read")
    replaced: dict[cst.CSTNode, str] = {found.test: f"{read} < len({found.values})"}
    after: dict[cst.CSTNode, list[str]] = {}
    for node in found.mentions:
        if node in walk(found.test):
            continue
        if node in taken:
            line, whole = program.statement(node), _whole(program, node)
            if isinstance(only(line), (cst.Del, cst.Expr)):
                replaced[line] = f"{read} += 1"
            else:
                replaced[whole] = f"{found.values}[{read}]"
                after[line] = [f"{read} += 1"]
        elif not _asks(program, node, found, read, replaced):
            return None
    if sum(found.at in target_names(target) for target in targets(found.loop)) > len(steps):
        return None
    moved = [f"{found.values}[{found.at}] = {found.values}[{read}]", f"{found.at} += 1"]
    order = moved[::-1] if found.beyond else moved
    replaced |= dict.fromkeys(steps, "\n".join([*order, f"{read} += 1"]))
    end = f"{found.at} + 1" if found.beyond else found.at
    return TreeChange(
        anchor=found.loop.test,
        replaced=replaced,
        before={found.loop: [f"{read} = {end}"]},
        after={**after, found.loop: [f"del {found.values}[{end}:{read}]"]},
        direction=f"Move up what stays of `{found.values}` and cut off the rest once",
        effect="no shift of all that follows for each element: O(n^2) -> O(n)",
    )


def _moves_on(line: cst.CSTNode, at: str) -> bool:
    """Whether a line is `i += 1`."""
    import libcst as cst

    small = only(line)
    if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
        return False
    return named(small.target) == at and integer(small.value) == 1


def _takes(program: Program, node: cst.CSTNode, found: _Walk) -> bool:
    """Whether a mention takes the element there out: by `pop`, or by `del`."""
    import libcst as cst

    where = f"{found.at}+1" if found.beyond else found.at
    line = only(program.statement(node))
    if isinstance(line, cst.Del):
        at = index(line.target)
        return at is not None and at[0] is node and flat(at[1]) == where
    popped = method(_whole(program, node), "pop")
    if line is None or popped is None or len(popped[1]) != 1 or flat(popped[1][0]) != where:
        return False
    if isinstance(line, cst.Expr) and line.value is not _whole(program, node):
        return False
    # In the rest of the line its neighbours have other places already.
    others = (n for n in walk(line) if named(n) == found.values and n is not node)
    return all(_index_of(program, n) == found.at and found.beyond for n in others)


def _whole(program: Program, node: cst.CSTNode) -> cst.CSTNode:
    """Return the element, or the call of a method, that a mention stands in."""
    import libcst as cst

    above = program.parent[node]
    return program.parent[above] if isinstance(above, cst.Attribute) else above


def _index_of(program: Program, node: cst.CSTNode) -> str:
    found = index(program.parent[node])
    return flat(found[1]) if found and found[0] is node else ""


def _one_a_pass(program: Program, loop: cst.CSTNode, lines: list[cst.CSTNode]) -> bool:
    """Whether no two of these lines run in one pass."""
    import libcst as cst

    for one, other in combinations(lines, 2):
        outer = list(program.above(other))
        common = next(node for node in program.above(one) if node in outer)
        if not isinstance(common, cst.If):
            return False
    return all(next(program.loops(line)) is loop for line in lines)


def _asks(
    program: Program,
    node: cst.CSTNode,
    found: _Walk,
    read: str,
    replaced: dict[cst.CSTNode, str],
) -> bool:
    """Whether a mention asks for an element that is known; puts its new place down."""
    where = _index_of(program, node)
    if where == (f"{found.at}+1" if found.beyond else found.at):
        replaced[program.parent[node]] = f"{text(node)}[{read}]"
        return True
    return where == (found.at if found.beyond else f"{found.at}-1")
