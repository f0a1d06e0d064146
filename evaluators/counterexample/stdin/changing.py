"""Documents seen with a few changes, drawn by dice.

Lines come, go and change places, tokens become others. Not here: counts and ties (`layout`,
`mending`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast  # a row or a unit

from evaluators.counterexample.stdin.kinds import LineRow
from evaluators.counterexample.stdin.layout import Document, InputSection, Unit, with_token
from evaluators.counterexample.stdin.making import Draw

_CHANGES = 4  # to a seen document, at most
_FLOOD = 8  # copies of a unit at once
_ON_UNITS = ("drop", "cut", "again", "flood", "swap", "reverse", "tie", "new")
_ON_TAILS = ("drop", "again", "new", "reverse")
_ON_TOKENS = ("new", "new", "step", "twin", "twin", "edge")
_WHERE = ("one", "one", "one", "place", "column", "word")
"""One token, all of its column, each of these wherever it stands, or this one's like."""


T = TypeVar("T")


@dataclass(frozen=True)
class InputChange:
    """Changes documents of a layout.

    Attributes:
        draw: Draws what is new.
    """

    draw: Draw

    def changed(self, document: Document) -> Document:
        """Return a document with a few changes."""
        document = [[list(unit) for unit in units] for units in document]
        for _ in range(self.draw.dice.between(1, _CHANGES)):
            if self.draw.dice.below(2):
                self._length(document)
            else:
                document = self._tokens(document)
        return document

    def _length(self, document: Document) -> None:
        """Change how many units, lines of a unit, or tokens of a line there are."""
        chosen = self.draw.dice.below(len(document))
        section, units = self.draw.layout.sections[chosen], document[chosen]
        grouped = section.plan.inner >= 0 and not section.plan.wide
        if grouped and units and self.draw.dice.below(2):
            unit = self.draw.dice.pick(units)
            rows = unit[1:]
            self._shuffled(rows, lambda: self.draw.row(self.draw.dice.pick(section.bodies)))
            unit[1:] = rows
        elif section.plan.single or self.draw.dice.below(4) == 0:
            self._width(section, units)
        else:
            self._shuffled(units, lambda: self.draw.unit(section))

    def _shuffled(self, items: list[T], new: Callable[[], T]) -> None:
        what = self.draw.dice.pick(_ON_UNITS)
        if what == "new" or not items:
            items.insert(self.draw.dice.below(len(items) + 1), new())
            return
        one, two = self._one(items), self.draw.dice.below(len(items))
        if what == "drop":
            del items[one]
        elif what == "cut":
            del items[one:]
        elif what == "again":
            items.insert(two, _copy(items[one]))
        elif what == "flood":
            items += [_copy(items[one]) for _ in range(self.draw.dice.below(_FLOOD))]
        elif what == "swap":
            items[one], items[two] = items[two], items[one]
        elif what == "reverse":
            items.reverse()
        else:
            items[two] = _copy(items[one])

    def _one(self, items: Sequence[T]) -> int:
        """Draw an item by its kind first: else rare ones would be left alone."""
        by_kind: dict[object, list[int]] = {}
        for n, item in enumerate(items):
            first = item[0] if isinstance(item, list) else item
            by_kind.setdefault(first.kind if isinstance(first, LineRow) else 0, []).append(n)
        return self.draw.dice.pick(self.draw.dice.pick(list(by_kind.values())))

    def _width(self, section: InputSection, units: list[Unit]) -> None:
        """Change the length of a tail; of all of a kind where one number tells it."""
        rows = [row for unit in units for row in unit if self.draw.layout.kinds[row.kind].tail]
        if not rows:
            return
        row = self.draw.dice.pick(rows)
        together = dict(section.widths).get(row.kind) is not None
        kind, what = self.draw.layout.kinds[row.kind], self.draw.dice.pick(_ON_TAILS)
        count = len(row.tokens) - kind.head
        at = kind.head + self.draw.dice.below(max(count, 1))
        for unit in units:
            for n, one in enumerate(unit):
                if one is row or (together and one.kind == row.kind):
                    unit[n] = self._tailed(one, at, what)

    def _tailed(self, row: LineRow, at: int, what: str) -> LineRow:
        kind, tokens = self.draw.layout.kinds[row.kind], list(row.tokens)
        if what == "new" or at >= len(tokens):
            tokens.insert(at, self.draw.of(kind.columns[-1]))
        elif what == "drop":
            del tokens[at]
        elif what == "again":
            tokens.insert(at, tokens[at])
        else:
            tokens[kind.head :] = tokens[kind.head :][::-1]
        return LineRow(row.kind, tuple(tokens))

    def _tokens(self, document: Document) -> Document:
        """Change one token, a column, or a word wherever it stands."""
        cells = [
            (row, at)
            for units in document
            for unit in units
            for row in unit
            for at in range(len(row.tokens))
        ]
        if not cells:
            return document
        row, at = self._cell(cells)
        kind, old = self.draw.layout.kinds[row.kind], row.tokens[at]
        if kind.tag and at == 0:
            return document
        new, where = self._other(cells, row, at), self.draw.dice.pick(_WHERE)
        if where == "word":
            return renamed(document, {old}, new)
        own = self._column(row, at)
        alike = {one.tokens[i] for one, i in cells if self._column(one, i) == own}
        if where == "column":
            return renamed(document, alike, new)
        put = partial(self._put, chosen=row, at=at, token=new, all_=where == "place")
        return [[[put(one) for one in unit] for unit in units] for units in document]

    def _column(self, row: LineRow, at: int) -> tuple[int, int]:
        return row.kind, min(at, self.draw.layout.kinds[row.kind].head)

    def _cell(self, cells: Sequence[tuple[LineRow, int]]) -> tuple[LineRow, int]:
        """Draw a column first: else the longest rows would get all the changes."""
        by_column: dict[tuple[int, int], list[tuple[LineRow, int]]] = {}
        for row, at in cells:
            by_column.setdefault(self._column(row, at), []).append((row, at))
        return self.draw.dice.pick(self.draw.dice.pick(list(by_column.values())))

    def _other(self, cells: Sequence[tuple[LineRow, int]], row: LineRow, at: int) -> str:
        """Return a token that may stand in place of one."""
        what = self.draw.dice.pick(_ON_TOKENS)
        column = self.draw.layout.kinds[row.kind].column(at)
        if what == "twin":
            own = self._column(row, at)
            return self.draw.dice.pick(
                [one.tokens[i] for one, i in cells if self._column(one, i) == own]
            )
        if what == "step" and column.kind is int:
            return str(int(row.tokens[at]) + self.draw.dice.pick((1, -1)) * column.stride)
        if what == "edge" and column.kind is int:
            return str(int(self.draw.dice.pick((column.shape.low, column.shape.high))))
        return self.draw.of(column)

    def _put(
        self, row: LineRow, *, chosen: LineRow, at: int, token: str, all_: bool
    ) -> LineRow:
        if row is not chosen and not (all_ and row.kind == chosen.kind):
            return row
        return with_token(row, at, token) if at < len(row.tokens) else row


def _copy(item: T) -> T:
    """Return the same row or unit once more: it may be changed alone."""
    made: Any = [LineRow(*row) for row in item] if isinstance(item, list) else item
    return cast("T", LineRow(*made) if isinstance(made, LineRow) else made)


def renamed(document: Document, old: Container[str], new: str) -> Document:
    """Return the document with tokens replaced wherever they stand."""
    return [
        [
            [
                LineRow(row.kind, tuple(new if t in old else t for t in row.tokens))
                for row in unit
            ]
            for unit in units
        ]
        for units in document
    ]
