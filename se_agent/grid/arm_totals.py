"""What the cells of an arm came to together: their gains, and what memory was worth. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from se_agent.engine.journal.overall import as_json, overall
from se_agent.engine.journal.result import Result, RunStatus
from se_agent.engine.journal.shares import FAILED
from se_agent.grid.cell_run import CellResult
from se_agent.stats.memory_worth import Worth
from se_agent.stats.summary import Summary


@dataclass(frozen=True)
class ArmTotals:
    """The cells of an arm, taken together."""

    cells: Sequence[CellResult]

    @property
    def overall(self) -> dict[str, Summary]:
        """The gains of all cells that ended, and their shares of the reference's figures.

        Nothing where no cell has a gain: all have failed, or have scores.
        """
        if not any(cell.result and cell.result.gain is not None for cell in self.cells):
            return {}
        return overall(cell.result or _without(cell) for cell in self.cells)

    @property
    def memory(self) -> Worth:
        """Steps with a proven gain, with memory and without it, of all cells."""
        return sum((cell.result.memory for cell in self.cells if cell.result), Worth())

    def as_json(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return {"overall": as_json(self.overall), "memory": asdict(self.memory)}


def _without(cell: CellResult) -> Result:
    """Return what a cell without a run counts for: nothing, unless it failed."""
    status: RunStatus = "failed" if cell.status == "failed" else "interrupted"
    gain = 1.0 if status == "failed" else None
    nothing = Result(run="", problem=cell.id, status=status, best_solution_id="", gain=gain)
    return replace(nothing, et=FAILED["et"], mp=FAILED["mp"], mi=FAILED["mi"])
