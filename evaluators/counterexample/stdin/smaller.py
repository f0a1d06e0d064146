"""Documents a little smaller than a given one: fewer lines, fewer tokens, smaller tokens."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from evaluators.counterexample.function.values import keeps_of
from evaluators.counterexample.stdin.changing import renamed
from evaluators.counterexample.stdin.kinds import Column, LineRow
from evaluators.counterexample.stdin.layout import Document, InputLayout, Unit, with_token

_POOL = 4  # short words of a column that may stand in place of one


def smaller(document: Document, layout: InputLayout) -> Iterator[Document]:
    """Yield smaller documents, the boldest first; counts are not settled."""
    yield from _fewer_units(document, layout)
    yield from _fewer_rows(document, layout)
    yield from _fewer_tokens(document, layout)
    yield from _plainer(document, layout)


def weight(text: str) -> tuple[int, int, int]:
    """Return how large a text is: its tokens, its characters, and how plain those are."""
    return (
        len(text.split()) + text.count("\n"),
        len(text),
        sum(int(char) if char in string.digits else char != "a" for char in text),
    )


def _fewer_units(document: Document, layout: InputLayout) -> Iterator[Document]:
    for number, units in enumerate(document):
        if layout.sections[number].plan.single:
            continue
        for keep in keeps_of(len(units)):
            kept = [unit for unit, wanted in zip(units, keep, strict=True) if wanted]
            yield [*document[:number], kept, *document[number + 1 :]]


def _fewer_rows(document: Document, layout: InputLayout) -> Iterator[Document]:
    for number, units in enumerate(document):
        plan = layout.sections[number].plan
        if plan.inner < 0 or plan.wide:
            continue
        for at, (head, *rows) in enumerate(units):
            for keep in keeps_of(len(rows)):
                kept = [row for row, wanted in zip(rows, keep, strict=True) if wanted]
                yield _with_unit(document, number, at, [head, *kept])


def _fewer_tokens(document: Document, layout: InputLayout) -> Iterator[Document]:
    for number, units in enumerate(document):
        tied = [kind for kind, _ in layout.sections[number].widths]
        for at, unit in enumerate(units):
            for place, row in enumerate(unit):
                kind = layout.kinds[row.kind]
                if kind.tail is None:
                    continue
                for keep in keeps_of(len(row.tokens) - kind.head):
                    if row.kind in tied:
                        yield _narrowed(document, row.kind, kind.head, keep)
                    else:
                        yield _with_unit(
                            document,
                            number,
                            at,
                            [*unit[:place], _kept(row, kind.head, keep), *unit[place + 1 :]],
                        )


def _narrowed(document: Document, kind: int, head: int, keep: Sequence[bool]) -> Document:
    """Drop the same tokens of all rows of a kind: one number is the length of all."""
    return [
        [
            [
                _kept(row, head, keep)
                if row.kind == kind and len(row.tokens) == head + len(keep)
                else row
                for row in unit
            ]
            for unit in units
        ]
        for units in document
    ]


def _kept(row: LineRow, head: int, keep: Sequence[bool]) -> LineRow:
    tail = (token for token, wanted in zip(row.tokens[head:], keep, strict=True) if wanted)
    return LineRow(row.kind, (*row.tokens[:head], *tail))


def _plainer(document: Document, layout: InputLayout) -> Iterator[Document]:
    done: set[tuple[str, str]] = set()
    for number, units in enumerate(document):
        for at, unit in enumerate(units):
            for place, row in enumerate(unit):
                kind = layout.kinds[row.kind]
                for n, old in enumerate(row.tokens):
                    for new in _simpler(kind.column(n), old):
                        if (old, new) not in done:
                            done.add((old, new))
                            yield renamed(document, {old}, new)
                        less = [*unit[:place], with_token(row, n, new), *unit[place + 1 :]]
                        yield _with_unit(document, number, at, less)


def _simpler(column: Column, token: str) -> Iterator[str]:
    if column.kind is int:
        value, low = int(token), int(column.shape.low)
        for less in (0, 1, low, (value + low) // 2, value - 1, -value):
            if len(str(less)) <= len(token) and str(less) != token:
                yield str(less)
    else:
        known = {column.written(value) for value in column.shape.pool}
        yield from sorted(known - {token}, key=lambda one: (len(one), one))[:_POOL]


def _with_unit(document: Document, number: int, at: int, unit: Unit) -> Document:
    units = [*document[number][:at], unit, *document[number][at + 1 :]]
    return [*document[:number], units, *document[number + 1 :]]
