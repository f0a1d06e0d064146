"""Proposals of open slots that are not on record yet, each waiting for its turn.

Replies of models arrive in any order; proposals are recorded in one that does not depend on
it, so that of two equal programs the same one is the duplicate, whoever answered first.

1. In a generation, what rules made comes first, and then what models wrote, in slot order:
   rules never wait for a model, and no evaluation does but a model's own.
2. In a steady schedule it is slot order. There is no end of a generation to wait for: what a
   rule's evaluation waits for a model before it, it would wait to be closed.
"""

from __future__ import annotations

from typing import NamedTuple

from se_agent.values.step import Proposal


class Turn(NamedTuple):
    """The proposal that is recorded next; None where the operator had nothing."""

    slot: int
    proposal: Proposal | None


class ProposalOrder:
    """Slots that wait for an operator or for their turn; used by one thread."""

    def __init__(self, *, steady: bool) -> None:
        self._steady = steady
        self._written: dict[int, bool] = {}
        self._made: dict[int, Proposal | None] = {}

    def expect(self, slot: int, *, written: bool) -> None:
        """Take note of a slot that will have a proposal, perhaps written by a model."""
        self._written[slot] = written

    def put(self, slot: int, proposal: Proposal | None) -> None:
        """Take in what was proposed for a slot that is expected."""
        self._made[slot] = proposal

    def made(self, slot: int) -> Proposal | None:
        """Return what waits for its turn."""
        return self._made.get(slot)

    def promised(self, slot: int) -> frozenset[str]:
        """Return the contents of what rules made for slots before this one."""
        return frozenset(
            made.solution.content
            for number, made in self._made.items()
            if number < slot and made is not None and not self._written[number]
        )

    def next(self) -> Turn | None:
        """Take out the proposal whose turn it is; None: it is not there yet."""
        first = min(self._written, key=self._order, default=None)
        if first is None or first not in self._made:
            return None
        del self._written[first]
        return Turn(first, self._made.pop(first))

    def _order(self, slot: int) -> tuple[bool, int]:
        return self._written[slot] and not self._steady, slot
