"""Constructs that a loop shows by what it runs over and what it does in each round."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from se_agent.program.constructs.syntax import (
    Loop,
    SyntaxPlace,
    called_name,
    is_constant,
    last_name,
    names_in,
    targets,
)

_DEEP = 3  # nested loops that are told apart


def loop_words(node: Loop, place: SyntaxPlace) -> Iterator[str]:
    """Yield what a loop is among others, what it runs over and what it does."""
    depth = 1 + len(place.statements)
    if depth > 1:
        yield f"loops_nested_{min(depth, _DEEP)}"
    if isinstance(node, ast.While):
        yield from _of_while(node)
        return
    outer = {name for loop in place.loops for name in targets(loop)}
    yield from _of_iterable(node.iter, outer)
    yield from _of_body(node)
    if outer or place.function is not None:
        yield from _of_search(node, outer)
    same = [one for one in place.statements if isinstance(one, ast.For | ast.AsyncFor)]
    if any(ast.dump(one.iter) == ast.dump(node.iter) for one in same):
        yield "pairs_of_one_sequence"


def _of_iterable(iterable: ast.expr, outer: set[str]) -> Iterator[str]:
    part = iterable.slice if isinstance(iterable, ast.Subscript) else None
    if isinstance(part, ast.Slice) and names_in(part) & outer:
        yield "later_elements"
    if not isinstance(iterable, ast.Call):
        return
    name = called_name(iterable)
    if name == "enumerate" and iterable.args:
        yield from _of_iterable(iterable.args[0], outer)
    if name != "range" or not iterable.args:
        return
    first, *rest = iterable.args
    if rest and isinstance(first, ast.BinOp) and names_in(first) & outer:
        yield "later_indices"
    elif rest and names_in(iterable) & outer:
        yield "range_of_outer_values"
    elif names_in(first) & outer:
        yield "earlier_indices"


def _of_while(node: ast.While) -> Iterator[str]:
    test = node.test
    if isinstance(test, ast.Name | ast.Compare) and _takes_from(node):
        yield "work_list"
    if isinstance(test, ast.BoolOp):
        yield from _of_scan(test)
    if isinstance(test, ast.Name) and _sets_flag(node.body, test.id):
        yield "until_nothing_changes"
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq):
        sides = {last_name(test.left), last_name(test.comparators[0])} - {""}
        if len(sides) == 2:
            yield "until_nothing_changes"


def _of_scan(test: ast.BoolOp) -> Iterator[str]:
    """Yield what a loop looks for that goes on while elements compare in one way."""
    for part in test.values:
        if isinstance(part, ast.Compare) and any(
            isinstance(n, ast.Subscript) for n in (part.left, *part.comparators)
        ):
            equal = isinstance(part.ops[0], ast.Eq | ast.NotEq)
            yield "scan_while_equal" if equal else "scan_for_place"


def _takes_from(node: ast.While) -> bool:
    taken = {"pop", "popleft", "heappop", "remove"}
    return any(isinstance(n, ast.Call) and called_name(n) in taken for n in ast.walk(node))


def _sets_flag(body: Sequence[ast.stmt], name: str) -> bool:
    return any(
        isinstance(n, ast.Assign)
        and is_constant(n.value, True, False)
        and last_name(n.targets[0]) == name
        for statement in body
        for n in ast.walk(statement)
    )


def _of_body(node: ast.For | ast.AsyncFor) -> Iterator[str]:
    test = node.body[0] if len(node.body) == 1 else None
    if isinstance(test, ast.If) and len(test.body) == 1 and not test.orelse:
        test = test.body[0]
        yield from _of_flag(test)
    call = test.value if isinstance(test, ast.Expr) else None
    if isinstance(call, ast.Call) and called_name(call) == "append":
        yield "loop_builds_list"
    if isinstance(test, ast.AugAssign):
        yield from _of_only_update(node, test)


def _of_search(node: ast.For | ast.AsyncFor, outer: set[str]) -> Iterator[str]:
    """Yield what a loop looks for that tests its elements against something from outside."""
    bound = targets(node)
    tests = [part for n in node.body if isinstance(n, ast.If) for part in _parts(n.test)]
    keys = any(
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Eq)
        and isinstance(test.left, ast.Name)
        and isinstance(test.comparators[0], ast.Name)
        and test.left.id in bound
        for test in tests
    )
    if keys and isinstance(node.target, ast.Tuple) and isinstance(node.iter, ast.Name):
        yield "pairs_searched_by_key"
    if outer and any(isinstance(n, ast.Break) for n in ast.walk(node)):
        yield "inner_search"


def _parts(test: ast.expr) -> Sequence[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) else [test]


def _of_flag(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign) and is_constant(statement.value, True, False):
        yield "flag_without_exit"


def _of_only_update(node: ast.For | ast.AsyncFor, update: ast.AugAssign) -> Iterator[str]:
    """Yield what a loop does whose only statement adds to something."""
    bound = targets(node)
    if isinstance(update.target, ast.Subscript):
        if names_in(update.target.slice) & bound and not names_in(update.value) & bound:
            yield "range_update"
    elif isinstance(update.op, ast.Add):
        over_range = isinstance(node.iter, ast.Call) and called_name(node.iter) == "range"
        if over_range and isinstance(update.value, ast.Subscript):
            yield "range_sum"
        elif over_range and names_in(update.value) <= bound and names_in(update.value):
            yield "sum_of_numbers"
    elif isinstance(update.op, ast.Mult):
        yield "product_in_loop"
