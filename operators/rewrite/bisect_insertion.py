"""A list kept in order by sorting or by searching from the front -> `bisect`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    compared,
    conjuncts,
    flat,
    lines,
    method,
    named,
    names,
    only,
    text,
    written,
)
from operators.rewrite.rule import Rule
from operators.rewrite.sorted_beside import elements_change, keeps_order, sorted_beside

if TYPE_CHECKING:
    import libcst as cst

_DIRECTION = "Insert into a sorted list by bisection"
_EFFECT = "O(n log n) or O(n) comparisons -> O(log n) an insertion"


class BisectInsertion(Rule):
    """Find the place of a new element in a sorted list by bisection.

    Valid when the list is in order before each insertion: it starts empty, with one element
    or sorted, and elements come in at this one place only, by a key that stays what it is
    (checked for append and sort; left to the tests for a search from the front). Elements have
    to be ordered at all, unlike `nan`. Known as binary insertion.
    """

    name = "bisect_insertion"
    relies_on = "the list is in order before each insertion, and its elements have an order"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each insertion, in one of four shapes."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, (cst.IndentedBlock, cst.Module)):
                for position in range(len(node.body) - 1):
                    yield from _append_and_sort(program, place, node.body[position:])
                for first, second in pairwise(node.body):
                    yield from _search_and_insert(program, first, second)
            elif isinstance(node, cst.For):
                yield from _insert_in_search(program, node)
            else:
                yield from _sorted_sum(program, place, node)
        yield from sorted_beside(program, place)


def _append_and_sort(
    program: Program, place: Place, block: Sequence[cst.CSTNode]
) -> Iterator[TreeChange]:
    """`xs.append(v)` and `xs.sort()`, or `xs = sorted(xs)[:k]`, with nothing of xs between."""
    import libcst as cst

    first, small = block[0], only(block[0])
    grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
    name = named(grown[0]) if grown else ""
    if not name or not grown or len(grown[1]) != 1:
        return
    second = next((line for line in block[1:] if name in names(line)), None)
    found = _sorts(only(second), name) if second else None
    if second is None or found is None or not _in_order(place, name, second, found):
        return
    if found.key and not keeps_order(place, found.key):
        return
    if elements_change(program, place, name, (first, grown[1][0]), found.key):
        return
    key = f", key={text(found.key)}" if found.key else ""
    yield _change(
        program, first, {first: f"({name}, {text(grown[1][0])}{key})"}, {second: found.rest}
    )


class _Sorts(NamedTuple):
    """How a line sorts a list: its key, if any, and what the line does besides."""

    key: cst.BaseExpression | None
    rest: str = ""


def _sorts(small: cst.CSTNode | None, name: str) -> _Sorts | None:
    """Return how a line sorts the named list, None where it does not."""
    import libcst as cst

    pair, cut = assigned(small), ""
    if pair and pair[0] == name:
        value = pair[1]
        if isinstance(value, cst.Subscript) and _is_cut(value):
            cut = f"{name} = {text(value.with_changes(value=cst.Name(name)))}"
            value = value.value
        if not isinstance(value, cst.Call) or named(value.func) != "sorted" or not value.args:
            return None
        arguments = value.args
        if named(arguments[0].value) != name or arguments[0].star:
            return None
        arguments = arguments[1:]
    else:
        call = small.value if isinstance(small, cst.Expr) else None
        if not isinstance(call, cst.Call) or flat(call.func) != f"{name}.sort":
            return None
        arguments = call.args
    if not arguments:
        return _Sorts(None, cut)
    by_key = len(arguments) == 1 and named(arguments[0].keyword) == "key"
    return _Sorts(arguments[0].value, cut) if by_key else None


def _is_cut(value: cst.Subscript) -> bool:
    """Whether a part of a list keeps its order."""
    import libcst as cst

    part = value.slice[0].slice
    return len(value.slice) == 1 and isinstance(part, cst.Slice) and part.step is None


def _sorted_sum(program: Program, place: Place, line: cst.CSTNode) -> Iterator[TreeChange]:
    """`xs = sorted(xs + [v])`."""
    import libcst as cst

    name, value = assigned(only(line)) or ("", None)
    arguments = calls(value, "sorted") or []
    total = arguments[0] if len(arguments) == 1 else None
    if not isinstance(total, cst.BinaryOperation) or named(total.left) != name:
        return
    added = total.right
    one = isinstance(added, cst.List) and len(added.elements) == 1
    if isinstance(total.operator, cst.Add) and one and _in_order(place, name, line):
        yield _change(program, line, {line: f"({name}, {text(added)[1:-1]})"})


def _search_and_insert(
    program: Program, first: cst.CSTNode, second: cst.CSTNode
) -> Iterator[TreeChange]:
    """`while i < len(xs) and xs[i] < v: i += 1` and `xs.insert(i, v)`."""
    import libcst as cst

    small = only(second)
    put = method(small.value, "insert") if isinstance(small, cst.Expr) else None
    if not isinstance(first, cst.While) or put is None or first.orelse is not None:
        return
    name, (at, value) = named(put[0]), put[1]
    tests, body = list(conjuncts(first.test)), lines(first.body)
    place = named(at)
    ends = [t for t in tests if flat(t) in (f"{place}<len({name})", f"{place}!=len({name})")]
    passed = [side for t in tests if (side := _passed(t, name, place, value))]
    steps = len(body) == 1 and flat(body[0]) in (f"{place}+=1", f"{place}={place}+1")
    if not name or len(tests) != 2 or len(ends) != 1 or len(passed) != 1 or not steps:
        return
    bisect, imports = imported(program, "bisect", f"bisect_{passed[0]}")
    yield TreeChange(
        anchor=first,
        replaced={first: f"{place} = {bisect}({name}, {text(value)}, {place})"},
        imports=imports,
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _passed(test: cst.BaseExpression, name: str, at: str, value: cst.BaseExpression) -> str:
    """Return the side of equal elements that a search goes to while this holds, or nothing."""
    for operators, side, mine in (
        (("LessThan",), "left", 0),
        (("LessThanEqual",), "right", 0),
        (("GreaterThan",), "left", 1),
        (("GreaterThanEqual",), "right", 1),
    ):
        sides = compared(test, *operators)
        if (
            sides
            and flat(sides[mine]) == f"{name}[{at}]"
            and flat(sides[1 - mine]) == flat(value)
        ):
            return side
    return ""


def _insert_in_search(program: Program, loop: cst.For) -> Iterator[TreeChange]:
    """`for i in range(len(xs)): if xs[i] > v: xs.insert(i, v); break`, else append."""
    import libcst as cst

    (body, arguments) = lines(loop.body), calls(loop.iter, "range") or []
    size = calls(arguments[0], "len") if len(arguments) == 1 else None
    found = body[0] if len(body) == 1 else None
    if not size or not isinstance(found, cst.If) or found.orelse or loop.orelse is None:
        return
    name, at = named(size[0]), named(loop.target)
    inserted = [flat(line) for line in lines(found.body)]
    sides = compared(found.test, "GreaterThan", "GreaterThanEqual")
    if not sides or flat(sides[0]) != f"{name}[{at}]" or at in names(sides[1]):
        return
    value, last = flat(sides[1]), lines(loop.orelse.body)
    appended = len(last) == 1 and flat(last[0]) == f"{name}.append({value})"
    if inserted == [f"{name}.insert({at},{value})", "break"] and appended:
        right = compared(found.test, "GreaterThan") is not None
        yield _change(
            program,
            loop,
            {loop: f"({name}, {text(sides[1])})"},
            side="right" if right else "left",
        )


def _change(
    program: Program,
    anchor: cst.CSTNode,
    replaced: dict[cst.CSTNode, str],
    others: Mapping[cst.CSTNode, str] | None = None,
    *,
    side: str = "right",
) -> TreeChange:
    insort, imports = imported(
        program, "bisect", "insort" if side == "right" else "insort_left"
    )
    return TreeChange(
        anchor=anchor,
        replaced={
            **{node: f"{insort}{code}" for node, code in replaced.items()},
            **(others or {}),
        },
        imports=imports,
        direction=_DIRECTION,
        effect=_EFFECT,
    )


def _in_order(place: Place, name: str, line: cst.CSTNode, found: _Sorts | None = None) -> bool:
    """Whether a list starts in order, but for a line, and takes elements at one place only."""
    import libcst as cst

    grows, starts, inside = 0, [], frozenset(walk(line))
    for node in walk(place.node):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            mine = named(node.func.value) == name and node not in inside
            grows += mine and node.func.attr.value in ("append", "insert", "extend")
            grows += 2 * (mine and node.func.attr.value in ("reverse", "sort"))
        pair = assigned(node)
        if pair and pair[0] == name and node not in inside:
            starts.append(pair[1])
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            parts = [p for p in written(node.target) if isinstance(p, cst.Subscript)]
            grows += 2 * any(named(part.value) == name for part in parts)
    keyed = found is not None and found.key is not None
    return grows <= 1 and bool(starts) and all(_ordered(v, name, keyed=keyed) for v in starts)


def _ordered(value: cst.BaseExpression, name: str, *, keyed: bool) -> bool:
    """Whether a list is made in order, or is a part of the named one."""
    import libcst as cst

    if isinstance(value, cst.List):
        return len(value.elements) <= 1
    if isinstance(value, cst.Subscript):
        return named(value.value) == name and _is_cut(value)
    return calls(value, "list") == [] or (not keyed and calls(value, "sorted") is not None)
