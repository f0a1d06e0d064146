"""What ties the numbers and words of one text together, beyond its counts.

What held in every text seen counts, be it by chance, as for arguments: how numbers of single
lines, sizes and the largest of a column compare; the order of columns within a row and with
its place; the order of rows, and that none is there twice; words of a column that all stand in
another one, or stood there before; and which kinds of lines were never ahead of others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluators.counterexample.function.relations import Feature, Relation, held
from evaluators.counterexample.function.rules import Orders, in_order, keeps, orders, shared
from evaluators.counterexample.stdin.kinds import LineRow, Value
from evaluators.counterexample.stdin.layout import Document, InputLayout

Column = tuple[int, int]
"""Kind and column."""

_SORTED = frozenset({"ascending", "descending"})
_COLLISIONS = 5.0  # duplicates that chance would have made, where none is no accident


@dataclass(frozen=True)
class LineTies:
    """What all texts seen kept.

    Attributes:
        relations: Between numbers of a text.
        orders: By kind, between the place of a row and its numbers, the place first.
        apart: Columns of one kind that never held the same in one row.
        sorted: By column, how its rows are sorted.
        distinct: By kind, columns whose values together no two rows share.
        tails: By kind, what the tail of a row keeps.
        inside: Columns whose tokens all stand in another, and whether in an earlier row.
        behind: Kinds of lines of which there never were more than of another so far.
    """

    relations: tuple[Relation, ...]
    orders: Mapping[int, Orders]
    apart: frozenset[tuple[int, int, int]]
    sorted: Mapping[Column, frozenset[str]]
    distinct: Mapping[int, tuple[tuple[int, ...], ...]]
    tails: Mapping[int, frozenset[str]]
    inside: tuple[tuple[Column, Column, bool], ...]
    behind: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Tied:
    """Finds ties in documents of a layout, and says whether a document keeps them."""

    layout: InputLayout

    def of(self, documents: Sequence[Document]) -> LineTies:
        """Return what all documents keep."""
        rows = defaultdict[int, list[list[LineRow]]](list)
        for document in documents:
            for kind, found in _sequences(document):
                rows[kind].append(found)
        return LineTies(
            relations=held([self.features(document) for document in documents]),
            orders={kind: self._orders(kind, found) for kind, found in rows.items()},
            apart=frozenset(
                (kind, i, j)
                for kind, found in rows.items()
                for i, j in self._apart(kind, found)
            ),
            sorted={
                (kind, column): shared([self.values(kind, row, column) for row in found])
                & _SORTED
                for kind, found in rows.items()
                for column in range(self.layout.kinds[kind].head)
            },
            distinct={kind: self._distinct(kind, found) for kind, found in rows.items()},
            tails={
                kind: shared([self._tail(row) for one in found for row in one])
                for kind, found in rows.items()
            },
            inside=tuple(_inside(self.layout, documents)),
            behind=_behind(self.layout, documents),
        )

    def holds(self, document: Document, ties: LineTies) -> bool:
        """Say whether a document keeps ties."""
        known, cells = self.features(document), cells_of(document, self.layout)
        return (
            all(relation.holds(known) for relation in ties.relations)
            and all(self._keeps(kind, rows, ties) for kind, rows in _sequences(document))
            and all(_is_inside(cells, *one) for one in ties.inside)
            and not ties.behind & _ahead(document, len(self.layout.kinds))
        )

    def features(self, document: Document) -> dict[Feature, int]:
        """Return the numbers of a document that are compared."""
        found: dict[Feature, int] = {}
        for number, (section, units) in enumerate(
            zip(self.layout.sections, document, strict=True)
        ):
            if not section.plan.single:
                found["size", number, -1] = len(units)
            for unit in units:
                for row in unit:
                    self._largest(row, found, single=section.plan.single)
        return found

    def values(self, kind: int, rows: Sequence[LineRow], column: int) -> list[Value]:
        """Return the values of a column."""
        known = self.layout.kinds[kind].columns[column]
        return [known.value(row.tokens[column]) for row in rows]

    def _largest(self, row: LineRow, found: dict[Feature, int], *, single: bool) -> None:
        kind = self.layout.kinds[row.kind]
        for at, token in enumerate(row.tokens):
            if kind.column(at).kind is not int:
                continue
            place, value = min(at, kind.head), int(token)
            name: Feature = (
                "value" if single and at < kind.head else "largest",
                row.kind,
                place,
            )
            found[name] = max(found.get(name, value), value)

    def _tail(self, row: LineRow) -> list[Value]:
        kind = self.layout.kinds[row.kind]
        return [kind.columns[-1].value(token) for token in row.tokens[kind.head :]]

    def _numbers(self, kind: int, rows: Sequence[LineRow]) -> list[tuple[int | str, ...]]:
        """Return rows whose first field is their place, and whose integers are numbers."""
        known = self.layout.kinds[kind]
        return [
            (
                place,
                *(
                    int(token) if known.columns[at].kind is int else token
                    for at, token in enumerate(row.tokens[: known.head])
                ),
            )
            for place, row in enumerate(rows, 1)
        ]

    def _orders(self, kind: int, found: Sequence[Sequence[LineRow]]) -> Orders:
        rows = [numbers for rows in found for numbers in self._numbers(kind, rows)]
        return orders(rows, 1 + self.layout.kinds[kind].head)

    def _distinct(
        self, kind: int, found: Sequence[Sequence[LineRow]]
    ) -> tuple[tuple[int, ...], ...]:
        """Return columns without duplicates, where chance would have made some."""
        heads = range(self.layout.kinds[kind].head)
        met = sum(len(rows) ** 2 for rows in found) / 2
        spans = [self._span(kind, at, found) for at in heads]
        return tuple(
            columns
            for size in sorted({1, 2, len(heads)})
            for columns in combinations(heads, size)
            if columns
            and met >= _COLLISIONS * math.prod(spans[at] for at in columns)
            and not any(_repeated(rows, columns) for rows in found)
        )

    def _span(self, kind: int, at: int, found: Sequence[Sequence[LineRow]]) -> int:
        """Return how many values a column may have, as far as is seen."""
        column = self.layout.kinds[kind].columns[at]
        if column.kind is int:
            return int(column.shape.high - column.shape.low) // column.stride + 1
        return len({row.tokens[at] for rows in found for row in rows})

    def _apart(
        self, kind: int, found: Sequence[Sequence[LineRow]]
    ) -> Iterator[tuple[int, int]]:
        rows = [row.tokens for one in found for row in one]
        head = self.layout.kinds[kind].head
        for i in range(head):
            for j in range(i):
                values = {row[i] for row in rows} | {row[j] for row in rows}
                often = len(rows) >= _COLLISIONS * len(values)
                if often and all(row[i] != row[j] for row in rows):
                    yield i, j

    def _keeps(self, kind: int, rows: Sequence[LineRow], ties: LineTies) -> bool:
        if kind not in ties.orders:
            return True
        heads = range(self.layout.kinds[kind].head)
        return (
            all(in_order(row, ties.orders[kind]) for row in self._numbers(kind, rows))
            and all(keeps(self._tail(row), ties.tails[kind]) for row in rows)
            and all(keeps(self.values(kind, rows, c), ties.sorted[kind, c]) for c in heads)
            and not any(_repeated(rows, columns) for columns in ties.distinct[kind])
            and all(
                row.tokens[i] != row.tokens[j]
                for known, i, j in ties.apart
                if known == kind
                for row in rows
            )
        )


def _sequences(document: Document) -> Iterator[tuple[int, list[LineRow]]]:
    """Yield the rows of each kind that follow each other: of a section, or of a unit."""
    for rows in _groups(document):
        for kind in dict.fromkeys(row.kind for row in rows):
            yield kind, [row for row in rows if row.kind == kind]


def _groups(document: Document) -> Iterator[Sequence[LineRow]]:
    """Yield the first rows of the units of a section, and the further ones of each."""
    for units in document:
        yield [unit[0] for unit in units]
        yield from (unit[1:] for unit in units)


def _repeated(rows: Sequence[LineRow], columns: Sequence[int]) -> bool:
    """Say whether two rows share the tokens of columns."""
    return len({tuple(row.tokens[at] for at in columns) for row in rows}) < len(rows)


def cells_of(
    document: Document, layout: InputLayout
) -> dict[Column, dict[str, tuple[int, int]]]:
    """Return by column what stands in it, with the first and the last row of each.

    Single lines and counts do not take part: that they are found elsewhere says nothing.
    """
    found: dict[Column, dict[str, tuple[int, int]]] = {}
    number = 0
    for section, units in zip(layout.sections, document, strict=True):
        for unit in units:
            for row in unit:
                number += 1
                kind = layout.kinds[row.kind]
                for at, token in enumerate(row.tokens):
                    column = (row.kind, min(at, kind.head))
                    if section.plan.single or at in layout.counts[row.kind]:
                        continue
                    if kind.tag and at == 0:
                        continue
                    first, _ = found.setdefault(column, {}).get(token, (number, number))
                    found[column][token] = first, number
    return found


def _inside(
    layout: InputLayout, documents: Sequence[Document]
) -> Iterator[tuple[Column, Column, bool]]:
    cells = [cells_of(document, layout) for document in documents]
    names = dict.fromkeys(name for one in cells for name in one)
    for part in names:
        for whole in names:
            if part == whole:
                continue
            for before in (True, False):
                if all(_is_inside(one, part, whole, before) for one in cells):
                    yield part, whole, before
                    break


def _behind(layout: InputLayout, documents: Sequence[Document]) -> frozenset[tuple[int, int]]:
    pairs = {
        (a, b)
        for section in layout.sections
        for kinds in (section.heads, section.bodies)
        for a in kinds
        for b in kinds
        if a != b
    }
    count = len(layout.kinds)
    return frozenset(pairs).difference(*(_ahead(one, count) for one in documents))


def _is_inside(
    cells: Mapping[Column, Mapping[str, tuple[int, int]]],
    part: Column,
    whole: Column,
    before: bool,
) -> bool:
    known = cells.get(whole, {})
    return all(
        token in known and (not before or known[token][0] < first)
        for token, (first, _) in cells.get(part, {}).items()
    )


def _ahead(document: Document, kinds: int) -> set[tuple[int, int]]:
    """Return the pairs of kinds of which the first was more frequent, at some line."""
    found: set[tuple[int, int]] = set()
    for rows in _groups(document):
        counts = Counter[int]()
        for row in rows:
            counts[row.kind] += 1
            found |= {(row.kind, b) for b in range(kinds) if counts[row.kind] > counts[b]}
    return found
