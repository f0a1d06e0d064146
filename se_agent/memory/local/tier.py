"""LocalMemory as the first tier of the memory stack: what its events do to it, and its advice.

Pure and immutable. Not here: what a lesson changes in it (`memory`), and other tiers (`stack`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from se_agent.chat.events import RolledBack, Told
from se_agent.events import Event, Learned, Selected, Started
from se_agent.memory.local.applying import direction_applies, item_applies
from se_agent.memory.local.directions import factors
from se_agent.memory.local.memory import LocalMemory, MemoryUpdate
from se_agent.memory.local.rendering import render_markdown
from se_agent.memory.local.uplift import Stage, Uplift
from se_agent.memory_events import Recalled
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Status
from se_agent.values.lesson import Direction, Item, Outcome
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot

LOCAL = "local"
"""Name of the tier."""


class FittingLessons(NamedTuple):
    """Ids of the steps whose lessons a prompt shows, and of those that it leaves out."""

    shown: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LocalTier:
    """What a run learned of its own steps.

    Attributes:
        memory: The directions, the bank, and what is believed of changes.
        update: What the last lesson or suggestion did; None: there was none.
        adds_up: Whether what changes save adds up, so that single changes have credit.
        uplift: What showing each lesson was worth so far.
        asked: Stage of each open slot whose prompt shows lessons, and which these are.
        has_gained: Whether a step has brought a proven gain.
    """

    memory: LocalMemory
    update: MemoryUpdate | None = field(default=None, repr=False)
    adds_up: bool = False
    uplift: Uplift = field(default_factory=Uplift, repr=False)
    asked: Mapping[int, tuple[Stage, tuple[str, ...]]] = field(default_factory=dict, repr=False)
    has_gained: bool = False

    @property
    def name(self) -> str:
        """Name of the tier."""
        return LOCAL

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most; the memory itself keeps to it."""
        return self.memory.limits.token_limit

    @property
    def empty(self) -> bool:
        """Whether nothing was learned yet."""
        return self.memory.empty

    def apply(self, event: Event, closed: ClosedStep | None = None) -> LocalTier:
        """Return the tier after an event; `closed` comes with a `Learned`."""
        match event:
            case Started():
                return replace(self, adds_up=event.adds_up)
            case Selected() if event.shown_memory and event.shown_memory.lessons:
                asked = (self._stage(event.subject), event.shown_memory.lessons)
                return replace(self, asked={**self.asked, event.slot: asked})
            case Learned() if closed is not None:
                return _weighed(self._learn(event, closed), event, closed)
            case RolledBack() if event.session is None:
                return replace(self, memory=self.memory.rolled_back(event.directions))
            case Recalled():
                return self._with_lessons(event)
            case Told() if not event.constraint:
                return self._with(self.memory.with_suggestion(event.direction))
        return self

    def context(self, slot: Slot, role: str) -> str:
        """Return what of the memory holds for the slot's parents; the same for every role.

        What led to gains at this stage comes first, within each section.
        """
        del role
        return render_markdown(self._fitting(slot))

    def exposure(self, slot: Slot) -> FittingLessons:
        """Return which lessons and directions `context` shows, and which it leaves out."""
        if self.memory.limits.status_only:
            return FittingLessons()
        told = self._fitting(slot)
        left: list[Direction | Item] = [*told.attempted_directions, *told.reasoning_bank]
        kept = {id(entry) for entry in left}
        memory = self.memory
        every: list[Direction | Item] = [*memory.attempted_directions, *memory.reasoning_bank]
        return FittingLessons(
            shown=_ids(left), withheld=_ids(one for one in every if id(one) not in kept)
        )

    def _fitting(self, slot: Slot) -> LocalMemory:
        """Return the memory with what holds for one of a slot's parents alone, ranked."""
        memory, stage = self.memory, self._stage(slot.subject)

        def value(entry: Direction | Item) -> float:
            return -self.uplift.of(stage, entry.source_ref.solution_id)

        named = [d for d in memory.attempted_directions if direction_applies(d, slot.parents)]
        bank = [item for item in memory.reasoning_bank if item_applies(item, slot.parents)]
        return replace(
            memory,
            attempted_directions=tuple(sorted(named, key=value)),
            reasoning_bank=tuple(sorted(bank, key=value)),
        )

    def _stage(self, subject: str) -> Stage:
        if subject:
            return "repair"
        return "polish" if self.has_gained else "first_gain"

    def advice(self) -> Advice:
        """Return a factor by direction, and what is believed of single changes."""
        credit = self.memory.credit
        return Advice(
            directions=factors(self.memory.outcomes),
            believed=(lambda: credit.beliefs) if self.adds_up else None,
        )

    def _learn(self, event: Learned, closed: ClosedStep) -> LocalTier:
        said = self._with(self.memory.apply(event.lesson, closed.status, bank=event.bank))
        if closed.step is None or not self.adds_up:
            return said
        return replace(said, memory=said.memory.with_credit(closed.step))

    def _with_lessons(self, event: Recalled) -> LocalTier:
        """Return the tier with lessons that worked as directions nobody tried in this run."""
        tier = self
        for item in event.items:
            if item.kind == "lesson" and item.outcome == Outcome.SUCCESS:
                words = f"{item.description or item.title} (from an earlier run)"
                tier = tier._with(tier.memory.with_suggestion(words))
        return tier

    def _with(self, update: MemoryUpdate) -> LocalTier:
        return replace(self, memory=update.memory, update=update)


def _ids(entries: Iterable[Direction | Item]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.source_ref.solution_id for entry in entries))


def _weighed(tier: LocalTier, event: Learned, closed: ClosedStep) -> LocalTier:
    """Return the tier with what came of a step that was shown lessons."""
    step = closed.step
    gains = step is not None and step.gain > 0
    if gains and not tier.has_gained:
        tier = replace(tier, has_gained=True)
    if event.slot not in tier.asked:
        return tier
    asked = {**tier.asked}
    stage, lessons = asked.pop(event.slot)
    tier = replace(tier, asked=asked)
    if event.verdict is None:
        return tier
    worked = event.verdict.status is Status.AC if stage == "repair" else gains
    return replace(tier, uplift=tier.uplift.after(stage, lessons, gained=worked))
