"""LocalMemory: the short-term memory of a run, in the seed's three parts (LM-01, LM-07).

An immutable value and pure steps from one to the next, so that the fold of a run's lessons
gives the same memory again. The three parts have policies of their own (LM-51): the status is
set, directions are replaced (`se_agent.memory.local.directions`), the bank is appended to and
compressed (`se_agent.memory.local.bank`). Not here: what all lessons ever said (`ledger`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from se_agent.config.sections import LocalSection
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.local.directions import Replaced, direction_key, replaced_list
from se_agent.memory.local.edit_credit import Credit
from se_agent.memory.local.rendering import rendered_lines
from se_agent.memory.local.token_fit import Fitted, fit
from se_agent.values.lesson import Direction, GlobalStatus, Item, Lesson, Outcome, SourceRef
from se_agent.values.step import Step

_OUTCOMES = 1024
"""Directions of which the outcome is kept."""


@dataclass(frozen=True, kw_only=True)
class LocalMemory:
    """What the run knows, always within its limits.

    Attributes:
        limits: Tokens of the rendering, number of directions, tokens of an entry.
        counter: What counts the tokens.
        global_status: Where the run stands.
        attempted_directions: The signpost layer, as last replaced.
        reasoning_bank: The knowledge layer, oldest first.
        outcomes: How directions fared by their keys, the latest ones last: also of those that
            find no room in the list. A policy is advised by them.
        credit: What was measured of single changes, whatever lessons make of it.
        version: How many changes made it: lessons, roll-backs, what a person suggested.
    """

    limits: LocalSection
    counter: TokenCounter = field(repr=False, compare=False)
    global_status: GlobalStatus = field(default_factory=GlobalStatus)
    attempted_directions: tuple[Direction, ...] = ()
    reasoning_bank: tuple[Item, ...] = ()
    outcomes: Mapping[str, Outcome] = field(default_factory=dict, repr=False)
    credit: Credit = field(default_factory=Credit, repr=False)
    version: int = 0

    def apply(
        self,
        lesson: Lesson | None,
        status: GlobalStatus,
        *,
        bank: tuple[Item, ...] | None = None,
    ) -> MemoryUpdate:
        """Take in a lesson: replace the directions, append the items, keep the limits.

        Args:
            lesson: What was extracted; None (nothing was learned) moves the status only.
            status: Where the run stands after the step.
            bank: As a model compressed it, the lesson's items included; None: no model did.
        """
        if lesson is None:
            fitted = self._fit(status, self.attempted_directions, self.reasoning_bank)
            return MemoryUpdate(memory=self._with(fitted, self.version))
        new = self._replaced(lesson, status)
        full = self.with_items(lesson)
        fitted = self._fit(status, new.directions, full if bank is None else bank)
        before = set(self.attempted_directions)
        left = {entry.key for entry in fitted.directions}
        learned = tuple(entry for entry in new.directions if entry not in before)
        return MemoryUpdate(
            memory=self._with(fitted, self.version + 1, _outcomes(learned, self.outcomes)),
            learned=learned,
            items=lesson.items,
            evicted=_evicted(full, fitted.items),
            cut=tuple(entry for entry in new.directions if entry.key not in left),
            refused=new.refused,
            compressed=fitted.compressed or bank is not None,
        )

    def with_credit(self, step: Step) -> LocalMemory:
        """Return the memory with what a closed step says of its changes; no new version."""
        credit = self.credit.after(step)
        return self if credit is self.credit else replace(self, credit=credit)

    def is_crowded(
        self, lesson: Lesson, status: GlobalStatus, *, bank: Sequence[Item] | None = None
    ) -> bool:
        """Say whether a lesson finds no room unless the bank, or this one, is compressed."""
        full = self.with_items(lesson) if bank is None else bank
        return self._fit(status, self._replaced(lesson, status).directions, full).compressed

    def with_items(self, lesson: Lesson) -> tuple[Item, ...]:
        """Return the bank with a lesson's items at its end (LM-53), not compressed yet.

        A step that is told anew, after its siblings are known, is not told twice.
        """
        anew = {item.source_ref.solution_id for item in lesson.items}
        bank = self.reasoning_bank
        kept = (i for i in bank if i.merged > 1 or i.source_ref.solution_id not in anew)
        return (*kept, *lesson.items)

    def _replaced(self, lesson: Lesson, status: GlobalStatus) -> Replaced:
        return replaced_list(
            self.attempted_directions,
            lesson.updated_directions,
            generation=status.current_generation,
        )

    def rolled_back(self, directions: Sequence[Direction]) -> LocalMemory:
        """Return a new version with the directions of an earlier one (X-10).

        Args:
            directions: As `Ledger.directions` returns them.
        """
        fitted = self._fit(self.global_status, directions, self.reasoning_bank)
        return self._with(fitted, self.version + 1, _outcomes(directions))

    def with_suggestion(self, direction: str) -> MemoryUpdate:
        """Return a new version with what a person suggests, as a direction nobody tried.

        One that was tried already is to be tried again.
        """
        entry = Direction(
            direction=direction,
            outcome=Outcome.NEUTRAL,
            source_ref=SourceRef(
                generation=self.global_status.current_generation,
                solution_id=GlobalStatus().best_solution_id,
            ),
            key=direction_key(direction),
            tries=0,
        )
        listed = {old.key: old for old in self.attempted_directions} | {entry.key: entry}
        fitted = self._fit(self.global_status, tuple(listed.values()), self.reasoning_bank)
        return MemoryUpdate(memory=self._with(fitted, self.version + 1), learned=(entry,))

    @property
    def empty(self) -> bool:
        """Whether nothing was learned yet; then a prompt shows nothing."""
        return not self.attempted_directions and not self.reasoning_bank

    @property
    def tokens(self) -> int:
        """Tokens of the rendering; never more than `limits.token_limit`."""
        return sum(map(self.counter.count, rendered_lines(self)))

    def state(self) -> dict[str, Any]:  # the seed's JSON, whose values are of many types
        """Return the whole memory as JSON values, under the seed's names (LM-07)."""
        return {
            "global_status": self.global_status.model_dump(mode="json"),
            "attempted_directions": [
                entry.model_dump(mode="json") for entry in self.attempted_directions
            ],
            "reasoning_bank": [item.model_dump(mode="json") for item in self.reasoning_bank],
            "version": self.version,
        }

    def _fit(
        self, status: GlobalStatus, directions: Sequence[Direction], items: Sequence[Item]
    ) -> Fitted:
        held = {*map(id, self.attempted_directions), *map(id, self.reasoning_bank)}
        return fit(
            status, directions, items, limits=self.limits, counter=self.counter, held=held
        )

    def _with(
        self, fitted: Fitted, version: int, outcomes: Mapping[str, Outcome] | None = None
    ) -> LocalMemory:
        return replace(
            self,
            outcomes=self.outcomes if outcomes is None else outcomes,
            global_status=fitted.status,
            attempted_directions=fitted.directions,
            reasoning_bank=fitted.items,
            version=version,
        )


@dataclass(frozen=True, kw_only=True)
class MemoryUpdate:
    """What one `apply` did. Texts are whole here, even where the memory shortened them.

    Attributes:
        memory: The memory after it.
        learned: Directions that are new or were changed, keyed.
        items: The items that were appended.
        evicted: Items that compression dropped or merged into another.
        cut: Directions that found no room.
        refused: Fresh directions that the reply dropped and the shrink guard kept.
        compressed: Whether the limit was reached and the bank compressed.
    """

    memory: LocalMemory
    learned: tuple[Direction, ...] = ()
    items: tuple[Item, ...] = ()
    evicted: tuple[Item, ...] = ()
    cut: tuple[Direction, ...] = ()
    refused: tuple[Direction, ...] = ()
    compressed: bool = False


def _outcomes(
    entries: Iterable[Direction], before: Mapping[str, Outcome] | None = None
) -> dict[str, Outcome]:
    """Return what came of directions, the latest last; of those that nobody tried, nothing."""
    said = {entry.key: entry.outcome for entry in entries if not entry.untried}
    found = {key: was for key, was in (before or {}).items() if key not in said} | said
    return found if len(found) <= _OUTCOMES else dict(list(found.items())[-_OUTCOMES:])


def _evicted(before: Sequence[Item], after: Sequence[Item]) -> tuple[Item, ...]:
    left = {item.source_ref.solution_id for item in after}
    return tuple(item for item in before if item.source_ref.solution_id not in left)
