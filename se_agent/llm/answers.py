"""What an endpoint answered, as a reply: read without trust, whole or in pieces.

Fields may be missing, null or of another type: endpoints that call themselves compatible differ
in all of this. Not here: how the answer came (`openai`).
"""

from __future__ import annotations

import re
from typing import Any

from se_agent.chat.messages import Reply, Usage
from se_agent.wire.spelling import encodable

LONGEST = 1_000_000
"""Characters of a reply; what is behind them was not asked for, and is not kept (`openai`)."""

_CUT = ("length", "content_filter")
_MOST = 10**12  # tokens of a call; with more than that nothing can be reckoned
_THOUGHTS = re.compile(r"\s*<think>.*?(?:</think>|\Z)\s*", re.DOTALL)


class Pieces:
    """A reply that grows; an answer that comes whole is a single piece.

    Attributes:
        choice: Whether a choice has come; without one there is no reply.
    """

    def __init__(self) -> None:
        self.choice = False
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._usage = Usage()
        self._model = ""
        self._end = ""

    def add(self, piece: Any) -> None:  # whatever an endpoint may send
        """Take in a `chat.completion`, or a `chat.completion.chunk`."""
        self._model = _string(at(piece, "model")) or self._model
        self._usage = _usage(at(piece, "usage")) or self._usage
        choice = at(piece, "choices", 0)
        if choice is None:
            return
        self.choice = True
        said = at(choice, "message") or at(choice, "delta")
        self._texts.append(_text(at(said, "content")) or _string(at(said, "refusal")))
        self._thoughts.append(_thoughts(said))
        self._end = _string(at(choice, "finish_reason")) or self._end

    def reply(self) -> Reply:
        """Return what came; the text is empty where the model said nothing."""
        whole = encodable("".join(self._texts))
        text = spoken_text(whole)
        thoughts = encodable("".join(self._thoughts)) or whole[: len(whole) - len(text)]
        return Reply(
            text=text,
            usage=self._usage,
            model=self._model,
            complete=self._end not in _CUT and len(text) <= LONGEST,
            thoughts=thoughts,
        )

    @property
    def part(self) -> Reply | None:
        """What came before it broke off, thoughts included; None: nothing did."""
        text = encodable("".join(self._texts))
        return Reply(text=text, usage=self._usage) if text or self._usage.total else None

    @property
    def has_ended(self) -> bool:
        """Whether the model came to an end, by its own word."""
        return bool(self._end)


def spoken_text(text: str) -> str:
    """Return what was said, without thoughts that an endpoint leaves at its head."""
    thoughts = _THOUGHTS.match(text)
    return text[thoughts.end() :] if thoughts else text


def at(value: Any, *path: str | int) -> Any:  # whatever an endpoint may send
    """Return what lies at a path of attributes, keys and places; None where nothing does."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            value = getattr(value, step, None)
    return value


def _text(content: Any) -> str:  # a text, or a list of parts
    if isinstance(content, list):
        return "".join(_string(at(p, "text")) for p in content if at(p, "type") == "text")
    return _string(content)


def _thoughts(said: Any) -> str:  # whatever an endpoint may send
    """Return what a model thought; endpoints differ in where they put it."""
    apart = _string(at(said, "reasoning_content")) or _string(at(said, "reasoning"))
    parts = at(said, "content")
    listed = parts if isinstance(parts, list) else ()
    return apart or "".join(_string(at(part, "thinking")) for part in listed)


def _usage(said: Any) -> Usage | None:  # whatever an endpoint may send
    """Return what was used; thoughts that are told in the total only are part of the reply."""
    if said is None:
        return None
    prompt, completion = _count(said, "prompt_tokens"), _count(said, "completion_tokens")
    unsaid = max(0, _count(said, "total_tokens") - prompt - completion) if prompt else 0
    cached = _count(said, "prompt_tokens_details", "cached_tokens")
    thought = _count(said, "completion_tokens_details", "reasoning_tokens")
    return Usage(
        prompt=prompt,
        cached=min(cached, prompt),
        completion=completion + unsaid,
        reasoning=min(max(thought, unsaid), completion + unsaid),
    )


def _count(said: Any, *path: str) -> int:  # whatever an endpoint may send
    count = at(said, *path)
    return min(count, _MOST) if type(count) is int and count > 0 else 0


def _string(value: Any) -> str:  # whatever an endpoint may send
    return value if isinstance(value, str) else ""
