"""Families: what became of the programs that were made by edits of the same base.

An operator learns from the trials of its parent's family. Not here: which programs are good
(`population`), nor what is remembered in words (`memory`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from se_agent.events import Event, Learned, Started
from se_agent.values.brief import Trial
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

TRIALS = 200
"""That are kept of a family: a tuner works through all of them for each proposal."""

FAMILIES = 32
"""That are kept, those with the newest trials."""


@dataclass
class Families:
    """The newest trials by base, oldest first. No call costs more as a run gets longer."""

    kept: dict[str, list[Trial]] = field(default_factory=dict)

    def add(self, trial: Trial) -> None:
        """Take in a trial, the newest of all."""
        base = trial.solution.root
        trials = [*self.kept.pop(base, ()), trial]
        self.kept[base] = trials[-TRIALS:]
        if len(self.kept) > FAMILIES:
            del self.kept[next(iter(self.kept))]

    def of(self, solution: Solution) -> tuple[Trial, ...]:
        """Return the trials of a solution's family."""
        return tuple(self.kept.get(solution.root, ()))

    def withdraw(self, solution_id: str) -> None:
        """Note that a solution turned out to be wrong."""
        for base, trials in self.kept.items():
            self.kept[base] = [
                replace(one, effect=None) if one.solution.id == solution_id else one
                for one in trials
            ]


class FamiliesFold(Families):
    """Families, moved on by closed steps; a slot sees its first parent's."""

    reads: ClassVar = (Started, Learned)

    def __init__(self, run: State) -> None:
        super().__init__()
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in the candidate of a closed step, and note who turned out to be wrong."""
        if isinstance(event, Started):
            self.add(Trial(solution=event.initial, effect=0.0))
        elif isinstance(event, Learned):
            candidate = self._run.open.last.stages.candidate
            if candidate is not None:
                self.add(Trial(solution=candidate, effect=event.effect))
            for gone in event.withdrawn:
                self.withdraw(gone)

    def at(self, slot: int) -> tuple[Trial, ...]:
        """Return the trials of the family of a slot's first parent."""
        return self.of(self._run.open.parent_of(slot))
