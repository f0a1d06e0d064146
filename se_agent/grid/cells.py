"""The cells of a grid: each arm on each problem with each seed, made one at a time. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from se_agent.config.run_file import Run, with_frozen_prior
from se_agent.config.sections import Asking, LocalSection, Prompt
from se_agent.engine.journal.cell_record import CellRecord, ProblemSource
from se_agent.errors import ConfigError, did_you_mean
from se_agent.grid.problem_sources import cell_run_name, run_label


class PlannedArm(NamedTuple):
    """An arm before it is run: its name, and the run file of its cells but for the problem."""

    name: str
    config: Run

    def differs_for_models_alone(self, other: PlannedArm) -> bool:
        """Say whether a run without a model would be the same as under the other arm."""
        if self.config.models or other.config.models or self.config == other.config:
            return False
        return _without_models(self.config) == _without_models(other.config)


def _without_models(config: Run) -> Run:
    """Return a run file with the defaults of all that is for models alone."""
    usual = {"local": LocalSection(), "extraction": "declared", "vocabulary": ""}
    memory = config.memory.model_copy(update=usual)
    return config.model_copy(update={"memory": memory, "prompt": Prompt(), "asking": Asking()})


class GridCell(NamedTuple):
    """One run of a grid."""

    arm: PlannedArm
    source: ProblemSource
    seed: int

    @property
    def run_name(self) -> str:
        """Name of its run folder in the folder of its arm."""
        return cell_run_name(self.source.id, self.seed)

    @property
    def name(self) -> str:
        """Its name in the grid, such as `no_bank/tide_table-s0`."""
        return f"{self.arm.name}/{self.run_name}"

    def matches(self, pattern: str) -> bool:
        """Say whether a glob means it: its whole name, or its arm, its problem or its run."""
        parts = (self.arm.name, run_label(self.source), self.run_name)
        names = (self.name,) if "/" in pattern else (self.name, *parts)
        return any(fnmatchcase(name, pattern) for name in names)


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A grid as it was written.

    Attributes:
        name: Name of its folder.
        path: Its file.
        home: Folder of all its cells.
        arms: Its arms in order; a null arm is the last one.
        sources: Its problems in order.
        seeds: Its seeds in order.
    """

    name: str
    path: Path
    home: Path
    arms: tuple[PlannedArm, ...]
    sources: tuple[ProblemSource, ...]
    seeds: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.arms) * len(self.sources) * len(self.seeds)

    def cells(self) -> Iterator[GridCell]:
        """Yield the cells in the order in which they are run.

        All arms run on a problem with a seed before any runs on the next, so that what changes
        on the machine in hours changes for all of them. Which of them comes first goes round.
        """
        rounds = ((seed, source) for seed in self.seeds for source in self.sources)
        for number, (seed, source) in enumerate(rounds):
            first = number % len(self.arms)
            for arm in (*self.arms[first:], *self.arms[:first]):
                yield GridCell(arm, source, seed)

    def chosen(self, only: str = "") -> Iterator[GridCell]:
        """Yield the cells that a glob means, or all of them.

        Raises:
            ConfigError: It means none.
        """
        found = False
        for cell in self.cells():
            if not only or cell.matches(only):
                found = True
                yield cell
        if not found:
            names = [arm.name for arm in self.arms]
            raise ConfigError(
                f"--only {only}: no cell of this grid",
                hint=did_you_mean(only, names)
                or f"arms: {', '.join(names[:8])}; --dry-run lists",
            )

    def record(self, cell: GridCell) -> CellRecord:
        """Return the record of a cell: an ordinary run folder below that of its arm."""
        place = {
            "problem": _problem_word(cell.source),
            "seed": cell.seed,
            "results": str(self.home / cell.arm.name),
            "name": cell.run_name,
        }
        config = cell.arm.config.model_copy(update=place)
        return CellRecord(cell.source, with_frozen_prior(config))


def _problem_word(source: ProblemSource) -> str:
    return str(getattr(source, "path", source.id)) or run_label(source)
