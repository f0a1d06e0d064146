"""What a prompt shows of earlier steps of its thread, within a limit of tokens.

Pure but for the texts that `full` asks the journal for by their digests. Not here: what of it
the context of the model that is asked has room for (`context.builder`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from se_agent.chat.fencing import capped, guarded
from se_agent.chat.messages import Message
from se_agent.config.context_limits import ContextLimits
from se_agent.memory.context.digest import PastTurn, summary_of_turns, turn, whole_turn
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.messages.fold import Threads
from se_agent.memory.messages.histories import (
    MessageHistories,
    add_agent_messages,
    get_agent_messages,
    trim_messages_by_tokens,
)

_SHOWN = 40_000  # characters of a task or a reply
_SUMMARY = 120  # tokens that are kept free for what older steps came to


@dataclass(frozen=True)
class EarlierTurns:
    """What a slot may see of earlier steps, and how much of it.

    Attributes:
        threads: As they were when the slot was selected.
        limits: What is shown, and in how many tokens.
        counter: Counts tokens.
        text: Returns the text under a digest; asked by `full` alone.
    """

    threads: Threads
    limits: ContextLimits
    counter: TokenCounter
    text: Callable[[str], str]

    def conversation(
        self, agent: str, strategy: str, prompt: Sequence[Message]
    ) -> tuple[Message, ...]:
        """Return a prompt with the history between its system message and its task."""
        history = self._history(agent, strategy)
        if not history:
            return tuple(prompt)
        front = 1 if prompt and prompt[0].role == "system" else 0
        system = prompt[0].content if front else ""
        state = MessageHistories.of(**{agent: history})
        return *get_agent_messages(state, agent, system), *prompt[front:]

    def _history(self, agent: str, strategy: str) -> tuple[Message, ...]:
        """Return earlier steps, the most valuable last, and those without room as a count."""
        turns, room = self._ranked(agent, strategy), self.limits.history_token_limit
        kept = self._newest(turns, room)
        if len(kept) < 2 * len(turns):
            kept = self._newest(turns, room - _SUMMARY)
        older = sorted(turns[: len(turns) - len(kept) // 2], key=lambda each: each.slot)
        left = room - sum(self.counter.count(message.content) for message in kept)
        summary = summary_of_turns(older, left, self.counter)
        states = (MessageHistories.of(**{agent: said}) for said in (summary, kept))
        united = add_agent_messages(*states, counter=self.counter, max_tokens=room)
        return united.messages(agent)

    def _ranked(self, agent: str, strategy: str) -> tuple[PastTurn, ...]:
        if self.limits.order == "recency":
            return self.threads.of(agent, strategy)
        return tuple(sorted(self.threads.of_agent(agent), key=lambda t: _value(t, strategy)))

    def _newest(self, turns: Sequence[PastTurn], room: int) -> tuple[Message, ...]:
        """Return the last steps that fit; no more texts are loaded than that takes."""
        said: tuple[Message, ...] = ()
        spent = 0
        for each in reversed(turns):
            if spent > room:
                break
            pair = self._said(each)
            said = (*pair, *said)
            spent += sum(self.counter.count(message.content) for message in pair)
        kept = trim_messages_by_tokens(said, room, keep_system=False, counter=self.counter)
        return whole_pairs(kept)

    def _said(self, each: PastTurn) -> tuple[Message, Message]:
        limit = self.limits.history_token_limit
        if self.limits.history != "full" or each.tokens > limit or not each.reply:
            return turn(each, self.counter)
        task = self.text(json.loads(self.text(each.request))[-1][1])
        return whole_turn(
            each, *(guarded(capped(t, _SHOWN)) for t in (task, self.text(each.reply)))
        )


def whole_pairs(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return a history that begins with a question: an answer alone says little."""
    orphan = bool(messages) and messages[0].role == "assistant"
    return tuple(messages[orphan:])


def _value(each: PastTurn, strategy: str) -> tuple[float, bool, int]:
    """Return what a step is worth to a slot that follows a strategy (LF-101)."""
    return each.gain, each.strategy == strategy, each.slot
