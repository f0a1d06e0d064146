"""The first slots of a run that has recalled something: a proven program, and proven changes.

They are candidates as any other: evaluated, judged, and confirmed at the end. Pure: what was
recalled is on record, so a replay fills the same slots. Not here: what is recalled
(`se_agent.memory`), and every later slot, which is the policy's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from se_agent.engine.search.edit_risk import apart
from se_agent.engine.search.search_space import unites
from se_agent.memory_events import Recalled
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.recall import RECALL, KnownProgram
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal, Slot
from se_agent.values.view import View


class RecalledPrograms:
    """Proposes programs that earlier runs proved; the variant of a slot says which."""

    name: ClassVar[str] = RECALL
    arity: ClassVar[int] = 1

    def __init__(self, programs: Sequence[KnownProgram]) -> None:
        self._programs = programs

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the program, with the changes that make it, where they are known."""
        known, base = self._programs[brief.slot.variant], brief.slot.parents[0]
        child = brief.child(
            known.files,
            operator=RECALL,
            base=base.root if known.edits else "",
            edits=known.edits,
        )
        if child.content == base.content or child.content in brief.tried:
            return None
        return Proposal(
            solution=child,
            direction=f"Begin with the best program of {known.run}",
            expected_effect="the gain that was proven there",
        )


def recalled_slot(
    recalled: Recalled | None, view: View, operators: Mapping[str, Operator]
) -> Slot | None:
    """Return how a slot is filled by what was recalled; None: the policy decides.

    Args:
        recalled: What earlier runs give.
        view: The slot, and what is on offer.
        operators: Those of the run, by name.
    """
    if recalled is None or view.slot > len(recalled.programs):
        return None
    initial = view.initial.solution
    if view.slot < len(recalled.programs):
        return view.fill(initial, operator=RECALL, variant=view.slot)
    if any(program.edits == recalled.edits for program in recalled.programs):
        return None
    edits = _placed(recalled.edits, view)
    uniting = next((name for name, one in operators.items() if unites(one)), "")
    if len(edits) > 1 and uniting:
        return view.fill(initial, operator=uniting, edits=edits)
    return _alone(edits[0], view) if len(edits) == 1 else None


def _alone(edit: Edit, view: View) -> Slot | None:
    """Return the slot of a single change, where that is on offer."""
    initial = view.initial.solution
    for variant, offer in enumerate(view.offers(initial).get(edit.rule, ())):
        if offer.edit == edit:
            return view.fill(initial, operator=edit.rule, variant=variant)
    return None


def _placed(edits: Sequence[Edit], view: View) -> tuple[Edit, ...]:
    """Return the changes as they are on offer here: the same, or the same rule elsewhere.

    One that is not on offer may have a place once those before it are made: it stays.
    """
    offers = view.offers(view.initial.solution)
    free = {name: [offer.edit for offer in found] for name, found in offers.items()}
    found: list[Edit] = []
    for edit in edits:
        open_ = free.get(edit.rule, [])
        place = edit if edit in open_ or not open_ else open_[0]
        if place in open_:
            open_.remove(place)
        found.append(place)
    return apart(found)
