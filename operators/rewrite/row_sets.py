"""`set(rows[key])` for each neighbour, again and again -> the set of each row once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import altered
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import mapping
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, index, method, named, only
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
    walk over all keys, the table is made before; elsewhere as the keys come along. What is
    asked of such a row later in the pass may be asked of its set where it is `in`: that rows
    are no texts, in which `in` looks for parts, and that what is looked for is hashable, is
    left to the tests. The row itself may be kept as well: some tables make a view for each
    `[]`. Known as memoising a projection.
    """

    name = "row_sets"
    relies_on = "keys are hashable, and rows are no texts"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield the changes for all sets that are made of the rows of one table."""
        tables: dict[tuple[str, str, cst.CSTNode], list[_Row]] = {}
        for node in place.own:
            row = _row(program, place, node)
            if row is not None:
                tables.setdefault((row.maker, row.rows, row.loop), []).append(row)
        for (_, rows, loop), every in tables.items():
            yield from _changes(program, place, rows, loop, every)


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


def _changes(
    program: Program, place: Place, rows: str, loop: cst.CSTNode, every: list[_Row]
) -> Iterator[TreeChange]:
    """Yield the change, and where rows are asked for besides, one that keeps these as well."""
    sets, first = program.fresh(f"{rows}_sets"), every[0]
    replaced = {each.node: f"{sets}[{each.key}]" for each in every}
    if _walks_keys(program, place, rows, loop):
        key, row = program.fresh("key"), program.fresh("row")
        made = f"{{{key}: {first.maker}({row}) for {key}, {row} in {rows}.items()}}"
        yield _change(rows, first, replaced, {program.statement(loop): [f"{sets} = {made}"]})
        return
    before = _filled(program, loop, every, {sets: f"{first.maker}({rows}[%s])"})
    yield _change(rows, first, replaced, before)
    asked = list(_asked_again(program, place, rows, every))
    among = {n: f"{sets}[{key}]" for n, key in asked if _is_membership(program, n)}
    if among:
        yield _change(rows, first, replaced | among, before, (("rows", "asked"),))
    others = {n: key for n, key in asked if n not in among}
    if others:
        kept = program.fresh(f"{rows}_kept")
        instead = {node: f"{kept}[{key}]" for node, key in others.items()}
        made_of = {kept: f"{rows}[%s]", sets: f"{first.maker}({kept}[%s])"}
        before = _filled(program, loop, every, made_of)
        yield _change(rows, first, replaced | among | instead, before, (("rows", "kept"),))


def _asked_again(
    program: Program, place: Place, rows: str, every: list[_Row]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """Yield where a row is read after its set was made, in the same pass, and by what key."""
    import libcst as cst

    first = {each.key: program.statement(each.node) for each in reversed(every)}
    inside = {node for each in every for node in walk(each.node)}
    for node in place.own:
        found = index(node)
        key = named(found[1]) if found and named(found[0]) == rows else ""
        if key not in first or node in inside:
            continue
        if isinstance(program.parent[node], (cst.AssignTarget, cst.AugAssign, cst.Del)):
            continue
        block = program.block(first[key])
        around = {node, *program.above(node)}
        after = block[block.index(first[key]) :]
        until = next((n for n, line in enumerate(after) if line in around), None)
        later = any(isinstance(n, (cst.Lambda, cst.GeneratorExp)) for n in around)
        if until is None or later:
            continue
        if all(key not in altered(program, line) for line in after[: until + 1]):
            yield node, key


def _is_membership(program: Program, node: cst.CSTNode) -> bool:
    """Whether a row is asked whether it holds something that is no text, and nothing else."""
    import libcst as cst

    above = program.parent[node]
    if not isinstance(above, cst.ComparisonTarget):
        return False
    comparison = program.parent[above]
    if not isinstance(comparison, cst.Comparison) or len(comparison.comparisons) > 1:
        return False
    if not isinstance(above.operator, (cst.In, cst.NotIn)):
        return False
    return not isinstance(comparison.left, cst.BaseString)


def _filled(
    program: Program, loop: cst.CSTNode, every: list[_Row], made: dict[str, str]
) -> dict[cst.CSTNode, list[str]]:
    """Return the lines that make tables before a loop, and fill them as keys come along."""
    before = {program.statement(loop): [f"{table} = {{}}" for table in made]}
    last = [*made][-1]
    for each in every:
        line = before.setdefault(program.statement(each.node), [])
        filling = "".join(
            f"\n    {table}[{each.key}] = {code % each.key}" for table, code in made.items()
        )
        test = f"if {each.key} not in {last}:{filling}"
        if test not in line:
            line.append(test)
    return before


def _change(
    rows: str,
    first: _Row,
    replaced: Mapping[cst.CSTNode, str],
    before: Mapping[cst.CSTNode, list[str]],
    parameters: tuple[tuple[str, str], ...] = (),
) -> TreeChange:
    ways = {"asked": ", and ask it what it holds", "kept": ", and keep the row"}
    more = ways[dict(parameters).get("rows", "")] if parameters else ""
    return TreeChange(
        anchor=first.node,
        replaced=replaced,
        before=before,
        parameters=parameters,
        direction=f"Make the set of each row of `{rows}` once{more}",
        effect="no set of a row for each of its neighbours",
    )
