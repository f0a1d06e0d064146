"""`xs = xs + [x]` or `xs.insert(0, x)` in a loop -> `append`, turned round once at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    integer,
    method,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, only_read

if TYPE_CHECKING:
    import libcst as cst


class ListBuilding(Rule):
    """Let a list grow in place, at its end, instead of copying or moving it for each element.

    Valid for a list that is made in the same function and has no other name (checked as far
    as syntax tells): what grows in place is seen under every name. A list that grows at its
    front must not be asked while the loop runs (checked). Known as amortised appending.
    """

    name = "list_building"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list and the outermost loop that lets it grow."""
        groups: dict[tuple[str, bool, cst.CSTNode], list[_Grown]] = {}
        for node in place.own:
            grown = _grown(node)
            if grown and grown.name in _made(place):
                loop = _loop(program, place, grown)
                if loop is not None:
                    groups.setdefault((grown.name, grown.in_front, loop), []).append(grown)
        for (name, in_front, loop), every in groups.items():
            if any(not grown.in_place for grown in every):
                yield _change(program, name, loop, every, in_front=in_front)


class _Grown(NamedTuple):
    """A line that adds elements to a list; `in_place` where this costs no copy already."""

    line: cst.CSTNode
    name: str
    elements: tuple[str, ...]
    in_front: bool
    in_place: bool = False


def _grown(line: cst.CSTNode) -> _Grown | None:
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.Expr):
        inserted, appended = method(small.value, "insert"), method(small.value, "append")
        if inserted and len(inserted[1]) == 2 and integer(inserted[1][0]) == 0:
            return _Grown(line, named(inserted[0]), (text(inserted[1][1]),), True)
        if appended and len(appended[1]) == 1:
            return _Grown(line, named(appended[0]), (text(appended[1][0]),), False, True)
        return None
    pair = assigned(small)
    if pair is None:
        return None
    name, total = pair
    if not isinstance(total, cst.BinaryOperation) or not isinstance(total.operator, cst.Add):
        return None
    for kept, new in ((total.left, total.right), (total.right, total.left)):
        if named(kept) == name and isinstance(new, cst.List) and name not in names(new):
            elements = [element for element in new.elements if isinstance(element, cst.Element)]
            whole = len(elements) == len(new.elements)
            found = tuple(text(element.value) for element in elements)
            return _Grown(line, name, found, kept is total.right) if whole else None
    return None


def _made(place: Place) -> frozenset[str]:
    """Return the names that are set to a new list somewhere in the function."""
    import libcst as cst

    pairs = (pair for node in place.own if (pair := assigned(node)))
    kinds = (cst.List, cst.ListComp)
    return frozenset(
        name
        for name, value in pairs
        if isinstance(value, kinds) or calls(value, "list") is not None
    )


def _loop(program: Program, place: Place, grown: _Grown) -> cst.CSTNode | None:
    """Return the outermost loop in which the list does nothing that forbids the change."""
    import libcst as cst

    outermost = None
    for loop in program.loops(grown.line):
        inside = set(walk(loop))
        if not isinstance(loop, (cst.For, cst.While)):
            break
        growing = {node for node in place.own if node in inside and _alike(node, grown)}
        others = [
            node
            for node in mentions(place, grown.name)
            if node in inside and not any(above in growing for above in program.above(node))
        ]
        if grown.in_front and others:
            break
        if not all(only_read(program, node) for node in others):
            break
        outermost = loop
    if outermost is None or (grown.in_front and tried(program, outermost)):
        return None
    return outermost if _alone(program, place, grown, outermost) else None


def _alone(program: Program, place: Place, grown: _Grown, loop: cst.CSTNode) -> bool:
    """Whether the list has no other name before the loop ends, nor in a function within."""
    import libcst as cst

    own, inside = set(place.own), set(walk(loop))
    repeated = any(True for _ in program.loops(loop))
    before = set(place.own[: place.own.index(loop)])
    for node in mentions(place, grown.name):
        if node in inside or isinstance(program.parent[node], cst.AssignTarget):
            continue
        if node in own and node not in before and not repeated:
            continue
        line = _grown(program.statement(node))
        if not only_read(program, node) and (line is None or line.name != grown.name):
            return False
    return True


def _alike(line: cst.CSTNode, grown: _Grown) -> bool:
    found = _grown(line)
    return found is not None and (found.name, found.in_front) == (grown.name, grown.in_front)


def _change(
    program: Program, name: str, loop: cst.CSTNode, every: list[_Grown], *, in_front: bool
) -> TreeChange:
    kept = program.fresh(f"{name}_front") if in_front else name
    replaced = {}
    for grown in every:
        elements = grown.elements[::-1] if in_front else grown.elements
        replaced[grown.line] = "\n".join(f"{kept}.append({each})" for each in elements)
    return TreeChange(
        anchor=every[0].line,
        replaced=replaced,
        before={loop: [f"{kept} = []"]} if in_front else {},
        after={loop: [f"{name}[:0] = {kept}[::-1]"]} if in_front else {},
        direction=f"Let the list `{name}` grow in place",
        effect="no copy of the list for each element: O(n^2) -> O(n)",
    )
