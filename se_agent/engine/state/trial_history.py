"""Families: what became of the programs that were made by edits of the same base.

An operator learns from the trials of its parent's family. Not here: which programs are good
(`population`), nor what is remembered in words (`memory`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from se_agent.values.brief import Trial
from se_agent.values.solution import Solution

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
