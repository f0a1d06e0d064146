"""Entries of session memory: how each kind is added, and how many stay (LF-48 to LF-61).

Each function returns another value, and its limits hold. `None` is the empty memory. Not here:
updates of a whole reply and conflicts between them (`merge`), parts of a program (`skeleton`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeVar, cast

from se_agent.memory.session.precedence import SOURCES, USER, Entry, key, prevails, says, worth
from se_agent.values.session import (
    NOTHING_AGREED,
    ArchetypeRecord,
    Confidence,
    Constraint,
    CoverageStrategy,
    Decision,
    KnownFix,
    SessionMemory,
    SkeletonComponents,
)

LONGEST = 600
"""Characters of a text of an entry."""

MOST_BYTES = 40_000
"""Bytes of all texts together; with what is around them, a memory stays below 64 KB."""

ARCHETYPES = (
    "stateless_parser",
    "object_lifecycle",
    "state_machine",
    "stream_processor",
    "round_trip",
    "file_based",
)
"""Patterns that are known by name; others are kept all the same (X-14)."""

_Any = TypeVar("_Any", bound=Entry)


class SessionLimits(NamedTuple):
    """Entries that stay: of constraints and each class of components, and the latest others."""

    entries: int = 20
    fixes: int = 10
    decisions: int = 10
    strategies: int = 10


LIMITS = SessionLimits()

RANKED = ("api_constraints",)
"""Kinds of which the strongest stay; of the others the newest do."""

COMPONENTS = (
    "headers",
    "input_validation",
    "setup_sequence",
    "cleanup_sequence",
    "parameter_construction",
)
"""Classes of parts of a program, under the seed's names."""


def add_api_constraint(
    state: SessionMemory | None,
    constraint: str,
    source: str,
    confidence: Confidence = "medium",
    iteration: int = 0,
    *,
    verified: bool = False,
) -> SessionMemory:
    """Return the memory with a constraint (LF-55); the surer of two equal ones stays (LF-72).

    Raises:
        pydantic.ValidationError: There is no such confidence.
    """
    new = Constraint(
        constraint=constraint,
        source=source,
        confidence=confidence,
        iteration=iteration,
        verified=verified,
    )
    return _added(state, "api_constraints", new)


def set_archetype(
    state: SessionMemory | None,
    archetype_type: str,
    lifecycle_phases: Sequence[str],
    source: str,
    iteration: int = 0,
    *,
    known: Collection[str] = ARCHETYPES,
) -> SessionMemory:
    """Return the memory with this as its one archetype (LF-46, LF-56), whatever it was before.

    Args:
        state: The memory.
        archetype_type: Name of the pattern.
        lifecycle_phases: Its phases, in order.
        source: The role, or part of the program, that says so.
        iteration: Generation.
        known: Names of patterns that a document exists of.
    """
    new = ArchetypeRecord(
        type=archetype_type.strip(),
        lifecycle_phases=tuple(lifecycle_phases),
        source=source,
        iteration=iteration,
        known=archetype_type.strip() in known,
    )
    kept = archetype_within_length(new)
    return (state or NOTHING_AGREED).model_copy(update={"archetype": kept} if kept else {})


def add_known_fix(
    state: SessionMemory | None,
    error_pattern: str,
    solution: str,
    source: str,
    iteration: int = 0,
    *,
    verified: bool = False,
) -> SessionMemory:
    """Return the memory with a fix (LF-57); the latest of an error stays (LF-48)."""
    new = KnownFix(
        error_pattern=error_pattern,
        solution=solution,
        source=source,
        iteration=iteration,
        verified=verified,
    )
    return _added(state, "known_fixes", new)


def add_decision(
    state: SessionMemory | None, decision: str, reason: str, source: str, iteration: int = 0
) -> SessionMemory:
    """Return the memory with a decision (LF-58)."""
    new = Decision(decision=decision, reason=reason, source=source, iteration=iteration)
    return _added(state, "decisions", new)


def add_coverage_strategy(
    state: SessionMemory | None, strategy: str, target: str, source: str, iteration: int = 0
) -> SessionMemory:
    """Return the memory with a strategy (LF-59); the latest of the same words stays (LF-53)."""
    new = CoverageStrategy(strategy=strategy, target=target, source=source, iteration=iteration)
    return _added(state, "coverage_strategies", new)


def consolidate_session_memory(
    state: SessionMemory | None, limits: SessionLimits = LIMITS
) -> SessionMemory:
    """Return the memory in order (LF-61): no entry twice, none too many, nothing too long.

    Doing it again changes nothing, and no entry gets surer by it. None: the empty structure.
    """
    state = state or NOTHING_AGREED
    changes: dict[str, object] = {}
    for kind in KINDS:
        changes[kind] = entries_in_order(
            getattr(state, kind), room_of(kind, limits), kind in RANKED
        )
    changes["archetype"] = archetype_within_length(state.archetype)
    parts = state.skeleton_components
    changes["skeleton_components"] = SkeletonComponents(
        **{
            name: entries_in_order(getattr(parts, name), limits.entries, ranked=True)
            for name in COMPONENTS
        }
    )
    return within_bytes(state.model_copy(update=changes))


KINDS = (
    "api_constraints",
    "known_fixes",
    "decisions",
    "coverage_strategies",
    "failure_analyses",
)
"""Kinds of which there are several entries, under the seed's names."""


def room_of(kind: str, limits: SessionLimits) -> int:
    """Return how many entries of a kind, or of a class of components, stay."""
    return {
        "known_fixes": limits.fixes,
        "failure_analyses": limits.fixes,
        "decisions": limits.decisions,
        "coverage_strategies": limits.strategies,
    }.get(kind, limits.entries)


def _added(state: SessionMemory | None, kind: str, new: Entry) -> SessionMemory:
    return within_bytes(with_entries(state, kind, [new]))


def with_entries(
    state: SessionMemory | None,
    kind: str,
    new: Iterable[Entry],
    limits: SessionLimits = LIMITS,
    sources: Mapping[str, int] = SOURCES,
) -> SessionMemory:
    """Return the memory with more entries of a kind, of any number of bytes."""
    state = state or NOTHING_AGREED
    held = getattr(state, kind)
    found = entries_in_order(new, room_of(kind, limits), kind in RANKED, sources, held=held)
    return state if found == held else state.model_copy(update={kind: found})


def entries_in_order(
    entries: Iterable[_Any],
    most: int,
    ranked: bool = False,
    sources: Mapping[str, int] = SOURCES,
    *,
    held: Sequence[_Any] = (),
) -> tuple[_Any, ...]:
    """Return entries, of each key the one that prevails, and no more of them than may stay.

    Args:
        entries: Oldest first.
        most: How many stay at most.
        ranked: Whether the strongest stay; else the newest do.
        sources: Rank by source.
        held: Entries before these that are in order already.
    """
    found: dict[tuple[object, ...], _Any] = {key(entry): entry for entry in held}
    for entry in map(_within_length, entries):
        if entry is None:
            continue
        name = key(entry)
        old = found.get(name)
        if old is None:
            found[name] = entry
        elif prevails(entry, old, sources):
            if not ranked:
                del found[name]  # it is the newest now
            found[name] = _disputed(entry, old)
    return _kept(tuple(found.values()), most, ranked)


def _disputed(new: _Any, old: _Any) -> _Any:
    """Return the new entry, with what was said against it where it is not surer than before."""
    against = getattr(old, "dissents", 0)
    if not against or getattr(new, "confidence", "") != getattr(old, "confidence", ""):
        return new
    return _changed(new, {"dissents": max(against, getattr(new, "dissents", 0))})


def _changed(entry: _Any, fields: Mapping[str, object]) -> _Any:
    return cast("_Any", entry.model_copy(update=fields))


def _kept(entries: tuple[_Any, ...], most: int, ranked: bool) -> tuple[_Any, ...]:
    if len(entries) <= most:
        return entries
    if not ranked:
        first = sorted(entries, key=attrgetter("iteration"))[len(entries) - most :]
        kept = {id(entry) for entry in first}
    else:
        places = sorted(range(len(entries)), key=lambda i: (worth(entries[i]), i))
        kept = {id(entries[i]) for i in places[len(entries) - most :]}
    return tuple(entry for entry in entries if id(entry) in kept)


def _within_length(entry: _Any) -> _Any | None:
    """Return an entry whose texts are not too long; None: it says nothing."""
    long = {
        name: text.strip()[:LONGEST].strip()
        for name, text in entry
        if type(text) is str and (len(text) > LONGEST or text != text.strip())
    }
    kept = _changed(entry, long) if long else entry
    return kept if says(kept) else None


def archetype_within_length(found: ArchetypeRecord | None) -> ArchetypeRecord | None:
    """Return an archetype whose texts are not too long; None: it names no pattern."""
    if found is None or not found.type.strip():
        return None
    phases = tuple(phase.strip()[:60] for phase in found.lifecycle_phases[:12])
    changes = {
        "type": found.type.strip()[:60],
        "lifecycle_phases": tuple(filter(None, phases)),
        "source": found.source.strip()[:LONGEST],
    }
    kept = found.model_copy(update=changes)
    return found if kept == found else kept


def within_bytes(state: SessionMemory) -> SessionMemory:
    """Return the memory without the entries that are cut first, as many as are too much."""
    if 4 * _letters(state) <= MOST_BYTES or (size := _size(state)) <= MOST_BYTES:
        return state
    gone: list[tuple[str, Entry]] = []
    for kind, entry in cutting_order(state):
        if size <= MOST_BYTES:
            break
        gone.append((kind, entry))
        size -= _bytes(entry)
    return without(state, gone)


def cutting_order(state: SessionMemory) -> list[tuple[str, Entry]]:
    """Return all entries with their kinds, what is cut first where room is short before others.

    Strategies that were tried, oldest first; then the open ones; decisions; failures; fixes
    and then constraints that were not found true; those that were; parts of a program last.
    """

    def aged(entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda e: (e.source == USER, e.iteration))

    strategies = aged(state.coverage_strategies)
    fixes, constraints = aged(state.known_fixes), sorted(state.api_constraints, key=worth)
    parts = state.skeleton_components
    queue: list[tuple[str, Iterable[Entry]]] = [
        ("coverage_strategies", [s for s in strategies if getattr(s, "outcome", "")]),
        ("coverage_strategies", [s for s in strategies if not getattr(s, "outcome", "")]),
        ("decisions", aged(state.decisions)),
        ("failure_analyses", aged(state.failure_analyses)),
        ("known_fixes", [fix for fix in fixes if not fix.verified]),
        ("api_constraints", [one for one in constraints if not one.verified]),
        ("known_fixes", [fix for fix in fixes if fix.verified]),
        ("api_constraints", [one for one in constraints if one.verified]),
        *((name, sorted(getattr(parts, name), key=worth)) for name in COMPONENTS),
    ]
    return [(kind, entry) for kind, entries in queue for entry in entries]


def without(state: SessionMemory, gone: Sequence[tuple[str, Entry]]) -> SessionMemory:
    """Return the memory without these entries."""
    left = {(kind, key(entry)) for kind, entry in gone}
    if not left:
        return state
    held: dict[str, object] = {}
    for owner, names in ((state, KINDS), (state.skeleton_components, COMPONENTS)):
        for name in names:
            entries = getattr(owner, name)
            held[name] = tuple(e for e in entries if (name, key(e)) not in left)
    parts = state.skeleton_components.model_copy(update={n: held.pop(n) for n in COMPONENTS})
    return state.model_copy(update={**held, "skeleton_components": parts})


def _letters(state: SessionMemory) -> int:
    return sum(len(text) for entry in _all(state) for text in _texts(entry))


def _size(state: SessionMemory) -> int:
    return sum(map(_bytes, _all(state)))


def _all(state: SessionMemory) -> Iterator[Entry]:
    for owner, names in ((state, KINDS), (state.skeleton_components, COMPONENTS)):
        for name in names:
            yield from getattr(owner, name)


def _bytes(entry: Entry) -> int:
    return sum(len(text.encode(errors="replace")) for text in _texts(entry))


def _texts(entry: Entry) -> list[str]:
    return [value for value in vars(entry).values() if type(value) is str]
