"""Strategies as the unit of allocation: which of them a model follows next.

Thompson sampling on the probability that a strategy's next program is a proven gain, which
fades, times how near its best program is to the incumbent. Pure. Not here: how a slot is
filled (`authoring`), nor what rules and tuners do meanwhile (`portfolio`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from se_agent.engine.authoring import Author
from se_agent.engine.strategies import bests
from se_agent.types import Slot, View

if TYPE_CHECKING:
    from numpy.random import Generator

FIRST = 2
"""Tries that each strategy gets before they are compared: a program, and a change of it."""

STREAK = 3
"""Tries in a row without a gain, of both leading strategies, after which others are planned."""

UNITED = 0.15
"""Share of slots that unite the best programs of two strategies."""

_FAR = 0.5  # weight of a strategy that gains nothing; the incumbent's has this and 1


class Allocation(Author):
    """Plans, gives each strategy its first tries, then draws; plans anew when it is stuck."""

    def pick(self, view: View, rng: Generator) -> Slot | None:
        """Return what a model is asked in this slot; None: nothing."""
        if (slot := self.plan(view)) is not None:
            return slot
        names = list(self.strategies.courses)
        tries = {name: self.tries(name, view) for name in names}
        young = [name for name in names if tries[name] < FIRST]
        if young:
            return self.follow(min(young, key=lambda name: tries[name]), view, rng)
        if self.strategies.stuck(STREAK) and (slot := self.replan(view)) is not None:
            return slot
        if rng.random() < UNITED and (slot := self._union(view, rng)) is not None:
            return slot
        worth = self._worth(view, rng)
        return self.follow(max(worth, key=lambda name: worth[name]), view, rng)

    def _worth(self, view: View, rng: Generator) -> dict[str, float]:
        """Return a draw of what each strategy is worth; empty: of none but the incumbent."""
        names, near = list(self.strategies.courses), _nearness(view)
        if view.best.solution.strategy not in names:
            names.append("")
            near[""] = 1.0
        return {
            name: self.strategies.arms.draw(name, rng, {}) * (_FAR + near.get(name, 0.0))
            for name in names
        }

    def _union(self, view: View, rng: Generator) -> Slot | None:
        """Unite the best program of the leading strategy with that of another one."""
        found = bests(view)
        first, *others = sorted(found, key=lambda name: -found[name].effect) or [""]
        order = [others[index] for index in rng.permutation(len(others))]
        slots = (self.unite(view, found[first], found[name]) for name in order)
        return next((slot for slot in slots if slot is not None), None)


def _nearness(view: View) -> dict[str, float]:
    """Return by strategy its best program's share of the incumbent's effect, 0 to 1."""
    top = view.best.effect
    if top <= 0:
        return {}
    return {name: min(max(m.effect / top, 0.0), 1.0) for name, m in bests(view).items()}
