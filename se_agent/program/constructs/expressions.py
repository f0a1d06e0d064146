"""Constructs that comparisons, assignments and slices show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from se_agent.program.constructs.syntax import (
    SyntaxPlace,
    called_name,
    is_constant,
    is_text,
    names_in,
)


def comparison_words(node: ast.Compare, place: SyntaxPlace) -> Iterator[str]:
    """Yield what is compared with what."""
    sides = [node.left, *node.comparators]
    for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
        if isinstance(operator, ast.In | ast.NotIn):
            yield from _of_membership(right, place)
        if isinstance(left, ast.Subscript) and isinstance(right, ast.Subscript):
            how = "equal" if isinstance(operator, ast.Eq | ast.NotEq) else "order"
            yield f"elements_compared_{how}"
        if isinstance(operator, ast.Eq | ast.NotEq):
            yield from _of_equality(left, right, place)


def _of_membership(right: ast.expr, place: SyntaxPlace) -> Iterator[str]:
    where = "in_loop" if place.loops else "outside"
    if isinstance(right, ast.Name | ast.Attribute):
        yield f"membership_{where}"
    elif isinstance(right, ast.List | ast.Tuple):
        yield "membership_of_literal"


def _of_equality(left: ast.expr, right: ast.expr, place: SyntaxPlace) -> Iterator[str]:
    sides = (left, right)
    if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for n in sides):
        yield "remainder_tested_in_loop" if place.loops else "remainder_tested"
    if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add | ast.Sub) for n in sides):
        yield "sum_compared"
    if any(_is_fraction(n) for n in sides):
        yield "float_equality"
    if all(isinstance(n, ast.Call) for n in sides):
        names = {called_name(n) for n in sides if isinstance(n, ast.Call)}
        yield from (f"{name}_of_both_compared" for name in sorted(names) if name)
    if any(_is_reversed(n) for n in sides):
        yield "compared_with_reverse"
    if any(_is_beginning(n) for n in sides):
        yield "beginning_compared"


def _is_fraction(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        root = isinstance(node.op, ast.Pow) and is_constant(node.right, 0.5)
        return root or isinstance(node.op, ast.Div)
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_reversed(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        step = node.slice.step
        return isinstance(step, ast.UnaryOp) and is_constant(step.operand, 1)
    return any(isinstance(n, ast.Call) and called_name(n) == "reversed" for n in ast.walk(node))


def _is_beginning(node: ast.expr) -> bool:
    """Say whether a node is the first part of something, as long as something else."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)):
        return False
    upper = node.slice.upper
    return (
        node.slice.lower is None and isinstance(upper, ast.Call) and called_name(upper) == "len"
    )


def assignment_words(node: ast.Assign, place: SyntaxPlace) -> Iterator[str]:
    """Yield what an assignment builds, swaps or brings up to date."""
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from _of_parallel(target, value, place)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
        yield "table_cell_set"
    if isinstance(value, ast.ListComp) and _is_row(value.elt):
        yield "table_of_rows"
    if isinstance(target, ast.Name):
        yield from _of_update(target.id, value, place)


def _of_parallel(target: ast.Tuple, value: ast.Tuple, place: SyntaxPlace) -> Iterator[str]:
    if all(isinstance(n, ast.Subscript) for n in (*target.elts, *value.elts)):
        yield "swap"
    elif place.loops and any(isinstance(n, ast.BinOp) for n in value.elts):
        shared = names_in(target) & names_in(value)
        if shared and all(isinstance(n, ast.Name) for n in target.elts):
            yield "recurrence_step"


def _is_row(node: ast.expr) -> bool:
    made = isinstance(node, ast.BinOp) and isinstance(node.left, ast.List)
    return made or isinstance(node, ast.ListComp)


def _of_update(name: str, value: ast.expr, place: SyntaxPlace) -> Iterator[str]:
    """Yield what an assignment in a loop does with the value that a name had."""
    if not place.loops:
        return
    reads = name in names_in(value)
    if isinstance(value, ast.Call) and called_name(value) in {"max", "min"} and reads:
        yield f"running_{called_name(value)}"
        if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) for n in value.args):
            yield "difference_of_elements"
    if isinstance(value, ast.BinOp) and reads:
        if isinstance(value.op, ast.Mod):
            yield "product_modulo"
        elif isinstance(value.op, ast.Add) and is_text(value):
            yield "text_grows"
    if isinstance(value, ast.Call) and called_name(value) == "replace" and reads:
        yield "replace_again_and_again"


def augmented_words(node: ast.AugAssign, place: SyntaxPlace) -> Iterator[str]:
    """Yield what is added to in a loop."""
    if place.loops and isinstance(node.op, ast.Add):
        if is_text(node.value):
            yield "text_grows"
        elif isinstance(node.value, ast.Subscript):
            yield "adds_elements"


def slice_words(node: ast.Subscript, place: SyntaxPlace) -> Iterator[str]:
    """Yield that a part is copied."""
    if not isinstance(node.slice, ast.Slice):
        return
    yield "slice_in_loop" if place.loops else "slice"


def power_words(node: ast.BinOp) -> Iterator[str]:
    """Yield products and powers whose remainder is taken."""
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.BinOp):
        if isinstance(node.left.op, ast.Pow):
            yield "power_modulo"
        elif isinstance(node.left.op, ast.Mult):
            yield "product_modulo"
