"""What a model may answer instead of what it was asked for: that it wants to read an output.

Such a reply is `{"read": [{"artifact": "3f9c2b81e07d", "start": 0}]}`, and nothing else. Pure.
Not here: who reads (`se_agent.engine`), and how often a model may ask (`retry`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from se_agent.chat.escaping import quoted_value
from se_agent.chat.fencing import fenced, printable

ROUND = 8_000
"""Characters that a model is shown in answer to one reply, however many slices it asks for."""

_LONGEST = 2_000  # characters of a reply that can be a request
_MOST = 4  # slices in one reply
_NAME = 64  # characters of a name that are looked at
_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n```", re.DOTALL)


class ReadingRequest(NamedTuple):
    """A slice that a model asks for: what it calls the output, and where to begin."""

    artifact: str
    start: int = 0


def reading_requests(reply: str) -> tuple[ReadingRequest, ...]:
    """Return the slices that a reply asks for; none where it says anything else."""
    text = reply.strip()
    if len(text) > _LONGEST:
        return ()
    found = _FENCE.fullmatch(text)
    try:
        said = json.loads(found[1] if found else text)
    except (ValueError, RecursionError):
        return ()
    listed = said.get("read") if isinstance(said, dict) and len(said) == 1 else None
    if not (isinstance(listed, list) and all(map(_is_request, listed))):
        return ()
    return tuple(_request(each) for each in listed[:_MOST])


def _is_request(value: Any) -> bool:  # any JSON value
    if not (isinstance(value, dict) and value.keys() <= {"artifact", "start"}):
        return False
    start = value.get("start", 0)
    return isinstance(value.get("artifact"), str) and type(start) is int and start >= 0


def _request(value: dict[str, Any]) -> ReadingRequest:
    return ReadingRequest(value["artifact"][:_NAME], value.get("start", 0))


def slice_told(request: ReadingRequest, text: str) -> str:
    """Return a slice as a model is shown it: as data, in a block."""
    if not text:
        return f"{quoted_value(request.artifact)} ends before character {request.start}."
    end = request.start + len(text)
    head = f"{quoted_value(request.artifact)}, characters {request.start} to {end}:"
    return f"{head}\n{fenced(printable(text))}"


def refusal(request: ReadingRequest) -> str:
    """Return what a model is told that asked for what it cannot read."""
    return (
        f"{quoted_value(request.artifact)} cannot be read: only outputs of this run can, "
        "by the 12 digits that a reference shows."
    )


def answer_to_reading(told: Sequence[str], left: int) -> str:
    """Return the next message to a model.

    Args:
        told: What is said to each of its requests.
        left: How many more replies may be requests.
    """
    more = {0: "Nothing more can be read. Answer now", 1: "You may read once more, or answer"}
    ending = more.get(left, f"You may read {left} times more, or answer")
    return "\n\n".join((*told, f"{ending}, in the form that was asked for."))
