"""`values.index(x)` or `x in values[:i]` in a loop -> a table of positions, made once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.handlers import awaited
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import compared, method, names, spoken, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class PositionTable(Rule):
    """Look positions up in a dictionary instead of searching a sequence for them.

    Valid when the sequence does not change while the loop runs (checked) and its elements
    are hashable; of a string, single characters are looked up (both left to the tests). A
    first position answers `index`, unless its `ValueError` is waited for (checked), and with
    the last one whether an element comes before or after a place. Known as an inverted index.
    """

    name = "position_table"
    relies_on = "elements are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each sequence, loop and kind of position."""
        groups: dict[tuple[str, bool, cst.CSTNode], list[_Search]] = {}
        missed = awaited(program, "ValueError")  # a table raises another error
        for node in place.own:
            search = _search(node)
            if search and missed and method(node, "index"):
                continue
            loop = invariant_loop(program, node, search.values) if search else None
            if search and loop and names(search.values) and pure(search.values):
                key = (text(search.values), search.last, program.statement(loop))
                groups.setdefault(key, []).append(search)
        for (_, last, line), searches in groups.items():
            source = elements_of(program, place, searches[0].values)
            yield _change(program, line, searches, source, last=last)


class _Search(NamedTuple):
    """A search: the node that it is, in what, and the answer, given the table's name."""

    node: cst.CSTNode
    values: cst.BaseExpression
    answer: str
    last: bool = False


def _search(node: cst.CSTNode) -> _Search | None:
    call = method(node, "index")
    if call and len(call[1]) == 1 and pure(call[1][0]):
        return _Search(node, call[0], f"{{table}}[{text(call[1][0])}]")
    sides = compared(node, "In", "NotIn")
    return _part(node, *sides) if sides and pure(sides[0]) else None


def _part(
    node: cst.CSTNode, wanted: cst.BaseExpression, part: cst.BaseExpression
) -> _Search | None:
    """Return the search of a beginning or an end of a sequence."""
    import libcst as cst

    if not isinstance(part, cst.Subscript) or len(part.slice) != 1:
        return None
    cut = part.slice[0].slice
    if not isinstance(cut, cst.Slice) or cut.step or bool(cut.lower) == bool(cut.upper):
        return None
    bound = cut.upper or cut.lower
    if bound is None or not pure(bound) or text(bound).startswith("-"):
        return None
    found = compared(node, "In") is not None
    edge = text(bound) if isinstance(bound, cst.Name) else f"({text(bound)})"
    if cut.upper:
        sign, missing = ("<" if found else ">="), text(bound)
    else:
        sign, missing = (">=" if found else "<"), "-1"
    answer = f"{{table}}.get({text(wanted)}, {missing}) {sign} {edge}"
    return _Search(node, part.value, answer, last=cut.upper is None)


def _change(
    program: Program, line: cst.CSTNode, searches: list[_Search], source: str, *, last: bool
) -> TreeChange:
    values = searches[0].values
    which = "last" if last else "first"
    table = program.fresh(f"{spoken(values) or 'values'}_{which}")
    place, each = program.fresh("place"), program.fresh("each")
    filed = f"{table}[{each}] = {place}" if last else f"{table}.setdefault({each}, {place})"
    made = f"for {place}, {each} in enumerate({source}):\n    {filed}"
    return TreeChange(
        anchor=searches[0].node,
        replaced={s.node: s.answer.replace("{table}", table) for s in searches},
        before={line: [f"{table} = {{}}", made]},
        parameters=(("position", which),),
        direction=f"Look {which} positions up in a table",
        effect="O(n) -> O(1) a search, for one pass that files all positions",
    )
