"""What lies beneath the memory: every item and version of a run.

Not shown in a prompt and never rewritten: a fold of the lessons, which feeds roll-back and the
search through lessons that left the prompt. It only grows, so a run does not hold it: whoever
asks folds the journal. What a step adds costs the same at the first step and at the
ten-thousandth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from se_agent.memory.local.memory import MemoryUpdate
from se_agent.values.lesson import Direction, Item

_WORD = re.compile(r"\w+")


class Ledger:
    """All that was ever learned.

    1. `add` is called once for each `MemoryUpdate`, in the order of versions.
    2. Nothing that was added is changed or removed.
    """

    def __init__(self) -> None:
        self._versions: dict[int, tuple[Direction, ...]] = {}
        self._items: list[Item] = []

    def add(self, applied: MemoryUpdate) -> None:
        """Take in what one lesson taught."""
        self._items += applied.items
        self._versions[applied.memory.version] = applied.memory.attempted_directions

    @property
    def items(self) -> tuple[Item, ...]:
        """All items ever, whole, oldest first: also those that left the prompt."""
        return tuple(self._items)

    @property
    def versions(self) -> tuple[int, ...]:
        """Versions of the directions that are known (`directions_versions`)."""
        return tuple(self._versions)

    def directions(self, version: int) -> tuple[Direction, ...]:
        """Return the list as it was in a version; `LocalMemory.rolled_back` takes it.

        Raises:
            KeyError: There was no such version.
        """
        return self._versions[version]


def search(items: Iterable[Item], query: str, *, limit: int = 10) -> list[Item]:
    """Return the items that hold the most words of `query`, newest first among equals.

    Lexical and case-blind; a word counts wherever it occurs, inside of longer words too.
    """
    words = set(_WORD.findall(query.casefold()))
    found = [(_hits(item, words), place, item) for place, item in enumerate(items)]
    best = sorted((hit for hit in found if hit[0]), key=lambda hit: hit[:2], reverse=True)
    return [item for _, _, item in best[:limit]]


def _hits(item: Item, words: set[str]) -> int:
    evidence = item.evidence
    texts = [item.type, item.status, item.title, item.description, item.content]
    texts += [item.related_operator, item.source_ref.solution_id]
    texts += [evidence.code_change, evidence.metrics_delta, evidence.context]
    text = "\n".join(texts).casefold()
    return sum(word in text for word in words)
