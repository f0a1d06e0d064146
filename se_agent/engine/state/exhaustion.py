"""Whether a search still finds something new: a fold over closed steps, in slot order.

Not here: what ends a search besides (`budget`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from se_agent.chat.messages import LEARNING
from se_agent.config.roles import RoleMatrix
from se_agent.engine.state.open_steps import OpenSlot
from se_agent.events import Event, GenerationOpened, Learned

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

TOO_MANY = 2
"""Generations in a row without anything new, after which a search may be exhausted."""


@dataclass
class Idle:
    """What was asked in vain.

    Attributes:
        unfinished: Generations that have open slots, oldest first.
        barren: Generations in a row that brought nothing new, of those that are closed.
        fresh: Whether the one that was closed last, or is being closed, brought something new.
        asked: Whether the policy found anything to ask in that one.
        fruitless: Closed steps in a row whose models were asked for a candidate and gave none.
        in_vain: Operators that had nothing new since something new was last found.
        matrix: What roles of models need.
    """

    unfinished: deque[GenerationOpened] = field(default_factory=deque)
    barren: int = 0
    fresh: bool = True
    asked: bool = True
    fruitless: int = 0
    in_vain: set[str] = field(default_factory=set)
    matrix: RoleMatrix = field(default_factory=RoleMatrix)

    def open(self, generation: GenerationOpened) -> None:
        """Take note of a generation that was opened."""
        self.unfinished.append(generation)

    def close(self, number: int, stages: OpenSlot) -> None:
        """Take note of a closed step.

        A model that was asked may have another answer the next time: it is not `in_vain`. One
        that was asked for a lesson on the generation says nothing of the operator.
        """
        generation, new = self.unfinished[0], stages.candidate is not None
        roles = {role for role, _ in stages.answers}
        if number == generation.slot:
            self.fresh = self.asked = False
        self.asked |= stages.slot is not None
        if new:
            self.fresh = True
            self.in_vain.clear()
        elif stages.slot is not None and roles <= LEARNING:
            self.in_vain.add(stages.slot.operator)
        if any(self.matrix[role].writes for role in roles):
            self.fruitless = 0 if new else self.fruitless + 1
        if number == generation.slot + generation.size - 1:
            self.barren = 0 if self.fresh else self.barren + 1
            self.unfinished.popleft()

    def exhausted(self, operators: Iterable[str]) -> bool:
        """Say whether two generations brought nothing new, whichever of these was asked."""
        idle = self.barren >= TOO_MANY
        return idle and (self.in_vain.issuperset(operators) or not self.asked)


class IdleFold(Idle):
    """Idle, moved on by closed steps."""

    reads: ClassVar = (GenerationOpened, Learned)

    def __init__(self, run: State) -> None:
        super().__init__(matrix=run.roles)
        self._run = run

    def apply(self, event: Event) -> None:
        """Open a generation, or close a step of the oldest one."""
        if isinstance(event, GenerationOpened):
            self.open(event)
        elif isinstance(event, Learned):
            self.close(event.slot, self._run.open.last.stages)
