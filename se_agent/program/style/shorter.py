"""Lines that edits left longer than they need to be, said in fewer.

A value that is only returned is returned at once; what begins empty and is filled by the next
line begins full. Only where one of the lines is new, and within one block. Pure. Not here: what
guards a change against values that were never seen (`guards`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import chain

from se_agent.program.style.blocks import (
    CodeBlock,
    RowChange,
    begins_anew,
    blocks_of,
    is_own,
    mentions,
    span_of,
    with_rows,
)
from se_agent.program.style.changed import new_lines, rows_of, tree_or_none
from se_agent.program.style.collected import (
    is_collecting,
    joined_parts,
    rejoined_texts,
    turned_texts,
)
from se_agent.program.style.tallied import copied_counter

_FILLING = ("join", "translate")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


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
        others = chain(rejoined_texts(tree, lines, text), turned_texts(tree, lines, text))
        made = with_rows(text, found) if found else next(others, text)
        if made == text or tree_or_none(made) is None:
            return text
        text = made
    return text


def _shorter(tree: ast.Module, lines: frozenset[int], text: str) -> Iterator[list[RowChange]]:
    for block in blocks_of(tree, text):
        for one, two in zip(block.body, block.body[1:], strict=False):
            if begins_anew(one, lines) or begins_anew(two, lines):
                for way in _WAYS:
                    if found := way(block, one, two):
                        yield found
        yield from _empty_starts(block, lines)
        for statement in block.body if len(block.body) > 1 else ():
            if begins_anew(statement, lines) and _gives_itself(statement):
                yield [RowChange(*span_of(statement), "")]


def _gives_itself(statement: ast.stmt) -> bool:
    """Say whether a statement is `x = x`, which a guard leaves that was taken out."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=read)):
            return name == read
    return False


def _returned(block: CodeBlock, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = value` and `return x`: `return value`."""
    match one, two:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value),
            ast.Return(value=ast.Name(id=read)),
        ) if name == read and not block.tried and is_own(block.function, name):
            if one.lineno == one.end_lineno:
                return [
                    RowChange(*span_of(one), ""),
                    RowChange(*span_of(two), f"return {block.code(value)}"),
                ]
    return []


def _filled(block: CodeBlock, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
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
        ) if name == read and not mentions(values, name) and "list" not in _bound(block):
            code = f"{name} = {_listed(block, values)}"
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")),
            ast.AugAssign(
                target=ast.Name(id=read),
                op=ast.Add(),
                value=ast.Call(func=ast.Attribute(attr=method)) as value,
            ),
        ) if name == read and method in _FILLING and not mentions(value, name):
            code = f"{name} = {block.code(value)}"
        case _:
            return []
    return [RowChange(*span_of(one), ""), RowChange(*span_of(two), code)]


def _listed(block: CodeBlock, values: ast.expr) -> str:
    if isinstance(values, ast.ListComp):
        return block.code(values)
    return f"list({block.code(values)})"


def _added(block: CodeBlock, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = "".join(parts)` and `x += more`: more is the last of the parts."""
    found = joined_parts(one)
    match two:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            if found is None or found[0] != name or not is_collecting(block, found[1]):
                return []
            if not any(_begins(each, found[1]) for each in block.body[: block.body.index(one)]):
                return []  # in a loop, the next round would join it again
            if any(mentions(each, found[1]) for each in block.body[block.body.index(two) :]):
                return []
            if any(mentions(value, each) for each in found) or one.lineno != one.end_lineno:
                return []
            more = f"{found[1]}.append({block.code(value)})"
            return [
                RowChange(*span_of(one), more),
                RowChange(*span_of(two), f'{name} = "".join({found[1]})'),
            ]
    return []


def _begins(statement: ast.stmt, name: str) -> bool:
    """Say whether a statement gives a list its first value."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=given)], value=ast.List()):
            return given == name
    return False


def _searched(block: CodeBlock, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`x = 0` and `x = bisect_left(values, value, x)`: a search begins there by itself."""
    match one, two:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=0)),
            ast.Assign(
                targets=[ast.Name(id=given)],
                value=ast.Call(
                    func=ast.Name(id="bisect_left" | "bisect_right") as search,
                    args=[values, value, ast.Name(id=start)],
                    keywords=[],
                ),
            ),
        ) if name == given == start and not (mentions(values, name) or mentions(value, name)):
            code = f"{search.id}({block.code(values)}, {block.code(value)})"
            return [RowChange(*span_of(one), ""), RowChange(*span_of(two), f"{name} = {code}")]
    return []


_WAYS: tuple[Callable[[CodeBlock, ast.stmt, ast.stmt], list[RowChange]], ...] = (
    _returned,
    _filled,
    _added,
    _searched,
    copied_counter,
)


def _empty_starts(block: CodeBlock, lines: frozenset[int]) -> Iterator[list[RowChange]]:
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
        if not begins_anew(start, lines) or not empty or not is_own(block.function, name):
            continue
        begin = empty[-1]
        between = block.body[block.body.index(begin) + 1 : place]
        nothing = isinstance(begin.value, ast.Constant) and begin.value.value == ""
        if len(begin.targets) > 1 or not nothing or any(mentions(s, name) for s in between):
            continue
        for following in block.body[place + 1 :]:
            if not mentions(following, name):
                if _leaves(following):
                    break  # what was empty may be read where the loop ends
                continue
            match following:
                case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                    if not mentions(value, name) and not block.tried:
                        yield [
                            RowChange(*span_of(begin), ""),
                            RowChange(*span_of(start), f"{parts} = []"),
                        ]
            break
        else:
            if not block.tried and block.body is block.function.body:
                yield [
                    RowChange(*span_of(begin), ""),
                    RowChange(*span_of(start), f"{parts} = []"),
                ]


def _leaves(statement: ast.stmt) -> bool:
    """Say whether a statement may leave a round of the loop around it."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Break | ast.Continue):
            return True
        if isinstance(node, _LOOPS):
            todo += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            todo += ast.iter_child_nodes(node)
    return False


def _bound(block: CodeBlock) -> set[str]:
    """Return the names that a function gives values to."""
    stored = {
        each.id
        for each in ast.walk(block.function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return stored | {each.arg for each in ast.walk(block.function) if isinstance(each, ast.arg)}
