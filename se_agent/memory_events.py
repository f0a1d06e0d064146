"""What can happen between a run and what lies beside it: outputs kept whole, slices read.

Not here: all other events (`events`), nor where an output is kept (`se_agent.memory`).
"""

from __future__ import annotations

from typing import Literal

from se_agent.chat.events import EventBase
from se_agent.values.artifact import ArtifactRef


class Offloaded(EventBase):
    """A large output was kept whole beside the run (SQ-19).

    The whole is durable before this is recorded, and this before the event that names it.
    """

    kind: Literal["offloaded"] = "offloaded"
    artifact: ArtifactRef


class Fetched(EventBase):
    """A model read a slice of an output, or was refused it.

    It is on record before the request that holds the text.

    Attributes:
        role: What the call is for.
        attempt: The one whose reply asked for it.
        artifact: What the reply called the output; shortened, it may be anything.
        start: Character of the output where the slice begins.
        text: Digest under which the journal keeps what the model is told.
    """

    kind: Literal["fetched"] = "fetched"
    role: str
    attempt: int
    artifact: str
    start: int = 0
    text: str


MemoryEvent = Offloaded | Fetched
