"""A model without an endpoint: it replays replies in order. For tests, yours and ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from se_agent.conversation import Message, Reply
from se_agent.errors import ModelError


class ScriptedModel:
    """Replays replies and keeps the conversations it was given.

    Args:
        replies: In the order in which they are given; may be endless.
    """

    def __init__(self, replies: Iterable[str]) -> None:
        self._replies = iter(replies)
        self.asked: list[tuple[Message, ...]] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return the next reply; a script that ran out is an endpoint that is down.

        Raises:
            ModelError: There is no reply left.
        """
        self.asked.append(tuple(messages))
        try:
            return Reply(text=next(self._replies))
        except StopIteration:
            raise ModelError(
                f"no reply left after {len(self.asked) - 1}", hint="write a longer script"
            ) from None

    def close(self) -> None:
        """Nothing is under way."""


if TYPE_CHECKING:
    from se_agent.protocols import Model

    _: Model = ScriptedModel([])
