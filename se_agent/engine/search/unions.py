"""Several changes of one program made together: which, and what earlier unions say of them.

One evaluation shows what one change after the other would take a generation each; but one that
is wrong spoils all of them. Pure. Not here: when a union is worth a slot (`portfolio`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from se_agent.engine.search.policies import Choice
from se_agent.lessons import Outcome
from se_agent.memory.directions import TABU, approach
from se_agent.memory.evidence import outcome_of
from se_agent.types import Edit, Slot, Solution, Step, View

TOGETHER = 8
"""Changes that are made together at most."""

DOUBTED = 0.5
"""Weight of a change that was in a union that failed, until it is made alone."""

_EDITS = 1024  # that are doubted at most


@dataclass
class Unions:
    """Remembers which unions were named, and whom a failed one makes doubtful.

    Attributes:
        operator: Name of the one that makes them; empty: there is none.
    """

    operator: str
    _named: set[tuple[str, frozenset[Edit]]] = field(default_factory=set)
    _doubted: dict[Edit, None] = field(default_factory=dict)

    def tell(self, step: Step) -> None:
        """Take note of a union that was tried, or of a change that was made alone."""
        parent, made = step.slot.parents[0], made_by(step)
        if step.slot.edits:
            self._named.add((parent.id, frozenset(step.slot.edits)))
            if step.verdict is not None and outcome_of(step.verdict) is Outcome.FAILED:
                self._doubted |= dict.fromkeys(made)
        elif len(made) == 1 and step.verdict is not None:
            self._doubted.pop(made[0], None)
        for edit in list(self._doubted)[:-_EDITS]:
            del self._doubted[edit]

    def weight(self, edit: Edit, view: View) -> float:
        """Return what memory and earlier unions say of a change, as a factor."""
        known = view.advice.get(approach(edit), 1.0)
        return known * DOUBTED if edit in self._doubted else known

    def recommended(self, choices: Sequence[Choice], view: View) -> Slot | None:
        """Return the slot of the changes of the incumbent that memory recommends.

        The approach of each was proven alone, on another program. They come as they are
        offered, so a union without a gain is not followed by another choice of them. None:
        they are fewer than two, were named before, or a union of this parent is under way.
        """
        parent = choices[0].slot.parents[0]
        if parent.id != view.best.solution.id:
            return None
        proven = (edit for edit in _edits(choices) if self.weight(edit, view) > 1.0)
        return self._slot(parent, _apart(proven)[:TOGETHER], view)

    def hopeful(self, ranked: Sequence[Choice], view: View, most: int) -> Slot | None:
        """Return the slot of the first so many changes of which nothing bad is known.

        None: as with those that memory recommends.
        """
        good = (edit for edit in _edits(ranked) if not self._spoils(edit, view))
        return self._slot(ranked[0].slot.parents[0], _apart(good)[:most], view)

    def known(self, choices: Sequence[Choice], view: View) -> Slot | None:
        """Return the slot of all changes of a program whose approach did no harm alone.

        What is within noise beside what takes most of the time may be much without it. None: as
        with those that memory recommends.
        """
        known = (edit for edit in _edits(choices) if approach(edit) in view.advice)
        good = (edit for edit in known if not self._spoils(edit, view))
        return self._slot(choices[0].slot.parents[0], _apart(good), view)

    def _spoils(self, edit: Edit, view: View) -> bool:
        """Say whether a change was wrong or slower, alone or perhaps in a union."""
        return edit in self._doubted or view.advice.get(approach(edit), 1.0) <= TABU

    def _slot(self, parent: Solution, edits: tuple[Edit, ...], view: View) -> Slot | None:
        under_way = (slot.parents[0].id for slot in view.given if slot.edits)
        if not self.operator or len(edits) < 2 or parent.id in under_way:
            return None
        if (parent.id, frozenset(edits)) in self._named:
            return None
        return view.fill(parent, operator=self.operator, edits=edits, strategy=parent.strategy)


def made_by(step: Step) -> list[Edit]:
    """Return the edits of a step's program that its parent has not."""
    if step.proposal is None:
        return []
    before = step.slot.parents[0].edits
    return [edit for edit in step.proposal.solution.edits if edit not in before]


def _edits(ranked: Iterable[Choice]) -> Iterable[Edit]:
    return (choice.offer.edit for choice in ranked if choice.offer)


def _apart(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the first edit of each place, for two of one place spoil each other."""
    first = dict[tuple[str, str], Edit]()
    for edit in edits:
        first.setdefault((edit.function, edit.node), edit)
    return tuple(first.values())
