"""A model without an endpoint: it says what a script says. For tests, yours and ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from se_agent.chat.messages import Message, Reply, RetryCheck, Usage
from se_agent.errors import ModelError

_NAME = "scripted"
_CHARACTERS = 4  # of a token, roughly
Conversation = tuple[Message, ...]


class ScriptedModel:
    """Says what its script says, and keeps the conversations it was given in `asked`.

    Tokens are counted roughly: four characters are one. A reply of more than `max_tokens` is
    cut, as an endpoint would cut it.

    Args:
        script: Replies in the order in which they are given, which may be endless; or what
            makes a reply of a conversation, which many threads may call at a time.
        latency: Seconds that a reply takes; `close` ends the wait.
    """

    def __init__(
        self, script: Iterable[str] | Callable[[Conversation], str], *, latency: float = 0.0
    ) -> None:
        self._script = script if callable(script) else iter(script)
        self._latency = latency
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.asked: list[Conversation] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        """Return the next reply; a script that ran out is an endpoint that is down.

        Raises:
            ModelError: There is no reply left, or the model was closed.
        """
        asked = tuple(messages)
        with self._lock:
            self.asked.append(asked)
            text = None if callable(self._script) else self._next(self._script)
        if self._closed.wait(self._latency):
            raise ModelError(
                f"{_NAME}: broken off before it replied", hint="it was closed", fatal=True
            )
        if text is None:
            text = self._script(asked) if callable(self._script) else ""
        return _cut(asked, text, max_tokens, self._latency)

    def close(self) -> None:
        """Break off what is under way, for good."""
        self._closed.set()

    def _next(self, replies: Iterator[str]) -> str:
        try:
            return next(replies)
        except StopIteration:
            raise ModelError(
                f"no reply left after {len(self.asked) - 1}", hint="write a longer script"
            ) from None


def _cut(asked: Conversation, text: str, max_tokens: int, seconds: float) -> Reply:
    said = text[: max_tokens * _CHARACTERS]
    prompt = sum(_tokens(message.content) for message in asked)
    return Reply(
        text=said,
        usage=Usage(prompt=prompt, completion=_tokens(said)),
        model=_NAME,
        complete=said == text,
        seconds=seconds,
    )


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS)


if TYPE_CHECKING:
    from se_agent.protocols import Model

    _: Model = ScriptedModel([])
