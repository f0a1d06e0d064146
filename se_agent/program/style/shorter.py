"""Lines that edits left longer than they need to be, said in fewer.

A value that is only returned is returned at once; what begins empty and is filled by the next
line begins full. Only where one of the lines is new, and within one block. Pure. Not here: what
guards a change against values that were never seen (`guards`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from se_agent.program.style.changed import new_lines, rows_of, tree_or_none
from se_agent.program.style.names import with_name

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FILLING = ("join", "translate")


class RowChange(NamedTuple):
    """RowChange of a text, from 0, and what stands there instead.

    Attributes:
        first: The first one.
        last: The first one behind them.
        code: New code without its margin; empty: the rows go.
    """

    first: int
    last: int
    code: str


class _Block(NamedTuple):
    """Statements one below the other, in a function.

    Attributes:
        function: The function.
        body: The statements.
        tried: Whether handlers may see what the statements left behind.
        text: The whole text.
    """

    function: ast.FunctionDef | ast.AsyncFunctionDef
    body: Sequence[ast.stmt]
    tried: bool
    text: str

    def code(self, node: ast.expr) -> str:
        """Return the code of an expression, as it stands if it stands on one line."""
        told = ast.get_source_segment(self.text, node) or "\n"
        return ast.unparse(node) if "\n" in told else told


def shortened_code(old: str, new: str) -> str:
    """Return a text whose new lines say the same in fewer.

    Args:
        old: The text that it was made of.
        new: The text.
    """
    text = new
    for _ in range(len(rows_of(new))):
        tree, lines = tree_or_none(text), new_lines(old, text)
        if tree is None:
            return new
        found = next(_shorter(tree, lines, text), None)
        made = with_rows(text, found) if found else next(_rejoined(tree, lines, text), text)
        if made == text or tree_or_none(made) is None:
            return text
        text = made
    return text


def with_rows(text: str, changes: Sequence[RowChange]) -> str:
    """Return a text with other rows, each with the margin of the first that it replaces."""
    rows = rows_of(text)
    for change in sorted(changes, reverse=True):
        head = rows[change.first]
        margin = head[: len(head) - len(head.lstrip())]
        rows[change.first : change.last] = [f"{margin}{change.code}\n"] if change.code else []
    return "".join(rows)


def _shorter(tree: ast.Module, lines: frozenset[int], text: str) -> Iterator[list[RowChange]]:
    for block in _blocks(tree, text):
        for one, two in zip(block.body, block.body[1:], strict=False):
            if _is_new(one, lines) or _is_new(two, lines):
                for way in _WAYS:
                    if found := way(block, one, two):
                        yield found
        yield from _empty_starts(block, lines)


def _rejoined(tree: ast.Module, lines: frozenset[int], text: str) -> Iterator[str]:
    """Yield a text in which parts that were joined and begun anew are collected in one list."""
    for block in _blocks(tree, text):
        joins = [(n, found) for n, each in enumerate(block.body) if (found := _joined(each))]
        for place, (name, parts) in joins:
            if block.body[place].lineno not in lines or not _collects(block, parts):
                continue
            for last, again in enumerate(block.body[place + 1 :], place + 1):
                begun = _begun(again)
                if begun is not None and begun[1] == name and begun[0] != parts:
                    later = block.body[place + 1 :]
                    if _is_own(block.function, begun[0]) and not any(
                        _mentions(each, parts) for each in later
                    ):
                        gone = [
                            RowChange(*_span(block.body[place]), ""),
                            RowChange(*_span(again), ""),
                        ]
                        named = with_name(text, block.function, begun[0], parts)
                        yield with_rows(named, gone)
                if _mentions(block.body[last], name):
                    break


def _joined(statement: ast.stmt) -> tuple[str, str] | None:
    """Return name and parts of `name = "".join(parts)`."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(
                func=ast.Attribute(value=ast.Constant(value=""), attr="join"),
                args=[ast.Name(id=parts)],
            ),
        ):
            return name, parts
    return None


def _begun(statement: ast.stmt) -> tuple[str, str] | None:
    """Return parts and name of `parts = [name]`."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=parts)], value=ast.List(elts=[ast.Name(id=name)])):
            return parts, name
    return None


def _blocks(tree: ast.Module, text: str) -> Iterator[_Block]:
    for function in ast.walk(tree):
        if isinstance(function, _FUNCTIONS):
            todo: list[tuple[ast.AST, bool]] = [(function, False)]
            while todo:
                node, tried = todo.pop()
                tried = tried or isinstance(node, ast.Try | ast.TryStar)
                for field in ("body", "orelse", "finalbody"):
                    body = getattr(node, field, None)
                    if isinstance(body, list) and not isinstance(node, ast.Lambda):
                        yield _Block(function, body, tried, text)
                        inner = (each for each in body if not isinstance(each, _FUNCTIONS))
                        todo += [(each, tried) for each in inner]


def _is_new(statement: ast.stmt, lines: frozenset[int]) -> bool:
    return statement.lineno in lines


def _span(statement: ast.stmt) -> tuple[int, int]:
    return statement.lineno - 1, statement.end_lineno or statement.lineno


def _returned(block: _Block, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = value` and `return x`: `return value`."""
    match one, two:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value),
            ast.Return(value=ast.Name(id=read)),
        ) if name == read and not block.tried and _is_own(block.function, name):
            if one.lineno == one.end_lineno:
                return [
                    RowChange(*_span(one), ""),
                    RowChange(*_span(two), f"return {block.code(value)}"),
                ]
    return []


def _filled(block: _Block, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = []` and `x.extend(values)`: `x = list(values)`; and so for texts."""
    match one, two:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=read), attr="extend"),
                    args=[values],
                    keywords=[],
                )
            ),
        ) if name == read and not _mentions(values, name) and "list" not in _bound(block):
            code = f"{name} = {_listed(block, values)}"
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")),
            ast.AugAssign(
                target=ast.Name(id=read),
                op=ast.Add(),
                value=ast.Call(func=ast.Attribute(attr=method)) as value,
            ),
        ) if name == read and method in _FILLING and not _mentions(value, name):
            code = f"{name} = {block.code(value)}"
        case _:
            return []
    return [RowChange(*_span(one), ""), RowChange(*_span(two), code)]


def _listed(block: _Block, values: ast.expr) -> str:
    if isinstance(values, ast.ListComp):
        return block.code(values)
    return f"list({block.code(values)})"


def _added(block: _Block, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = "".join(parts)` and `x += more`: more is the last of the parts."""
    found = _joined(one)
    match two:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            if found is None or found[0] != name or not _collects(block, found[1]):
                return []
            if any(_mentions(each, found[1]) for each in block.body[block.body.index(two) :]):
                return []
            if any(_mentions(value, each) for each in found) or one.lineno != one.end_lineno:
                return []
            more = f"{found[1]}.append({block.code(value)})"
            return [
                RowChange(*_span(one), more),
                RowChange(*_span(two), f'{name} = "".join({found[1]})'),
            ]
    return []


_WAYS: tuple[Callable[[_Block, ast.stmt, ast.stmt], list[RowChange]], ...] = (
    _returned,
    _filled,
    _added,
)


def _empty_starts(block: _Block, lines: frozenset[int]) -> Iterator[list[RowChange]]:
    """`x = ""` and `parts = [x]`, where `x` is next given the joined parts: `parts = []`."""
    for place, start in enumerate(block.body):
        match start:
            case ast.Assign(
                targets=[ast.Name(id=parts)], value=ast.List(elts=[ast.Name(id=name)])
            ):
                pass
            case _:
                continue
        empty = [
            each
            for each in block.body[:place]
            if isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and each.targets[0].id == name
        ]
        if not _is_new(start, lines) or not empty or not _is_own(block.function, name):
            continue
        begin = empty[-1]
        between = block.body[block.body.index(begin) + 1 : place]
        nothing = isinstance(begin.value, ast.Constant) and begin.value.value == ""
        if len(begin.targets) > 1 or not nothing or any(_mentions(s, name) for s in between):
            continue
        for following in block.body[place + 1 :]:
            if not _mentions(following, name):
                continue
            match following:
                case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                    if not _mentions(value, name) and not block.tried:
                        yield [
                            RowChange(*_span(begin), ""),
                            RowChange(*_span(start), f"{parts} = []"),
                        ]
            break
        else:
            if not block.tried and block.body is block.function.body:
                yield [RowChange(*_span(begin), ""), RowChange(*_span(start), f"{parts} = []")]


def _collects(block: _Block, name: str) -> bool:
    """Say whether a variable is a list of the function's own, which nobody else sees."""
    lists = (
        isinstance(each, ast.Assign)
        and isinstance(each.value, ast.List)
        and any(isinstance(t, ast.Name) and t.id == name for t in each.targets)
        for each in ast.walk(block.function)
    )
    uses = [
        each
        for each in ast.walk(block.function)
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
    ]
    known = {
        id(each.func.value)
        for each in ast.walk(block.function)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "append"
    }
    known |= {
        id(argument)
        for each in ast.walk(block.function)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "join"
        for argument in each.args
    }
    own = not block.tried and _is_own(block.function, name)
    return own and any(lists) and all(id(each) in known for each in uses)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _bound(block: _Block) -> set[str]:
    """Return the names that a function gives values to."""
    stored = {
        each.id
        for each in ast.walk(block.function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return stored | {each.arg for each in ast.walk(block.function) if isinstance(each, ast.arg)}


def _is_own(function: ast.AST, name: str) -> bool:
    """Say whether a variable is that of the function alone: nothing within it sees it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return False
        inner = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
        if node is not function and isinstance(node, inner) and _mentions(node, name):
            return False
    return True
