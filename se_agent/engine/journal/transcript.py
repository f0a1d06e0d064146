"""How the journal keeps what a model was asked: each text once, and a list that names them.

Not here: the replies, which are events.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from se_agent.chat.messages import Message
from se_agent.errors import JournalError
from se_agent.store.blobs import digest_of


class Request(NamedTuple):
    """A conversation as it is kept: its digest, and all texts that belong to it."""

    digest: str
    texts: tuple[str, ...]


def packed_messages(messages: Sequence[Message]) -> Request:
    """Return a conversation as the journal keeps it; instructions are shared by many."""
    listed = json.dumps([[m.role, digest_of(m.content)] for m in messages])
    return Request(digest_of(listed), (listed, *(m.content for m in messages)))


def unpacked_messages(digest: str, text: Callable[[str], str]) -> tuple[Message, ...]:
    """Return the conversation that is kept under a digest.

    Args:
        digest: Digest of the request, as a reply has it.
        text: The journal's.

    Raises:
        JournalError: A part of it is missing, or it is no conversation.
    """
    try:
        listed = json.loads(text(digest))
        return tuple(Message(role, text(part)) for role, part in listed)
    except (ValueError, TypeError) as err:
        raise JournalError(
            f"request {digest[:12]}: no list of messages", hint="the journal is damaged there"
        ) from err
