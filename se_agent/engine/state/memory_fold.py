"""Memory as the run moves it on: by events, lessons and what a person says. Two folds.

Not here: what memory does with them (`se_agent.memory`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from se_agent.chat.events import EventBase, RolledBack, Told
from se_agent.engine.state.global_status import standing
from se_agent.events import Event, GenerationOpened, Learned
from se_agent.memory import MemoryStack
from se_agent.memory_events import Offloaded
from se_agent.values.artifact import SHOWN_DIGITS, ArtifactRef
from se_agent.values.closed_step import ClosedStep

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


class MemoryFold:
    """The fold.

    Attributes:
        value: The memory of all tiers; None when memory is off.
        seen: The memory that slots selected now are asked with.
        told: Number of directions that a person entered.
    """

    reads: ClassVar = (EventBase,)  # a tier of others may read any

    def __init__(self, run: State, memory: MemoryStack | None) -> None:
        self.value = memory
        self.seen: MemoryStack | None = None
        self.told = 0
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in what was learned; who is asked from now on may see it, or not yet."""
        if self.value is not None:
            closed = self._closed() if isinstance(event, Learned) else None
            self.value = self.value.apply(event, closed)
        match event:
            case GenerationOpened():
                self.seen = self.value
            case Learned() if self._run.steady:
                self.seen = self.value
            case RolledBack():
                assert self.value is not None, "there is nothing to roll back"
            case Told():
                assert self.value is not None, "there is nobody to tell it to"
                self.told += 1

    def at(self, slot: int) -> MemoryStack | None:
        """Return the memory that a slot is asked with; None: it is asked without."""
        return self.seen if self._run.open[slot].informed else None

    def _closed(self) -> ClosedStep:
        run = self._run
        generation = run.idle.unfinished[0].generation  # later ones may be open already
        status = standing(run.begun, run.populated.best, generation)
        return ClosedStep(run.open.last.step, status)


class OutputsFold:
    """Large outputs that are kept whole beside the run: a model may read these, and no others.

    Not here: where they lie (`se_agent.memory`).
    """

    reads: ClassVar = (Offloaded,)

    def __init__(self) -> None:
        self._known: dict[str, ArtifactRef] = {}

    def apply(self, event: Event) -> None:
        """Take in an output."""
        if isinstance(event, Offloaded):
            self._known[event.artifact.digest] = event.artifact

    def __contains__(self, digest: str) -> bool:
        return digest in self._known

    def named(self, name: str) -> ArtifactRef | None:
        """Return the output that a model means; None: this run has none of that name.

        Args:
            name: The first 12 hex digits of its hash, or more of them.
        """
        if len(name) < SHOWN_DIGITS:
            return None
        return next((r for d, r in self._known.items() if d.startswith(name)), None)
