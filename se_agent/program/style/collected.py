"""Lists of parts that edits brought: one for all loops that add to a text, filled in one order.

Pure. Not here: lines that are longer than they need to be (`shorter`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from se_agent.program.style.blocks import (
    CodeBlock,
    RowChange,
    blocks_of,
    is_own,
    mentions,
    span_of,
    with_rows,
)
from se_agent.program.style.names import with_name


def rejoined_texts(tree: ast.Module, lines: frozenset[int], text: str) -> Iterator[str]:
    """Yield a text in which parts that were joined and begun anew are collected in one list."""
    for block in blocks_of(tree, text):
        joins = [
            (n, found) for n, each in enumerate(block.body) if (found := joined_parts(each))
        ]
        for place, (name, parts) in joins:
            if block.body[place].lineno not in lines or not is_collecting(block, parts):
                continue
            for last, again in enumerate(block.body[place + 1 :], place + 1):
                begun = _begun(again)
                if begun is not None and begun[1] == name and begun[0] != parts:
                    later = block.body[place + 1 :]
                    if is_own(block.function, begun[0]) and not any(
                        mentions(each, parts) for each in later
                    ):
                        gone = [
                            RowChange(*span_of(block.body[place]), ""),
                            RowChange(*span_of(again), ""),
                        ]
                        named = with_name(text, block.function, begun[0], parts)
                        yield with_rows(named, gone)
                if mentions(block.body[last], name):
                    break


def turned_texts(tree: ast.Module, lines: frozenset[int], text: str) -> Iterator[str]:
    """Yield a text in which a list that is filled from the front is filled, then reversed."""
    for block in blocks_of(tree, text):
        for place, each in enumerate(block.body):
            found = _put_in_front(each)
            if found is None or each.lineno not in lines:
                continue
            name, front = found
            starts = [
                n for n, one in enumerate(block.body[:place]) if _is_empty_list(one, name)
            ]
            fronts = [
                n for n, one in enumerate(block.body[:place]) if _is_empty_list(one, front)
            ]
            if len(starts) != 1 or len(fronts) != 1 or not is_own(block.function, name):
                continue
            between = block.body[starts[0] + 1 : place]
            later = any(mentions(one, front) for one in block.body[place + 1 :])
            if later or any(mentions(one, name) for one in between):
                continue
            if is_own(block.function, front) and starts[0] < fronts[0]:
                named = with_name(text, block.function, front, name)
                gone = RowChange(*span_of(block.body[fronts[0]]), "")
                turned = RowChange(*span_of(each), f"{name}.reverse()")
                yield with_rows(named, [gone, turned])


def _put_in_front(statement: ast.stmt) -> tuple[str, str] | None:
    """Return name and front of `name[:0] = front[::-1]`."""
    match statement:
        case ast.Assign(
            targets=[
                ast.Subscript(
                    value=ast.Name(id=name),
                    slice=ast.Slice(lower=None, upper=ast.Constant(value=0), step=None),
                )
            ],
            value=ast.Subscript(
                value=ast.Name(id=front),
                slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp()),
            ),
        ):
            return name, front
    return None


def _is_empty_list(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=given)], value=ast.List(elts=[])):
            return given == name
    return False


def joined_parts(statement: ast.stmt) -> tuple[str, str] | None:
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


def is_collecting(block: CodeBlock, name: str) -> bool:
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
    own = not block.tried and is_own(block.function, name)
    return own and any(lists) and all(id(each) in known for each in uses)
