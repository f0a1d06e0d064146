"""`xs = xs + [x]`, `[*xs, x]` or `xs.insert(0, x)` in a loop -> `append`, turned round once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import GrowingLine, grown
from operators.rewrite.change import TreeChange
from operators.rewrite.handlers import tried
from operators.rewrite.in_place import growing_loop, own_objects
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    integer,
    method,
    named,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class ListBuilding(Rule):
    """Let a list grow in place, at its end, instead of copying or moving it for each element.

    Valid for a name that is set to nothing but lists made in the same function, and a list that
    has no other name (checked as far as syntax tells): what grows in place is seen under every
    name. A list that grows at its front must not be asked while the loop runs (checked). That
    what is added is a list, too, is left to the tests. Known as amortised appending.
    """

    name = "list_building"
    relies_on = "what is added is a list"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list and the outermost loop that lets it grow."""
        groups: dict[tuple[str, bool, cst.CSTNode], list[_Grown]] = {}
        made = own_objects(program, place, _is_new, _stepped)
        found = [g for node in place.own if (g := _grown(node)) and g.name in made]
        for each in found:
            mine = [other for other in found if other.name == each.name]
            alike = [other.line for other in mine if other.in_front == each.in_front]
            loop = growing_loop(
                program, place, each.name, each.line, alike,
                [other.line for other in mine], asked=not each.in_front,
            )  # fmt: skip
            if loop is not None and not (each.in_front and tried(program, loop)):
                groups.setdefault((each.name, each.in_front, loop), []).append(each)
        for (name, in_front, loop), every in groups.items():
            if any(not each.in_place for each in every):
                yield _change(program, name, loop, every, in_front=in_front)


class _Grown(NamedTuple):
    """A line that adds to a list; `in_place` where this costs no copy already.

    `added` are elements at its front, or the lines that add at its end.
    """

    line: cst.CSTNode
    name: str
    added: tuple[str, ...]
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
            return _Grown(line, named(appended[0]), (), False, True)
        return None
    growth = _growth(small)
    if growth is None:
        return None
    shown = [_elements(piece) for piece in growth.pieces]
    if growth.in_front:
        elements = tuple(each for found in shown for each in found)
        return _Grown(line, growth.name, elements, True) if all(shown) else None
    rows = _added(growth, shown)
    return _Grown(line, growth.name, rows, False, isinstance(small, cst.AugAssign))


def _growth(small: cst.CSTNode | None) -> GrowingLine | None:
    """Return what a statement adds to a list; the copy in `(*xs, x)` is none."""
    import libcst as cst

    found = grown(small)
    tuples = found and any(isinstance(piece, cst.Tuple) for piece in found.pieces)
    return None if tuples else found


def _added(growth: GrowingLine, shown: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the lines that put the pieces at the end.

    Several lines only where none of them raises an error or asks for the list after another.
    """
    name, pieces = growth.name, growth.pieces
    if len(shown) > 1 and not all(map(_is_plain, pieces)):
        return (f"{name} += {' + '.join(map(text, pieces))}",)
    rows = []
    for elements, piece in zip(shown, pieces, strict=True):
        if len(elements) == 1 or (elements and _is_plain(piece)):
            rows += [f"{name}.append({element})" for element in elements]
        else:
            rows.append(f"{name} += {text(piece)}")
    return tuple(rows)


def _is_plain(piece: cst.BaseExpression) -> bool:
    """Whether a piece is made of names and literals alone."""
    import libcst as cst

    shown = (cst.List, cst.Element, cst.StarredElement, cst.UnaryOperation, cst.Minus)
    parts = (*shown, cst.Name, cst.BaseNumber, cst.SimpleString)
    return all(isinstance(node, parts) for node in walk(piece))


def _elements(piece: cst.BaseExpression) -> tuple[str, ...]:
    """Return what `[a, b]` holds; nothing where that is not all that it holds."""
    import libcst as cst

    if not isinstance(piece, cst.List):
        return ()
    plain = all(isinstance(element, cst.Element) for element in piece.elements)
    return tuple(text(element.value) for element in piece.elements) if plain else ()


def _is_new(value: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(value, (cst.List, cst.ListComp)) or calls(value, "list") is not None


def _stepped(small: cst.CSTNode | None) -> str:
    found = _growth(small)
    return found.name if found else ""


def _change(
    program: Program, name: str, loop: cst.CSTNode, every: list[_Grown], *, in_front: bool
) -> TreeChange:
    kept = program.fresh(f"{name}_front")
    replaced: dict[cst.CSTNode, str] = {}
    for each in every:
        if in_front:
            replaced[each.line] = "\n".join(f"{kept}.append({e})" for e in each.added[::-1])
        elif not each.in_place:
            replaced[each.line] = "\n".join(each.added)
    return TreeChange(
        anchor=next(iter(replaced)),
        replaced=replaced,
        before={loop: [f"{kept} = []"]} if in_front else {},
        after={loop: [f"{name}[:0] = {kept}[::-1]"]} if in_front else {},
        direction=f"Let the list `{name}` grow in place",
        effect="no copy of the list for each element: O(n^2) -> O(n)",
    )
