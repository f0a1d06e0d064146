"""Guards of a change against values of other types, where the types are known: they go.

A rule that may be wrong for floats asks whether it was given whole numbers, and does as before
otherwise; what stands in for a function asks for the types that were seen, and leaves the rest
to the old body; rows that were looked up by a key are asked for it again, for some values are
not equal to themselves. A reader who knows the types sees code that never runs. What the author
asked stays, wherever it stands now. Pure. Not here: whether the types are known, and whether
anything refutes the program without them (`se_agent.engine.step.minimise`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from se_agent.program.style.blocks import RowChange, with_rows
from se_agent.program.style.changed import new_lines, rows_of, tree_or_none

_Question = Callable[[ast.AST], bool]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_guards(old: str, new: str) -> str:
    """Return a text without the questions for types that its new lines ask.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    return _without(old, new, _asks)


def without_bounds(old: str, new: str) -> str:
    """Return a text without guards of an old body that ask for types, signs and lengths.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    return _without(old, new, lambda node: _asks(node) or _bounds(node))


def _without(old: str, new: str, asks: _Question) -> str:
    text, own = new, _own_questions(tree_or_none(old))
    for _ in range(len(rows_of(new))):
        tree = tree_or_none(text)
        if tree is None:
            return new
        lines = new_lines(old, text)
        made = next(filter(None, _unguarded(tree, text, lines, asks, own)), "")
        if not made or made == text or tree_or_none(made) is None:
            return text
        text = made
    return text


def _own_questions(tree: ast.Module | None) -> frozenset[str]:
    """Return the questions of a program, each part of them, and its handlers, as code."""
    found = set[str]()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.If | ast.IfExp):
            found.update(map(ast.unparse, (node.test, *_parts(node.test))))
        elif isinstance(node, ast.Try):
            found.update(map(ast.unparse, node.handlers))
    return frozenset(found)


def assumptions(text: str, plain: str) -> tuple[str, ...]:
    """Return the questions that guards of one text ask and another text does not, as code."""
    before, after = tree_or_none(text), tree_or_none(plain)
    if before is None or after is None:
        return ()
    left = {ast.unparse(each) for each in ast.walk(after) if isinstance(each, ast.expr)}
    guards = (each.test for each in ast.walk(before) if isinstance(each, ast.If | ast.IfExp))
    parts = (part for test in guards for part in _parts(test))
    asked = [ast.unparse(each) for each in parts if _asks(each) or _bounds(each)]
    for loop in ast.walk(before):
        if isinstance(loop, ast.For) and _asks_again(before, loop):
            (question,) = loop.body
            assert isinstance(question, ast.If)
            asked.append(ast.unparse(question.test))
    return tuple(dict.fromkeys(each for each in asked if each not in left))


def _unguarded(
    tree: ast.Module,
    text: str,
    lines: frozenset[int],
    asks: _Question,
    own: frozenset[str],
) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp) and node.lineno in lines:
            if ast.unparse(node.test) in own:
                continue
            left = [p for p in _parts(node.test) if not _asks(p) or ast.unparse(p) in own]
            if not left:
                yield _replaced(text, node, node.body)
            elif len(left) < len(_parts(node.test)):
                test = left[0] if len(left) == 1 else ast.BoolOp(ast.And(), left)
                yield _replaced(text, node.test, test)
        elif isinstance(node, ast.For) and node.lineno in lines and _asks_again(tree, node):
            yield _unasked(text, node)
        elif isinstance(node, _FUNCTIONS):
            for place, statement in enumerate(node.body):
                if statement.lineno in lines and (found := _answer(statement, asks, own)):
                    rest = node.body[place + 1 :]
                    end = rest[-1].end_lineno if rest else statement.end_lineno
                    yield _answered(text, statement, found, end or statement.lineno)


def _answer(statement: ast.stmt, asks: _Question, own: frozenset[str]) -> list[ast.stmt]:
    """Return what answers in place of a body, behind a guard and a handler; else nothing."""
    if isinstance(statement, ast.If):
        if statement.orelse or len(statement.body) != 1 or not _only(statement.test, asks):
            return []
        if ast.unparse(statement.test) in own:
            return []
        statement = statement.body[0]
    match statement:
        case ast.Try(
            body=body,
            handlers=[ast.ExceptHandler(body=[ast.Pass()]) as handler],
            orelse=[],
            finalbody=[],
        ) if isinstance(body[-1], ast.Return) and ast.unparse(handler) not in own:
            return body
    return []


def _answered(text: str, first: ast.stmt, body: list[ast.stmt], end: int) -> str:
    """Return a text in which an answer stands in place of a guard and all below it."""
    code = "\n".join(map(ast.unparse, body)).split("\n")
    rows = rows_of(text)
    head = rows[first.lineno - 1]
    margin = head[: len(head) - len(head.lstrip())]
    rows[first.lineno - 1 : end] = [f"{margin}{line}\n" for line in code]
    return "".join(rows)


def _asks_again(tree: ast.Module, loop: ast.For) -> bool:
    """Say whether a loop over the rows of a key asks of each whether it has that key."""
    match loop:
        case ast.For(
            target=ast.Name(id=row),
            iter=ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="get"),
                args=[key, ast.Tuple(elts=[]) | ast.List(elts=[])],
            ),
            body=[
                ast.If(test=ast.Compare(left=one, ops=[ast.Eq()], comparators=[two]), orelse=[])
            ],
        ):
            sides = {ast.unparse(one), ast.unparse(two)} - {ast.unparse(key)}
            return len(sides) == 1 and sides <= {*_filed(tree, table, row)}
    return False


def _filed(tree: ast.Module, table: str, row: str) -> Iterator[str]:
    """Yield the keys under which a table files its rows, as code that calls the row `row`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(
                        func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"),
                        args=[key, ast.List(elts=[])],
                    ),
                    attr="append",
                ),
                args=[ast.Name(id=filed)],
            ) if name == table and filed == row:
                yield ast.unparse(key)


def _unasked(text: str, loop: ast.For) -> str:
    """Return a text in which the body of a loop's only question stands in its place."""
    (question,) = loop.body
    assert isinstance(question, ast.If)
    rows = rows_of(text)
    first, start = question.lineno - 1, question.body[0].lineno - 1
    end = question.end_lineno or question.lineno
    if start == first:
        return text  # all on one line
    less = question.body[0].col_offset - question.col_offset
    rows[first:end] = [row[less:] if row.strip() else row for row in rows[start:end]]
    return "".join(rows)


def _replaced(text: str, node: ast.expr, plain: ast.expr) -> str:
    """Return a text with one expression in the place of another, on the same rows."""
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    rows = rows_of(text)
    before = rows[first].encode()[: node.col_offset].decode()
    after = rows[last - 1].encode()[node.end_col_offset or 0 :].decode()
    code = before.lstrip() + ast.unparse(plain) + after.rstrip("\n")
    return with_rows(text, [RowChange(first, last, code)])


def _parts(test: ast.expr) -> list[ast.expr]:
    """Return the parts of a question that all have to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return test.values
    return [test]


def _only(test: ast.expr, asks: _Question) -> bool:
    """Say whether all parts of a question are of one kind."""
    return all(map(asks, _parts(test)))


def _asks(node: ast.AST) -> bool:
    """Say whether an expression asks for a type, such as `type(x) is int`."""
    match node:
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), ops=[ast.Is() | ast.In()]):
            return True
        case ast.Compare(left=ast.Set() | ast.SetComp() as kinds, ops=[ast.LtE()]):
            return any(isinstance(n, ast.Name) and n.id == "type" for n in ast.walk(kinds))
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
    return False


def _bounds(node: ast.AST) -> bool:
    """Say whether an expression asks for a sign, or for a length: `x >= 0`, `len(x) >= 1`."""
    match node:
        case ast.Compare(
            left=ast.Name() | ast.Call(func=ast.Name(id="len" | "min")),
            ops=[ast.GtE()],
            comparators=[ast.Constant(value=int() | float())],
        ):
            return True
    return False
