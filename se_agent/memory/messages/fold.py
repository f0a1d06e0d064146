"""The newest steps of each thread: what one role tried along one strategy, and what came of it.

A pure fold, an immutable value. It holds digests and lines of text, so that it stays small; the
texts themselves are in the journal. Not here: what a prompt shows of it (`shown`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from se_agent.memory.context.digest import PastTurn

TURNS = 64
"""Steps of a thread that are kept, the newest."""

THREADS = 64
"""Threads that are kept: those to which something was added last."""

ThreadKey = tuple[str, str]
"""Role and strategy."""


@dataclass(frozen=True)
class Threads:
    """All threads of a run.

    Attributes:
        turns: Steps by role and strategy, oldest first; the thread that grew last comes last.
    """

    turns: Mapping[ThreadKey, tuple[PastTurn, ...]] = field(default_factory=dict)

    def with_turn(self, turn: PastTurn) -> Threads:
        """Return the threads with a step more."""
        key = (turn.agent, turn.strategy)
        kept = {at: known for at, known in self.turns.items() if at != key}
        kept[key] = (*self.turns.get(key, ()), turn)[-TURNS:]
        return Threads(dict([*kept.items()][-THREADS:]))

    def of(self, agent: str, strategy: str) -> tuple[PastTurn, ...]:
        """Return the steps of a thread, oldest first."""
        return self.turns.get((agent, strategy), ())

    def of_agent(self, agent: str) -> tuple[PastTurn, ...]:
        """Return the steps of all threads of a role, oldest first."""
        return tuple(sorted(self._of_agent(agent), key=lambda turn: turn.slot))

    def _of_agent(self, agent: str) -> Iterator[PastTurn]:
        for (name, _), turns in self.turns.items():
            if name == agent:
                yield from turns
