"""The search: which parents and which operator next. Pure, seeded, told of closed steps only.

A baseline is a policy of its own, not a switch of another one, so that every comparison is one
line of configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from se_agent.types import Purpose, Slot, Solution, Step, View, rng_at

if TYPE_CHECKING:
    from numpy.random import Generator


Key = tuple[str, tuple[str, ...]]
"""An operator and the ids of its parents: what a slot asks for."""


class _Search:
    """What every policy does: never ask in vain twice, nor twice alike in one generation.

    The slots of a generation see the same past, so a slot works out what those before it were
    given: the answer depends on nothing but the past and the slot's place.
    """

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        """Take the operators' names with their arity, and the run's seed."""
        self._operators = dict(operators)
        self._seed = seed
        self._used_up: set[Key] = set()

    def ask(self, view: View) -> Slot | None:
        """Return what to try in slot `view.slot`, or None when nothing is left to try."""
        given: set[Key] = set()
        first = view.slot - view.index
        for index in range(view.index + 1):
            rng = rng_at(self._seed, first + index, Purpose.POLICY)
            slot = self._pick(replace(view, slot=first + index, index=index), rng, given)
            if slot is None:
                return None
            given.add(_key(slot))
        return slot

    def tell(self, step: Step) -> None:
        """Note an operator that had nothing new for these parents."""
        if step.proposal is None:
            self._used_up.add(_key(step.slot))

    def _pick(self, view: View, rng: Generator, given: set[Key]) -> Slot | None:
        raise NotImplementedError

    def _open(
        self, parent: Solution, view: View, rng: Generator, given: set[Key]
    ) -> list[Slot]:
        """Return a slot for each operator that may have something new for this parent.

        An operator of two parents gets a mate that it was not yet given with this one.
        """
        others = [m.solution for m in view.members if m.solution.id != parent.id]
        slots = []
        for name, arity in self._operators.items():
            tries = [(parent, mate) for mate in others] if arity > 1 else [(parent,)]
            keys = ((name, tuple(solution.id for solution in pair)) for pair in tries)
            left = [
                pair
                for pair, key in zip(tries, keys, strict=True)
                if key not in self._used_up and key not in given
            ]
            if left:
                slots.append(view.fill(*left[rng.integers(len(left))], operator=name))
        return slots


def _key(slot: Slot) -> Key:
    return slot.operator, tuple(parent.id for parent in slot.parents)


class BestOfN(_Search):
    """Independent tries on the initial program, operators drawn evenly."""

    def _pick(self, view: View, rng: Generator, given: set[Key]) -> Slot | None:
        slots = self._open(view.initial.solution, view, rng, given)
        return slots[rng.integers(len(slots))] if slots else None


class SequentialRefine(_Search):
    """Refine the incumbent, again and again, with the operators in turn."""

    def _pick(self, view: View, rng: Generator, given: set[Key]) -> Slot | None:
        slots = self._open(view.best.solution, view, rng, given)
        order = list(self._operators)
        turn = view.slot % len(order) if order else 0
        return min(
            slots, key=lambda s: (order.index(s.operator) - turn) % len(order), default=None
        )


class Portfolio(_Search):
    """Thompson sampling over operators; parents mostly the incumbent, else one of the elite.

    An arm's reward is a proven gain. Counts decay, so that what paid off early does not rule
    for ever. Memory's advice multiplies an arm's draw: a soft prior, never a ban.
    """

    decay = 0.98
    faithful = 0.75  # share of slots that refine the incumbent

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        """Start with an even prior for every operator."""
        super().__init__(operators, seed=seed)
        self._wins = dict.fromkeys(operators, 0.0)
        self._losses = dict.fromkeys(operators, 0.0)

    def tell(self, step: Step) -> None:
        """Reward a proven gain; a duplicate or an empty answer is neither."""
        super().tell(step)
        if step.verdict is None:
            return
        for counts in (self._wins, self._losses):
            for name in counts:
                counts[name] *= self.decay
        counts = self._wins if step.verdict.significant else self._losses
        counts[step.slot.operator] = counts.get(step.slot.operator, 0.0) + 1.0

    def _pick(self, view: View, rng: Generator, given: set[Key]) -> Slot | None:
        """Return the best draw among the operators that are open for the chosen parent."""
        for parent in self._parents(view, rng):
            if slots := self._open(parent, view, rng, given):
                return max(slots, key=lambda slot: self._draw(slot.operator, view, rng))
        return None

    def _parents(self, view: View, rng: Generator) -> Iterable[Solution]:
        """Yield the incumbent first, or a random member of the elite, then all others."""
        elite = [member.solution for member in view.members]
        first = view.best.solution
        if elite and rng.random() > self.faithful:
            first = elite[rng.integers(len(elite))]
        yield first
        yield from (s for s in (view.best.solution, *elite) if s.id != first.id)

    def _draw(self, operator: str, view: View, rng: Generator) -> float:
        wins, losses = self._wins[operator], self._losses[operator]
        return float(rng.beta(1.0 + wins, 1.0 + losses)) * view.advice.get(operator, 1.0)


if TYPE_CHECKING:
    from se_agent.protocols import Policy

    _best: Policy = BestOfN({})
    _refine: Policy = SequentialRefine({})
    _portfolio: Policy = Portfolio({})
