"""Grids of the little world of numbers, and a problem folder that is scored in a moment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from se_agent.engine.journal.cell_record import CellRecord
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.errors import ProblemError, SandboxError
from se_agent.grid.cell_log import read_log
from se_agent.grid.cell_loop import EndedCell
from se_agent.grid.cell_process import on_record, run_logged
from se_agent.grid.cell_run import CellResult
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from se_agent.problem.model import Problem
from se_agent.values.evaluation import ComparisonKind, Evaluation
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, number_problem

COMMON = """
operators = ["tests.fakes:Step1", "tests.fakes:Step3"]
schedule = "generation"
budget.evaluations = 6
"""

PROBLEM = """
kind = "score"
entry_point = "value"

[inputs]
sizes = [3]

[score]
file = "scorer.py"
direction = "maximize"
"""
INITIAL = "WIDTH = 0  # tune: int 0..60\n\n\ndef value(size):\n    return WIDTH\n"
GENERATOR = "def generate(rng, size):\n    return (size,)\n"
SCORER = "def score(args, output):\n    return -abs(output - 17)\n"


@dataclass(frozen=True)
class NumberSource:
    """The problem of numbers under a name; a bad one cannot be used."""

    id: str
    is_bad: bool = False
    kind_of_source: str = field(default="problem", init=False)

    def facts(self) -> object:
        """Nothing but its name."""
        return self.id

    def load(self) -> Problem:
        """Return the problem, or refuse."""
        if self.is_bad:
            raise ProblemError(f"{self.id}: no good")
        return replace(number_problem(), name=self.id)


def grid_text(table: str, common: str = COMMON) -> str:
    return f"{common}\n[grid]\n{table}\n"


def written_grid(home: Path, table: str, common: str = COMMON) -> Path:
    """Write the file of a grid whose results lie beside it."""
    home.mkdir(exist_ok=True)
    path = home / "trial.toml"
    path.write_text(
        grid_text(table, f"results = {json.dumps(str(home / 'results'))}\n{common}"),
        encoding="utf-8",
    )
    return path


def number_grid(home: Path, table: str, *ids: str, bad: str = "", common: str = COMMON) -> Grid:
    """Return a grid over problems of numbers with these names."""
    path = written_grid(home, f'problems = ["order_report"]\n{table}', common)
    sources = tuple(NumberSource(id, id == bad) for id in ids)
    return replace(load_grid(path), sources=sources)


class PoorEvaluator(NumberEvaluator):
    """Breaks at once."""

    def evaluate(self, solution: Solution) -> Evaluation:
        raise SandboxError("the machine gave up")


@dataclass
class BeginHere:
    """Begins cells in this process, and counts them.

    Attributes:
        log: File that is appended to at each payment.
        broken: Names of cells whose evaluator breaks.
        stop_after: Number of cells after which Ctrl-C comes.
    """

    log: Path
    broken: tuple[str, ...] = ()
    stop_after: int = 10_000
    begun: list[str] = field(default_factory=list)

    def __call__(
        self, record: CellRecord, *, grid: str, cell: str, jobs: int, beside: int
    ) -> EndedCell[CellResult]:
        if len(self.begun) == self.stop_after:
            raise KeyboardInterrupt("Ctrl-C")
        self.begun.append(cell)
        read_log(record.folder, grid, cell).begun(jobs, beside).keep(record.folder)
        run_logged(record, self._evaluators(cell))
        found = on_record(record, read_log(record.folder))
        assert found is not None
        return EndedCell(found)

    def _evaluators(self, cell: str) -> EvaluatorFactory:
        kind = PoorEvaluator if cell in self.broken else NumberEvaluator
        return lambda problem, config: kind(ComparisonKind.EXACT, log=self.log)


def scored_problem(
    home: Path, name: str = "widths", texts: Mapping[str, str] | None = None
) -> Path:
    """Write a problem whose programs are scored in a moment."""
    folder = home / name
    folder.mkdir(parents=True)
    files = {
        "problem.toml": PROBLEM,
        "initial.py": INITIAL,
        "generator.py": GENERATOR,
        "scorer.py": SCORER,
    }
    for file, text in {**files, **(texts or {})}.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder
