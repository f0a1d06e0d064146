"""The default search: Thompson sampling over operators and over the functions they change.

Beside a model, rules and tuners have slots of their own: a call and a rule cost so differently
that one bandit could not weigh them. They work while calls are under way, and polish what a
model wrote. Pure: the same past gives the same slots. Not here: the arithmetic of draws
(`bandit`), what a model is asked (`allocation`), and what memory makes of the past
(`se_agent.memory`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Asking
from se_agent.engine.search.allocation import StrategyAllocation
from se_agent.engine.search.bandit import Arms, Rewards
from se_agent.engine.search.combined_edits import Unions, made_by
from se_agent.engine.search.edit_risk import TOGETHER
from se_agent.engine.search.group_testing import Trials
from se_agent.engine.search.policies import BasePolicy, Choice
from se_agent.engine.search.polishing import Polishing
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator

FAITHFUL = 0.75
"""Share of slots that refine the incumbent; the others refine another proven program."""

_HOPE = 3.0  # wins that several changes made together begin with
_COLD = 0.5  # weight of a place in which no time is spent; one that takes all has this and 1


class Portfolio(BasePolicy):
    """Draw what each operator and each function is worth, and ask for the best product.

    Reward is a proven gain per CPU second of the evaluation, against the run's own average.
    What is known besides are factors, never bans: the heat of the place, and memory's advice,
    which says what came of the same approach on another program. Several changes may be made
    together (`uniting`): with memory, whichever tell it most, and draws only say who comes
    first (`trials`); without, as an arm of their own.
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
        uniting: str = "",
        mending: str = "",
    ) -> None:
        """Start with an even prior for every operator; see `BasePolicy`.

        Args:
            operators: Names with their arity.
            seed: Seed of the run.
            written: Roles of those that a model writes; None: there are none.
            asking: How these are used beside rules and tuners.
            matrix: What these roles need; None: as by default.
            uniting: Name of the operator that makes several changes on offer together; empty:
                there is none. It begins with a hope, so that it is tried early.
            mending: Name of the operator that mends failures without a model; empty: none.
        """
        written = written or {}
        rules = {name: arity for name, arity in operators.items() if name not in written}
        super().__init__(rules, seed=seed, written=written, asking=asking, matrix=matrix)
        self._unions = Unions(uniting)
        self._rewards = Rewards()
        self._rules, self._sites = Arms(), Arms()
        self._authors = {*written, mending}
        self._allocation = StrategyAllocation(written, matrix, mending)
        self._polishing = Polishing()

    def tell(self, step: Step) -> None:
        """Reward a judged step; an empty answer is a loss, a duplicate is nothing."""
        super().tell(step)
        by_model = step.slot.operator in self._authors  # a mended program is a model's, too
        self._unions.tell(step)
        if self._written:
            self._allocation.tell(step)
            self._polishing.tell(step, written=by_model)
        if not by_model:
            self._reward(step)

    def kept(self) -> list[str]:
        """Return the ids of each strategy's best program, and of who waits for a polish."""
        return [*self._allocation.strategies.kept(), *self._polishing.kept()]

    def _reward(self, step: Step) -> None:
        if step.proposal is None:
            self._rules.lose(step.slot.operator)
        if step.verdict is None or step.proposal is None:
            return
        reward = self._rewards.reward(step.gain, step.cost_seconds)
        self._rules.add(step.slot.operator, reward)
        made = made_by(step)
        if len(made) == 1 and not step.slot.edits:
            self._sites.add(made[0].function, reward)

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        """Return what a model or a rule tries; who has nothing leaves its slot to the other."""
        turns = [self._ruled, self._asked]
        if _is_models(view.slot, self._asking.share):
            turns.reverse()
        return next((slot for turn in turns if (slot := turn(view, rng)) is not None), None)

    def _asked(self, view: View, rng: Generator) -> Slot | None:
        if self._tired or not self._written:
            return None
        return self._allocation.pick(view, rng)

    def _ruled(self, view: View, rng: Generator) -> Slot | None:
        """Return what is open for a program that waits, for the incumbent, or for another."""
        trials = Trials(self._unions, view)
        waiting = self._polishing.waiting(view) if self._asking.polish else ()
        for parent in waiting:
            if choices := self._open(parent, view, rng):
                slot = self._next(trials, choices, view, rng)
                return slot or self._best(choices, view, rng)
        if slot := self._learned(trials, view, rng):
            return slot
        for parent in _parents(view, rng):
            if choices := self._open(parent, view, rng):
                return self._best(choices, view, rng)
        return None

    def _learned(self, trials: Trials, view: View, rng: Generator) -> Slot | None:
        """Return what memory would find out next about the incumbent's changes."""
        best, first = view.best.solution, view.initial.solution
        if view.advice.believed is None or not self._may_polish(best):
            return None
        choices = self._open(best, view, rng)
        if slot := self._next(trials, choices, view, rng):
            return slot
        initial = self._open(first, view, rng)
        if best.root != first.root or not best.edits or not trials.are_open(initial):
            return None
        return trials.anew(best, self._ranked(initial, view, rng)[0], rng)

    def _next(
        self, trials: Trials, choices: list[Choice], view: View, rng: Generator
    ) -> Slot | None:
        """Return what memory would find out next about changes of one program."""
        if not trials.are_open(choices):
            return None
        return trials.next(self._ranked(choices, view, rng)[0])

    def _best(self, choices: list[Choice], view: View, rng: Generator) -> Slot:
        """Return the best draw; it may be that of several changes made together."""
        ranked, rules = self._ranked(choices, view, rng)
        alone = ranked[0].slot
        return self._together(ranked, rules[alone.operator], view, rng) or alone

    def _ranked(
        self, choices: list[Choice], view: View, rng: Generator
    ) -> tuple[list[Choice], dict[str, float]]:
        """Return the choices, best draw first, and the draws of their operators."""
        names = dict.fromkeys(choice.slot.operator for choice in choices)
        sites = dict.fromkeys(choice.offer.edit.function for choice in choices if choice.offer)
        rules = {name: self._rules.draw(name, rng, view.advice.prior) for name in names}
        places = {site: self._sites.draw(site, rng, {}) for site in sites}

        def worth(choice: Choice) -> float:
            value, offer = rules[choice.slot.operator], choice.offer
            if offer is None:
                return value * 0.5  # what an unknown place is worth on average
            heat = _COLD + (offer.heat if offer.heat is not None else 0.5)
            known = self._unions.weight(offer.edit, view)
            return value * places[offer.edit.function] * heat * known

        return sorted(choices, key=worth, reverse=True), rules

    def _together(
        self, ranked: Sequence[Choice], alone: float, view: View, rng: Generator
    ) -> Slot | None:
        """Return the slot of several changes, where that is drawn above the best one alone."""
        # Earlier runs say nothing here: late in a run unions bring little, and most are late.
        uniting = self._unions.operator
        hoped = self._rules.draw(uniting, rng, {uniting: (_HOPE, 0.0)})
        most = int(rng.integers(2, TOGETHER + 1))
        return self._unions.hopeful(ranked, view, most) if hoped > alone else None


def _is_models(slot: int, share: float) -> bool:
    """Say whose turn a slot is: the first one is a model's, for a call takes longest."""
    return math.ceil((slot + 1) * share) > math.ceil(slot * share)


def _parents(view: View, rng: Generator) -> Iterator[Solution]:
    """Yield the incumbent first, or a random proven program, then all others."""
    elite = [member.solution for member in view.members]
    proven = [member.solution for member in view.members if member.proven] or elite
    first = view.best.solution
    if proven and rng.random() > FAITHFUL:
        first = proven[rng.integers(len(proven))]
    yield first
    yield from (s for s in (view.best.solution, *elite) if s.id != first.id)


if TYPE_CHECKING:
    from se_agent.abilities.optional import Archiving
    from se_agent.protocols import Policy

    _policy: Policy = Portfolio({})
    _archive: Archiving = Portfolio({})
