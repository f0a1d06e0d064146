"""What can happen between a run and what lies beside it: a survey of the program and a pack.

Not here: all other events (`events`), nor where knowledge is kept (`se_agent.memory`).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from se_agent.chat.events import EventBase
from se_agent.values.knowledge import KnowledgeExcerpt
from se_agent.values.session import SessionUpdates


class Surveyed(EventBase):
    """The initial program was read, and a pack of knowledge, before the first step; once.

    From here on the run uses what this event holds, and never the files of the pack.

    Attributes:
        updates: What was found out about the program.
        pack: Name and digest of the pack; empty: none is in use.
        documents: Digests under which the journal keeps the documents in use, by name.
        excerpt: What prompts and policies may use of them. It stands here as text, because
            folds are pure and cannot read the journal.
        why_not: Why there is no pack although one was asked for; empty: nothing is amiss.
        cost_seconds: CPU seconds that reading took.
    """

    kind: Literal["surveyed"] = "surveyed"
    updates: SessionUpdates = SessionUpdates()
    pack: str = ""
    documents: dict[str, str] = Field(default_factory=dict)
    excerpt: KnowledgeExcerpt = KnowledgeExcerpt()
    why_not: str = ""
    cost_seconds: float = 0.0


MemoryEvent = Surveyed
