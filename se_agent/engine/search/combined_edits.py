"""Several changes of one program made together: which, and what earlier unions say of them.

One evaluation shows what one change after the other would take a generation each; but one that
is wrong spoils all of them. Pure. Not here: when a union is worth a slot (`portfolio`), and
what memory makes of them (`group_testing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from se_agent.engine.search.edit_risk import apart
from se_agent.engine.search.policies import Choice
from se_agent.memory import TABU, MeasuredChange, approach, outcome_of
from se_agent.values.evaluation import Status, Verdict
from se_agent.values.lesson import Outcome
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import View

DOUBTED = 0.5
"""Weight of a change that was in a union that failed, until it is made alone."""

_EDITS = 1024  # that are noted at most
_Noted = TypeVar("_Noted")


@dataclass
class Unions:
    """Remembers which unions were named, and whom a failed one makes doubtful.

    Attributes:
        operator: Name of the one that makes them; empty: there is none.
        left: Changes that found no place beside others in one, with the id of what they were
            made on.
    """

    operator: str
    left: dict[tuple[str, Edit], None] = field(default_factory=dict)
    _named: set[tuple[str, frozenset[Edit]]] = field(default_factory=set)
    _doubted: dict[Edit, None] = field(default_factory=dict)

    def tell(self, step: Step) -> None:
        """Take note of a union that was tried, or of a change that was made alone."""
        made = made_by(step)
        if step.slot.edits:
            self.left |= dict.fromkeys((step.slot.parents[-1].id, e) for e in _left(step))
            self._named.add(_name(step.slot))
            if step.verdict is not None and _spoilt(step, step.verdict):
                self._doubted |= dict.fromkeys(made)
        elif len(made) == 1 and step.verdict is not None:
            self._doubted.pop(made[0], None)
        _forget_old(self._doubted)
        _forget_old(self.left)

    def weight(self, edit: Edit, view: View) -> float:
        """Return what memory and earlier unions say of a change, as a factor."""
        known = view.advice.directions.get(approach(edit), 1.0)
        return known * DOUBTED if edit in self._doubted else known

    def hopeful(self, ranked: Sequence[Choice], view: View, most: int) -> Slot | None:
        """Return the slot of the first so many changes of which nothing bad is known.

        None: they are fewer than two, were named before, or one of this parent is under way.
        """
        parent = ranked[0].slot.parents[0]
        if any(slot.edits and slot.parents[-1].id == parent.id for slot in view.open_slots):
            return None
        good = (edit for edit in edits_of(ranked) if not self._spoils(edit, view))
        return self.slot(parent, apart(good)[:most], view)

    def slot(
        self,
        base: Solution,
        edits: tuple[Edit, ...],
        view: View,
        *,
        reference: Solution | None = None,
    ) -> Slot | None:
        """Return the slot of these changes; None: fewer than two, or they were named before.

        Args:
            base: What they are made on.
            edits: The changes.
            view: The past.
            reference: What the child is compared with; None: the base.
        """
        named, under_way = (base.id, frozenset(edits)), map(_name, view.open_slots)
        if not self.operator or len(edits) < 2 or named in self._named or named in under_way:
            return None
        parents = (base,) if reference is None else (reference, base)
        strategy = parents[0].strategy
        return view.fill(*parents, operator=self.operator, edits=edits, strategy=strategy)

    def _spoils(self, edit: Edit, view: View) -> bool:
        """Say whether a change was wrong or slower, alone or perhaps in a union."""
        return edit in self._doubted or view.advice.directions.get(approach(edit), 1.0) <= TABU


def _forget_old(noted: dict[_Noted, None]) -> None:
    for old in list(noted)[:-_EDITS]:
        del noted[old]


def made_by(step: Step) -> tuple[Edit, ...]:
    """Return the edits of a step's program that its parent has not."""
    if step.proposal is None:
        return ()
    return MeasuredChange(step.slot.parents[0], step.proposal.solution).edits


def edits_of(ranked: Iterable[Choice]) -> Iterator[Edit]:
    """Yield the changes that are on offer, in order."""
    return (choice.offer.edit for choice in ranked if choice.offer)


def _spoilt(step: Step, verdict: Verdict) -> bool:
    """Say whether a union failed by what was made; beside a reference it lacks things, too."""
    failed = outcome_of(verdict) is Outcome.FAILED
    return failed and (len(step.slot.parents) == 1 or verdict.status is not Status.AC)


def _left(step: Step) -> Sequence[Edit]:
    """Return who found no place in a union; of one that came to nothing all but the first."""
    if step.proposal is None:
        return step.slot.edits[1:]
    return [edit for edit in step.slot.edits if edit not in step.proposal.solution.edits]


def _name(slot: Slot) -> tuple[str, frozenset[Edit]]:
    return slot.parents[-1].id, frozenset(slot.edits)
