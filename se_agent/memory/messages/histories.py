"""Histories of messages, one for each agent: read, added to, united, and cut to a limit.

Names and arguments are those of the seed "Agent Message History" (LF-75 to LF-87). Values are
immutable, so what the seed changes in place is returned as a new value. Pure. Not here: what a
prompt has room for beside them (`context.builder`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from se_agent.chat.messages import Message
from se_agent.memory.context.builder import newest_messages
from se_agent.memory.context.shortening import cut_text
from se_agent.memory.context.tokens import ESTIMATE, TokenCounter

MAX_TOKENS, SYSTEM_MAX_TOKENS = 100_000, 10_000
"""Tokens of one agent's messages, and of its system message among them (LF-80)."""

Speaker = Literal["system", "user", "assistant"]


@dataclass(frozen=True)
class AgentHistory:
    """What one agent was told and said, oldest first; a system message stands in front.

    Attributes:
        messages: No two are equal.
        cut: Whether older ones were left out: nothing comes before these any more.
    """

    messages: tuple[Message, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class MessageHistories:
    """The histories of all agents; none knows another's (LF-76)."""

    agents: Mapping[str, AgentHistory] = field(default_factory=dict)

    @classmethod
    def of(cls, **messages: Sequence[Message]) -> MessageHistories:
        """Return histories with these messages, by agent."""
        return cls({agent: AgentHistory(_distinct(said)) for agent, said in messages.items()})

    def messages(self, agent: str) -> tuple[Message, ...]:
        """Return an agent's messages, oldest first."""
        return self.agents.get(agent, AgentHistory()).messages


def get_agent_messages(
    state: MessageHistories | None, agent: str, system_message: str = ""
) -> tuple[Message, ...]:
    """Return an agent's messages (LF-85).

    Args:
        state: All histories; None: empty ones.
        agent: Its name.
        system_message: Stands in front where the agent has none yet (LF-79).
    """
    said = (state or MessageHistories()).messages(agent)
    if system_message and not (said and said[0].role == "system"):
        return Message("system", system_message), *said
    return said


def add_agent_message(
    state: MessageHistories | None, agent: str, role: Speaker, content: str
) -> MessageHistories:
    """Return the histories with one message more (LF-86)."""
    return add_agent_messages(state, MessageHistories.of(**{agent: [Message(role, content)]}))


def add_agent_messages(
    left: MessageHistories | None,
    right: MessageHistories | None,
    *,
    counter: TokenCounter = ESTIMATE,
    max_tokens: int = MAX_TOKENS,
) -> MessageHistories:
    """Return both as one, each agent's history cut by itself (LF-87): the reducer.

    Of equal messages the newest stays, and of system messages the first. It is associative,
    as long as an agent has one system message: where older messages of `right` were left out,
    those of `left`, older still, are, too.

    Args:
        left: The earlier histories; None: empty ones.
        right: What comes after them; None: nothing.
        counter: Counts tokens.
        max_tokens: Tokens of one agent's messages.
    """
    one, two = left or MessageHistories(), right or MessageHistories()
    united = {
        agent: _joined(one.agents.get(agent), two.agents.get(agent), counter, max_tokens)
        for agent in (*one.agents, *(name for name in two.agents if name not in one.agents))
    }
    return MessageHistories(united)


def trim_messages_by_tokens(
    messages: Sequence[Message],
    max_tokens: int = MAX_TOKENS,
    keep_system: bool = True,
    system_max_tokens: int = SYSTEM_MAX_TOKENS,
    *,
    counter: TokenCounter = ESTIMATE,
) -> tuple[Message, ...]:
    """Return the newest messages within a limit, in their order (LF-80 to LF-83).

    Args:
        messages: Oldest first.
        max_tokens: Tokens that they may have together.
        keep_system: Whether a system message in front always stays; else it is one of all.
        system_max_tokens: Tokens to which it is cut, with an ellipsis at its end.
        counter: Counts tokens.
    """
    system, rest = split_system(messages) if keep_system else ((), tuple(messages))
    kept = tuple(_cut(one, min(system_max_tokens, max_tokens), counter) for one in system)
    room = max_tokens - sum(counter.count(one.content) for one in kept)
    return *kept, *newest_messages(rest, room, counter)


def split_system(
    messages: Sequence[Message],
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Return the system message in front, if there is one, and the others."""
    front = 1 if messages and messages[0].role == "system" else 0
    return tuple(messages[:front]), tuple(messages[front:])


def _joined(
    left: AgentHistory | None,
    right: AgentHistory | None,
    counter: TokenCounter,
    max_tokens: int,
) -> AgentHistory:
    one, two = left or AgentHistory(), right or AgentHistory()
    systems, rests = zip(split_system(one.messages), split_system(two.messages), strict=True)
    older = () if two.cut else rests[0]
    said = (*(systems[0] or systems[1]), *_distinct((*older, *rests[1])))
    kept = trim_messages_by_tokens(said, max_tokens, counter=counter)
    return AgentHistory(kept, cut=one.cut or two.cut or len(kept) < len(said))


def _distinct(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages, of equal ones the last; the system message first."""
    found = dict.fromkeys(reversed(tuple(messages)))
    ordered = tuple(reversed(found))
    system = tuple(one for one in ordered if one.role == "system")
    return *system[:1], *(one for one in ordered if one.role != "system")


def _cut(message: Message, limit: int, counter: TokenCounter) -> Message:
    text = cut_text(message.content, limit, counter)
    return message if text == message.content else Message(message.role, text)
