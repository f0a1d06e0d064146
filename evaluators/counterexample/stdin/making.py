"""Documents drawn by dice: new ones of a layout.

Whether they are like those seen is decided later; a wild one need not be.
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.counterexample.function.strategies import Dice, New
from evaluators.counterexample.stdin.kinds import Column, LineKind, LineRow
from evaluators.counterexample.stdin.layout import (
    Document,
    InputLayout,
    InputSection,
    Unit,
)


@dataclass(frozen=True)
class Draw:
    """Draws documents of a layout.

    Attributes:
        layout: What they are like.
        dice: What decides.
        wild: Whether numbers and words may be unlike those seen.
        tiny: Whether new documents have few lines.
        free: Whether lengths may be unlike those seen.
    """

    layout: InputLayout
    dice: Dice
    wild: bool = False
    tiny: bool = False
    free: bool = False

    def fresh(self) -> Document:
        """Return a new document; its counts are not settled."""
        return [self.units(section) for section in self.layout.sections]

    def units(self, section: InputSection) -> list[Unit]:
        """Draw the units of a section."""
        low, high = section.sizes
        if not section.plan.single:
            low = 0 if self.free else min(low, 2)
            high = min(high, self.dice.pick((2, 3)) if self.tiny else self.dice.pick((4, 8)))
        return [self.unit(section) for _ in range(self.dice.between(low, max(low, high)))]

    def unit(self, section: InputSection) -> Unit:
        """Draw a unit."""
        unit = [self.row(self.dice.pick(section.heads))]
        if section.bodies:
            low, high = section.inner
            low, high = (1, 1) if section.plan.wide else (min(low, 2), min(high, 4))
            kinds = section.bodies
            unit += [
                self.row(self.dice.pick(kinds))
                for _ in range(self.dice.between(low, max(low, high)))
            ]
        return unit

    def row(self, number: int) -> LineRow:
        """Draw a row of a kind."""
        kind = self.layout.kinds[number]
        low, high = kind.widths
        low, high = (0 if self.free else min(low, 2), min(high, 3 if self.tiny else 6))
        width = self.dice.between(low, max(low, high)) if kind.tail else 0
        return LineRow(number, tuple(self.token(kind, at) for at in range(kind.head + width)))

    def token(self, kind: LineKind, at: int) -> str:
        """Draw a token of a row, by its place."""
        if kind.tag and at == 0:
            return kind.tag
        return self.of(kind.column(at))

    def of(self, column: Column) -> str:
        """Draw a token of a column."""
        new = New(self.dice, wild=self.wild, tiny=self.tiny, free=self.free)
        made = new.leaf(column.shape, column.kind)
        if column.kind is int and column.stride > 1 and not self.wild:
            made -= (made - int(column.shape.low)) % column.stride
        token = column.written(made)
        if column.fits(token) if self.wild else column.admits(token):
            return token
        return column.written(self.dice.pick(column.shape.pool))
