"""Controlled self-evolution: five plans, a program of each, then change and union in turn.

A search for models, after the method of that name: a diversified beginning, and evolution that
is led by what failed. Pure. Not here: a belief about which strategy is worth a call
(`portfolio`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Asking
from se_agent.engine.search.authoring import WrittenOperators
from se_agent.engine.search.policies import BasePolicy
from se_agent.engine.search.strategies import bests, sure
from se_agent.values.step import Slot, Step
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator


class Cse(BasePolicy):
    """Plan, write, then change and unite; a failed program is mended before it is changed.

    In a run without models rules and tuners refine the incumbent; beside one they have no
    part in it.
    """

    strategic = True

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, str] | None = None,
        asking: Asking | None = None,
        matrix: RoleMatrix | None = None,
        mending: str = "",
    ) -> None:
        """Tell rules and tuners from what a model writes, and from what mends that."""
        super().__init__(operators, seed=seed, written=written, asking=asking, matrix=matrix)
        self._author = WrittenOperators(written or {}, matrix, mending)

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        slot = None if self._tired else self._asked(view, rng)
        if slot is not None or self._written:
            return slot
        choices = self._refine(view, rng)
        return choices[rng.integers(len(choices))].slot if choices else None

    def _asked(self, view: View, rng: Generator) -> Slot | None:
        """Return what a model is asked: analysis, plan, first programs, the two in turn."""
        author = self._author
        if (slot := author.analyses.next(view)) is not None:
            return slot
        if (slot := author.plan(view)) is not None:
            return slot
        if (slot := author.kit.by_share(view, rng)) is not None:
            return slot
        names = list(author.strategies.courses)
        tries = {name: author.tries(name, view) for name in names}
        if not names or min(tries.values()) == 0:
            return author.follow(min(names, key=lambda n: tries[n], default=""), view, rng)
        return self._in_turn(view, rng)

    def _in_turn(self, view: View, rng: Generator) -> Slot | None:
        """Return what is asked once each strategy has a program."""
        if view.slot % 2 and (slot := self._union(view, rng)) is not None:
            return slot
        names = list(self._author.strategies.courses)
        return self._author.follow(names[view.slot // 2 % len(names)], view, rng)

    def _union(self, view: View, rng: Generator) -> Slot | None:
        """Unite the best programs of two strategies, the better one drawn by its rank."""
        ranked = sorted(bests(view).values(), key=sure, reverse=True)
        while len(ranked) > 1:
            weights = [1 / place for place in range(1, len(ranked) + 1)]
            first = ranked.pop(rng.choice(len(ranked), p=[w / sum(weights) for w in weights]))
            order = [ranked[index] for index in rng.permutation(len(ranked))]
            slots = (self._author.unite(view, first, second) for second in order)
            if (slot := next((s for s in slots if s is not None), None)) is not None:
                return slot
        return None

    def tell(self, step: Step) -> None:
        """Take note of what came of a strategy."""
        super().tell(step)
        self._author.tell(step)

    def kept(self) -> list[str]:
        """Return the ids of the best programs of all strategies."""
        return self._author.strategies.kept()


if TYPE_CHECKING:
    from se_agent.abilities.optional import Archiving
    from se_agent.protocols import Policy

    _policy: Policy = Cse({})
    _archive: Archiving = Cse({})
