"""`xs = xs + [x]` or `xs.insert(0, x)` in a loop -> `append`, turned round once at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.in_place import growing_loop
from operators.rewrite.program import Place, Program
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
        made = _made(place)
        found = [g for node in place.own if (g := _grown(node)) and g.name in made]
        for grown in found:
            mine = [other for other in found if other.name == grown.name]
            alike = [other.line for other in mine if other.in_front == grown.in_front]
            loop = growing_loop(
                program, place, grown.name, grown.line, alike,
                [other.line for other in mine], asked=not grown.in_front,
            )  # fmt: skip
            if loop is not None and not (grown.in_front and tried(program, loop)):
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
