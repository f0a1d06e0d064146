"""A product of many numbers, one factor after the other -> factors multiplied in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed
from operators.rewrite.integers import asked
from operators.rewrite.kinds import iterator
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    assigned,
    calls,
    flat,
    lines,
    named,
    names,
    only,
    positional,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_FUNCTION = """\
def {name}(factors, start=1):
    factors = [start, *factors]
    if {{*map(type, factors)}} != {{int}}:
        return {prod}(factors)
    while len(factors) > 1:
        rest = factors[len(factors) & ~1:]
        factors = [*map({mul}, factors[::2], factors[1::2]), *rest]
    return factors[0]
"""


class ProductTree(Rule):
    """Multiply the factors in pairs, the products in pairs again, and so on.

    Valid where no step asks for the product so far (checked); factors that are no integers are
    multiplied as before, one after the other. Numbers of many digits are multiplied
    when they are about equally long, not a short one with a long one each time. Covers
    `math.prod` and loops that multiply, also beside other work, which goes on in a loop of its
    own. Known as a product tree, or binary splitting.
    """

    name = "product_tree"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each product."""
        import libcst as cst

        for node in place.own:
            if asked(program, node):
                continue
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                site = _loop(program, place, node)
                if site is not None:
                    yield _change(program, place, node, site)
            elif isinstance(node, cst.Call) and flat(node.func) in ("prod", "math.prod"):
                factors = positional(node) or []
                if len(factors) == 1:
                    yield _change(program, place, node, _Site(node, "", text(factors[0])))


class _Site(NamedTuple):
    """A product.

    Attributes:
        place: A call; or the line of a loop that multiplies.
        total: Variable that a loop multiplies; empty for a call.
        factors: Code of an iterable of the factors.
    """

    place: cst.CSTNode
    total: str
    factors: str


def _change(program: Program, place: Place, node: cst.CSTNode, site: _Site) -> TreeChange:
    import libcst as cst

    mul, line_1 = imported(program, "operator", "mul")
    prod, line_2 = imported(program, "math", "prod")
    name = program.fresh("product")
    *_, top, _ = (node, *program.above(node))
    made = {top: [_FUNCTION.format(name=name, mul=mul, prod=prod)]}
    alone = place.node is program.module
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {node: f"{name}({site.factors})"}
    before: dict[cst.CSTNode, list[str]] = dict(made) if alone else {}
    if site.total:
        assert isinstance(node, cst.For)
        line = f"{site.total} = {name}({site.factors}, {site.total})"
        others = len(lines(node.body)) > 1
        replaced = {site.place: ""} if others else {node: line}
        if others:
            before[node] = [*before.get(node, ()), line]
    return TreeChange(
        anchor=site.place,
        replaced=replaced,
        before=before,
        after={} if alone else made,
        imports=(*line_1, *line_2),
        direction="Multiply many factors in pairs instead of one after the other",
        effect="products of long numbers by equally long ones: O(n^2) -> O(n^1.6) or less",
    )


def _loop(program: Program, place: Place, loop: cst.For) -> _Site | None:
    body = lines(loop.body)
    variables = frozenset(target_names(loop.target))
    for line in body:
        found = _multiplied(line)
        if found is None:
            continue
        total, factor = found
        mentions = sum(1 for node in walk(loop) if named(node) == total)
        alone = mentions == sum(1 for node in walk(line) if named(node) == total)
        alone = alone and total not in names(factor)
        rest = [other for other in body if other is not line]
        if not alone or not _number(place, total) or not computes(program, loop.iter):
            continue
        if not computes(program, factor) or names(factor) & _set_by(rest):
            continue
        if not rest and not confined(program, place, loop, variables):
            continue
        if rest and (_leaves(rest) or names(loop.iter) & changed(loop)):
            continue
        if rest and _once(program, place, loop.iter):
            continue
        return _Site(line, total, _factors(loop, factor))
    return None


def _multiplied(line: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """Return total and factor of `total *= factor` or `total = total * factor`."""
    import libcst as cst

    small = only(line)
    if isinstance(small, cst.AugAssign) and isinstance(small.operator, cst.MultiplyAssign):
        return (named(small.target), small.value) if named(small.target) else None
    name, value = assigned(small) or ("", None)
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
        if named(value.left) == name:
            return name, value.right
        return (name, value.left) if named(value.right) == name else None
    return None


def _number(place: Place, name: str) -> bool:
    """Whether the name is set to an integer somewhere in the function."""
    import libcst as cst

    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == name]
    return any(isinstance(value, cst.Integer) for value in given)


def _set_by(rest: Sequence[cst.CSTNode]) -> frozenset[str]:
    return frozenset[str]().union(*map(changed, rest))


def _leaves(rest: Sequence[cst.CSTNode]) -> bool:
    """Whether the loop may end early, or a step be left out."""
    import libcst as cst

    kinds = (cst.Break, cst.Continue, cst.Return, cst.Raise, cst.Yield, cst.Await)
    return any(isinstance(node, kinds) for line in rest for node in walk(line))


def _once(program: Program, place: Place, iterable: cst.BaseExpression) -> bool:
    """Whether what is walked over may be an iterator, which serves one loop only."""
    import libcst as cst

    again = calls(iterable, "range") is not None
    part = isinstance(iterable, (cst.Name, cst.Attribute, cst.Subscript))
    return not (again or part) or iterator(program, place, iterable)


def _factors(loop: cst.For, factor: cst.BaseExpression) -> str:
    if named(factor) and named(factor) == named(loop.target):
        return text(loop.iter)
    return f"[{text(factor)} for {text(loop.target)} in {text(loop.iter)}]"
