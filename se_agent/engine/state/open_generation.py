"""Judged steps of generations that are not closed yet, for lessons that contrast them: a fold.

Not here: what is learned from them (`step.extract`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from se_agent.events import Event, GenerationOpened, Learned
from se_agent.values.evaluation import Comparison, ComparisonKind, InputSet, SequentialDecision
from se_agent.values.step import Step

if TYPE_CHECKING:
    from se_agent.engine.state.open_steps import OpenSlot
    from se_agent.engine.state.state import State


@dataclass
class Siblings:
    """Closed steps since the last generation that is complete; slots are closed in order.

    Attributes:
        steps: Those that were judged, in slot order, with what they were judged by.
    """

    steps: list[Step] = field(default_factory=list)
    _lasts: set[int] = field(default_factory=set)

    def open(self, event: GenerationOpened) -> None:
        """Take note of where a generation ends."""
        self._lasts.add(event.slot + event.size - 1)

    def complete(self, slot: int) -> bool:
        """Say whether a slot is the last one of its generation."""
        return slot in self._lasts

    def close(
        self, slot: int, stages: OpenSlot, step: Step | None, kind: ComparisonKind
    ) -> None:
        """Take in a closed step; with the last one of a generation all are dropped.

        Args:
            slot: Its number.
            stages: What is on record of it.
            step: With its verdict; None: the slot was not filled.
            kind: Kind of the problem's comparisons.
        """
        if slot in self._lasts:
            self._lasts.remove(slot)
            self.steps.clear()
        elif step is not None and step.verdict is not None:
            self.steps.append(with_comparison(step, stages, kind))


class SiblingsFold(Siblings):
    """Siblings, moved on by closed steps."""

    reads: ClassVar = (GenerationOpened, Learned)

    def __init__(self, run: State) -> None:
        super().__init__()
        self._run = run

    def apply(self, event: Event) -> None:
        """Open a generation, or close a step of the oldest one."""
        if isinstance(event, GenerationOpened):
            self.open(event)
        elif isinstance(event, Learned):
            started, last = self._run.begun, self._run.open.last
            self.close(event.slot, last.stages, last.step, started.measure)


def with_comparison(step: Step, stages: OpenSlot, kind: ComparisonKind) -> Step:
    """Return a closed step with the comparison that its verdict is of."""
    candidate = stages.candidate
    if candidate is None or step.verdict is None or stages.fault is not None:
        return step
    blocks = stages.recorded_blocks(step.slot.parents[0], candidate, InputSet.SEARCH)
    if not blocks:
        return step
    compared = Comparison(
        kind=kind,
        blocks=tuple(blocks),
        decision=SequentialDecision.YES if step.verdict.significant else SequentialDecision.NO,
        interval=step.verdict.interval,
    )
    return replace(step, comparison=compared)
