"""Lessons of earlier runs, and what people ask for, as a tier of the memory stack.

Lessons and policies are those that suit a slot's program, preferences those of the role.

Pure and immutable. It knows what `Recalled` brings and nothing else, and it searches in an
index in memory, so a resumed run and a replayed one are shown the same. Not here: what a run
takes with it (`se_agent.memory.experience.recall`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from se_agent.chat.escaping import inline
from se_agent.chat.messages import Role, family_of
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
_PREFERRED = "## What is preferred in problems of this family\n"


@dataclass(frozen=True, kw_only=True)
class LessonTier:
    """What earlier runs taught, chosen for each prompt anew.

    Attributes:
        section: How much of it is shown.
        counter: What counts tokens.
        items: Lessons and policies that `Recalled` brought; empty before it.
        preferences: Preferences that it brought, by the role that they are for.
        top_k: Lessons with which earlier steps fared best; 0: not known.
        seed: Seed of the run, by which lessons are left out at times.
    """

    section: RetrievalSection
    counter: TokenCounter
    items: tuple[RecalledItem, ...] = ()
    preferences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    top_k: int = 0
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
        return not (self.items or self.preferences)

    def apply(self, event: Event, closed: ClosedStep | None = None) -> LessonTier:
        """Return the tier after an event."""
        del closed
        match event:
            case Started():
                return replace(self, seed=int(event.config.get("seed") or 0))
            case Recalled():
                return self._recalled(event)
        return self

    def _recalled(self, event: Recalled) -> LessonTier:
        preferences = dict[str, tuple[str, ...]]()
        for one in event.items:
            if one.kind == "preference":
                said = f"- {inline(one.content or one.title)}\n"
                preferences[one.operator] = (*preferences.get(one.operator, ()), said)
        items = tuple(one for one in event.items if one.kind != "preference")
        best = event.preferences.top_k
        return replace(self, items=items, preferences=preferences, top_k=best)

    def context(self, slot: Slot, role: str) -> str:
        """Return what a role is asked to keep to, and lessons for the slot's program."""
        return self.exposure(slot, role).text

    def exposure(self, slot: Slot, role: str) -> Exposed:
        """Return the lessons that a slot is shown, and which chance left out (AM-65).

        Preferences are none of them: chance leaves none out, so nobody learns their worth.
        """
        preferred = self._preferred(role)
        room = self.token_limit - self.counter.count(preferred)
        shown, withheld = self._divided(slot, role, room)
        lessons = _HEADING + hit_lines(shown) if shown else ""
        text = "\n".join(part for part in (preferred, lessons) if part)
        return Exposed(_ids(shown), _ids(withheld), text)

    def _preferred(self, role: str) -> str:
        """Return what a role is asked to keep to, in the room of the tier (SQ-14)."""
        names = dict.fromkeys((role, family_of(role)))
        text = ""
        for line in (line for name in names for line in self.preferences.get(name, ())):
            longer = (text or _PREFERRED) + line
            if self.counter.count(longer) <= self.token_limit:
                text = longer
        return text

    def _divided(self, slot: Slot, role: str, room: int) -> tuple[list[Hit], list[Hit]]:
        """Return the lessons that suit a slot and have room: those it is shown, and the others.

        Each is left out by a chance of its own: only so can be told what showing it is worth.
        """
        hits = self._fitting(slot, role, room)
        if not hits:
            return [], []
        draws = rng_at(self.seed, slot.number, Purpose.EXPOSURE).random(len(hits))
        kept = [draw >= self.section.dropout for draw in draws]
        told = list(zip(hits, kept, strict=True))
        return [hit for hit, is_kept in told if is_kept], [
            hit for hit, is_kept in told if not is_kept
        ]

    def _fitting(self, slot: Slot, role: str, room: int) -> tuple[Hit, ...]:
        if role not in _WRITING or not self.items or not slot.parents:
            return ()
        program = slot.parents[0]
        language = _language(program)
        query = Query(
            words=words_of(program, language), language=language, kinds=("lesson", "policy")
        )
        section = self.section
        worth = {one.id: one.lift for one in self.items} if section.by_worth else None
        most = min(section.top_k, self.top_k or section.top_k)
        hits = search(_pool(self.items), query, k=most, cut=section.cutoff, lift=worth)
        left = room - self.counter.count(f"\n{_HEADING}")
        return hits_within(hits, left, self.counter)

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
        around=item.related,
    )
