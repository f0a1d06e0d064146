"""LocalMemory as the first tier of the memory stack: what its events do to it, and its advice.

Pure and immutable. Not here: what a lesson changes in it (`memory`), and other tiers (`stack`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from se_agent.chat.events import RolledBack, Told
from se_agent.events import Event, Learned, Started
from se_agent.memory.local.directions import factors
from se_agent.memory.local.memory import LocalMemory, MemoryUpdate
from se_agent.memory.local.rendering import render_markdown
from se_agent.memory_events import Recalled
from se_agent.values.closed_step import ClosedStep
from se_agent.values.lesson import Outcome
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot

LOCAL = "local"
"""Name of the tier."""


@dataclass(frozen=True, kw_only=True)
class LocalTier:
    """What a run learned of its own steps.

    Attributes:
        memory: The directions, the bank, and what is believed of changes.
        update: What the last lesson or suggestion did; None: there was none.
        adds_up: Whether what changes save adds up, so that single changes have credit.
    """

    memory: LocalMemory
    update: MemoryUpdate | None = field(default=None, repr=False)
    adds_up: bool = False

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
            case Learned() if closed is not None:
                return self._learn(event, closed)
            case RolledBack() if event.session is None:
                return replace(self, memory=self.memory.rolled_back(event.directions))
            case Recalled():
                return self._with_lessons(event)
            case Told() if not event.constraint:
                return self._with(self.memory.with_suggestion(event.direction))
        return self

    def context(self, slot: Slot, role: str) -> str:
        """Return the rendered memory, the same for every slot and role."""
        del slot, role
        return render_markdown(self.memory)

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
