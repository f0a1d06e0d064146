"""Lessons of earlier runs as a tier of the memory stack: those that a slot's program suits.

Pure and immutable. It knows what `Recalled` brings and nothing else, and it searches in an
index in memory, so a resumed run and a replayed one are shown the same. Not here: what a run
takes with it (`se_agent.memory.experience.recall`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from se_agent.chat.messages import Role
from se_agent.config.experience_section import RetrievalSection
from se_agent.events import Event, Started
from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.retrieval.fusion import Hit, hit_lines, hits_within, search
from se_agent.memory.retrieval.pool import ItemPool, Query
from se_agent.memory.retrieval.pool_item import PoolItem
from se_agent.memory.retrieval.query_words import words_of
from se_agent.memory_events import Recalled
from se_agent.program.language import Language
from se_agent.values.closed_step import ClosedStep
from se_agent.values.lesson import Outcome
from se_agent.values.memory_context import Advice
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.recall import RecalledItem
from se_agent.values.solution import Solution
from se_agent.values.step import Slot


class Exposed(NamedTuple):
    """Ids of lessons that a prompt shows, of those that chance left out, and what it says."""

    shown: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    text: str = ""


LESSONS = "lessons"
"""Name of the tier."""

_WRITING = frozenset(
    {Role.PLAN, Role.REPLAN, Role.REWRITE, Role.REFINE, Role.MUTATE, Role.CROSS_OVER}
)
"""Roles that write programs, or say how."""

_HEADING = "## Lessons of earlier runs on like programs\n"


@dataclass(frozen=True, kw_only=True)
class LessonTier:
    """What earlier runs taught, chosen for each prompt anew.

    Attributes:
        section: How much of it is shown.
        counter: What counts tokens.
        items: What `Recalled` brought; empty before it.
        seed: Seed of the run, by which lessons are left out at times.
    """

    section: RetrievalSection
    counter: TokenCounter
    items: tuple[RecalledItem, ...] = ()
    seed: int = 0

    @property
    def name(self) -> str:
        """Name of the tier."""
        return LESSONS

    @property
    def token_limit(self) -> int:
        """Tokens that its section has at most."""
        return self.section.token_limit

    @property
    def empty(self) -> bool:
        """Whether nothing was recalled."""
        return not self.items

    def apply(self, event: Event, closed: ClosedStep | None = None) -> LessonTier:
        """Return the tier after an event."""
        del closed
        match event:
            case Started():
                return replace(self, seed=int(event.config.get("seed") or 0))
            case Recalled():
                return replace(self, items=event.items)
        return self

    def context(self, slot: Slot, role: str) -> str:
        """Return the lessons for the program that a slot begins with; empty: there are none."""
        return self.exposure(slot, role).text

    def exposure(self, slot: Slot, role: str) -> Exposed:
        """Return the lessons that a slot is shown, and which chance left out (AM-65)."""
        shown, withheld = self._divided(slot, role)
        text = _HEADING + hit_lines(shown) if shown else ""
        return Exposed(_ids(shown), _ids(withheld), text)

    def _divided(self, slot: Slot, role: str) -> tuple[list[Hit], list[Hit]]:
        """Return the lessons that suit a slot and have room: those it is shown, and the others.

        Each is left out by a chance of its own: only so can be told what showing it is worth.
        """
        hits = self._fitting(slot, role)
        if not hits:
            return [], []
        draws = rng_at(self.seed, slot.number, Purpose.EXPOSURE).random(len(hits))
        kept = [draw >= self.section.dropout for draw in draws]
        told = list(zip(hits, kept, strict=True))
        return [hit for hit, is_kept in told if is_kept], [
            hit for hit, is_kept in told if not is_kept
        ]

    def _fitting(self, slot: Slot, role: str) -> tuple[Hit, ...]:
        if role not in _WRITING or not self.items or not slot.parents:
            return ()
        program = slot.parents[0]
        language = _language(program)
        query = Query(
            words=words_of(program, language), language=language, kinds=("lesson", "policy")
        )
        section = self.section
        worth = {one.id: one.lift for one in self.items} if section.by_worth else None
        hits = search(_pool(self.items), query, k=section.top_k, cut=section.cutoff, lift=worth)
        room = self.token_limit - self.counter.count(_HEADING)
        return hits_within(hits, room, self.counter)

    def advice(self) -> Advice:
        """Return no advice: lessons are words."""
        return Advice()


def _ids(hits: Iterable[Hit]) -> tuple[str, ...]:
    return tuple(hit.item.id for hit in hits)


def _language(program: Solution) -> str:
    """Return the language of a program, as its files are named."""
    ends = {PurePath(path).suffix for path in program.files}
    return next((str(one) for one in Language if one.suffix in ends), "")


@lru_cache(maxsize=4)  # the items of a run never change, and an index of them is no value
def _pool(items: tuple[RecalledItem, ...]) -> ItemPool:
    return ItemPool(map(_pool_item, items))


def _pool_item(item: RecalledItem) -> PoolItem:
    return PoolItem(
        id=item.id,
        kind=item.kind,
        title=item.title,
        triggers=" ".join((*item.words, item.operator)),
        body=f"{item.description}\n{item.content}",
        language=item.language,
        family=item.family,
        failed=item.outcome == Outcome.FAILED,
    )
