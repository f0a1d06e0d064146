"""What memory would find out next: which changes are worth a trial, and together with which.

Group testing: what is known to be good is made at once, with as many changes that are open as
mostly do no harm together. What a failure leaves in doubt is divided by the next ones. Then one
change stands in for another, or is left out. Pure. Not here: what is believed of them
(`se_agent.memory.local.edit_credit`), and unions of a run without memory (`combined_edits`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from se_agent.engine.search.combined_edits import Unions, edits_of
from se_agent.engine.search.edit_risk import ACCUSED, CLEAR, TOGETHER, Risks, apart, place
from se_agent.engine.search.policies import Choice
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Slot
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator


class Trials:
    """The next question about the changes of a program, or of those that it is made of."""

    def __init__(self, unions: Unions, view: View) -> None:
        """Look at the past; what memory believes is asked for where it is needed.

        Args:
            unions: Unions that the search made; these are not named again.
            view: The past.
        """
        self._unions = unions
        self._view = view
        self._busy = {edit for slot in view.open_slots for edit in slot.edits}

    @cached_property
    def _believed(self) -> Mapping[Edit, Believed]:
        return self._view.advice.believed() if self._view.advice.believed else {}

    @cached_property
    def _risks(self) -> Risks:
        return Risks(self._believed)

    def are_open(self, choices: Iterable[Choice]) -> bool:
        """Say whether there is a memory, and changes are on offer that can be made together."""
        told = self._view.advice.believed is not None and bool(self._unions.operator)
        return told and any(edits_of(choices))

    def next(self, ranked: Sequence[Choice]) -> Slot | None:
        """Return the slot of all that is good, with some of what is open; None: nothing is.

        Args:
            ranked: What is open for one program, best first.
        """
        edits = [*edits_of(ranked)]
        alone = {e for e in edits if (ranked[0].slot.parents[0].id, e) in self._unions.left}
        known = (e for e in edits if self._risks.is_good(e) and e not in alone)
        good = apart(sorted(known, key=self._risks.gain, reverse=True))
        taken = set(map(place, good))
        asked = [e for e in edits if self._is_asked(e) and e not in alone]
        asked = [e for e in asked if place(e) not in taken]
        if len(good) > 1:  # what is accused may wait until these are had for sure
            unaccused = [e for e in asked if not self._is_accused(e)]
            if slot := self._divided(good, unaccused, ranked) or self._together(good, ranked):
                return slot
        if slot := self._divided(good, asked, ranked):
            return slot
        lone = (self._together((e,), ranked) for e in edits if e in alone and self._is_asked(e))
        return next((slot for slot in lone if slot), None) or self._together(good, ranked)

    def _divided(
        self, good: tuple[Edit, ...], asked: Sequence[Edit], ranked: Sequence[Choice]
    ) -> Slot | None:
        """Return the slot of what is good with the first of what is asked that is new so."""
        while asked:
            tried = self._risks.few(asked) if self._believed else apart(asked)[:TOGETHER]
            if slot := self._together((*good, *tried), ranked):
                return slot
            asked = [edit for edit in asked if edit not in tried]
        return None

    def anew(self, program: Solution, choices: Sequence[Choice], rng: Generator) -> Slot | None:
        """Return the slot of a program made anew, with one change less, or with another one.

        What did harm is left out at once. Which of the others, and what stands in for it, is
        drawn: what is known surely is seldom left out. The new one is compared with the
        program: small differences show, and the initial one would take many times as long.

        Args:
            program: The program; its changes start from the initial program.
            choices: What is open for the initial program, best first.
            rng: Draws.
        """
        first = choices[0].slot.parents[0]
        base = tuple(edit for edit in program.edits if not self._risks.is_harm(edit))
        slot_of = partial(self._unions.slot, first, view=self._view, reference=program)
        if base != program.edits and (slot := slot_of(base)):
            return slot
        moves = dict(self._without(base, rng))
        moves |= self._instead(base, choices, rng, known=program.edits)
        for edits in sorted(moves, key=lambda edits: -moves[edits]):
            if moves[edits] > 0 and (slot := slot_of(edits)):
                return slot
        return None

    def _without(
        self, base: tuple[Edit, ...], rng: Generator
    ) -> Iterator[tuple[tuple[Edit, ...], float]]:
        """Yield what is left without each change, and a draw of what that brings."""
        for edit in base:
            if self._risks.fear(edit) < CLEAR:
                continue
            left = tuple(other for other in base if other != edit)
            yield left, -self._risks.drawn(edit, rng)

    def _instead(
        self,
        base: tuple[Edit, ...],
        choices: Sequence[Choice],
        rng: Generator,
        known: Container[Edit],
    ) -> Iterator[tuple[tuple[Edit, ...], float]]:
        """Yield what is made with a change in another's place, and a draw of what that brings.

        It comes first: where others are in its way they find no place.
        """
        for edit in edits_of(choices):
            if edit in known or edit in self._busy or not self._risks.may_be_tried(edit):
                continue
            gone = [other for other in base if place(other) == place(edit)]
            lost = sum(map(self._risks.gain, gone))
            if self._risks.hope(edit, instead=lost) < lost + CLEAR:
                continue
            others = (other for other in base if other not in gone)
            yield (edit, *others), self._risks.drawn(edit, rng, instead=lost) - lost

    def _is_asked(self, edit: Edit) -> bool:
        return self._risks.is_open(edit) and edit not in self._busy

    def _is_accused(self, edit: Edit) -> bool:
        return edit in self._believed and self._risks.of(edit) > ACCUSED

    def _together(self, edits: tuple[Edit, ...], ranked: Sequence[Choice]) -> Slot | None:
        """Return the slot of one change, or of several."""
        if len(edits) < 2:
            return next((c.slot for c in ranked if c.offer and c.offer.edit in edits), None)
        return self._unions.slot(ranked[0].slot.parents[0], edits, self._view)
