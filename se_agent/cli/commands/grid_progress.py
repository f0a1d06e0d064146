"""What is said of a grid while it runs: each cell that ends, and how far the others are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.commands.grid_plan import state_words, time_words
from se_agent.cli.conclusion import save_best
from se_agent.cli.counting import LiveLine
from se_agent.cli.json_row import read
from se_agent.cli.screen import Screen
from se_agent.errors import reason
from se_agent.report.words import phrases
from se_agent.wording import counted

if TYPE_CHECKING:
    from se_agent.grid.cell_run import CellResult
    from se_agent.grid.cells import GridCell
    from se_agent.grid.cost_estimate import CostForecast
    from se_agent.grid.grid_run import PlannedCell


class GridProgress:
    """Says how far a grid is: a line for each cell that ends, and one for those that run.

    Args:
        planned: All cells.
        forecast: What cells take; it learns from each that ends.
        screen: Where lines are printed.
        home: Folder of the grid.
    """

    def __init__(
        self,
        planned: Sequence[PlannedCell],
        forecast: CostForecast,
        screen: Screen,
        home: Path,
    ) -> None:
        self.planned, self.jobs = planned, forecast.jobs
        self._forecast, self._screen, self._home = forecast, screen, home
        self._left = {each.cell.name: each.cell for each in planned if not each.is_over}
        self._failed = sum(state_words(each) == "failed" for each in planned)
        self._interrupted = 0
        self._running = self._in_vain = 0

    def begin(self, cell: GridCell, beside: int) -> None:
        """Take note of a cell that begins."""
        self._running = beside
        self._screen.say(f"{'':>12}  {cell.name}: begins")

    def end(self, cell: GridCell, found: CellResult) -> None:
        """Say what a cell came to, and what is left."""
        from se_agent.grid.cell_log import read_log

        self._running -= 1
        del self._left[cell.name]
        self._interrupted += found.status == "interrupted"
        self._failed += found.status == "failed"
        is_in_vain = False
        if found.result is not None and found.status != "failed":
            _save(Path(found.result.run), self._screen)
            self._forecast.learn(cell, found.result, read_log(self._home / cell.name).seconds)
            is_in_vain = found.result.is_in_vain
        over = len(self.planned) - len(self._left)
        self._screen.say(f"{over:>4} of {len(self.planned):<4}  {_line(found)}")
        self._screen.say(f"{'':>14}{self.words()}")
        self._in_vain += is_in_vain
        if is_in_vain and self._in_vain == 1:
            self._screen.warn(self.doubts())

    def wait(self, cells: Sequence[GridCell], line: LiveLine) -> None:
        """Say how far the cells are that run, if that was not said a moment ago."""
        if line.is_due():
            line.show("; ".join(map(self._far, cells)))

    def _far(self, cell: GridCell) -> str:
        from se_agent.grid.grid_run import progress_of

        limit = cell.arm.config.budget.evaluations
        made, confirms = progress_of(self._home / cell.name)
        of, then = "" if limit is None else f" of {limit}", ", confirms" if confirms else ""
        return f"{cell.name}: {made}{of} evaluations{then}"

    def words(self) -> str:
        """Return what is done, running and failed, and the time that is left."""
        done = len(self.planned) - len(self._left) - self._failed - self._interrupted
        told = f"{done} done, {self._running} running, {self._failed} failed"
        if not self._left:
            return told
        found = self._forecast.estimate(self._left.values())
        left = "" if found.seconds is None else f"; about {time_words(found.seconds)} left"
        return f"{told}, {len(self._left) - self._running} to go{left}"

    def doubts(self) -> Iterator[str]:
        """Yield that no reply became a program, in how many of the cells that ended here."""
        if self._in_vain:
            yield (
                f"in {counted(self._in_vain, 'cell')} no reply of a model became a program, so "
                "that prompts made no difference; `se-agent show RUN --all` says why"
            )


def _save(folder: Path, screen: Screen) -> None:
    """Save the best program of a cell; the others are not to suffer where that fails."""
    try:
        save_best(folder, read(folder)[1])
    except OSError as err:
        screen.say(f"{folder}: its best program is not saved: {reason(err)}")


def _line(cell: CellResult) -> str:
    """Return one cell: its status, its gain with the interval, and how many notes it has.

    Or why there is no run of it.
    """
    found, status = cell.result, cell.status.replace("_", " ")
    if found is None:
        return phrases.one_line(f"{cell.id:<24} {status}: {cell.reason}", 200)
    gain = ""
    if found.gain and found.gain_low and found.gain_high and cell.status == "proven":
        ends = f"{phrases.times(found.gain_low)}, {phrases.times(found.gain_high)}"
        gain = f"{phrases.times(found.gain)} [{ends}]{phrases.unless_cpu(found.objective)}"
    notes = counted(len(found.notes), "note") if found.notes else ""
    told = ", ".join(filter(None, (gain, notes)))
    return f"{phrases.one_line(cell.id):<24} {status:<12} {told}".rstrip()
