"""How much of a history a prompt holds, given the context of the model that is asked.

The same for a live run, a resumed one and a replay: it is worked out from the run file and from
what the slot may see. Not here: what a history is (`se_agent.memory`), and whether a prompt
without one fits (`calls`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.chat.messages import Message
from se_agent.config.run_file import Run
from se_agent.engine.state.state import State
from se_agent.memory import ContextBuilder, TokenCounter

SHORTEST = 1024
"""Tokens that a context must leave to a reply for a call to be worth its money."""

MESSAGE, CONVERSATION = 4, 3
"""Tokens around a message and around all of them, as chat endpoints count them."""


@dataclass(frozen=True)
class MessageCounter:
    """Counts each text as a message, with what stands around it."""

    counter: TokenCounter

    @property
    def name(self) -> str:
        """What counts the texts."""
        return self.counter.name

    def count(self, text: str) -> int:
        """Return the tokens of a message with this text."""
        return self.counter.count(text) + MESSAGE


@dataclass(frozen=True)
class PromptRoom:
    """What a run's prompts have room for.

    Attributes:
        config: The run file.
        state: Says what was known of a model's counts when a slot was selected.
        counter: Counts tokens.
    """

    config: Run
    state: State
    counter: TokenCounter

    @property
    def keeps_replies(self) -> bool:
        """Whether later prompts show replies word by word, so that their texts are kept."""
        return self.config.memory.context.history == "full"

    def fitting(self, slot: int, model: str, messages: Sequence[Message]) -> list[Message]:
        """Return a conversation with as much of its history as a model has room for.

        Half a context at most is left to the reply. Without a history it is returned as it is;
        so is one whose other messages alone are too long, but for the history.
        """
        fixed = [message for message in messages if not message.earlier]
        if len(fixed) == len(messages):
            return fixed
        front = 1 if fixed[0].role == "system" else 0
        builder, limit = self._builder(slot, model)
        built = builder.build_context(
            fixed[0].content if front else "",
            [message for message in messages if message.earlier],
            limit,
            task=fixed[front:],
        )
        if built.tokens > builder.budget(limit):
            return fixed
        lost = fixed[:front] if not fixed[0].content else []  # a builder takes it for none
        told = [*lost, *built.messages]
        orphan = len(told) > front and told[front].earlier and told[front].role == "assistant"
        return [*told[:front], *told[front + orphan :]]

    def _builder(self, slot: int, model: str) -> tuple[ContextBuilder, int]:
        endpoint, limits = self.config.models[model], self.config.memory.context
        past = self.state.open.of(slot).past
        longest = max(SHORTEST, endpoint.context // 2)
        surcharge = past.surcharge.get(model, 1.0) if past else 1.0
        builder = ContextBuilder(
            counter=MessageCounter(self.counter),
            response_buffer=min(endpoint.max_tokens, longest) + CONVERSATION,
            safety_margin=limits.safety_margin,
            agent_cap=limits.agent_token_limit,
            system_max_tokens=limits.system_token_limit,
            surcharge=surcharge,
        )
        return builder, int(endpoint.context / surcharge)
