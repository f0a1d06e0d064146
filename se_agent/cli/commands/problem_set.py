"""`run --problem-set`: every row of a file, one run folder a row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.conclusion import save_best
from se_agent.cli.drive import INTERRUPTED, terminable
from se_agent.cli.json_row import read
from se_agent.cli.screen import Screen
from se_agent.errors import reason
from se_agent.report import totals
from se_agent.report.words import memory_worth, phrases
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.grid.cell_run import CellResult


def run_rows(path: Path, config: Run, screen: Screen) -> int:
    """Run the rows that are not finished, and return the exit code.

    Raises:
        SeAgentError: The file or this machine will not do.
    """
    from se_agent.grid.problem_set import SetResult, run_set

    done: list[CellResult] = []

    def on_row(number: int, count: int, found: CellResult) -> None:
        done.append(found)
        if found.result:
            save_row(Path(found.result.run), screen)
        screen.say(f"{number:>3} of {count}  {line(found)}")

    try:
        with terminable(screen):
            result = run_set(path, config, on_row=on_row)
    except KeyboardInterrupt:
        home = str(Path(config.results) / path.stem)
        result = SetResult(path=str(path), results=home, rows=tuple(done))
        screen.say("interrupted; saved. The same command goes on where it was")
        screen.answer(result.as_json())
        return INTERRUPTED
    counts = ", ".join(f"{n} {status}" for status, n in sorted(result.counts.items()))
    screen.say(f"{counted(len(result.rows), 'row')}: {counts.replace('_', ' ')}")
    for told in totals.lines(result.overall):
        screen.say(told)
    if told := memory_worth.line(result.memory):
        screen.say(told)
    screen.say(f"one folder a row, with its run and its best program: {result.results}")
    if any(row.result and row.result.notes for row in result.rows):
        screen.offer("notes on a row", command("show", Path(result.results) / "ROW"))
    screen.answer(result.as_json())
    return 0


def save_row(folder: Path, screen: Screen) -> None:
    """Save the best program of a row; the others are not to suffer where that fails."""
    try:
        save_best(folder, read(folder)[1])
    except OSError as err:
        screen.say(f"{folder}: its best program is not saved: {reason(err)}")


def line(row: CellResult) -> str:
    """Return one row: its status, its gain with the interval, and how many notes it has.

    Or why there is no run of it.
    """
    found, status = row.result, row.status.replace("_", " ")
    if found is None:
        return phrases.one_line(f"{row.id:<24} {status}: {row.reason}", 200)
    gain = ""
    if found.gain and found.gain_low and found.gain_high and row.status == "proven":
        ends = f"{phrases.times(found.gain_low)}, {phrases.times(found.gain_high)}"
        gain = f"{phrases.times(found.gain)} [{ends}]{phrases.unless_cpu(found.objective)}"
    notes = counted(len(found.notes), "note") if found.notes else ""
    told = ", ".join(filter(None, (gain, notes)))
    return f"{phrases.one_line(row.id):<24} {status:<12} {told}".rstrip()
