"""A loop that adds up a polynomial of its counter -> the sum in closed form."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.adding import added
from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure
from operators.rewrite.integers import asked, either, either_step, integers
from operators.rewrite.loops import confined
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import calls, comp_for, integer, lines, named, names, only, text
from operators.rewrite.rule import Rule
from se_agent.program.parsing import expression_tree

if TYPE_CHECKING:
    import libcst as cst

_SUMS = (
    "{n}",
    "{n} * ({n} + 1) // 2",
    "{n} * ({n} + 1) * (2 * {n} + 1) // 6",
    "({n} * ({n} + 1) // 2) ** 2",
)
"""Sums of i ** degree for i up to n; also below 1, each less the one before is a term."""

_Terms = dict[int, list[str]]


class ClosedFormSum(Rule):
    """Work a sum of powers of consecutive numbers out instead of adding it up.

    Valid for polynomials up to the third degree whose coefficients stay the same (checked).
    Where a number that is given is no integer, all is added up as before. Known as Faulhaber's
    formulas.
    """

    name = "closed_form_sum"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each loop, and each `sum` over a range."""
        import libcst as cst

        for node in place.own:
            if asked(program, node):
                continue
            if isinstance(node, cst.For) and node.orelse is None:
                body = lines(node.body)
                addition = added(only(body[0])) if len(body) == 1 else None
                if addition and confined(program, place, node, {named(node.target)}):
                    found = _closed(node.iter, named(node.target), addition.value)
                    if found and addition.name not in names(node.iter):
                        yield _change(node, _step(node, addition.name, found))
                continue
            found = _summed(node)
            if found:
                test = integers(found.given)
                yield _change(node, either(test, f"({found.total})", text(node)))


class _Closed(NamedTuple):
    """A sum in closed form, and the numbers that it is right for if they are integers."""

    total: str
    given: tuple[str, ...]


def _step(loop: cst.For, name: str, found: _Closed) -> str:
    test = integers((*found.given, name))
    return either_step(test, f"{name} += {found.total}", text(loop))


def _summed(node: cst.CSTNode) -> _Closed | None:
    import libcst as cst

    arguments = calls(node, "sum")
    if not arguments or len(arguments) != 1:
        return None
    (argument,) = arguments
    if calls(argument, "range"):
        return _closed(argument, "i", cst.Name("i"))
    if not isinstance(argument, (cst.GeneratorExp, cst.ListComp)):
        return None
    loop = comp_for(argument)
    plain = not loop.ifs and not loop.inner_for_in and not loop.asynchronous
    return _closed(loop.iter, named(loop.target), argument.elt) if plain else None


def _change(node: cst.CSTNode, new: str) -> TreeChange:
    return TreeChange(
        anchor=node,
        replaced={node: new},
        direction="Work a sum of powers out in closed form",
        effect="O(n) -> O(1)",
    )


def _closed(
    span: cst.BaseExpression, variable: str, element: cst.BaseExpression
) -> _Closed | None:
    """Return the sum of a polynomial over a range in steps of one, else None."""
    arguments = calls(span, "range") or []
    if not 1 <= len(arguments) <= 2 or not variable or not all(map(pure, arguments)):
        return None
    if any(variable in names(argument) for argument in arguments):
        return None
    terms = _terms(expression_tree(text(element)), variable)
    if terms is None:
        return None
    start = arguments[0] if len(arguments) == 2 else None
    stop, first = text(arguments[-1]), "0" if start is None else text(start)
    near = integer(start) in (0, 1) if start is not None else True
    last = _before(stop)
    high = f"max({last}, {_before(first)})"
    parts = []
    for degree, factors in sorted(terms.items()):
        whole = _SUMS[degree].format(n=f"({high})")
        below = "" if near and degree else f" - {_SUMS[degree].format(n=f'({_before(first)})')}"
        coefficient = " + ".join(factors)
        scale = "" if coefficient == "1" else f"({coefficient}) * "
        parts.append(f"{scale}({whole}{below})")
    return _Closed(" + ".join(parts), (*map(text, arguments), *chain(*terms.values())))


def _before(code: str) -> str:
    """Return `code - 1`, worked out where it is a number or ends in `+ 1`."""
    tree = expression_tree(code)
    match tree:
        case ast.Constant(value=int(value)):
            return str(value - 1)
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
            return ast.unparse(left)
    return f"{code} - 1" if isinstance(tree, (ast.Name, ast.Call)) else f"({code}) - 1"


def _terms(node: ast.expr, variable: str) -> _Terms | None:
    """Return the coefficients of a polynomial by degree, each as terms; None for other code."""
    mentioned = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    match node:
        case ast.Name(id=name) if name == variable:
            return {1: ["1"]}
        case ast.Name() | ast.Constant(value=int()) if variable not in mentioned:
            return {0: [ast.unparse(node)]}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = _terms(operand, variable)
            return _product({0: ["-1"]}, found) if found else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            first, second = _terms(left, variable), _terms(right, variable)
            if isinstance(sign, ast.Sub) and second is not None:
                second = _product({0: ["-1"]}, second)
            return None if first is None or second is None else _united(first, second)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            first, second = _terms(left, variable), _terms(right, variable)
            return None if first is None or second is None else _product(first, second)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2 | 3 as power)):
            base = _terms(left, variable)
            found = base
            for _ in range(1 if power == 2 else 2):
                found = _product(found, base) if found and base else None
            return found
    return None


def _united(first: _Terms, second: _Terms) -> _Terms:
    degrees = {**first, **second}
    return {degree: first.get(degree, []) + second.get(degree, []) for degree in degrees}


def _product(first: _Terms, second: _Terms) -> _Terms | None:
    found: _Terms = {}
    for degree, ours in first.items():
        for other, theirs in second.items():
            pairs = [_times(a, b) for a in ours for b in theirs]
            found.setdefault(degree + other, []).extend(pairs)
    return found if max(found) < len(_SUMS) else None


def _times(first: str, second: str) -> str:
    if first == "1" or second == "1":
        return second if first == "1" else first
    return f"{first} * {second}"
