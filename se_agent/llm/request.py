"""What a chat endpoint is sent, and what it may be spared: pure.

Endpoints speak dialects. What one of them refuses by name is left out from then on. Not here:
how it is sent (`openai`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from se_agent.chat.messages import Message
from se_agent.config.sections import Endpoint
from se_agent.wire.spelling import encodable

Body = dict[str, Any]  # JSON

LIMIT, NEW_LIMIT = "max_tokens", "max_completion_tokens"
_WORDS = {
    "response_format": re.compile(
        r"response_format|json_?schema|schema|structured output", re.I
    ),
    "stream_options": re.compile(r"stream_options|include_usage", re.I),
    "temperature": re.compile(r"temperature", re.I),
}


def body_of(
    endpoint: Endpoint,
    messages: Sequence[Message],
    *,
    max_tokens: int,
    schema: Mapping[str, Any] | None = None,
    without: frozenset[str] = frozenset(),
) -> Body:
    """Return the request.

    Args:
        endpoint: Its name, temperature, and whether it streams and knows schemas.
        messages: The conversation.
        max_tokens: Most tokens that the reply may take.
        schema: JSON schema that the reply shall follow, where the endpoint can see to it.
        without: What it has refused so far, see `refused_part`.
    """
    body: Body = {
        "model": endpoint.name,
        "messages": [
            {"role": message.role, "content": encodable(message.content)}
            for message in messages
        ],
        NEW_LIMIT if LIMIT in without else LIMIT: max_tokens,
    }
    if endpoint.temperature is not None:
        body["temperature"] = endpoint.temperature
    if endpoint.json_schema and schema is not None:
        name = re.sub(r"[^\w-]", "_", schema.get("title", "reply"), flags=re.ASCII)[:64]
        inner = {"name": name, "schema": dict(schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": inner}
    if endpoint.stream and "stream" not in without:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return {key: value for key, value in body.items() if key not in without}


def refused_part(message: str, body: Body) -> frozenset[str]:
    """Return the part that an endpoint objects to, if it can be spared that; one at a time.

    Args:
        message: Message of its answer 400 or 422; may be empty.
        body: The request.
    """
    if LIMIT in body and NEW_LIMIT in message:
        return frozenset({LIMIT})
    named = [name for name, words in _WORDS.items() if name in body and words.search(message)]
    return frozenset(named[:1])
