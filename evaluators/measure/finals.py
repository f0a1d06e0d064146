"""Final inputs for a block: its own, that nothing before has met.

Blocks on the same inputs agree with each other, whatever a program does on any other. Not
here: how many inputs a run answers (`size`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evaluators.answers.bench import Bench
from se_agent.problem.model import Expr
from se_agent.values.evaluation import InputSet

SPARE = 4
"""Inputs to choose from, for one that is taken."""

_SECOND_LOOK = 1000  # the number of the first block of a second look
_SECOND_PLACE = 100  # whose inputs begin here: no first look has so many blocks


@dataclass(frozen=True)
class Dealt:
    """Final inputs for a block; all differ.

    Attributes:
        exprs: In the order in which they are used.
        searched: Those of them that the search may have had, too.
    """

    exprs: tuple[Expr, ...]
    searched: frozenset[Expr]


@dataclass(frozen=True)
class Finals:
    """The final inputs, dealt out to blocks by their number.

    Attributes:
        bench: Makes inputs.
        searched: How many inputs of a rung the search draws from.
    """

    bench: Bench
    searched: int
    _places: dict[bytes, int] = field(default_factory=dict)

    def exprs(self, number: int, units: int) -> list[Expr]:
        """Return what block `number` may choose from, for so many runs on distinct inputs.

        Listed inputs are all that there are, so every block has the same.
        """
        count = units * max(self.bench.runner.most, SPARE)
        return self.bench.exprs(
            InputSet.FINAL,
            count,
            level=self.bench.problem.ladder.final_level,
            first=self._place(number) * count,
        )

    def unmet(self, exprs: Sequence[Expr], number: int, units: int, count: int) -> Dealt:
        """Choose inputs that neither the search nor another block met, if there are such.

        Half of those wanted will do: a run on fewer would be too short, so others join.

        Args:
            exprs: What to choose from.
            number: Number of the block.
            units: How many runs need an input at least.
            count: How many inputs are wanted.
        """
        pool, place = self.bench.pool, self._place(number)
        exprs = exprs[: SPARE * count]
        searched = set(self.bench.pool.remembered(self._of_the_search))

        def met(data: bytes) -> bool:
            return data in searched or self._places.get(_digest(data), place) != place

        found = pool.distinct(exprs, count, without=met)
        if len(found) < max(units, count // 2):
            found = tuple(dict.fromkeys((*found, *pool.distinct(exprs, count))))[:count]
        inputs = pool.real(found)
        for data in inputs:
            self._places.setdefault(_digest(data), place)
        had = (e for e, data in zip(found, inputs, strict=True) if data in searched)
        return Dealt(found, frozenset(had))

    @cached_property
    def _of_the_search(self) -> tuple[Expr, ...]:
        """What the search may have drawn: thousands, and the same for each block."""
        return tuple(of_the_search(self.bench, self.searched))

    def _place(self, number: int) -> int:
        """Return which stretch of the final inputs belongs to a block."""
        if not self.bench.problem.ladder.fresh:
            return 0
        return number if number < _SECOND_LOOK else number - _SECOND_LOOK + _SECOND_PLACE


def of_the_search(bench: Bench, count: int) -> Iterator[Expr]:
    """Yield the inputs that a search may draw, so many from each rung."""
    for level in range(max(1, len(bench.problem.ladder.rungs))):
        yield from bench.exprs(InputSet.SEARCH, count, level=level)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
