"""What a run finds out about its operators, and what earlier runs found out: `memory.db`.

A file that cannot be used costs a run its prior and nothing else: it is told, and the run goes
on. Not here: how counts become a prior (`se_agent.memory.experience.operator_counts`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from se_agent.config.run_file import Run
from se_agent.engine.search.bandit import Rewards
from se_agent.errors import MemoryFileError
from se_agent.events import Event, Learned
from se_agent.memory import MEMORY_FILE, OperatorCounts, prior_of, read_memory, traits_of
from se_agent.problem.model import Problem
from se_agent.values.recall import RECALL
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


@dataclass
class Experience:
    """Counts by operator: a fold over the closed steps of a run."""

    _rewards: Rewards = field(default_factory=Rewards)
    _counts: dict[str, list[float]] = field(default_factory=dict)

    def tell(self, step: Step) -> None:
        """Take note of a closed step, if it was judged; what was recalled is no news."""
        if step.verdict is None or step.slot.operator == RECALL:
            return
        gain = step.gain
        credit = self._rewards.reward(gain, step.cost_seconds)
        counts = self._counts.setdefault(step.slot.operator, [0.0] * 5)
        for place, value in enumerate((1, gain > 0, credit, gain, step.cost_seconds)):
            counts[place] += value

    def trials(self, problem: Problem, initial: Solution) -> list[OperatorCounts]:
        """Return a row for each operator that was tried."""
        of = traits_of(problem, next(iter(initial.files.values())))
        return [
            OperatorCounts(
                rule=rule,
                family=family(problem),
                traits=of,
                tries=int(tries),
                wins=int(wins),
                credit=credit,
                gain=gain if problem.timed else 0.0,
                cpu_seconds=seconds,
            )
            for rule, (tries, wins, credit, gain, seconds) in self._counts.items()
        ]


class ExperienceFold(Experience):
    """Experience, moved on by closed steps."""

    reads: ClassVar = (Learned,)

    def __init__(self, run: State) -> None:
        super().__init__()
        self._run = run

    def apply(self, event: Event) -> None:
        """Take note of a closed step, if its slot was filled."""
        del event
        if (step := self._run.open.last.step) is not None:
            self.tell(step)


class OperatorPrior(NamedTuple):
    """The prior of a run, by operator, and in words where it comes from."""

    prior: dict[str, tuple[float, float]]
    words: str


def recalled(
    workspace: Path, config: Run, problem: Problem, initial: Solution, rules: Iterable[str]
) -> OperatorPrior:
    """Return what earlier runs in a folder say of these operators."""
    if not config.memory.reads_prior:
        return OperatorPrior({}, "")
    path = workspace / MEMORY_FILE
    try:
        known = read_memory(path)
    except MemoryFileError as err:
        return OperatorPrior({}, f"none: {err}")
    found = prior_of(
        known.trials,
        traits_of(problem, next(iter(initial.files.values()))),
        rules,
        exclude_families=config.memory.exclude_families,
    )
    words = f"{counted(known.runs, 'earlier run')} in {path}"
    if not config.memory.writes_prior:
        words = f"{words}; this run adds nothing to it"
    return OperatorPrior(found, words if found else "")


def family(problem: Problem) -> str:
    """Return what a problem's runs are grouped by: its family, or itself."""
    return problem.family or problem.name
