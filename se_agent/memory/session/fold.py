"""Session memory as a tier of the memory stack: what events do to it, and what it says.

Pure and immutable. It is in order after every event. Not here: what is found to be agreed on
(`se_agent.engine.step.session_updates`), nor other tiers (`se_agent.memory.stack`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from se_agent.chat.events import RolledBack, Told
from se_agent.config.session_section import SessionSection
from se_agent.events import Event, Learned
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter
from se_agent.memory.session.entries import SessionLimits
from se_agent.memory.session.injector import footer, section, updates_within
from se_agent.memory.session.merge import merge_session_memory_updates
from se_agent.memory.session.precedence import USER
from se_agent.memory.session.render import CODE, Headings, headings_of
from se_agent.memory_events import Recalled, Surveyed
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import Advice
from se_agent.values.session import NOTHING_AGREED, Constraint, SessionMemory, SessionUpdates
from se_agent.values.step import Slot

SESSION = "session"
"""Name of the tier."""


@dataclass(frozen=True, kw_only=True)
class SessionTier:
    """What the roles of a run agree on.

    Attributes:
        config: Its switches and limits.
        memory: What is agreed on.
        counter: What counts the tokens of a prompt.
        generation: The generation of the step that was closed last.
        headings: What its sections are called in prompts.
    """

    config: SessionSection = field(default_factory=SessionSection)
    memory: SessionMemory = NOTHING_AGREED
    counter: TokenCounter = field(default=ESTIMATE, repr=False, compare=False)
    generation: int = 0
    headings: Headings = CODE

    @property
    def name(self) -> str:
        """Name of the tier."""
        return SESSION

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most; 0 where no prompt shows it."""
        return self.config.token_limit if self.config.shown else 0

    @property
    def empty(self) -> bool:
        """Whether no prompt could show anything of it."""
        return not self.config.shown or self.memory.empty

    def apply(self, event: Event, closed: ClosedStep | None = None) -> SessionTier:
        """Return the tier after an event."""
        match event:
            case Surveyed():
                headings = headings_of(event.pack)
                return replace(self, headings=headings).with_updates(event.updates)
            case Recalled() if event.fixes:
                return self.with_updates(SessionUpdates(known_fixes=event.fixes))
            case Learned():
                return _after(self, closed, event.session_updates)
            case RolledBack() if event.session is not None:
                return replace(self, memory=event.session)
            case Told() if event.constraint:
                return self.with_updates(self._said(event.direction))
        return self

    def context(self, slot: Slot, role: str) -> str:
        """Return what a prompt of this role shows, within the limit of tokens."""
        del slot
        if self.empty:
            return ""
        limit = self.config.token_limit
        readable = self.config.read_by(role)
        return section(self.memory, readable, limit, self.counter, self.headings)

    def footer(self, role: str) -> str:
        """Return how a reply of this role says what others should know; empty: it may not."""
        asked = self.config.shown and self.config.tags
        categories = self.config.written_by(role) if asked else ()
        return footer(categories) + "\n" if categories else ""

    def advice(self) -> Advice:
        """Return what policies may read: all that is agreed on."""
        return Advice(session=self.memory)

    def with_updates(self, updates: SessionUpdates) -> SessionTier:
        """Return the tier after updates, as far as its switches let them in."""
        kept, config = updates_within(updates, self.config.kept), self.config
        limits = SessionLimits(
            config.entry_limit,
            config.fixes_limit,
            config.decisions_limit,
            config.strategies_limit,
        )
        found = merge_session_memory_updates(self.memory, kept, limits=limits)
        return self if found == self.memory else replace(self, memory=found)

    def _said(self, constraint: str) -> SessionUpdates:
        """Return the updates of what a person said: sure, and true."""
        said = Constraint(
            constraint=constraint,
            source=USER,
            confidence="high",
            verified=True,
            iteration=self.generation,
        )
        return SessionUpdates(api_constraints=(said,))


def _after(
    tier: SessionTier, closed: ClosedStep | None, updates: SessionUpdates | None
) -> SessionTier:
    """Return the tier after a step, whose generation is that of what a person says next.

    When a generation was opened does not count: that may come before a step is closed.
    """
    generation = closed.status.current_generation if closed else tier.generation
    if generation != tier.generation:
        tier = replace(tier, generation=generation)
    return tier if updates is None else tier.with_updates(updates)
