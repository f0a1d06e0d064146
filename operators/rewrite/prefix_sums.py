"""`sum(values[i:j])` in a loop -> the difference of two running sums made before the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import Change, imported
from operators.rewrite.effects import invariant_loop, pure
from operators.rewrite.integers import asked, either, either_step, integers
from operators.rewrite.kinds import elements_of
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    comp_for,
    index,
    lines,
    named,
    names,
    only,
    root,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class PrefixSums(Rule):
    """Read the sum of a slice off running sums that are made once.

    Valid when the values do not change while the loop runs (checked) and the bounds lie in
    order within the list; the clamped form treats bounds as a slice does, negative ones
    excepted. Values that are no integers are added up as before. Known as prefix sums, or a
    summed-area table in one dimension.
    """

    name = "prefix_sums"

    def changes(self, program: Program, place: Place) -> Iterator[Change]:
        """Yield a plain and a clamped change for each list and loop."""
        groups: dict[tuple[str, cst.CSTNode], list[_Sum]] = {}
        for node in place.own:
            found = None if asked(program, node) else _sum(node)
            loop = invariant_loop(program, node, found.values) if found else None
            if found and loop and names(found.values) and pure(found.values):
                groups.setdefault((text(found.values), program.statement(loop)), []).append(
                    found
                )
        for (_, line), sums in groups.items():
            source = elements_of(program, place, sums[0].values)
            for clamped in (False, True):
                yield _change(program, line, sums, source, clamped=clamped)


class _Sum(NamedTuple):
    """A sum of values[lower:upper]: the node that it replaces, and the total of a loop."""

    node: cst.CSTNode
    values: cst.BaseExpression
    lower: str
    upper: str
    total: str = ""


def _change(
    program: Program, line: cst.CSTNode, sums: list[_Sum], source: str, *, clamped: bool
) -> Change:
    accumulate, imports = imported(program, "itertools", "accumulate")
    values = sums[0].values
    name = program.fresh(f"{root(values) or 'values'}_sums")
    made = f"{name} = [*{accumulate}({source}, initial=0)]"
    return Change(
        anchor=sums[0].node,
        replaced={s.node: _read(name, s, clamped=clamped) for s in sums},
        before={line: [made]},
        imports=imports,
        parameters=(("bounds", "clamped" if clamped else "plain"),),
        direction="Read slice sums off prefix sums",
        effect="O(n) -> O(1) a sum, for one pass that adds up all",
    )


def _read(name: str, found: _Sum, *, clamped: bool) -> str:
    difference = _difference(name, found, clamped=clamped)
    if not found.total:
        return either(integers([f"{name}[-1]"]), difference, text(found.node))
    step = f"{found.total} += {difference}"
    return either_step(integers([f"{name}[-1]", found.total]), step, text(found.node))


def _difference(name: str, found: _Sum, *, clamped: bool) -> str:
    lower, upper = found.lower or "0", found.upper or "-1"
    if clamped:
        top = f"len({name}) - 1"
        lower = f"min({lower}, {top})" if lower != "0" else lower
        upper = f"max({lower}, min({upper}, {top}))" if upper != "-1" else upper
    total = f"{name}[{upper}]"
    return total if lower == "0" else f"{total} - {name}[{lower}]"


def _sum(node: cst.CSTNode) -> _Sum | None:
    import libcst as cst

    if isinstance(node, cst.For):
        return _added(node)
    arguments = calls(node, "sum")
    if not arguments or len(arguments) != 1:
        return None
    (argument,) = arguments
    bounds = _slice(argument)
    if bounds:
        values, lower, upper = bounds
        edges = [text(edge) if edge else "" for edge in (lower, upper)]
        return None if any(e.startswith("-") for e in edges) else _Sum(node, values, *edges)
    if isinstance(argument, (cst.ListComp, cst.GeneratorExp)):
        loop = comp_for(argument)
        if not loop.ifs and not loop.inner_for_in:
            return _over_range(node, argument.elt, loop.target, loop.iter)
    return None


def _slice(
    node: cst.CSTNode,
) -> tuple[cst.BaseExpression, cst.BaseExpression | None, cst.BaseExpression | None] | None:
    """Return value, lower and upper bound of `value[lower:upper]`, else None."""
    import libcst as cst

    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    found = node.slice[0].slice
    if not isinstance(found, cst.Slice) or found.step:
        return None
    return node.value, found.lower, found.upper


def _added(loop: cst.For) -> _Sum | None:
    """`for k in range(i, j): s += values[k]`, and nothing else."""
    import libcst as cst

    body = lines(loop.body)
    small = only(body[0]) if len(body) == 1 else None
    if not isinstance(small, cst.AugAssign) or loop.orelse is not None:
        return None
    if not isinstance(small.operator, cst.AddAssign) or not named(small.target):
        return None
    return _over_range(loop, small.value, loop.target, loop.iter, named(small.target))


def _over_range(
    node: cst.CSTNode,
    element: cst.BaseExpression,
    target: cst.CSTNode,
    iterable: cst.BaseExpression,
    total: str = "",
) -> _Sum | None:
    arguments, found = calls(iterable, "range"), index(element)
    if not arguments or len(arguments) > 2 or not all(map(pure, arguments)) or found is None:
        return None
    if (
        not named(target)
        or named(found[1]) != named(target)
        or named(target) in names(found[0])
    ):
        return None
    lower = text(arguments[0]) if len(arguments) == 2 else "0"
    return _Sum(node, found[0], lower, text(arguments[-1]), total)
