"""How the memory asks a model: once, and once more where the reply cannot be used.

Not here: who answers, what it costs, and what is on record of it (`se_agent.engine`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from se_agent.conversation import Message, Role
from se_agent.errors import ReplyError
from se_agent.structured import schema_of
from se_agent.talks import Replied, Unanswered

Found = TypeVar("Found")


class Ask(Protocol):
    """The way to a model, in any role. What is on record is never asked again."""

    def __call__(
        self,
        slot: int,
        role: Role,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        """Return the reply, or why there is none."""
        ...


def asked(
    ask: Ask,
    slot: int,
    role: Role,
    messages: Sequence[Message],
    *,
    shape: type[BaseModel],
    read: Callable[[str, bool], Found],
) -> Found | None:
    """Ask, and ask once more with the error of a reply that cannot be used.

    Args:
        ask: The way to a model.
        slot: Whose step is closed with it.
        role: What the call is for.
        messages: The prompt.
        shape: Of the reply.
        read: Makes something of a reply; is told whether this is the last one. It raises
            `ReplyError` with words for the model.

    Returns:
        What was read; None where there is no usable reply: nothing is lost by that, for all
        that is asked here has an answer without a model.
    """
    talk, schema = tuple(messages), schema_of(shape)
    for attempt in (0, 1):
        reply = ask(slot, role, talk, attempt=attempt, schema=schema)
        if isinstance(reply, Unanswered):
            return None
        try:
            return read(reply.text, attempt == 1)
        except ReplyError as err:
            told = f"This reply cannot be used: {err}\nAnswer again with the JSON alone, whole."
            talk = (*talk, Message("assistant", reply.text), Message("user", told))
    return None
