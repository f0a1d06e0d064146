"""The three loops of a matrix product -> numpy, where its integers cannot overflow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered, pure
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import calls, comp_for, index, lines, named, names, only, text
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class NumpyProduct(Rule):
    """Multiply two matrices in numpy, and read the sums off the product.

    Valid for lists of lists that stay as they are (checked) and whose rows have one length;
    the sums must run over the whole of it (left to the tests). Integers go through 64 bits
    where no sum can overflow, which the new code checks; anything else, floats too, is
    multiplied as Python objects in the old order. The numbers come back as Python's own.
    """

    name = "numpy_product"
    relies_on = "rows have one length"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each product: three loops, or a sum in two comprehensions."""
        import libcst as cst

        for node in place.own:
            found = None
            if isinstance(node, cst.For) and not node.orelse and not node.asynchronous:
                found = _added(program, place, node)
            elif isinstance(node, cst.Call):
                found = _sum(node)
            outer = _outer(program, found) if found else None
            if found and outer is not None:
                yield _change(program, found, outer)


class _Product(NamedTuple):
    """A sum of `left[row][k] * right[k][column]`: the node, and how its value is used."""

    node: cst.CSTNode
    left: cst.BaseExpression
    right: cst.BaseExpression
    row: str
    column: str
    written: str


def _change(program: Program, found: _Product, line: cst.CSTNode) -> TreeChange:
    array, imports = imported(program, "numpy", "array")
    left, right = program.fresh("left"), program.fresh("right")
    product = program.fresh("product")
    a, b = text(found.left), text(found.right)
    largest = " * ".join(f"max(int({m}.max()), -int({m}.min()))" for m in (left, right))
    exact = f'{left}.dtype.kind + {right}.dtype.kind == "ii"'
    made = f"""
{left}, {right} = {array}({a}), {array}({b})
if not ({exact} and {largest} * len({right}) < 2**63):
    {left}, {right} = {array}({a}, dtype=object), {array}({b}, dtype=object)
{product} = ({left} @ {right}).tolist() if {left}.ndim == {right}.ndim == 2 else []
"""
    return TreeChange(
        anchor=found.node,
        replaced={found.node: found.written.format(f"{product}[{found.row}][{found.column}]")},
        before={line: [made.lstrip()]},
        imports=imports,
        direction="Multiply the matrices in numpy",
        effect="the three loops run in C; an import of numpy is added",
    )


def _added(program: Program, place: Place, loop: cst.For) -> _Product | None:
    """`for k in range(n): total += left[i][k] * right[k][j]`."""
    import libcst as cst

    body = lines(loop.body)
    small = only(body[0]) if len(body) == 1 else None
    if not isinstance(small, cst.AugAssign) or not isinstance(small.operator, cst.AddAssign):
        return None
    k = named(loop.target)
    if not calls(loop.iter, "range") or k in names(small.target) or not pure(small.target):
        return None
    if not confined(program, place, loop, [k]):
        return None
    return _factors(loop, small.value, k, f"{text(small.target)} += {{}}")


def _sum(call: cst.Call) -> _Product | None:
    """`sum(left[i][k] * right[k][j] for k in range(n))`."""
    import libcst as cst

    arguments = calls(call, "sum") or []
    comp = arguments[0] if len(arguments) == 1 else None
    if not isinstance(comp, (cst.GeneratorExp, cst.ListComp)):
        return None
    loop = comp_for(comp)
    if loop.inner_for_in or loop.ifs or not calls(loop.iter, "range"):
        return None
    return _factors(call, comp.elt, named(loop.target), "{}")


def _factors(
    node: cst.CSTNode, value: cst.BaseExpression, k: str, written: str
) -> _Product | None:
    import libcst as cst

    if not isinstance(value, cst.BinaryOperation) or not k:
        return None
    if not isinstance(value.operator, cst.Multiply):
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        left, right = _element(one), _element(other)
        if left and right and left[2] == right[1] == k and k not in (left[1], right[2]):
            return _Product(node, left[0], right[0], left[1], right[2], written)
    return None


def _element(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str, str] | None:
    """Return the name and both indices of `matrix[i][j]`, each of them a name."""
    inner = index(node)
    outer = index(inner[0]) if inner else None
    if inner is None or outer is None or not named(outer[0]):
        return None
    row, column = named(outer[1]), named(inner[1])
    return (outer[0], row, column) if row and column else None


def _outer(program: Program, found: _Product) -> cst.CSTNode | None:
    """Return the statement of the loop over rows, if loops run over rows and columns."""
    import libcst as cst

    wanted = {found.row, found.column}
    used = names(found.left) | names(found.right)
    around: cst.CSTNode | None = None
    for outer in program.above(found.node):
        if isinstance(outer, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            return None
        loop = comp_for(outer) if isinstance(outer, cst.BaseComp) else outer
        if not isinstance(loop, (cst.For, cst.CompFor)):
            continue
        if used & altered(program, outer):
            return None
        if named(loop.target) in wanted:
            if not calls(loop.iter, "range"):
                return None
            wanted.discard(named(loop.target))
            around = outer
        if not wanted:
            break
    return program.statement(around) if around is not None and not wanted else None
