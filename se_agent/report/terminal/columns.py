"""A table that fits its screen: columns are narrowed between words, and no word is cut.

Where even its longest words do not fit side by side, each row becomes a paragraph. Not here:
what stands in a table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from se_agent.report.terminal.wrapping import longest_word, styled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, RenderResult

_GAP = 2
_HANG = 4
_LEAST = 12
"""Columns that a cell of several words is not narrowed below."""

_NAME = 24
"""Columns of a last cell in which only paths and commands are too long: these stick out."""


class Columns:
    """Rows below each other, with or without names above them.

    Args:
        names: Names of the columns; empty: none is shown.
        styles: Styles of the columns, by place; missing ones are plain.
        right: Places of the columns of figures, which end below each other.
        spare: Places of columns that are left out, in this order, where room is short.
        indent: Columns to the left of every row.
    """

    def __init__(
        self,
        names: Sequence[str] = (),
        *,
        styles: Sequence[str] = (),
        right: Collection[int] = (),
        spare: Sequence[int] = (),
        indent: int = 0,
    ) -> None:
        self._names = names
        self._styles = styles
        self._right = right
        self._spare = spare
        self._indent = indent
        self._rows: list[tuple[Text, ...]] = []

    def add(self, *cells: str | Text) -> None:
        """Add a row of cells."""
        styles = (*self._styles, *[""] * len(cells))
        made = (
            cell if isinstance(cell, Text) else Text(cell, style=style)
            for cell, style in zip(cells, styles, strict=False)
        )
        self._rows.append(tuple(made))

    def lines(self, width: int) -> list[Text]:
        """Return its lines on a screen so wide; 0: as wide as they are."""
        heads = (
            [tuple(Text(name, style="bold") for name in self._names)]
            if any(self._names)
            else []
        )
        rows = [*heads, *self._rows]
        if not rows:
            return []
        layout = self._layout(rows, width)
        if layout is None:
            return [line for row in self._rows for line in self._stacked(row, width)]
        return [line for row in rows for line in self._side_by_side(row, *layout)]

    def _layout(
        self, rows: Sequence[tuple[Text, ...]], width: int
    ) -> tuple[list[int], list[int]] | None:
        """Return places and widths of the columns that are shown; None: no such table fits."""
        used, room = self._used(rows), width - self._indent
        natural = [max(_wide(row[n]) for row in rows) for n in used]
        for spare in (None, *self._spare):
            natural = [wide for n, wide in zip(used, natural, strict=True) if n != spare]
            used = [n for n in used if n != spare]
            if width == 0 or _excess(natural, room) <= 0:
                return used, natural
        longest = [max(longest_word(row[n].plain) for row in rows) for n in used]
        least = [max(word, min(_LEAST, w)) for word, w in zip(longest, natural, strict=True)]
        fit = _fit(natural, least, room) or _fit(natural, [*least[:-1], _NAME], room)
        return (used, fit) if fit else None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            line.no_wrap, line.overflow = True, "ignore"
            yield line

    @staticmethod
    def _used(rows: Sequence[tuple[Text, ...]]) -> list[int]:
        """Return the columns that have anything in them."""
        return [n for n in range(len(rows[0])) if any(row[n].plain for row in rows)]

    def _side_by_side(
        self, row: tuple[Text, ...], used: Sequence[int], widths: Sequence[int]
    ) -> Iterator[Text]:
        cells = [styled(row[n], wide) for n, wide in zip(used, widths, strict=True)]
        for number in range(max(map(len, cells))):
            line, gap = Text(" " * self._indent), 0
            for place, cell, wide in zip(used, cells, widths, strict=True):
                part = cell[number] if number < len(cell) else Text("")
                rest = wide - cell_len(part.plain)
                before, after = (rest, 0) if place in self._right else (0, rest)
                line.append(" " * (gap + before)).append_text(part)
                gap = after + _GAP
            line.rstrip()
            yield line

    def _stacked(self, row: tuple[Text, ...], width: int) -> Iterator[Text]:
        line = Text(" " * self._indent)
        for cell in (cell for cell in row if cell.plain):
            line.append_text(cell).append(" " * _GAP)
        line.rstrip()
        yield from styled(line, width, hang=_HANG)


def _wide(cell: Text) -> int:
    return max(map(cell_len, cell.plain.split("\n")))


def _excess(widths: Sequence[int], room: int) -> int:
    return sum(widths) + _GAP * (len(widths) - 1) - room


def _fit(natural: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Return widths that fit side by side, the widest narrowed first; None: there are none."""
    widths = [*natural]
    for _ in range(_excess(natural, room)):
        free = [n for n in range(len(widths)) if widths[n] > least[n]]
        if not free:
            return None
        widths[max(free, key=lambda n: widths[n])] -= 1
    return widths
