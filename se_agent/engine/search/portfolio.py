"""The default search: Thompson sampling over operators and over the functions they change.

Beside a model, rules and tuners have slots of their own: a call and a rule cost so differently
that one bandit could not weigh them. They work while calls are under way, and polish what a
model wrote. Pure: the same past gives the same slots. Not here: the arithmetic of draws
(`arms`), what a model is asked (`allocation`), and what memory makes of the past
(`se_agent.memory`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from se_agent.conversation import Role
from se_agent.engine.search.allocation import Allocation
from se_agent.engine.search.arms import Arms, Rewards
from se_agent.engine.search.policies import Choice, Policies
from se_agent.engine.search.polishing import Polishing
from se_agent.lessons import Outcome
from se_agent.memory.evidence import outcome_of
from se_agent.sections import Asking
from se_agent.types import Edit, Slot, Solution, Step, View

if TYPE_CHECKING:
    from numpy.random import Generator

FAITHFUL = 0.75
"""Share of slots that refine the incumbent; the others refine another proven program."""

TOGETHER = 8
"""Changes that are made together at most."""

_HOPE = 3.0  # wins that it begins with, beside what earlier runs say
_COLD = 0.5  # weight of a place in which no time is spent; one that takes all has this and 1
# Weights of an edit that was made on another parent before, alone, by what came of it; and of
# one that was in a union that failed, and not made alone.
_MADE_ALONE = {Outcome.FAILED: 0.25, Outcome.NEUTRAL: 0.3, Outcome.SUCCESS: 2.0}
_DOUBTED = 0.5
_SPOILING = frozenset({_MADE_ALONE[Outcome.FAILED], _DOUBTED})
_EDITS = 1024  # of which the outcome is kept


class Portfolio(Policies):
    """Draw what each operator and each function is worth, and ask for the best product.

    Reward is a proven gain per CPU second of the evaluation, against the run's own average.
    What is known besides are factors, never bans: the heat of the place, what came of the same
    edit on another parent, memory's advice. Several changes may be made together: that is an
    arm of its own (`uniting`).
    """

    roles: ClassVar[tuple[Role, ...]] = tuple(Role)

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, Role] | None = None,
        asking: Asking | None = None,
        uniting: str = "",
    ) -> None:
        """Start with an even prior for every operator; see `Policies`.

        Args:
            operators: Names with their arity.
            seed: Of the run.
            written: Roles of those that a model writes; None: there are none.
            asking: How these are used beside rules and tuners.
            uniting: Name of the operator that makes several changes on offer together; empty:
                there is none. It begins with a hope, so that it is tried early.
        """
        written = written or {}
        rules = {name: arity for name, arity in operators.items() if name not in written}
        super().__init__(rules, seed=seed, written=written, asking=asking)
        self._uniting, self._unions = uniting, set[tuple[str, frozenset[Edit]]]()
        self._rewards = Rewards()
        self._rules, self._sites = Arms(), Arms()
        self._edits: dict[Edit, float] = {}
        self._allocation, self._polishing = Allocation(written), Polishing()

    def tell(self, step: Step) -> None:
        """Reward a judged step; an empty answer is a loss, a duplicate is nothing."""
        super().tell(step)
        by_model = step.slot.operator in self._written
        if step.slot.edits:
            self._unions.add((step.slot.parents[0].id, frozenset(step.slot.edits)))
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
        outcome = outcome_of(step.verdict)
        made = [e for e in step.proposal.solution.edits if e not in step.slot.parents[0].edits]
        if step.slot.edits:
            unknown = [edit for edit in made if edit not in self._edits]
            for edit in unknown if outcome is Outcome.FAILED else ():
                self._note(edit, _DOUBTED)
        elif len(made) == 1:
            self._sites.add(made[0].function, reward)
            self._note(made[0], _MADE_ALONE[outcome])

    def _note(self, edit: Edit, weight: float) -> None:
        """Keep what came of an edit, the latest ones only."""
        self._edits.pop(edit, None)
        self._edits[edit] = weight
        if len(self._edits) > _EDITS:
            del self._edits[next(iter(self._edits))]

    def _pick(self, view: View, rng: Generator) -> Slot | None:
        """Return what a model or a rule tries; who has nothing leaves its slot to the other."""
        turns = [self._ruled, self._asked]
        if self._is_models(view.slot):
            turns.reverse()
        return next((slot for turn in turns if (slot := turn(view, rng)) is not None), None)

    def _is_models(self, slot: int) -> bool:
        """Say whose turn a slot is: the first one is a model's, for a call takes longest."""
        share = self._asking.share
        return math.ceil((slot + 1) * share) > math.ceil(slot * share)

    def _asked(self, view: View, rng: Generator) -> Slot | None:
        if self._tired or not self._written:
            return None
        return self._allocation.pick(view, rng)

    def _ruled(self, view: View, rng: Generator) -> Slot | None:
        """Return the best draw among what is open for the chosen parent."""
        waiting = self._polishing.waiting(view) if self._asking.polish else ()
        for parent in (*waiting, *self._parents(view, rng)):
            if choices := self._open(parent, view, rng):
                return self._best(choices, view, rng)
        return None

    def _parents(self, view: View, rng: Generator) -> Iterator[Solution]:
        """Yield the incumbent first, or a random proven program, then all others."""
        elite = [member.solution for member in view.members]
        proven = [member.solution for member in view.members if member.proven] or elite
        first = view.best.solution
        if proven and rng.random() > FAITHFUL:
            first = proven[rng.integers(len(proven))]
        yield first
        yield from (s for s in (view.best.solution, *elite) if s.id != first.id)

    def _best(self, choices: list[Choice], view: View, rng: Generator) -> Slot:
        """Return the best draw; it may be that of several changes made together."""
        names = dict.fromkeys(choice.slot.operator for choice in choices)
        sites = dict.fromkeys(choice.offer.edit.function for choice in choices if choice.offer)
        rules = {
            name: self._rules.draw(name, rng, view.prior) * view.advice.get(name, 1.0)
            for name in names
        }
        places = {site: self._sites.draw(site, rng, {}) for site in sites}

        def worth(choice: Choice) -> float:
            value, offer = rules[choice.slot.operator], choice.offer
            if offer is None:
                return value * 0.5  # what an unknown place is worth on average
            heat = _COLD + (offer.heat if offer.heat is not None else 0.5)
            return value * places[offer.edit.function] * heat * self._edits.get(offer.edit, 1.0)

        ranked = sorted(choices, key=worth, reverse=True)
        alone = ranked[0].slot
        return self._together(ranked, rules[alone.operator], view, rng) or alone

    def _together(
        self, ranked: Sequence[Choice], alone: float, view: View, rng: Generator
    ) -> Slot | None:
        """Return the slot of several changes, where that is drawn above the best one alone.

        They are the first so many of which nothing bad is known, at most one a place, for one
        alone spoils a union. None where there are no two, or these were named for this parent
        before, and while a union of it is under way.
        """
        parent = ranked[0].slot.parents[0]
        given = (slot.parents[0].id for slot in view.given if slot.edits)
        if not self._uniting or parent.id in given:
            return None
        wins, losses = view.prior.get(self._uniting, (0.0, 0.0))
        hoped = self._rules.draw(self._uniting, rng, {self._uniting: (wins + _HOPE, losses)})
        if hoped * view.advice.get(self._uniting, 1.0) <= alone:
            return None
        apart = dict[tuple[str, str], Edit]()
        for edit in (choice.offer.edit for choice in ranked if choice.offer):
            if self._edits.get(edit) not in _SPOILING:
                apart.setdefault((edit.function, edit.node), edit)
        edits = tuple(apart.values())[: rng.integers(2, TOGETHER + 1)]
        if len(edits) < 2 or (parent.id, frozenset(edits)) in self._unions:
            return None
        return view.fill(parent, operator=self._uniting, edits=edits, strategy=parent.strategy)


if TYPE_CHECKING:
    from se_agent.protocols import Archiving, Policy

    _policy: Policy = Portfolio({})
    _archive: Archiving = Portfolio({})
