"""Lessons that hold for a program are those whose construct it has. Pure; without a model.

A lesson tells of a change of one program. What that change took out of it, such as a test of
membership in a list, is kept with the lesson as constructs: lines in which names stand open.
Where a program has none of them, there is nothing to change, or it was changed already. Not
here: how lessons are ranked (`uplift`) and rendered (`rendering`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from keyword import kwlist

from se_agent.memory.local.directions import AT, PLUS
from se_agent.program.features import functions
from se_agent.values.lesson import Direction, Item
from se_agent.values.solution import Solution

CONSTRUCTS = 4
"""Constructs that a lesson keeps, the longest lines of its change."""

_LONGEST = 60  # letters of a construct
_OPEN = "_"
_TOKEN = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\.?\w+|\S")
_NAME = re.compile(r"[^\W\d]\w*$")
_KEPT = frozenset({*kwlist, "switch", "case", "do", "const", "auto", "new", "delete", "range"})
"""Words that tell one construct from another; all others are names, which stand open."""

_TELLING = re.compile(r"\w\(|\w\[|\.\w|\b(?:in|for|while|import|lambda|switch)\b")


def constructs(old: str, new: str) -> tuple[str, ...]:
    """Return what a change took out of a text, the longest first.

    Args:
        old: The text before.
        new: The text after it; what it still has was not taken out.
    """
    still = {line.strip() for line in new.splitlines()}
    gone = (line for line in old.splitlines() if line.strip() not in still)
    told = (each for each in dict.fromkeys(_each(gone)) if _TELLING.search(each))
    return tuple(sorted(told, key=len, reverse=True)[:CONSTRUCTS])


def item_applies(item: Item, programs: Sequence[Solution]) -> bool:
    """Say whether one of these programs has what a lesson is about.

    A lesson without constructs, such as of an older journal or of a change that only adds, is
    about nothing that a program could lack.
    """
    if not item.constructs:
        return True
    return any(
        construct in _constructs_of(text)
        for program in programs
        for text in program.files.values()
        for construct in item.constructs
    )


def direction_applies(direction: Direction, programs: Sequence[Solution]) -> bool:
    """Say whether one of these programs has a function that a rule's direction names.

    A direction that is known by its words names none; the top level is part of any program.
    """
    places = [pair.rpartition(AT) for pair in direction.key.split(PLUS)]
    named = {function for _, at, function in places if at}
    if not named or "" in named:
        return True
    return any(
        not named.isdisjoint(functions(text))
        for program in programs
        for text in program.files.values()
    )


@lru_cache(maxsize=256)  # parents of a population, and each asked of by many slots
def _constructs_of(text: str) -> dict[str, None]:
    return dict.fromkeys(_each(text.splitlines()))


def _each(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if bare := line.strip():
            yield "".join(_opened(bare))[:_LONGEST].rstrip()


def _opened(line: str) -> Iterator[str]:
    """Yield a line's tokens with the spaces between words, its own names left open."""
    end = 0
    for token in _TOKEN.finditer(line):
        if token.start() > end:
            yield " "
        end, word = token.end(), token[0]
        called = line.startswith("(", end)
        is_name = bool(_NAME.match(word)) and word not in _KEPT and not called
        yield _OPEN if is_name else word
