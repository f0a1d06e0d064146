"""`set(rows[key])` for each neighbour, again and again -> the set of each row once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import mapping
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import calls, index, method, named, only, text
from operators.rewrite.rule import Rule
from operators.rewrite.uses import asked, stays_local

if TYPE_CHECKING:
    import libcst as cst

_MAKERS = ("set", "frozenset")


class RowSets(Rule):
    """Keep the set of each row that a loop in a loop makes anew, by the row's key.

    Such as `set(graph[u]) & set(graph[v])` for all pairs of neighbours. Valid where the rows
    stay as they are in the outermost loop, and the sets are only read (checked); that keys are
    hashable, and rows that are changed have other names, is left to the tests. Where the loops
    walk over all keys, the table is made before; elsewhere as the keys come along. Known as
    memoising a projection.
    """

    name = "row_sets"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for all sets that are made of the rows of one table."""
        tables: dict[tuple[str, str, cst.CSTNode], list[_Row]] = {}
        for node in place.own:
            row = _row(program, place, node)
            if row is not None:
                tables.setdefault((row.maker, row.rows, row.loop), []).append(row)
        for (_, rows, loop), every in tables.items():
            yield _change(program, place, rows, loop, every)


class _Row(NamedTuple):
    """A set that is made of a row: which, of what, by what key, and the outermost loop."""

    node: cst.CSTNode
    rows: str
    key: str
    maker: str
    loop: cst.CSTNode


def _row(program: Program, place: Place, node: cst.CSTNode) -> _Row | None:
    import libcst as cst

    for maker in _MAKERS:
        arguments = calls(node, maker)
        found = index(arguments[0]) if arguments and len(arguments) == 1 else None
        if not found or not named(found[0]) or not named(found[1]):
            continue
        loop = invariant_loop(program, node, found[0])
        around = list(program.loops(node))
        if not isinstance(loop, (cst.For, cst.While)) or around.index(loop) < 1:
            return None
        if not stays_local(program, place, node):
            return None
        line = program.statement(node)
        plain = only(line) is not None and isinstance(around[0], (cst.For, cst.While))
        sure = plain and asked(program, node, line) == []
        if not sure and not _walks_keys(program, place, named(found[0]), loop):
            return None
        return _Row(node, named(found[0]), named(found[1]), maker, loop)
    return None


def _walks_keys(program: Program, place: Place, rows: str, loop: cst.CSTNode) -> bool:
    """Whether a loop walks over all keys of a table, so that a set of each is wanted."""
    import libcst as cst

    if not isinstance(loop, cst.For):
        return False
    keys = method(loop.iter, "items") or method(loop.iter, "keys")
    if keys:
        return named(keys[0]) == rows
    return named(loop.iter) == rows and mapping(program, place, loop.iter)


def _change(
    program: Program, place: Place, rows: str, loop: cst.CSTNode, every: list[_Row]
) -> TreeChange:
    sets, first = program.fresh(f"{rows}_sets"), every[0]
    before: dict[cst.CSTNode, list[str]] = {}
    if _walks_keys(program, place, rows, loop):
        key, row = program.fresh("key"), program.fresh("row")
        made = f"{{{key}: {first.maker}({row}) for {key}, {row} in {rows}.items()}}"
        before[program.statement(loop)] = [f"{sets} = {made}"]
    else:
        before[program.statement(loop)] = [f"{sets} = {{}}"]
        for each in every:
            line = before.setdefault(program.statement(each.node), [])
            made = f"{sets}[{each.key}] = {text(each.node)}"
            test = f"if {each.key} not in {sets}:\n    {made}"
            if test not in line:
                line.append(test)
    return TreeChange(
        anchor=first.node,
        replaced={each.node: f"{sets}[{each.key}]" for each in every},
        before=before,
        direction=f"Make the set of each row of `{rows}` once",
        effect="no set of a row for each of its neighbours",
    )
