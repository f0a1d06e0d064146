"""Memory as the run moves it on: by lessons, by what a person says, by rollbacks. A fold.

Not here: what memory does with them (`se_agent.memory`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from se_agent.chat.events import Told
from se_agent.engine.state.global_status import standing
from se_agent.events import Event, GenerationOpened, Learned, RolledBack
from se_agent.memory.local.memory import LocalMemory, MemoryUpdate

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


class MemoryFold:
    """The fold.

    Attributes:
        value: LocalMemory; None when memory is off.
        seen: The memory that slots selected now are asked with.
        taught: What the last lesson, or suggestion, did to memory.
        told: How many directions a person entered.
    """

    reads: ClassVar = (GenerationOpened, Learned, RolledBack, Told)

    def __init__(self, run: State, memory: LocalMemory | None) -> None:
        self.value = memory
        self.seen: LocalMemory | None = None
        self.taught: MemoryUpdate | None = None
        self.told = 0
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in what was learned; who is asked from now on may see it, or not yet."""
        match event:
            case GenerationOpened():
                self.seen = self.value
            case Learned():
                self._learn(event)
                if self._run.steady:
                    self.seen = self.value
            case RolledBack():
                assert self.value is not None, "there is nothing to roll back"
                self.value = self.value.rolled_back(event.directions)
            case Told():
                assert self.value is not None, "there is nobody to tell it to"
                self.taught = self.value.told(event.direction)
                self.value = self.taught.memory
                self.told += 1

    def at(self, slot: int) -> LocalMemory | None:
        """Return the memory that a slot is asked with; None: it is asked without."""
        return self.seen if self._run.open[slot].informed else None

    def _learn(self, event: Learned) -> None:
        if self.value is None:
            return
        run, step = self._run, self._run.open.last.step
        generation = run.idle.unfinished[0].generation  # later ones may be open already
        status = standing(run.begun, run.populated.best, generation)
        self.taught = self.value.apply(event.lesson, status, bank=event.bank)
        self.value = self.taught.memory
        if step is not None and run.begun.adds_up:
            self.value = self.value.credited(step)
