"""The search: which parents and which operator next. Pure, seeded, told of closed steps only.

A baseline is a policy of its own, not a switch of another one, so that every comparison is one
line of configuration. All three avoid what is known to be used up: an operator that had nothing
new for a parent is not asked about that parent again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from se_agent.types import Purpose, Slot, Solution, Step, View, rng_at

if TYPE_CHECKING:
    from numpy.random import Generator


class _Search:
    """What every policy keeps: which operator is used up for which parents."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        """Take the operators' names with their arity, and the run's seed."""
        self._operators = dict(operators)
        self._seed = seed
        self._used_up: set[tuple[str, tuple[str, ...]]] = set()

    def tell(self, step: Step) -> None:
        """Note an operator that had nothing new for these parents."""
        if step.proposal is None:
            self._used_up.add((step.slot.operator, tuple(p.id for p in step.slot.parents)))

    def _rng(self, view: View) -> Generator:
        return rng_at(self._seed, view.slot, Purpose.POLICY)

    def _open(self, parent: Solution, view: View, rng: Generator) -> Iterator[Slot]:
        """Yield a slot for each operator that may have something new for this parent."""
        mates = [m.solution for m in view.members if m.solution.id != parent.id]
        for name, arity in self._operators.items():
            if arity == 1:
                parents: tuple[Solution, ...] = (parent,)
            elif mates:
                parents = (parent, mates[rng.integers(len(mates))])
            else:
                continue
            if (name, tuple(p.id for p in parents)) not in self._used_up:
                yield view.fill(*parents, operator=name)


class BestOfN(_Search):
    """Independent tries on the initial program, operators drawn evenly."""

    def ask(self, view: View) -> Slot | None:
        """Return a slot whose parent is the initial program."""
        rng = self._rng(view)
        slots = list(self._open(view.initial.solution, view, rng))
        return slots[rng.integers(len(slots))] if slots else None


class SequentialRefine(_Search):
    """Refine the incumbent, again and again, with the operators in turn."""

    def ask(self, view: View) -> Slot | None:
        """Return a slot whose first parent is the incumbent."""
        slots = list(self._open(view.best.solution, view, self._rng(view)))
        return slots[view.slot % len(slots)] if slots else None


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

    def ask(self, view: View) -> Slot | None:
        """Return the best draw among the operators that are open for the chosen parent."""
        rng = self._rng(view)
        for parent in self._parents(view, rng):
            slots = list(self._open(parent, view, rng))
            if slots:
                return max(slots, key=lambda slot: self._draw(slot.operator, view, rng))
        return None

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
