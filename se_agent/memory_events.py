"""What can happen between a run and what lies beside it: outputs, slices, survey, recall.

Not here: all other events (`events`), nor where an output is kept (`se_agent.memory`).
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from se_agent.chat.events import EventBase
from se_agent.values.artifact import ArtifactRef
from se_agent.values.evaluation import Counterexample
from se_agent.values.knowledge import KnowledgeExcerpt
from se_agent.values.recall import (
    KnownProgram,
    LearnedPreferences,
    RecalledItem,
    RelatedFacts,
)
from se_agent.values.session import KnownFix, SessionUpdates
from se_agent.values.solution import Edit
from se_agent.wording import counted


class ShownMemory(BaseModel):
    """What a model's prompt shows of memory, and what it leaves out.

    Attributes:
        lessons: Ids of the steps whose lessons and directions stand in it, most valued first.
        withheld: Ids of the steps whose lesson does not hold for the program.
        items: Ids of the lessons of earlier runs that stand in it.
        items_withheld: Ids of those that suit the program, and that chance left out (AM-65).
        tokens: Tokens of all memory in the prompt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lessons: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    items_withheld: tuple[str, ...] = ()
    tokens: int = 0


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


class Recalled(EventBase):
    """What earlier runs give to this one, before the first step; once, if there is any.

    From here on the run uses what this event holds, and never what lies beside it.

    Attributes:
        items: Lessons and policies, at most 200, the likeliest to suit first, and preferences.
        tests: Inputs that refuted programs of this problem: all candidates are held to them.
        programs: Proven programs that began as this run does, the best first; candidates.
        edits: Changes that were proven on such a program, or a like one; a candidate together.
        fixes: What mended errors in those runs.
        related: What those runs relate to errors, by the error's template.
        facts: What a memory server of somebody else says of the problem; nobody checked it.
        preferences: What did best in those runs, of what a run has to choose.
        source: Where it comes from, in words.
    """

    kind: Literal["recalled"] = "recalled"
    items: tuple[RecalledItem, ...] = ()
    tests: tuple[Counterexample, ...] = ()
    programs: tuple[KnownProgram, ...] = ()
    edits: tuple[Edit, ...] = ()
    fixes: tuple[KnownFix, ...] = ()
    related: tuple[RelatedFacts, ...] = ()
    facts: tuple[str, ...] = ()
    preferences: LearnedPreferences = LearnedPreferences()
    source: str = ""

    @property
    def words(self) -> str:
        """What it is in words, such as `1 program, 3 tests`."""
        kinds = Counter(item.kind for item in self.items)
        parts = {
            "program": self.programs,
            "change": self.edits,
            "test": self.tests,
            "repair": self.fixes,
            "known error": self.related,
            "fact": self.facts,
        }
        told = [counted(len(found), noun) for noun, found in parts.items() if found]
        told += [counted(kinds[noun], noun) for noun in ("lesson", "preference") if kinds[noun]]
        if policies := kinds["policy"]:
            told.append("1 policy" if policies == 1 else f"{policies} policies")
        return ", ".join(told)


class Noted(EventBase):
    """Something was not done beside the run, and why, in a sentence; it cost the run no more.

    A large output that could not be kept is such a thing: what its step says of it is cut.
    """

    kind: Literal["noted"] = "noted"
    text: str


MemoryEvent = Offloaded | Fetched | Surveyed | Recalled | Noted
