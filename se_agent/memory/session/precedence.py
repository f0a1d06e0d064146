"""Ranks: the entry of two that stays in session memory, and what goes first for want of room.

Pure. Two entries are the same where their keys are equal. Not here: what is done with keys and
ranks (`entries`, `merge`, `render`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from se_agent.values.session import (
    ArchetypeRecord,
    Constraint,
    CoverageStrategy,
    Decision,
    FailureAnalysis,
    Header,
    KnownFix,
    OrderedStep,
    ParamConstruction,
    ValidationRule,
)

USER = "user"
"""Source of what a person said; nothing else prevails over it."""

_OF_WRITERS = ("prototyper", "plan", "replan", "mutate", "rewrite", "refine", "cross_over")
_OF_MENDERS = ("enhancer", "repair", "mend", "enhance", "enrich")
_OF_ANALYSTS = ("function_analyzer", "function_analysis", "analyse")
_OF_READERS = ("header_extraction", "survey")
_OF_MEASURERS = ("evaluator", "profiler", "judge")
_GROUPS = (_OF_WRITERS, _OF_MENDERS, _OF_ANALYSTS, _OF_READERS, _OF_MEASURERS, (USER,))

SOURCES: Mapping[str, int] = {
    name: place for place, names in enumerate(_GROUPS, start=1) for name in names
}
"""Rank by source, the higher the stronger (HS-59, X-40); a source without a name here has 0."""

CONFIDENCES = ("low", "medium", "high")
"""From the weakest to the strongest (HS-58)."""

Entry = (
    Constraint
    | KnownFix
    | Decision
    | CoverageStrategy
    | FailureAnalysis
    | Header
    | ValidationRule
    | OrderedStep
    | ParamConstruction
)

Rank = tuple[Any, ...]
_INCLUDE = re.compile(r"^\s*#\s*include\b")
_HEADER_MARKS = " \t\r\n\"'<>"


@lru_cache(4096)
def words(text: str) -> str:
    """Return a sentence without what does not change what it says; code spans as they are."""
    parts = text.strip().split("`")  # what is kept is stripped, an open code span as well
    plain = [" ".join(p.casefold().split()) if i % 2 == 0 else p for i, p in enumerate(parts)]
    return "`".join(plain).strip(" .;!")


@lru_cache(1024)
def header_name(path: str) -> str:
    """Return the path of a header without `#include`, quotes and brackets (X-36)."""
    return _INCLUDE.sub("", path).strip(_HEADER_MARKS)


def key(entry: Entry) -> tuple[object, ...]:
    """Return what tells an entry from others of its class."""
    match entry:
        case Constraint():
            return (words(entry.constraint),)
        case KnownFix():
            return (" ".join(entry.error_pattern.split()),)
        case Decision():
            return words(entry.decision), words(entry.reason), entry.source, entry.iteration
        case CoverageStrategy():
            return (words(entry.strategy),)
        case FailureAnalysis():
            return (" ".join(entry.template.split()),)
        case Header():
            return (header_name(entry.path),)
        case ValidationRule():
            return (words(entry.rule),)
        case OrderedStep():
            return entry.order, entry.source
        case ParamConstruction():
            return (entry.param,)


def says(entry: Entry) -> bool:
    """Say whether an entry says anything."""
    return bool(entry.step if isinstance(entry, OrderedStep) else key(entry)[0])


def confidence_rank(entry: Entry | ArchetypeRecord) -> int:
    """Return 0 to 2, the higher the surer; an entry that has no confidence counts as medium."""
    return CONFIDENCES.index(getattr(entry, "confidence", "medium"))


def rank(entry: Entry | ArchetypeRecord, sources: Mapping[str, int] = SOURCES) -> Rank:
    """Return the rank of an entry among those of its key; of equal ones the first stays.

    A person's word, then what was found true, then confidence, then the source, then the later
    iteration if it is a fix (HS-58 to HS-60). What only gets newer is ranked by that.
    """
    said = (entry.source == USER, entry.verified)
    match entry:
        case Constraint():
            return said[0], confidence_rank(entry), said[1], entry.iteration
        case KnownFix():
            return (*said, entry.iteration)
        case Decision() | CoverageStrategy() | FailureAnalysis():
            return said[0], entry.iteration
    place = sources.get(entry.source, 0)
    fixes = entry.source in _OF_MENDERS or entry.source == USER
    return (*said, confidence_rank(entry), place, entry.iteration if fixes else 0)


def prevails(
    new: Entry | ArchetypeRecord,
    old: Entry | ArchetypeRecord,
    sources: Mapping[str, int] = SOURCES,
) -> bool:
    """Say whether a new entry takes the place of an old one of the same key.

    Of equal ranks the new one counts where entries only get newer, as fixes do (LF-48).
    """
    ours, theirs = rank(new, sources), rank(old, sources)
    dated = isinstance(
        new, Constraint | KnownFix | Decision | CoverageStrategy | FailureAnalysis
    )
    return ours >= theirs if dated else ours > theirs


def worth(entry: Entry) -> Rank:
    """Return what entries of a class are kept by where there are too many (HS-61, X-18)."""
    return entry.source == USER, entry.verified, confidence_rank(entry), entry.iteration


def steps_in_order(steps: tuple[OrderedStep, ...]) -> tuple[OrderedStep, ...]:
    """Return steps by order, then source and iteration; of equal orders the later counts up.

    What is stored keeps the order that its source said, for that is its key (X-38).
    """
    found = list[OrderedStep]()
    least = None
    for step in sorted(steps, key=lambda s: (s.order, -SOURCES.get(s.source, 0), s.iteration)):
        order = step.order if least is None else max(step.order, least)
        found.append(step if order == step.order else step.model_copy(update={"order": order}))
        least = order + 1
    return tuple(found)
