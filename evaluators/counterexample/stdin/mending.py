"""Documents bent so that they keep the ties, as far as that is simple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.counterexample.function.relations import Feature, Relation
from evaluators.counterexample.stdin.kinds import LineRow
from evaluators.counterexample.stdin.layout import Document, Unit, with_token
from evaluators.counterexample.stdin.ties import Column, LineTies, Tied, cells_of

_TIMES = 2  # one tie that is mended may break another


@dataclass(frozen=True)
class Mending:
    """Bends documents of a layout.

    Attributes:
        tied: Reads their ties.
        ties: What they shall keep.
    """

    tied: Tied
    ties: LineTies

    def mended(self, document: Document) -> Document:
        """Return the document, closer to what keeps the ties."""
        layout = self.tied.layout
        for _ in range(_TIMES):
            document = layout.settled(document)
            if self.tied.holds(document, self.ties):
                break
            document = [self._section(units) for units in document]
            for part, whole, before in self.ties.inside:
                document = self._inside(document, part, whole, before=before)
            for relation in self.ties.relations:
                document = self._related(layout.settled(document), relation)
        return layout.settled(document)

    def _section(self, units: Sequence[Unit]) -> list[Unit]:
        heads = self._rows([unit[0] for unit in units])
        return [
            [head, *(row for row in self._rows(unit[1:]) if row is not None)]
            for head, unit in zip(heads, units, strict=True)
            if head is not None
        ]

    def _rows(self, rows: Sequence[LineRow]) -> list[LineRow | None]:
        """Return rows in order, and None for those that are there already."""
        found: list[LineRow | None] = list(rows)
        for kind in dict.fromkeys(row.kind for row in rows):
            if kind not in self.ties.orders:
                continue
            places = [n for n, row in enumerate(rows) if row.kind == kind]
            own = [self._row(rows[n], at) for at, n in enumerate(places, 1)]
            for at, row in zip(
                places, self._unlike(kind, self._sorted(kind, own)), strict=True
            ):
                found[at] = row
        return found

    def _row(self, row: LineRow, place: int) -> LineRow:
        """Bend a row so that its numbers are in the order that they always had."""
        column = self.tied.layout.kinds[row.kind].columns
        for i, j, strict in self.ties.orders[row.kind]:
            left = place if i == 0 else int(row.tokens[i - 1])
            right = place if j == 0 else int(row.tokens[j - 1])
            if left + strict <= right:
                continue
            if j == 0:
                row = with_token(row, i - 1, str(right - strict))
            elif i == 0:
                row = with_token(row, j - 1, str(left + strict))
            elif left == right:
                top = int(column[j - 1].shape.high)
                step = (j - 1, right + 1) if right < top else (i - 1, left - 1)
                row = with_token(row, step[0], str(step[1]))
            else:
                row = with_token(with_token(row, i - 1, str(right)), j - 1, str(left))
        return row

    def _sorted(self, kind: int, rows: Sequence[LineRow]) -> list[LineRow]:
        found, known = list(rows), self.tied.layout.kinds[kind].columns
        for (owner, c), rules in self.ties.sorted.items():
            if owner == kind and rules:
                found.sort(
                    key=lambda row: known[c].value(row.tokens[c]),
                    reverse="descending" in rules,
                )
        return found

    def _unlike(self, kind: int, rows: Sequence[LineRow]) -> list[LineRow | None]:
        found: list[LineRow | None] = list(rows)
        for columns in self.ties.distinct[kind]:
            seen: set[tuple[str, ...]] = set()
            for n, row in enumerate(rows):
                name = tuple(row.tokens[at] for at in columns)
                if name in seen:
                    found[n] = None
                seen.add(name)
        return found

    def _inside(
        self, document: Document, part: Column, whole: Column, *, before: bool
    ) -> Document:
        """Put tokens of one column where others stand that are not in it."""
        layout = self.tied.layout
        known = cells_of(document, layout).get(whole, {})
        number, found = 0, Document()
        for units in document:
            found.append([])
            for unit in units:
                found[-1].append([])
                for row in unit:
                    number += 1
                    choice = [
                        t for t, (first, _) in known.items() if first < number or not before
                    ]
                    found[-1][-1].append(self._among(row, part, choice))
        return found

    def _among(self, row: LineRow, part: Column, choice: Sequence[str]) -> LineRow:
        kind, column = part
        if row.kind != kind or not choice:
            return row
        head = self.tied.layout.kinds[kind].head
        last = len(row.tokens) if column == head else column + 1
        for at in range(column, last):
            if row.tokens[at] not in choice:
                row = with_token(row, at, choice[at % len(choice)])
        return row

    def _related(self, document: Document, relation: Relation) -> Document:
        now = self.tied.features(document)
        if relation.holds(now):
            return document
        bound = now[relation.right] - (relation.test == "<")
        if relation.left[0] == "size":
            return self._cut(document, relation.left, relation.right)
        return [
            [[self._bounded(row, relation, bound) for row in unit] for unit in units]
            for units in document
        ]

    def _bounded(self, row: LineRow, relation: Relation, bound: int) -> LineRow:
        _, kind, column = relation.left
        if row.kind != kind:
            return row
        head = self.tied.layout.kinds[kind].head
        last = len(row.tokens) if column == head else column + 1
        for at in range(column, last):
            if relation.test == "==" or int(row.tokens[at]) > bound:
                row = with_token(row, at, str(bound))
        return row

    def _cut(self, document: Document, *sizes: Feature) -> Document:
        numbers = [number for name, number, _ in sizes if name == "size"]
        least = min(len(document[number]) for number in numbers)
        return [
            units[:least] if number in numbers else units
            for number, units in enumerate(document)
        ]
