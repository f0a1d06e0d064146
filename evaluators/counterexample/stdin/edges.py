"""Texts at the edge of those seen, whatever the generator draws: nothing in them is random.

Not here: which numbers are tried, which functions and texts share (`function.edges`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from evaluators.counterexample.function.edges import near
from evaluators.counterexample.stdin.kinds import LineRow
from evaluators.counterexample.stdin.layout import Document, InputLayout, with_token

MOST = 32
"""Texts at most: each takes a process."""


def edges(
    document: Document, layout: InputLayout, numbers: Sequence[int]
) -> Iterator[Document]:
    """Yield a document with one number of each column in turn replaced by those to try.

    Args:
        document: Seen, and small.
        layout: Layout of the document.
        numbers: Numbers that stand in the program.
    """
    tried = [
        [_with(document, place, str(number)) for number in near(column.shape, numbers)]
        for place in _places(document, layout)
        for column in [layout.kinds[_row(document, place).kind].column(place[-1])]
    ]
    turns = range(max(map(len, tried), default=0))
    found = (row[turn] for turn in turns for row in tried if turn < len(row))
    yield from islice(found, MOST)


Place = tuple[int, int, int, int]  # section, unit, row and token


def _places(document: Document, layout: InputLayout) -> Iterator[Place]:
    """Yield where the first number of each column stands."""
    known = set[tuple[int, int]]()
    for section, units in enumerate(document):
        for unit, rows in enumerate(units):
            for line, row in enumerate(rows):
                kind = layout.kinds[row.kind]
                for at in range(len(row.tokens)):
                    column = row.kind, min(at, kind.head)
                    if kind.column(at).kind is int and column not in known:
                        known.add(column)
                        yield section, unit, line, at


def _row(document: Document, place: Place) -> LineRow:
    section, unit, line, _ = place
    return document[section][unit][line]


def _with(document: Document, place: Place, token: str) -> Document:
    *_, at = place
    changed = _row(document, place)
    return [
        [
            [with_token(row, at, token) if row is changed else row for row in unit]
            for unit in units
        ]
        for units in document
    ]
