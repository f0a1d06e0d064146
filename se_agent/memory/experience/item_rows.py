"""What an item of experience is: a lesson or a wish of people, with all that is known of it.

Frozen values, as `memory.db` keeps them. Not here: how they are kept (`items`).
"""

from __future__ import annotations

import enum
import hashlib
import json
from dataclasses import dataclass, fields
from typing import NamedTuple

from se_agent.memory.local.directions import words_of


class ItemKind(enum.StrEnum):
    """What an item is (AM-61)."""

    LESSON = "lesson"  # semantic: what a step of a run showed
    POLICY = "policy"  # what people want to be followed, shown where its words match
    PREFERENCE = "preference"  # what a role of models shall do in a family of problems (SQ-14)


class ItemStatus(enum.StrEnum):
    """Where an item stands; none is ever deleted (law S9)."""

    CANDIDATE = "candidate"  # kept, and not yet shown to help
    ACTIVE = "active"  # part of a confirmed champion, shown to help, or a person says so
    SUPERSEDED = "superseded"  # a newer item says otherwise
    RETIRED = "retired"  # a person took it out
    QUARANTINED = "quarantined"  # shown to harm

    @property
    def is_valid(self) -> bool:
        """Whether it may be used."""
        return self in (ItemStatus.CANDIDATE, ItemStatus.ACTIVE)


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """One item.

    Attributes:
        id: See `item_id`; empty until it is kept.
        kind: What it is.
        outcome: `Success` or `Failed`, for a lesson; else empty.
        title: A few words.
        description: One sentence.
        content: The insight, or what people ask for.
        operator: Registered name of the operator behind the step; of a preference its role.
        direction_key: Key of the direction that the step followed.
        words: What a program is searched by, such as its traits and calls; sorted.
        language: Language of the program; empty: any.
        family: Family of the problem; empty: several.
        scope: Traits of the program that it was learned on; of several, those they share.
        effect: ln(reference / candidate) or a difference of scores; -inf: it was not right.
        low: Lower end of the interval of the effect.
        high: Upper end of it.
        significant: Whether the effect is proven.
        verified: Whether it was part of a confirmed champion.
        merged: How many steps say so.
        status: Where it stands.
        valid_from: When it was first so, UTC.
        valid_to: Since when it is not so any more; empty: it still is.
        superseded_by: Id of the item that says otherwise.
        created_at: When it was first written.
        last_used_at: When a run last recalled it; empty: never.
    """

    id: str = ""
    kind: str = ItemKind.LESSON
    outcome: str = ""
    title: str
    description: str = ""
    content: str = ""
    operator: str = ""
    direction_key: str = ""
    words: tuple[str, ...] = ()
    language: str = ""
    family: str = ""
    scope: tuple[str, ...] = ()
    effect: float = 0.0
    low: float = 0.0
    high: float = 0.0
    significant: bool = False
    verified: bool = False
    merged: int = 1
    status: str = ItemStatus.CANDIDATE
    valid_from: str = ""
    valid_to: str = ""
    superseded_by: str = ""
    created_at: str = ""
    last_used_at: str = ""


def item_id(item: ItemRow) -> str:
    """Return `L` and 12 hex digits: equal for what several runs learned alike.

    They are of what an item is, how it came out, its direction (or its title, where it has
    none) and its language; of a preference, of its role and its family, too.
    """
    about = item.direction_key or words_of(item.title)
    parts = [item.kind, item.outcome, about, item.language]
    if item.kind == ItemKind.PREFERENCE:
        parts += [item.operator, item.family]
    text = json.dumps(parts)
    return f"L{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"


class ItemSource(NamedTuple):
    """The step of a run that an item comes from; `request` and `reply` are digests.

    All of it can be looked up in the run's journal, where `event` is its row.
    """

    run: str
    solution: str
    parent: str = ""
    slot: int = -1
    event: int = 0
    request: str = ""
    reply: str = ""
    model: str = ""
    diff: str = ""


class ItemVersion(NamedTuple):
    """An item as it was from a time on, as JSON, and why it became so."""

    version: int
    body: str
    why: str
    at: str


class ItemHit(NamedTuple):
    """An item that a search found; scores compare hits of one search only."""

    item: ItemRow
    score: float


COLUMNS = tuple(field.name for field in fields(ItemRow))
"""Names of what a row holds, as the table has them."""

LISTS = frozenset({"words", "scope"})
"""Columns that hold lists, as JSON."""

FLAGS = frozenset({"significant", "verified"})
"""Columns that say yes or no."""
