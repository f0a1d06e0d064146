"""A small grid for the notebooks to read: a made-up model, and programs measured beforehand.

The engine, its memory, the endpoint on loopback and the journals are real. What candidates take
stands in the table of the arena, so that a run takes half a second and ends alike everywhere.
"""

from __future__ import annotations

from pathlib import Path

from experiments.arena import runs
from experiments.arena.corpus import Lot, address, lot
from experiments.arena.recorded import Record, Recorded, known
from experiments.figures.packed import unpack
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.solution import Solution

ARMS: dict[str, tuple[str, ...]] = {
    "all": (),
    "no_memory": ("memory.enabled=false",),
    "null": (),
}
PROBLEMS = ("overtakes", "tank_mixing")
SEEDS = range(3)
CALLS = 12
PRICES = ("models.main.prompt_price=0.25", "models.main.completion_price=2.0")


class Table(Recorded):
    """Knows the programs of the corpus; any other counts as wrong and is not measured."""

    def of(self, solution: Solution) -> Record:
        unknown = Record(Evaluation(status=Status.WA, feedback="not in the table"), (), 0.0)
        return self.known.get(address(solution.text), unknown)


def table_of(found: Lot, home: Path) -> Table:
    """Return the evaluator of a problem; the rows of the repository are in this folder."""
    return Table(found, known(found, home), home / "none.jsonl")


def grid_in(home: Path) -> Path:
    """Run all arms on all problems with all seeds, as a grid lies in its folder."""
    unpack(home=home / "rows")
    for problem in PROBLEMS:
        evaluator = table_of(lot(problem), home / "rows")
        for seed in SEEDS:
            for arm, settings in ARMS.items():
                place = home / "ablation" / arm / f"{problem}-s{seed}"
                runs.ours(evaluator, place, seed, CALLS, (*PRICES, *settings))
    return home / "ablation"
