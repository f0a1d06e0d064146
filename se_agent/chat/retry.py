"""How a model is asked: once, and once more where its reply cannot be used.

Where it may read, replies that ask for a part of a large output come before.

Not here: who answers, what it costs, and what is on record of it (`se_agent.engine`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from se_agent.chat.events import Replied, Unanswered
from se_agent.chat.fencing import capped, guarded
from se_agent.chat.messages import Message
from se_agent.chat.reading_requests import (
    ReadingRequest,
    answer_to_reading,
    reading_requests,
)
from se_agent.errors import ReplyError

Found = TypeVar("Found")

ATTEMPTS = 2
"""Calls for one purpose: the second one shows the model what was wrong with its reply."""

_LONGEST = 4000  # characters of an error; what a reply was asked for is in the prompt
_SHOWN = 40_000  # characters of a reply that are shown to who wrote it


class AskModel(Protocol):
    """The way to a model, in any role. A call is made once: what is on record is the answer."""

    def __call__(
        self,
        slot: int,
        role: str,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        """Return the answer of a slot's call in a role.

        Args:
            slot: Slot that makes the call; -1: the run's own.
            role: What it is for.
            messages: The whole conversation.
            attempt: From 0; each further one follows an unusable reply, or what was read.
            schema: JSON schema that the reply shall follow, where the endpoint can see to it.

        Raises:
            ModelError: The run has to pause: no call of its models gets a reply.
        """
        ...


@dataclass(frozen=True)
class ReadingRounds:
    """What a model may read before it answers.

    Attributes:
        most: Replies of one call that may ask for slices.
        fetch: Returns what it is told of each; given the reply and its requests.
    """

    most: int
    fetch: Callable[[Replied, Sequence[ReadingRequest]], Sequence[str]]


def ask_with_retry(
    ask: AskModel,
    slot: int,
    role: str,
    messages: Sequence[Message],
    *,
    schema: Mapping[str, Any] | None,
    read: Callable[[Replied, bool], Found],
    again: str,
    reading: ReadingRounds | None = None,
) -> Found | None:
    """Ask, and ask once more with the error of a reply that cannot be used.

    Args:
        ask: The way to a model.
        slot: Slot that makes the call.
        role: What the call is for.
        messages: The prompt.
        schema: JSON schema of the reply; None: it has none.
        read: Makes something of a reply; is told whether this is the last one. It raises
            `ReplyError` with words for the model.
        again: What it is told to do after the error of its reply.
        reading: What it may read before; None: nothing.

    Returns:
        What was read; None where there is no usable reply.
    """
    talk, failed, rounds = tuple(messages), 0, 0
    while failed < ATTEMPTS:
        reply = ask(slot, role, talk, attempt=failed + rounds, schema=schema)
        if isinstance(reply, Unanswered):
            return None
        if reading and rounds < reading.most and (wanted := reading_requests(reply.text)):
            rounds += 1
            told = answer_to_reading(reading.fetch(reply, wanted), reading.most - rounds)
            talk = (*talk, Message("assistant", guarded(reply.text)), Message("user", told))
            continue
        try:
            return read(reply, failed == ATTEMPTS - 1)
        except ReplyError as err:
            talk, failed = (*talk, *_objection(reply, err, again)), failed + 1
    return None


def _objection(reply: Replied, err: ReplyError, again: str) -> tuple[Message, ...]:
    """Return the turns that show a model its reply, and what is wrong with it.

    An error may hold lines of a program, which are data as in every prompt; so is a reply, for
    another model may be asked the second time.
    """
    shown = guarded(capped(reply.text, _SHOWN))
    said = (Message("assistant", shown),) if shown else ()
    hint = f"\n{err.hint}" if err.hint else ""
    told = guarded(capped(f"{err}{hint}", _LONGEST))
    cut = "" if reply.complete else "It was cut off at the limit of tokens: be brief.\n"
    return *said, Message("user", f"This reply cannot be used: {told}\n{cut}{again}")
