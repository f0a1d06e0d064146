"""`sum(values[i:j])` in a loop -> the difference of two running sums made before the loop."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile
from operator import is_not
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import pure
from operators.rewrite.element_parts import elements_stay
from operators.rewrite.imports import imports
from operators.rewrite.index_order import in_order
from operators.rewrite.integers import asked, either, either_step, integers, least
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.kinds import elements_of, holds_floats, mapping
from operators.rewrite.loops import confined, substituted
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    bound,
    calls,
    comp_for,
    field_word,
    has_fixed_index,
    index,
    integer,
    lines,
    named,
    names,
    only,
    spoken,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import only_read
from se_agent.program.parsing import expression_tree

if TYPE_CHECKING:
    import libcst as cst


class PrefixSums(Rule):
    """Read the sum of a slice, or of a part of each of its elements, off running sums.

    Valid when the values do not change while the loop runs (checked) and the bounds are
    integers that lie in order within the list: where loops that count do not tell this, the new
    code asks for it, and adds up as before otherwise, as it does with values that are no
    integers. That the values are in a list, and all of them are numbers (also those that no sum
    comes to), is left to the tests. Known as prefix sums, or a summed-area table in one
    dimension.
    """

    name = "prefix_sums"
    relies_on = "the values are a list of numbers, and bounds are whole numbers"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield a change for each list and loop."""
        import libcst as cst

        groups: dict[tuple[str, str, str, cst.CSTNode], list[_Sum]] = {}
        for node in place.own:
            found = None if asked(program, node) else _sum(node)
            if found is None or not _same_elsewhere(program, place, found):
                continue
            loop = invariant_loop(program, node, found.values)
            lazy = (n for n in program.loops(node) if isinstance(n, cst.GeneratorExp))
            if any(not only_read(program, each) for each in lazy):
                continue  # its sums are asked for when the values may be others
            if not loop or not names(found.values) or not pure(found.values):
                continue
            if found.of is None and holds_floats(place, found.values):
                continue  # differences of float sums are others: nothing would be gained
            around = takewhile(partial(is_not, loop), program.loops(node))
            ordered = in_order(place, [*around, loop], found.values, found.bounds)
            if not ordered and not all(pure(bound) for bound in found.bounds if bound):
                continue  # they would be evaluated twice
            if found.of is None or elements_stay(program, loop, [found.of]):
                terms = (text(found.values), found.variable, text(found.of) if found.of else "")
                groups.setdefault((*terms, program.statement(loop)), []).append(
                    found._replace(
                        ordered=ordered,
                        clamped=not ordered and _counts_from_an_end(program, place, found),
                    )
                )
        for (*_, line), sums in groups.items():
            yield _change(program, line, sums, elements_of(program, place, sums[0].values))


class _Sum(NamedTuple):
    """A sum of values[lower:upper]: the node that it replaces, and the total of a loop.

    A bound that is None is the beginning, or the end. `of` is what is added of each value,
    which it calls `variable`; None: the value itself.

    Attributes:
        ordered: Whether the bounds are known to lie in order within the list.
        sliced: Whether a bound beyond the end stands for the end: where an index is, it has an
            error there.
        clamped: Whether it has one bound, which is so, and no less than nought.
    """

    node: cst.CSTNode
    values: cst.BaseExpression
    bounds: tuple[cst.BaseExpression | None, cst.BaseExpression | None]
    total: str = ""
    ordered: bool = False
    sliced: bool = False
    clamped: bool = False
    variable: str = ""
    of: cst.BaseExpression | None = None


def _same_elsewhere(program: Program, place: Place, found: _Sum) -> bool:
    """Whether values are no keys, and nobody reads where a loop that adds them up has ended."""
    import libcst as cst

    if mapping(program, place, found.values):
        return False
    loop = found.node
    return not isinstance(loop, cst.For) or confined(program, place, loop, {named(loop.target)})


def _change(program: Program, line: cst.CSTNode, sums: list[_Sum], source: str) -> TreeChange:
    accumulate, imports = imported(program, "itertools", "accumulate")
    values, of = sums[0].values, sums[0].of
    word = field_word(of) if of else ""
    name = program.fresh("_".join(filter(None, (spoken(values) or "values", word, "sums"))))
    if of is not None:
        source = f"({text(of)} for {sums[0].variable} in {source})"
    made = f"{name} = [*{accumulate}({source}, initial=0)]"
    return TreeChange(
        anchor=sums[0].node,
        replaced={s.node: _read(name, s) for s in sums},
        before={line: [made]},
        imports=imports,
        parameters=(("bounds", "plain" if all(map(_is_plain, sums)) else "guarded"),),
        direction="Read slice sums off prefix sums",
        effect="O(n) -> O(1) a sum, for one pass that adds up all",
    )


def _read(name: str, found: _Sum) -> str:
    lower, upper = (text(bound) if bound else "" for bound in found.bounds)
    within = "" if _is_plain(found) else _within(name, filter(None, (lower, upper)))
    if found.clamped:
        end = f"len({text(found.values)})"
        lower, upper = (f"min({bound}, {end})" if bound else "" for bound in (lower, upper))
    difference = f"{name}[{upper or '-1'}]"
    if lower:
        difference += f" - {name}[{lower}]"
    if not found.total:
        test = integers([f"{name}[-1]"], and_then=within)
        return either(test, difference, text(found.node))
    test = integers([f"{name}[-1]", found.total], and_then=within)
    return either_step(test, f"{found.total} += {difference}", text(found.node))


def _is_plain(found: _Sum) -> bool:
    return found.ordered or found.clamped


def _counts_from_an_end(program: Program, place: Place, found: _Sum) -> bool:
    """Whether a slice has one bound, which is at least nought wherever the loops lead."""
    given = [bound for bound in found.bounds if bound]
    others = program.definitions.keys() | {one.name for one in imports(program)}
    if {"len", "min"} & (bound(program.module) | others):
        return False  # what the new code would call
    return found.sliced and len(given) == 1 and least(program, place, given[0]) >= 0


def _within(name: str, bounds: Iterable[str]) -> str:
    """Return the test whether bounds lie in order within the list."""
    return f"{' <= '.join(['0', *map(_operand, bounds)])} < len({name})"


def _operand(code: str) -> str:
    """Return an expression as it may stand in a comparison."""
    loose = (ast.Compare, ast.BoolOp, ast.IfExp, ast.UnaryOp)
    return f"({code})" if isinstance(expression_tree(code), loose) else code


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
        return _between(node, *bounds)
    if isinstance(argument, (cst.ListComp, cst.GeneratorExp)):
        loop = comp_for(argument)
        if not loop.ifs and not loop.inner_for_in:
            return _over_slice(node, argument.elt, loop) or _over_range(
                node, argument.elt, loop.target, loop.iter
            )
    return None


def _over_slice(
    node: cst.CSTNode, element: cst.BaseExpression, loop: cst.CompFor
) -> _Sum | None:
    """`sum(value.size for value in values[i:j])`."""
    variable, bounds = named(loop.target), _slice(loop.iter)
    if not variable or not bounds or names(element) != {variable} or not pure(element):
        return None
    found = _between(node, *bounds)
    of = None if named(element) else element
    return found._replace(variable=variable, of=of) if found else None


def _between(
    node: cst.CSTNode,
    values: cst.BaseExpression,
    lower: cst.BaseExpression | None,
    upper: cst.BaseExpression | None,
) -> _Sum | None:
    bounds = (_lower(lower), upper)
    if any(text(bound).startswith("-") for bound in bounds if bound):
        return None
    return _Sum(node, values, bounds, sliced=True)


def _lower(edge: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Return a lower bound; None where it is the beginning."""
    return None if edge is None or integer(edge) == 0 else edge


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
    import libcst as cst

    base = element
    while isinstance(base, cst.Attribute) or (
        has_fixed_index(base) and isinstance(base, cst.Subscript)
    ):
        base = base.value
    arguments, found = calls(iterable, "range"), index(base)
    if not arguments or len(arguments) > 2 or not all(map(pure, arguments)) or found is None:
        return None
    if (
        not named(target)
        or named(found[1]) != named(target)
        or named(target) in names(found[0])
    ):
        return None
    lower = _lower(arguments[0] if len(arguments) == 2 else None)
    made = _Sum(node, found[0], (lower, arguments[-1]), total)
    if base is element:
        return made
    of = cst.parse_expression(substituted(element, {base: "value"}))
    return made._replace(variable="value", of=of)
