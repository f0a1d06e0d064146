"""What of a history a prompt has room for: the gatekeeper of a model's context (SQ-15).

    budget = min(agent_cap, window * (1 - margin)) - response_buffer

The system prompt and the task come first; the history has what they leave, its newest messages
first (SQ-16 to SQ-18, SQ-26 to SQ-31). Pure. Not here: what a history holds (`messages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from se_agent.chat.messages import Message
from se_agent.memory.context.shortening import cut_text
from se_agent.memory.context.tokens import ESTIMATOR, TokenCounter

WIDE_MARGIN = 0.10
"""Margin where tokens are not counted as the endpoint counts them (SQ-17)."""

_FOREIGN = 1.02  # an endpoint that counts by this factor more has another tokeniser


@dataclass(frozen=True)
class BuiltContext:
    """What a prompt holds.

    Attributes:
        messages: System prompt, history, task.
        tokens: Tokens of them together.
        dropped: Messages of the history that found no room.
        cut: Whether the system prompt was cut.
    """

    messages: tuple[Message, ...]
    tokens: int
    dropped: int = 0
    cut: bool = False


@dataclass(frozen=True)
class ContextBuilder:
    """Builds the context of one call.

    Attributes:
        counter: Counts tokens.
        response_buffer: Tokens that are left to the reply.
        safety_margin: Share of the window that is left to errors of counting.
        agent_cap: Tokens that a prompt has at most, however wide the window.
        system_max_tokens: Tokens to which the system prompt is cut; None: it is whole.
        surcharge: Tokens of the endpoint for one of ours, as far as that is known.
    """

    counter: TokenCounter
    response_buffer: int
    safety_margin: float = 0.05
    agent_cap: int = 100_000
    system_max_tokens: int | None = None
    surcharge: float = 1.0

    @property
    def margin(self) -> float:
        """Share of the window that is left free."""
        counted = self.counter.name != ESTIMATOR and self.surcharge <= _FOREIGN
        return self.safety_margin if counted else max(self.safety_margin, WIDE_MARGIN)

    def budget(self, model_limit: int) -> int:
        """Return the tokens that a prompt may have in a window of `model_limit` tokens."""
        return min(self.agent_cap, int(model_limit * (1 - self.margin)) - self.response_buffer)

    def build_context(
        self,
        system_prompt: str,
        history: Sequence[Message],
        model_limit: int,
        *,
        task: Sequence[Message] = (),
    ) -> BuiltContext:
        """Return what a prompt holds.

        Where system prompt and task alone are beyond the budget, nothing else is returned; a
        system prompt that alone is beyond `model_limit` is cut to it (SQ-30).

        Args:
            system_prompt: Always stays; empty: there is none.
            history: Oldest first.
            model_limit: Tokens of the window, prompt and reply together.
            task: What is asked now; it always stays, too.
        """
        size = self.counter.count(system_prompt)
        if self.system_max_tokens is not None:
            size = min(size, self.system_max_tokens)
        text = cut_text(system_prompt, min(size, model_limit), self.counter)
        system = (Message("system", text),) if text else ()
        always, budget = self._tokens((*system, *task)), self.budget(model_limit)
        alone = size + self._tokens(task) > budget
        kept = () if alone else newest_messages(history, budget - always, self.counter)
        return BuiltContext(
            messages=(*system, *kept, *task),
            tokens=always + self._tokens(kept),
            dropped=len(history) - len(kept),
            cut=text != system_prompt,
        )

    def _tokens(self, messages: Sequence[Message]) -> int:
        return sum(self.counter.count(message.content) for message in messages)


def newest_messages(
    messages: Sequence[Message], room: int, counter: TokenCounter
) -> tuple[Message, ...]:
    """Return the last messages that fit; the first one that does not ends it (SQ-31)."""
    start = len(messages)
    while start and (room := room - counter.count(messages[start - 1].content)) >= 0:
        start -= 1
    return tuple(messages[start:])
