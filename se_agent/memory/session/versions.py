"""Versions of session memory, as the events of a run made them: for people, and to go back to.

Not here: the event that restores one, and the commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from se_agent.values.session import NOTHING_AGREED, SessionMemory


class SessionVersion(NamedTuple):
    """What was agreed on at some time.

    Attributes:
        number: From 1 on without a gap; 0 is the empty memory that a run begins with.
        slot: The slot that made it.
        memory: The memory.
        why: The step, a person, or a rollback.
    """

    number: int
    slot: int
    memory: SessionMemory
    why: str


def versions_of(states: Iterable[tuple[int, str, SessionMemory]]) -> Iterator[SessionVersion]:
    """Give a version for each state that differs from the one before it."""
    last, number = NOTHING_AGREED, 0
    for slot, why, memory in states:
        if memory != last:
            last, number = memory, number + 1
            yield SessionVersion(number, slot, memory, why)
