"""Attempted directions: how a reply replaces the list, what a full list gives up, and advice.

Pure. Not the evidence of all time, which lies in `se_agent.memory.local.ledger`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from se_agent.values.lesson import Direction, Outcome, SourceRef
from se_agent.values.solution import Edit

FRESH = 10
"""Generations for which a direction counts as fresh: a reply may not drop most of these."""

AT, PLUS = "@", "+"
"""A rule's direction has a key such as `set_membership@solve+deque@solve`."""

TABU = 0.25
"""Factor of a direction that mostly failed."""

_FACTORS = {Outcome.FAILED: TABU, Outcome.NEUTRAL: 0.3, Outcome.SUCCESS: 2.0}
_WORD = re.compile(r"\w+")
_KEY_LENGTH = 64


class Replaced(NamedTuple):
    """The new list, and which fresh entries the reply dropped against the shrink guard."""

    directions: tuple[Direction, ...]
    refused: tuple[Direction, ...]


def direction_key(text: str) -> str:
    """Return the stable key of a direction known by its words only: 12 hex digits."""
    return hashlib.sha256(words_of(text).encode("utf-8", "replace")).hexdigest()[:12]


def words_of(text: str) -> str:
    """Return the words of a text, without what does not make two directions differ."""
    return " ".join(_WORD.findall(text.casefold()))


def replaced_list(
    old: Sequence[Direction], reply: Iterable[Direction], *, generation: int
) -> Replaced:
    """Replace the whole list by the reply (LM-52), keyed and without duplicates.

    The shrink guard (X-10): a reply that drops more than half of the fresh entries is not
    believed; the old entries stay, in the reply's words where it has them, before new ones.
    What a person suggested stays until it was tried, whatever the reply says.

    Args:
        old: The list so far, keyed.
        reply: The whole new list.
        generation: The current one; tells which entries are fresh.
    """
    entries = list(reply)
    if all(map(_is_keyed, entries)):
        new = {entry.key: entry for entry in entries}
    else:
        new = _keyed(entries, {direction_key(entry.direction): entry.key for entry in old})
    suggested = {e.key: e for e in old if e.untried and e.key not in new}
    fresh = [e for e in old if e.source_ref.generation >= generation - FRESH and not e.untried]
    dropped = tuple(entry for entry in fresh if entry.key not in new)
    if 2 * len(dropped) <= len(fresh):
        return Replaced(tuple((new | suggested).values()), ())
    kept = {entry.key: entry for entry in old}
    return Replaced(tuple((kept | new).values()), dropped)


def _is_keyed(entry: Direction) -> bool:
    return 0 < len(entry.key) <= _KEY_LENGTH


def _keyed(entries: Iterable[Direction], known: Mapping[str, str]) -> dict[str, Direction]:
    """Return entries by their keys; one without has that which its words are known by."""
    found = {}
    for entry in entries:
        words = entry.key if _is_keyed(entry) else direction_key(entry.direction)
        key = entry.key if _is_keyed(entry) else known.get(words, words)
        found[key] = entry if entry.key == key else entry.model_copy(update={"key": key})
    return found


def age(source: SourceRef) -> tuple[int, int]:
    """Return what orders steps in time: generation, then number within it."""
    return source.generation, int(source.solution_id.rpartition("_")[2])


def next_cut(directions: Sequence[Direction]) -> int:
    """Return the index of the entry to give up first: oldest neutral, oldest, suggested."""

    def order(index: int) -> tuple[bool, bool, tuple[int, int], int]:
        entry = directions[index]
        proven = entry.outcome is not Outcome.NEUTRAL
        return entry.untried, proven, age(entry.source_ref), index

    return min(range(len(directions)), key=order)


def approach(edit: Edit) -> str:
    """Return the key of the direction that an edit follows by itself, such as `set@solve`."""
    return joint_key([f"{edit.rule}{AT}{edit.function}"])


def joint_key(parts: Sequence[str]) -> str:
    """Return the stable key of what several parts make together; a long one is hashed."""
    key = PLUS.join(parts)
    return key if len(key) <= _KEY_LENGTH else direction_key(key)


def factors(outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """Return a factor by direction: above 1 where it is recommended, below where it is tabu.

    A soft prior for a policy, never a ban. Only an approach has a key that an edit has, too:
    the others steer by prompts.
    """
    return {key: _FACTORS[outcome] for key, outcome in outcomes.items()}
