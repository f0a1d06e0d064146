"""The layout that texts seen share: sections, units, kinds of lines, and what counts what.

It reads a text into rows, writes rows as a text, and keeps counts right when rows come or go.
Not here: what else ties the numbers of a text together (`ties`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evaluators.counterexample.stdin.kinds import LineKind, LineRow
from evaluators.counterexample.stdin.lines import Line, kind_of, lines_of, text_of
from evaluators.counterexample.stdin.plans import (
    InputPlace,
    InputPlan,
    Units,
    best,
    cut,
    kinds_at,
    lines_at,
    width_at,
)

Unit = list[LineRow]
Document = list[list[Unit]]
"""Units by section; rows are never changed in place."""


@dataclass(frozen=True, kw_only=True)
class InputSection:
    """A part of the layout.

    Attributes:
        plan: How it is cut out.
        heads: Kinds of the first lines of units, as numbers of `InputLayout.kinds`.
        bodies: Kinds of the further ones.
        sizes: Smallest and largest number of units.
        inner: Smallest and largest number of further lines of a unit.
        widths: By kind, where the length of its tails stands in a single line.
    """

    plan: InputPlan
    heads: range
    bodies: range
    sizes: tuple[int, int]
    inner: tuple[int, int]
    widths: tuple[tuple[int, InputPlace], ...] = ()


@dataclass(frozen=True)
class InputLayout:
    """What all texts seen share.

    Attributes:
        kinds: Kinds of lines.
        sections: In their order.
        understood: Whether each length that differs is a count's, or free for all that is
            seen.
        ended: Whether texts end with a newline.
    """

    kinds: tuple[LineKind, ...]
    sections: tuple[InputSection, ...]
    understood: bool = True
    ended: bool = True

    def read(self, text: str) -> Document | None:
        """Return the rows of a text; None for one of another layout."""
        found = cut(lines_of(text), [section.plan for section in self.sections])
        if found is None:
            return None
        document: Document = []
        for section, units in zip(self.sections, found, strict=True):
            rows = [self._unit(section, unit) for unit in units]
            document.append([unit for unit in rows if unit is not None])
            if len(document[-1]) != len(units):
                return None
        return document if self.settled(document) == document else None

    def write(self, document: Document) -> str:
        """Return the text of rows."""
        rows = (row for units in document for unit in units for row in unit)
        text = text_of(self.kinds[row.kind].line(row.tokens) for row in rows)
        return text if self.ended else text.removesuffix("\n")

    def settled(self, document: Document) -> Document:
        """Return the document with all counts as they have to be."""
        found = [
            [self._counted(section, unit) for unit in units]
            for section, units in zip(self.sections, document, strict=True)
        ]
        for section, units in zip(self.sections, found, strict=True):
            if section.plan.count is not None:
                _put(found, section.plan.count, len(units))
            for kind, place in section.widths:
                row = next((row for unit in units for row in unit if row.kind == kind), None)
                if row is not None:
                    _put(found, place, len(row.tokens) - self.kinds[kind].head)
        return found

    @cached_property
    def counts(self) -> tuple[frozenset[int], ...]:
        """By kind, the columns whose numbers are counts."""
        found = {(n, kind.own) for n, kind in enumerate(self.kinds) if kind.own >= 0}
        for section in self.sections:
            if section.plan.inner >= 0:
                found |= {(kind, section.plan.inner) for kind in section.heads}
            tied = [place for _, place in section.widths]
            for place in (*tied, *([section.plan.count] if section.plan.count else [])):
                heads = self.sections[place.section].heads
                found |= {(kind, place.column) for kind in heads}
        return tuple(
            frozenset(column for kind, column in found if kind == number)
            for number in range(len(self.kinds))
        )

    def admits(self, document: Document) -> bool:
        """Say whether lengths and tokens are like those seen, each for itself."""
        for section, units in zip(self.sections, document, strict=True):
            low, high = section.sizes
            if not min(low, 2) <= len(units) <= high:
                return False
            least, most = section.inner
            if not all(min(least, 2) <= len(unit) - 1 <= most for unit in units):
                return False
        rows = [row for units in document for unit in units for row in unit]
        return all(
            self.kinds[row.kind].admits(row.tokens, self.counts[row.kind]) for row in rows
        )

    def _unit(self, section: InputSection, lines: Sequence[Line]) -> Unit | None:
        found: Unit = []
        for number, line in enumerate(lines):
            choice = section.bodies if number else section.heads
            kind = next((n for n in choice if self.kinds[n].fits(line)), None)
            if kind is None:
                return None
            found.append(LineRow(kind, line.tokens))
        return found

    def _counted(self, section: InputSection, unit: Unit) -> Unit:
        first, *rest = [self._own(row) for row in unit]
        if section.plan.inner < 0:
            return [first, *rest]
        count = len(rest[0].tokens) if section.plan.wide else len(rest)
        return [with_token(first, section.plan.inner, str(count)), *rest]

    def _own(self, row: LineRow) -> LineRow:
        kind = self.kinds[row.kind]
        if kind.own < 0:
            return row
        return with_token(row, kind.own, str(len(row.tokens) - kind.head))


def with_token(row: LineRow, column: int, token: str) -> LineRow:
    """Return the row with another token in a column."""
    if row.tokens[column] == token:
        return row
    tokens = (*row.tokens[:column], token, *row.tokens[column + 1 :])
    return LineRow(row.kind, tokens)


def layout_of(texts: Sequence[str]) -> InputLayout | None:
    """Return the layout that texts share; None where nothing is found that fits all."""
    lines = [lines_of(text) for text in texts]
    way = best(lines)
    if way is None:
        return None
    plans, cut_up = way
    kinds, sections, understood = list[LineKind](), list[InputSection](), True
    for number, plan in enumerate(plans):
        heads, bodies = kinds_at(cut_up, number)
        section = _section(cut_up, number, plan, len(kinds), len(heads), len(bodies))
        own = [*heads, *bodies]
        tied = [
            (len(kinds) + n, width_at(cut_up, plans, number, kind))
            for n, kind in enumerate(own)
            if kind.tail and kind.own < 0 and not (plan.wide and n >= len(heads))
        ]
        widths = tuple((n, place) for n, place in tied if place is not None)
        free = (own[n - len(kinds)] for n, place in tied if place is None)
        understood &= all(_free_tail(cut_up, number, kind) for kind in free)
        if not plan.single and plan.count is None:
            understood &= _free_size(cut_up, number)
        sections.append(replace(section, widths=widths))
        kinds += own
    ended = any(text.endswith("\n") for text in texts)
    return InputLayout(tuple(kinds), tuple(sections), understood, ended)


def _section(
    cut_up: Sequence[Sequence[Units]],
    number: int,
    plan: InputPlan,
    at: int,
    heads: int,
    bodies: int,
) -> InputSection:
    sizes = [len(one[number]) for one in cut_up]
    inner = [len(unit) - 1 for one in cut_up for unit in one[number]] or [0]
    return InputSection(
        plan=plan,
        heads=range(at, at + heads),
        bodies=range(at + heads, at + heads + bodies),
        sizes=(min(sizes), max(sizes)),
        inner=(min(inner), max(inner)),
    )


def _free_size(cut_up: Sequence[Sequence[Units]], number: int) -> bool:
    """Say whether the length is no function of the numbers before, as far as is seen."""
    by_numbers: dict[object, set[int]] = {}
    for one in cut_up:
        before = tuple(line for units in one[:number] for unit in units for line in unit)
        by_numbers.setdefault(_integers(before), set()).add(len(one[number]))
    sizes = {size for found in by_numbers.values() for size in found}
    return len(sizes) == 1 or any(len(found) > 1 for found in by_numbers.values())


def _free_tail(cut_up: Sequence[Sequence[Units]], number: int, kind: LineKind) -> bool:
    """Say the same of the lengths of tails, with the place of the line."""
    by_place: dict[object, set[int]] = {}
    for one in cut_up:
        before = tuple(line for units in one[:number] for unit in units for line in unit)
        for at, line in lines_at(one, number):
            if kind.fits(line):
                own = _integers([Line(line.tokens[: kind.head], ())])
                width = len(line.tokens) - kind.head
                by_place.setdefault((_integers(before), at, own), set()).add(width)
    return any(len(found) > 1 for found in by_place.values())


def _integers(lines: Sequence[Line]) -> tuple[str, ...]:
    return tuple(token for line in lines for token in line.tokens if kind_of(token) is int)


def _put(document: Document, place: InputPlace, count: int) -> None:
    unit = document[place.section][0]
    unit[0] = with_token(unit[0], place.column, str(count))
