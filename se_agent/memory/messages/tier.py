"""Messages between agents as a tier of the memory stack: an agent is shown what it was told.

Not here: what events lead to (`agents`), nor other tiers (`se_agent.memory.stack`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from se_agent.chat.escaping import inline
from se_agent.chat.messages import family_of
from se_agent.config.memory_sections import MessagesSection
from se_agent.events import Event
from se_agent.memory.messages.agents import Agents, agents_of
from se_agent.memory.messages.contexts import (
    get_dependency_outputs,
    get_messages_for_agent,
)
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot

MESSAGES = "messages"
"""Name of the tier."""

TOKEN_LIMIT = 200
"""Tokens of its section."""

_NEWEST = 3  # messages that a prompt shows


@dataclass(frozen=True, kw_only=True)
class MessagesTier:
    """What the agents of a run are at, and what they told each other.

    Attributes:
        section: Its switches.
        agents: All agents.
    """

    section: MessagesSection = field(default_factory=MessagesSection)
    agents: Agents = field(default_factory=Agents)

    @classmethod
    def of(cls, section: MessagesSection) -> MessagesTier:
        """Return the tier before the first event."""
        return cls(section=section, agents=agents_of((), section.dependencies))

    @property
    def name(self) -> str:
        """Name of the tier."""
        return MESSAGES

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most; 0 where no prompt shows it."""
        return TOKEN_LIMIT if self.section.shown else 0

    @property
    def empty(self) -> bool:
        """Whether no prompt could show anything of it."""
        return not self.section.shown or not self.agents.known.messages

    def apply(self, event: Event, closed: ClosedStep | None = None) -> MessagesTier:
        """Return the tier after an event."""
        del closed
        agents = self.agents.after(event)
        return self if agents is self.agents else replace(self, agents=agents)

    def context(self, slot: Slot, role: str) -> str:
        """Return the newest messages for a role, and what came of those it waits for."""
        del slot
        agent, known = family_of(role), self.agents.known
        if self.empty:
            return ""
        said = get_messages_for_agent(known, agent)[-_NEWEST:]
        lines = [
            f"- {one.sender} ({one.message_type}, step {one.slot}): {inline(one.content)}"
            for one in reversed(said)
        ]
        told = {one.sender for one in said}
        for other, output in get_dependency_outputs(known, agent).items():
            if other not in told and output:
                lines.append(f"- {other}, last: {inline(output)}")
        return "".join(f"{line}\n" for line in ("## Messages for you", *lines)) if lines else ""

    def advice(self) -> Advice:
        """Return nothing: policies decide by what was measured."""
        return Advice()
