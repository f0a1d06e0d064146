"""The smallest element taken again and again -> a heap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.handlers import awaited
from operators.rewrite.invariants import stays
from operators.rewrite.lazy_heap import lazy_heaps
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    flat,
    method,
    named,
    only,
    root,
    targets,
    text,
    written,
)
from operators.rewrite.remains import is_exhausted, is_made_for, is_own, is_unread
from operators.rewrite.rule import Rule
from operators.rewrite.uses import free

if TYPE_CHECKING:
    import libcst as cst


class HeapMin(Rule):
    """Take the smallest element from a heap, not from a list searched or sorted each time.

    Valid when the loop only takes the smallest (`min` and `remove`, `sort` and `pop(0)`),
    appends and asks for the length, when it takes out all or nobody sees in which order it
    leaves the others (checked), and when elements that compare as equal are the same for the
    rest of the program (left to the tests). Without appends one sort before the loop does as
    well. By a key, also one whose values the loop sets (`min(left, key=cost.get)`), equal ones
    are taken in the order that they had (elements that are there once: left to the tests).
    Known as a priority queue on a binary heap, heap selection, or lazy deletion.
    """

    name = "heap_min"
    relies_on = "elements that compare as equal are alike"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield a heap, and a sorted list if nothing is added, for each list and loop."""
        import libcst as cst

        if awaited(program, "ValueError"):
            return  # `min` of nothing raises it, a heap does not
        for loop in place.own:
            if isinstance(loop, (cst.For, cst.While)):
                for taken in _taken(loop):
                    yield from _changes(program, place, loop, taken)
                yield from _both_ends(program, place, loop)
                yield from lazy_heaps(program, place, loop)


class _Taken(NamedTuple):
    """Lines in a row that take the smallest (or largest) element of a list.

    Attributes:
        lines: The lines.
        name: Name of the list.
        target: Where the element goes.
        largest: Whether it is the largest.
        key: What elements are compared by; None: by themselves.
        copies: Whether the list is sorted into a new one, and the old one may be of others.
    """

    lines: tuple[cst.CSTNode, ...]
    name: str
    target: str
    largest: bool
    key: cst.BaseExpression | None = None
    copies: bool = False

    @property
    def copy(self) -> list[str]:
        """The line before the loop that leaves the list to others as it is."""
        return [f"{self.name} = list({self.name})"] if self.copies else []


def _taken(loop: cst.CSTNode) -> Iterator[_Taken]:
    import libcst as cst

    for block in walk(loop):
        if isinstance(block, cst.IndentedBlock):
            for position in range(len(block.body) - 1):
                first, second, *others = block.body[position : position + 3]
                found = _search(first, second) or _sorted(first, second, *others)
                if found is not None:
                    yield found


def _search(first: cst.CSTNode, second: cst.CSTNode) -> _Taken | None:
    """`m = min(xs)` and `xs.remove(m)`, or `del xs[xs.index(m)]`."""
    import libcst as cst

    target, call = assigned(only(first)) or ("", None)
    if not isinstance(call, cst.Call) or named(call.func) not in ("min", "max"):
        return None
    values, *options = call.args
    name = named(values.value)
    if not name or values.star or not _removes(only(second), name, target):
        return None
    if any(named(option.keyword) != "key" for option in options):
        return None
    key = options[0].value if options else None
    return _Taken((first, second), name, target, named(call.func) == "max", key)


def _removes(small: cst.CSTNode | None, name: str, target: str) -> bool:
    """Whether a line takes an element out of a list that equals it."""
    at = f"{name}.index({target})"
    return small is not None and flat(small) in (
        f"{name}.remove({target})",
        f"del{name}[{at}]",
        f"{name}.pop({at})",
    )


def _sorted(first: cst.CSTNode, second: cst.CSTNode, *others: cst.CSTNode) -> _Taken | None:
    """`xs.sort()` or `xs = sorted(xs)`, and `x = xs.pop(0)`, or `x = xs[0]` and `del xs[0]`."""
    import libcst as cst

    name, key = _order(only(first)) or ("", None)
    taking = only(second)
    if not name or not isinstance(taking, cst.Assign) or len(taking.targets) != 1:
        return None
    target = text(taking.targets[0].target)
    if flat(taking.value) == f"{name}.pop(0)":
        return _Taken((first, second), name, target, False, key)
    if not others or flat(taking.value) != f"{name}[0]":
        return None
    cut = only(others[0])
    cuts = (f"del{name}[0]", f"{name}={name}[1:]", f"{name}.pop(0)")
    if cut is None or flat(cut) not in cuts:
        return None
    return _Taken((first, second, others[0]), name, target, False, key)


def _order(small: cst.CSTNode | None) -> tuple[str, cst.BaseExpression | None] | None:
    """Return the list that a line brings into ascending order, and its key."""
    import libcst as cst

    pair = assigned(small)
    call = pair[1] if pair else small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call):
        return None
    if pair:
        if (
            named(call.func) != "sorted"
            or not call.args
            or named(call.args[0].value) != pair[0]
        ):
            return None
        name, options = pair[0], call.args[1:]
    else:
        receiver = call.func.value if isinstance(call.func, cst.Attribute) else call.func
        name, options = named(receiver), call.args
        if flat(call.func) != f"{name}.sort":
            return None
    if not name or any(named(option.keyword) != "key" for option in options):
        return None
    return name, options[0].value if options else None


def _changes(
    program: Program, place: Place, loop: cst.CSTNode, taken: _Taken
) -> Iterator[TreeChange]:
    pushes = _pushes(program, loop, taken)
    if pushes is None:
        return
    anew = assigned(only(taken.lines[0]))
    own = is_own(program, place, taken.name, loop)
    if anew and anew[0] == taken.name and not own:
        taken = taken._replace(copies=True)
    unseen = (own or taken.copies) and is_unread(program, place, taken.name, loop)
    if not unseen and not is_exhausted(program, loop, taken.name):
        return  # somebody sees the order of what is left
    if taken.key is None:
        if not taken.largest:
            yield _heap(program, loop, taken, pushes)
        if not pushes:
            yield _presorted(loop, taken)
    elif _is_fixed(program, loop, taken):
        if not pushes:
            yield _presorted(loop, taken)
        elif not taken.largest and is_made_for(program, place, taken.name, loop):
            yield _entries(program, loop, taken, pushes)


def _is_fixed(program: Program, loop: cst.CSTNode, taken: _Taken) -> bool:
    """Whether a key gives the same for an element that is in the list, as far as one sees."""
    import libcst as cst

    key = taken.key
    if key is None or not stays(program, loop, key, free(key)):
        return False
    asked = {node.attr.value for node in walk(key) if isinstance(node, cst.Attribute)}
    set_anew = (part for target in targets(loop) for part in written(target))
    return not any(
        isinstance(part, cst.Attribute)
        and part.attr.value in asked
        and root(part) != taken.target
        for part in set_anew
    )


def _pushes(
    program: Program, loop: cst.CSTNode, taken: _Taken
) -> dict[cst.CSTNode, str] | None:
    """Return what the loop appends, by line; None if it does more with the list."""
    import libcst as cst

    inside = {node for line in taken.lines for node in walk(line)}
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
        anchor=taken.lines[0],
        replaced={
            **dict.fromkeys(taken.lines, ""),
            taken.lines[0]: f"{taken.target} = {heappop}({name})",
            **{line: f"{heappush}({name}, {value})" for line, value in pushes.items()},
        },
        before={loop: [*taken.copy, f"{heapify}({name})"]},
        imports=(*line_1, *line_2, *line_3),
        parameters=(("form", "heap"),),
        direction="Take the smallest element from a heap",
        effect="O(n) -> O(log n) for each element taken",
    )


def _entries(
    program: Program, loop: cst.CSTNode, taken: _Taken, pushes: dict[cst.CSTNode, str]
) -> TreeChange:
    """Keep entries of key, rank and element: of equal keys the oldest comes first."""
    assert taken.key is not None
    heapify, line_1 = imported(program, "heapq", "heapify")
    heappop, line_2 = imported(program, "heapq", "heappop")
    heappush, line_3 = imported(program, "heapq", "heappush")
    count, line_4 = imported(program, "itertools", "count")
    each, number, order = map(program.fresh, ("each", "number", "order"))
    name, key = taken.name, text(taken.key)
    by = program.fresh(f"{name}_key")
    entry = f"({by}({each}), {number}, {each})"
    return TreeChange(
        anchor=taken.lines[0],
        replaced={
            **dict.fromkeys(taken.lines, ""),
            taken.lines[0]: f"{taken.target} = {heappop}({name})[2]",
            **{
                line: f"{each} = {value}\n"
                f"{heappush}({name}, ({by}({each}), next({order}), {each}))"
                for line, value in pushes.items()
            },
        },
        before={
            loop: [
                f"{by} = {key}",
                f"{name} = [{entry} for {number}, {each} in enumerate({name})]",
                f"{heapify}({name})",
                f"{order} = {count}(len({name}))",
            ]
        },
        imports=(*line_1, *line_2, *line_3, *line_4),
        parameters=(("form", "entries"),),
        direction="Take the element of the smallest key from a heap",
        effect="O(n log n) -> O(log n) for each element taken",
    )


def _presorted(loop: cst.CSTNode, taken: _Taken) -> TreeChange:
    order = "" if taken.largest else "reverse=True"
    before = [f"{taken.name}.sort({order})"]
    if taken.key is not None:  # of equal keys the first one is taken first
        turned = ", reverse=True" if taken.largest else ""
        before = [
            f"{taken.name}.sort(key={text(taken.key)}{turned})",
            f"{taken.name}.reverse()",
        ]
    return TreeChange(
        anchor=taken.lines[0],
        replaced={
            **dict.fromkeys(taken.lines, ""),
            taken.lines[0]: f"{taken.target} = {taken.name}.pop()",
        },
        before={loop: [*taken.copy, *before]},
        parameters=(("form", "sorted"),),
        direction="Sort once before the loop and take from the end",
        effect="O(n) -> O(1) for each element taken, for one sort",
    )


def _both_ends(program: Program, place: Place, loop: cst.CSTNode) -> Iterator[TreeChange]:
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
            taken = _Taken((first, second), name, "", False)
            made = is_made_for(program, place, name, loop)
            if made and _pushes(program, loop, taken) == {}:
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
