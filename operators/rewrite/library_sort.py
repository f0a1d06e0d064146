"""A sort that is written out with loops -> `list.sort`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import smalls
from operators.rewrite.change import TreeChange
from operators.rewrite.loops import confined, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    bound,
    compared,
    conjuncts,
    flat,
    index,
    named,
    names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class LibrarySort(Rule):
    """Let `list.sort` do what loops of swaps or shifts do.

    Valid for two loops, one in the other, that do nothing but compare elements of one list
    and swap or shift them (checked): bubble, exchange, selection, insertion and gnome sort,
    by the elements or by a key of them. That the loops reach all of the list is left to the
    tests, and so is the order of equal elements where the old sort did not keep it.
    """

    name = "library_sort"
    relies_on = "the loops reach all of the list"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each sort."""
        import libcst as cst

        done: set[cst.CSTNode] = set()
        for loop in place.own:
            if not isinstance(loop, (cst.For, cst.While)) or loop in done:
                continue
            found = _sort(program, loop)
            if found is None or not confined(program, place, loop, bound(loop)):
                continue
            done |= set(walk(loop))
            arguments = [f"key={found.key}"] if found.key else []
            arguments += ["reverse=True"] if found.falling else []
            yield TreeChange(
                anchor=loop,
                replaced={loop: f"{found.values}.sort({', '.join(arguments)})"},
                direction="Sort by the library instead of by loops",
                effect="O(n^2) -> O(n log n), in C",
            )


class _Sort(NamedTuple):
    values: str
    key: str
    falling: bool


class _Test(NamedTuple):
    """`left > right` where elements are out of order: their indices, and the key of both."""

    left: str
    right: str
    key: str


def _sort(program: Program, loop: cst.For | cst.While) -> _Sort | None:
    """Return what the loops sort, and how, or None for other loops."""
    import libcst as cst

    loops = [n for n in walk(loop) if isinstance(n, (cst.For, cst.While))]
    values = _written(loop)
    if len(loops) != 2 or not values or not _only_moves(program, loop, values):
        return None
    tests = [t for n in walk(loop) if (t := _out_of_order(n, values, loop))]
    if len(tests) != 1:
        return None
    (test,) = tests
    rising = _rising(loops, test, values)
    return _Sort(values, test.key, not rising) if rising is not None else None


def _written(loop: cst.CSTNode) -> str:
    """Return the one name that the loop assigns elements of."""
    import libcst as cst

    places = {text(place[0]) for t in _places(loop) if (place := index(t))}
    simple = len(places) == 1 and min(places).isidentifier()
    others = [n for n in walk(loop) if isinstance(n, (cst.Return, cst.Del, cst.FunctionDef))]
    return min(places) if simple and not others else ""


def _places(loop: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the single targets of all assignments."""
    import libcst as cst

    for node in walk(loop):
        if isinstance(node, cst.AssignTarget):
            target = node.target
            both = target.elements if isinstance(target, cst.Tuple) else ()
            yield from (element.value for element in both)
            if not both:
                yield target


def _only_moves(program: Program, loop: cst.CSTNode, values: str) -> bool:
    """Whether no call and no assignment does more than measure, count and move elements."""
    import libcst as cst

    for node in walk(loop):
        if isinstance(node, cst.Call) and not computes(program, node):
            return False
        if isinstance(node, cst.AugAssign) and not named(node.target):
            return False
    return bool(_swaps(loop, values) | _shifts(loop, values))


def _swaps(loop: cst.CSTNode, values: str) -> set[frozenset[str] | str]:
    """Return the pairs of indices whose elements change places."""
    import libcst as cst

    found: set[frozenset[str] | str] = set()
    kept: dict[str, str] = {}
    moved: dict[str, str] = {}
    for small in smalls(loop):
        pair = assigned(small)
        place = _place(pair[1], values) if pair else ""
        if pair and place:
            kept[pair[0]] = place
        if not isinstance(small, cst.Assign):
            continue
        target, value = small.targets[0].target, small.value
        if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
            new = [_place(e.value, values) for e in target.elements]
            old = [_place(e.value, values) for e in value.elements]
            if new == old[::-1] and len(new) == 2 and all(new):
                found.add(frozenset(new))
        elif _place(target, values) and _place(value, values):
            moved[_place(value, values)] = _place(target, values)
        else:
            place = _place(target, values)
            other = kept.get(named(value), "")
            if place and other and moved.get(place) == other:
                found.add(frozenset([place, other]))
    return found


def _shifts(loop: cst.CSTNode, values: str) -> set[frozenset[str] | str]:
    """Return the indices j of `values[j + 1] = values[j]`."""
    import libcst as cst

    return {
        old
        for small in smalls(loop)
        if isinstance(small, cst.Assign)
        and (old := _place(small.value, values))
        and _place(small.targets[0].target, values) == f"{old}+1"
    }


def _place(node: cst.CSTNode, values: str) -> str:
    found = index(node)
    return flat(found[1]) if found and named(found[0]) == values else ""


def _out_of_order(node: cst.CSTNode, values: str, loop: cst.CSTNode) -> _Test | None:
    """Return the indices of two elements that a test compares; the first is the greater."""
    import libcst as cst

    if not isinstance(node, (cst.If, cst.While)):
        return None
    held = {
        pair[0]: pair[1]
        for small in smalls(loop)
        if (pair := assigned(small)) and _place(pair[1], values)
    }
    for part in conjuncts(node.test):
        more = compared(part, "GreaterThan", "GreaterThanEqual")
        less = compared(part, "LessThan", "LessThanEqual")
        sides = more or (less and less[::-1])
        if not sides:
            continue
        first, second = (_element(side, values, held) for side in sides)
        if first and second and first[1] == second[1]:
            key = "" if first[1] == "item" else f"lambda item: {first[1]}"
            return _Test(first[0], second[0], key)
    return None


def _element(
    side: cst.BaseExpression, values: str, held: dict[str, cst.BaseExpression]
) -> tuple[str, str] | None:
    """Return the index of the one element in an expression, and the expression of `item`."""
    own: dict[cst.CSTNode, str] = {}
    places = set()
    for node in walk(side):
        if _place(node, values):
            own[node] = "item"
            places.add(_place(node, values))
        elif named(node) in held:
            own[node] = "item"
            places.add(f"={named(node)}")
    if len(places) != 1 or "item" in names(side):
        return None
    return min(places), substituted(side, own)


def _rising(loops: list[cst.For | cst.While], test: _Test, values: str) -> bool | None:
    """Whether the loops sort upwards; None where that cannot be seen."""
    left, right = test.left, test.right
    outer, inner = loops
    if frozenset([left, right]) in _swaps(outer, values):
        return _before(left, right, outer, inner)
    held = [t for t in (left, right) if t.startswith("=")]
    if held:
        other = left if right in held else right
        return (right in held) if other in _shifts(outer, values) else None
    # Selection: the test moves a mark, and the marked element is swapped after the inner loop.
    marks = {pair[0]: flat(pair[1]) for s in smalls(inner) if (pair := assigned(s))}
    for mark, other, greater in ((left, right, True), (right, left, False)):
        swapped = any(mark in found for found in _swaps(outer, values))
        if marks.get(mark) == other and swapped and _starts_after(outer, inner):
            return greater
    return None


def _before(
    left: str, right: str, outer: cst.For | cst.While, inner: cst.For | cst.While
) -> bool | None:
    """Whether the first of two indices comes before the other in the list."""
    if right == f"{left}+1" or left == f"{right}-1":
        return True
    if left == f"{right}+1" or right == f"{left}-1":
        return False
    first, second = named(getattr(outer, "target", None)), named(getattr(inner, "target", None))
    if {left, right} == {first, second} and _starts_after(outer, inner):
        return left == first
    return None


def _starts_after(outer: cst.For | cst.While, inner: cst.For | cst.While) -> bool:
    """Whether the inner loop runs over what comes after the index of the outer one."""
    first = named(getattr(outer, "target", None))
    return bool(first) and flat(getattr(inner, "iter", inner)).startswith(f"range({first}+1")
