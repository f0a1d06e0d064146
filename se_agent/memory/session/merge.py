"""Updates of a whole step, taken into session memory; and what replies say against entries.

A decision that begins with "against:" and repeats the words of an entry is dissent. Three
replies against an entry lower its confidence by one (X-34, HS-54). Not here: which of two
entries prevails (`precedence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from se_agent.memory.session.entries import (
    COMPONENTS,
    KINDS,
    LIMITS,
    SessionLimits,
    archetype_within_length,
    with_entries,
    within_bytes,
)
from se_agent.memory.session.precedence import (
    CONFIDENCES,
    SOURCES,
    USER,
    Entry,
    Rank,
    header_name,
    key,
    prevails,
    rank,
    words,
)
from se_agent.memory.session.skeleton import with_components
from se_agent.values.session import (
    NOTHING_AGREED,
    ArchetypeRecord,
    Constraint,
    Decision,
    Header,
    SessionMemory,
    SessionUpdates,
)

DISSENTS = 3
"""Replies against an entry after which it is less sure."""

_AGAINST = re.compile(
    r"^(?:against|dissent|disagree(?: with)?|reject|wrong)\b\s*:?\s*", re.IGNORECASE
)
_MARKS = " .;!`'\""
_DENIALS = re.compile(r"\b(?:not|never|no|cannot|must|always|shall|should|do|does)\b|n't\b")
_NEGATIVE = re.compile(r"\b(?:not|never|no|cannot)\b|n't\b")

_Any = TypeVar("_Any", bound=Entry)
_Trusted = TypeVar("_Trusted", Constraint, Header, ArchetypeRecord)


def merge_session_memory_updates(
    state: SessionMemory | None,
    updates: SessionUpdates,
    *,
    sources: Mapping[str, int] = SOURCES,
    limits: SessionLimits = LIMITS,
) -> SessionMemory:
    """Return the memory after the updates of a step (HS-08); limits hold.

    Of entries of the same key within the updates the order does not matter.

    Args:
        state: A memory in order; None: the empty one.
        updates: What a reply said, or Python found.
        sources: Rank by source.
        limits: Entries that stay.
    """
    state = state or NOTHING_AGREED
    for kind in KINDS:
        if new := getattr(updates, kind):
            new = _distinct(new, sources)
            if kind == "api_constraints":
                state = without_contradicted(state, new)
            state = with_entries(state, kind, new, limits, sources)
    for name in COMPONENTS:
        if new := getattr(updates.skeleton_components, name):
            state = with_components(state, name, _distinct(new, sources), limits, sources)
    state = _with_archetype(state, updates.archetype, sources)
    return within_bytes(_disputed(state, updates.decisions))


def without_contradicted(state: SessionMemory, new: Iterable[Entry]) -> SessionMemory:
    """Return the memory without what a person said that a person now denies: later wins."""
    denied = {_claim(e.constraint) for e in new if isinstance(e, Constraint) and _human(e)}
    kept = tuple(
        one
        for one in state.api_constraints
        if not (_human(one) and _opposite(_claim(one.constraint)) in denied)
    )
    if len(kept) == len(state.api_constraints):
        return state
    return state.model_copy(update={"api_constraints": kept})


def contradicts(one: str, other: str) -> bool:
    """Say whether a constraint denies what another one asks for."""
    return _claim(one) == _opposite(_claim(other))


def _human(entry: Constraint) -> bool:
    return entry.source == USER


def _claim(constraint: str) -> tuple[str, bool]:
    """Return what a constraint is about, and whether it denies it."""
    text = words(constraint)
    return " ".join(_DENIALS.sub(" ", text).split()), len(_NEGATIVE.findall(text)) % 2 == 1


def _opposite(claim: tuple[str, bool]) -> tuple[str, bool]:
    return claim[0], not claim[1]


def _distinct(entries: Iterable[_Any], sources: Mapping[str, int]) -> list[_Any]:
    """Return of each key the entry that prevails; of equal ranks the one whose text is last."""
    found: dict[tuple[object, ...], _Any] = {}
    for entry in entries:
        name = key(entry)
        old = found.get(name)
        if old is None or _order(entry, sources) > _order(old, sources):
            found[name] = entry
    return list(found.values())


def _order(entry: Entry, sources: Mapping[str, int]) -> Rank:
    return (rank(entry, sources), repr(entry))


def _with_archetype(
    state: SessionMemory, new: ArchetypeRecord | None, sources: Mapping[str, int]
) -> SessionMemory:
    """Return the memory with the better of two archetypes: there is one (LF-46)."""
    old, new = state.archetype, archetype_within_length(new)
    if new is None or (old is not None and not prevails(new, old, sources)):
        return state
    return state.model_copy(update={"archetype": new})


def _disputed(state: SessionMemory, decisions: Iterable[Decision]) -> SessionMemory:
    """Return the memory after what a reply says against its entries, each once."""
    against = {text for d in decisions if (text := disputed_text(d.decision))}
    if not against:
        return state
    paths = {header_name(text) for text in against}
    parts, shape = state.skeleton_components, state.archetype
    changes = {
        "api_constraints": tuple(
            _less_sure(one) if words(one.constraint).strip(_MARKS) in against else one
            for one in state.api_constraints
        ),
        "skeleton_components": parts.model_copy(
            update={
                "headers": tuple(
                    _less_sure(one) if header_name(one.path).casefold() in paths else one
                    for one in parts.headers
                )
            }
        ),
        "archetype": _less_sure(shape)
        if shape and words(shape.type).strip(_MARKS) in against
        else shape,
    }
    return state.model_copy(update=changes)


def disputed_text(decision: str) -> str:
    """Return the words of the entry that a decision is against; empty: it is no dissent."""
    begun = _AGAINST.match(decision.strip())
    return words(decision.strip()[begun.end() :]).strip(_MARKS) if begun else ""


def _less_sure(entry: _Trusted) -> _Trusted:
    """Return the entry after one more reply against it."""
    count = entry.dissents + 1
    if count < DISSENTS:
        return entry.model_copy(update={"dissents": count})
    lower = CONFIDENCES[max(0, CONFIDENCES.index(entry.confidence) - 1)]
    return entry.model_copy(update={"confidence": lower, "dissents": 0})
