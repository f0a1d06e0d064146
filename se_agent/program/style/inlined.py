"""Helpers of one expression that edits brought for a single call: the expression stands there.

A known function may be no more than `list(dict.fromkeys(xs))`; a name for it, and a call, are
two more things to read. Pure. Not here: names, and lines that are longer than they need to be.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from se_agent.program.parsing import expression_tree
from se_agent.program.style.blocks import RowChange, with_rows
from se_agent.program.style.changed import names_in, rows_of, same_code, tree_or_none

_LAZY = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LONGEST = 60  # characters of an expression that reads well without a name


def with_helpers_inlined(old: str, new: str) -> str:
    """Return a text without helpers of one expression that are new and called once.

    Args:
        old: The text that it was made of: what it defines stays.
        new: The text.
    """
    before = tree_or_none(old)
    if before is None:
        return new
    known, text = names_in(before), new
    while (tree := tree_or_none(text)) is not None:
        found = (_inlined(text, tree, one) for one in tree.body if _is_new(one, known))
        shorter = next((one for one in found if one is not None), None)
        if shorter is None or tree_or_none(shorter) is None:
            return text
        text = shorter
    return text


def _is_new(statement: ast.stmt, known: frozenset[str]) -> bool:
    return isinstance(statement, ast.FunctionDef) and statement.name not in known


def _inlined(text: str, tree: ast.Module, helper: ast.stmt) -> str | None:
    """Return a text with the only call of a helper replaced; None: it is to stay."""
    assert isinstance(helper, ast.FunctionDef)
    value = _value(helper)
    uses = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == helper.name]
    calls = [
        (caller, node)
        for caller in tree.body
        if caller is not helper
        for node in ast.walk(caller)
        if isinstance(node, ast.Call) and node.func in uses
    ]
    if value is None or len(uses) != 1 or len(calls) != 1:
        return None
    (caller, call), parameters = calls[0], [each.arg for each in helper.args.args]
    if len(call.args) != len(parameters) or call.keywords or call.lineno != call.end_lineno:
        return None
    if not all(isinstance(each, ast.Name | ast.Constant) for each in call.args):
        return None
    given = {name: ast.unparse(each) for name, each in zip(parameters, call.args, strict=True)}
    if not _means_the_same(value, caller, given):
        return None
    code = ast.unparse(_Given(given).visit(copy.deepcopy(value)))  # trees are kept
    return _replaced(text, helper, call, code) if len(code) <= _LONGEST else None


def _value(helper: ast.FunctionDef) -> ast.expr | None:
    """Return the expression that a plain function returns, and does nothing else."""
    taken, body = helper.args, helper.body
    odd = taken.posonlyargs or taken.kwonlyargs or taken.vararg or taken.kwarg
    if odd or taken.defaults or helper.decorator_list:
        return None
    if ast.get_docstring(helper) is not None:
        body = body[1:]
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            lazy = any(isinstance(each, _LAZY) for each in ast.walk(value))
            return None if lazy or isinstance(value, ast.GeneratorExp) else value
    return None


def _means_the_same(value: ast.expr, caller: ast.stmt, given: Mapping[str, str]) -> bool:
    """Say whether names of an expression are the same things where it is called."""
    bound = {
        each.id
        for each in ast.walk(value)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    free = names_in(value) - bound - given.keys()
    if not isinstance(caller, _FUNCTIONS) or bound & {*given.values(), *given}:
        return False
    stored = {
        each.id
        for each in ast.walk(caller)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    stored |= {each.arg for each in ast.walk(caller) if isinstance(each, ast.arg)}
    return not free & stored


class _Given(ast.NodeTransformer):
    """Puts what is given in the place of parameters."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what is given for a name."""
        if node.id not in self._given:
            return node
        return expression_tree(self._given[node.id])


def _replaced(text: str, helper: ast.FunctionDef, call: ast.Call, code: str) -> str | None:
    """Return a text with code in the place of a call, and without the helper."""
    rows = rows_of(text)
    row, encoded = call.lineno - 1, rows[call.lineno - 1].encode()
    tree = expression_tree(code)
    atom = isinstance(
        tree, ast.Call | ast.Name | ast.Constant | ast.ListComp | ast.SetComp | ast.DictComp
    )
    told = code if atom else f"({code})"
    rows[row] = (
        encoded[: call.col_offset] + told.encode() + encoded[call.end_col_offset :]
    ).decode()
    last = helper.end_lineno or helper.lineno
    while last < len(rows) and not rows[last].strip():
        last += 1
    found = with_rows("".join(rows), [RowChange(helper.lineno - 1, last, "")])
    return None if same_code(found, text) else found
