"""Strategies as the unit of allocation: which of them a model follows next.

The first call writes the initial program anew, the second one plans: a plan brings no program,
and where one call is made at a time it would be paid before there is anything in hand. While
the plan is under way others write anew, too: nothing is known yet that a smaller step could
start from. Then strategies are drawn by Thompson sampling: the probability that the next
program is a proven gain, which fades, times how near the best one is to the incumbent. Pure.
Not here: how a slot is filled (`authoring`), nor what rules and tuners do meanwhile
(`portfolio`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from se_agent.chat.messages import Role
from se_agent.engine.search.authoring import WrittenOperators
from se_agent.engine.search.strategies import bests
from se_agent.values.step import Slot
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator

FIRST = 2
"""Tries that each strategy gets in any case: a program, and a change of it."""

YOUNG = 0.4
"""Share of slots for these first tries, once a strategy had its own and something gained."""

STREAK = 3
"""Tries in a row without a gain, of both leading strategies, after which others are planned."""

_FAR = 0.25  # weight of a strategy that gains nothing; the incumbent's has this and 1


class StrategyAllocation(WrittenOperators):
    """Writes, plans, gives each strategy its first tries, then draws; replans when stuck.

    What analyses a program is asked before all of these, and again after other plans.
    """

    def pick(self, view: View, rng: Generator) -> Slot | None:
        """Return what a model is asked in this slot; None: nothing."""
        if (slot := self.analyses.next(view)) is not None:
            return slot
        anew = self.write("", view)
        if anew is not None and not self._asked and not self._under_way(view):
            return anew
        if (slot := self.plan(view)) is not None:
            return slot
        if (slot := self.kit.by_share(view, rng)) is not None:
            return slot
        courses = self.strategies.courses
        if not courses and self.planning(view):
            return anew
        tries = {name: self.tries(name, view) for name in courses}
        young = [name for name in tries if tries[name] < FIRST]
        followed = any(course.tries >= FIRST for course in courses.values())
        built = view.best.effect > 0 and followed
        if young and (not built or rng.random() < YOUNG):
            return self.follow(min(young, key=lambda name: tries[name]), view, rng)
        stuck = not young and self.strategies.stuck(STREAK)
        if stuck and (slot := self.replan(view)) is not None:
            return slot
        if rng.random() < self._united and (slot := self._union(view, rng)) is not None:
            return slot
        tried = [name for name in courses if courses[name].tries]
        return self.follow(self._drawn_among(tried, view, rng), view, rng)

    @property
    def _united(self) -> float:
        """Share of slots that unite the best programs of two strategies."""
        return self._matrix[self._written.get(self.kit.unite, Role.CROSS_OVER)].share

    def _drawn_among(self, names: list[str], view: View, rng: Generator) -> str:
        """Draw a strategy; empty: the incumbent is changed freely, if it follows none."""
        near = _nearness(view)
        if not names or view.best.solution.strategy not in self.strategies.courses:
            names, near[""] = [*names, ""], 1.0
        worth = {
            name: self.strategies.arms.draw(name, rng, {}) * (_FAR + near.get(name, 0.0))
            for name in names
        }
        return max(worth, key=lambda name: worth[name])

    def _union(self, view: View, rng: Generator) -> Slot | None:
        """Unite the best program of the leading strategy with that of another one.

        One that spends its time elsewhere comes first: it may be better where the first is hot.
        """
        found = bests(view)
        first, *others = sorted(found, key=lambda name: -found[name].effect) or [""]
        hottest = {name: view.hottest(found[name].solution) for name in found}
        order = [others[index] for index in rng.permutation(len(others))]
        order.sort(key=lambda name: hottest[name] == hottest[first])
        slots = (self.unite(view, found[first], found[name]) for name in order)
        return next((slot for slot in slots if slot is not None), None)


def _nearness(view: View) -> dict[str, float]:
    """Return by strategy its best program's share of the incumbent's effect, 0 to 1."""
    top = view.best.effect
    if top <= 0:
        return {}
    return {name: min(max(m.effect / top, 0.0), 1.0) for name, m in bests(view).items()}
