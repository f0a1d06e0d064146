"""The smallest element taken again and again -> a heap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.handlers import awaited
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import assigned, calls, flat, method, named, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class HeapMin(Rule):
    """Take the smallest element from a heap, not from a list searched or sorted each time.

    Valid when the loop only takes the smallest (`min` and `remove`, `sort` and `pop(0)`),
    appends and asks for the length, and when elements that compare as equal are the same
    for the rest of the program, which does not mind the order of what is left (both left to
    the tests). Without appends one sort before the loop does as well. Known as a priority
    queue on a binary heap, or heap selection.
    """

    name = "heap_min"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield a heap, and a sorted list if nothing is added, for each list and loop."""
        import libcst as cst

        if awaited(program, "ValueError"):
            return  # `min` of nothing raises it, a heap does not
        for loop in place.own:
            if isinstance(loop, (cst.For, cst.While)):
                for taken in _taken(loop):
                    yield from _changes(program, loop, taken)
                yield from _both_ends(program, loop)


class _Taken(NamedTuple):
    """Two statements in a row that take the smallest (or largest) element of a list."""

    first: cst.CSTNode
    second: cst.CSTNode
    name: str
    target: str
    largest: bool


def _taken(loop: cst.CSTNode) -> Iterator[_Taken]:
    import libcst as cst

    for block in walk(loop):
        if isinstance(block, cst.IndentedBlock):
            for first, second in pairwise(block.body):
                found = _search(first, second) or _sorted(first, second)
                if found is not None:
                    yield found


def _search(first: cst.CSTNode, second: cst.CSTNode) -> _Taken | None:
    """`m = min(xs)` and `xs.remove(m)`."""
    import libcst as cst

    pair, small = assigned(only(first)), only(second)
    removed = method(small.value, "remove") if isinstance(small, cst.Expr) else None
    if pair is None or removed is None or named(removed[1][0]) != pair[0]:
        return None
    for function in ("min", "max"):
        arguments = calls(pair[1], function)
        if arguments and len(arguments) == 1 and named(arguments[0]) == named(removed[0]) != "":
            return _Taken(first, second, named(removed[0]), pair[0], function == "max")
    return None


def _sorted(first: cst.CSTNode, second: cst.CSTNode) -> _Taken | None:
    """`xs.sort()` or `xs = sorted(xs)`, and `x = xs.pop(0)`."""
    import libcst as cst

    small, taking, pair = only(first), only(second), assigned(only(first))
    done = method(small.value, "sort") if isinstance(small, cst.Expr) else None
    name = named(done[0]) if done and not done[1] else ""
    again = calls(pair[1], "sorted") if pair else None
    if pair and again and len(again) == 1 and named(again[0]) == pair[0]:
        name = pair[0]
    if not name or not isinstance(taking, cst.Assign) or len(taking.targets) != 1:
        return None
    if flat(taking.value) != f"{name}.pop(0)":
        return None
    return _Taken(first, second, name, text(taking.targets[0].target), False)


def _changes(program: Program, loop: cst.CSTNode, taken: _Taken) -> Iterator[TreeChange]:
    pushes = _pushes(program, loop, taken)
    if pushes is None:
        return
    if not taken.largest:
        yield _heap(program, loop, taken, pushes)
    if not pushes:
        yield _presorted(loop, taken)


def _pushes(
    program: Program, loop: cst.CSTNode, taken: _Taken
) -> dict[cst.CSTNode, str] | None:
    """Return what the loop appends, by line; None if it does more with the list."""
    import libcst as cst

    inside = {*walk(taken.first), *walk(taken.second)}
    pushes = {}
    for node in walk(loop):
        if named(node) != taken.name or node in inside:
            continue
        line = program.statement(node)
        small = only(line)
        grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
        if grown and grown[0] is node:
            pushes[line] = text(grown[1][0])
        elif not _asked(program, node):
            return None
    return pushes


def _asked(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention only asks if the list is empty, or how long it is."""
    import libcst as cst

    parent = program.parent[node]
    kinds = (cst.While, cst.If, cst.UnaryOperation, cst.BooleanOperation)
    length = isinstance(parent, cst.Arg) and calls(program.parent[parent], "len") is not None
    return length or isinstance(parent, kinds)


def _heap(
    program: Program, loop: cst.CSTNode, taken: _Taken, pushes: dict[cst.CSTNode, str]
) -> TreeChange:
    heapify, line_1 = imported(program, "heapq", "heapify")
    heappop, line_2 = imported(program, "heapq", "heappop")
    heappush, line_3 = imported(program, "heapq", "heappush") if pushes else ("", ())
    name = taken.name
    return TreeChange(
        anchor=taken.first,
        replaced={
            taken.first: f"{taken.target} = {heappop}({name})",
            taken.second: "",
            **{line: f"{heappush}({name}, {value})" for line, value in pushes.items()},
        },
        before={loop: [f"{heapify}({name})"]},
        imports=(*line_1, *line_2, *line_3),
        parameters=(("form", "heap"),),
        direction="Take the smallest element from a heap",
        effect="O(n) -> O(log n) for each element taken",
    )


def _presorted(loop: cst.CSTNode, taken: _Taken) -> TreeChange:
    order = "" if taken.largest else "reverse=True"
    return TreeChange(
        anchor=taken.first,
        replaced={
            taken.first: f"{taken.target} = {taken.name}.pop()",
            taken.second: "",
        },
        before={loop: [f"{taken.name}.sort({order})"]},
        parameters=(("form", "sorted"),),
        direction="Sort once before the loop and take from the end",
        effect="O(n) -> O(1) for each element taken, for one sort",
    )


def _both_ends(program: Program, loop: cst.CSTNode) -> Iterator[TreeChange]:
    """Smallest and largest taken in turn, by an expression and a `remove` after it."""
    import libcst as cst

    for block in walk(loop):
        if not isinstance(block, cst.IndentedBlock):
            continue
        for first, second in pairwise(block.body):
            small = only(second)
            removed = method(small.value, "remove") if isinstance(small, cst.Expr) else None
            name = named(removed[0]) if removed else ""
            ends = {n: end for n in walk(first) if (end := _end(n, name))}
            if not removed or not ends or not _just_taken(first, removed[1][0]):
                continue
            taken = _Taken(first, second, name, "", False)
            if _pushes(program, loop, taken) == {}:
                deque, imports = imported(program, "collections", "deque")
                yield TreeChange(
                    anchor=first,
                    replaced={**ends, second: ""},
                    before={loop: [f"{name} = {deque}(sorted({name}))"]},
                    imports=imports,
                    parameters=(("form", "ends"),),
                    direction="Sort once before the loop and take from both ends",
                    effect="O(n) -> O(1) for each element taken, for one sort",
                )


def _end(node: cst.CSTNode, name: str) -> str:
    """Return how a deque gives `min(name)` or `max(name)`, or nothing for other code."""
    for function, taking in (("min", "popleft"), ("max", "pop")):
        arguments = calls(node, function) or []
        if name and len(arguments) == 1 and named(arguments[0]) == name:
            return f"{name}.{taking}()"
    return ""


def _just_taken(line: cst.CSTNode, removed: cst.BaseExpression) -> bool:
    """Whether `removed` is what the line assigned or appended."""
    import libcst as cst

    small = only(line)
    pair = assigned(small)
    if pair:
        return named(removed) == pair[0]
    grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
    return grown is not None and flat(removed) == f"{flat(grown[0])}[-1]"
