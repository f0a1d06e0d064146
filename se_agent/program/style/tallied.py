"""A dictionary that a loop fills from a counter of its values: it is that counter. Pure."""

from __future__ import annotations

import ast

from se_agent.program.style.blocks import CodeBlock, RowChange, is_own, mentions, span_of


def copied_counter(block: CodeBlock, one: ast.stmt, two: ast.stmt) -> list[RowChange]:
    """`d = {}`, `c = Counter(xs)` and `for x in xs: d[x] = c[x]`: `d = dict(Counter(xs))`."""
    match one, two:
        case (
            ast.Assign(
                targets=[ast.Name(id=counter)],
                value=ast.Call(func=ast.Name(id="Counter"), args=[ast.Name(id=values)]) as made,
            ),
            ast.For(
                target=ast.Name(id=each),
                iter=ast.Name(id=looped),
                body=[
                    ast.Assign(
                        targets=[
                            ast.Subscript(value=ast.Name(id=filled), slice=ast.Name(id=key))
                        ],
                        value=ast.Subscript(value=ast.Name(id=read), slice=ast.Name(id=asked)),
                    )
                ],
                orelse=[],
            ),
        ) if (values, counter, each, each) == (looped, read, key, asked):
            pass
        case _:
            return []
    place = block.body.index(one)
    starts = [each for each in block.body[:place] if _is_empty(each, filled)]
    names = (counter, filled, each, values)
    if block.tried or len({*names}) < len(names) or not starts or made.keywords:
        return []
    between = block.body[block.body.index(starts[-1]) + 1 : place]
    later = block.body[place + 2 :]
    needed = any(mentions(s, name) for s in later for name in (counter, each))
    if needed or any(mentions(s, filled) for s in between):
        return []
    if block.body is not block.function.body or not all(
        is_own(block.function, name) for name in (counter, filled, each)
    ):
        return []
    return [
        RowChange(*span_of(starts[-1]), ""),
        RowChange(*span_of(one), f"{filled} = dict({block.code(made)})"),
        RowChange(*span_of(two), ""),
    ]


def _is_empty(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=given)], value=ast.Dict(keys=[])):
            return given == name
    return False
