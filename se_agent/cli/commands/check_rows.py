"""`check` of a problem set: a line a row, whether a run could start, what its tests find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.checks import strength
from se_agent.cli.checks.preflight import preflight
from se_agent.cli.screen import Screen
from se_agent.errors import ProblemError, SandboxError
from se_agent.wording import command, counted

if TYPE_CHECKING:
    from evaluators.mutants.strength import Strength
    from se_agent.config.run_file import Run
    from se_agent.problem.dataset import DatasetRow
    from se_agent.problem.model import Problem

_COLUMNS = f"{'row':<32} {'mutants':>7} {'caught':>7} {'missed':>7} {'alike':>7} {'notes':>5}"


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A row: why no run can start, or what its tests are worth, as far as that was asked.

    `notes` has what a run would note on it; None where it was not run.
    """

    id: str
    reason: str = ""
    notes: tuple[str, ...] | None = None
    strong: Strength | None = None
    mutants: dict[str, object] | None = None

    def as_json(self) -> dict[str, object]:
        """Return the row of `--json`."""
        found: dict[str, object] = {"id": self.id, "reason": self.reason}
        found |= {} if self.notes is None else {"notes": list(self.notes)}
        return found if self.mutants is None else {**found, "mutants": self.mutants}


def check_rows(path: Path, run: Run, screen: Screen, *, static: bool, mutants: int) -> None:
    """Check every row, and say of each as soon as it is known.

    Args:
        path: The file.
        run: Run file of every row.
        screen: Where it is told.
        static: Whether nothing is run.
        mutants: Faults to plant in each row's program.

    Raises:
        ProblemError: The file cannot be used.
        IsolationError: This machine cannot give the isolation that was asked for.
    """
    from se_agent.problem.dataset import read

    rows, done = read(path), list[Checked]()
    screen.say(_COLUMNS)
    for row in rows:
        done.append(_checked(row, run, screen, static=static, mutants=mutants))
        screen.say(_line(done[-1]))
    for told in _totals(done):
        screen.say(told)
    screen.answer({"problem_set": str(path), "rows": [each.as_json() for each in done]})


def the_row(path: Path, wanted: str) -> Problem:
    """Return the problem of a row.

    Raises:
        ProblemError: The file cannot be used, or has no such row.
    """
    from se_agent.errors import did_you_mean
    from se_agent.problem.dataset import problem, read

    rows = {row.id: row for row in read(path)}
    if wanted not in rows:
        raise ProblemError(
            f"{path}: no row {wanted!r}",
            hint=did_you_mean(wanted, rows)
            or f"`{command('check', path, '--static')}` lists them",
        )
    return problem(rows[wanted])


def _checked(
    row: DatasetRow, run: Run, screen: Screen, *, static: bool, mutants: int
) -> Checked:
    from se_agent.engine.run.resolve import initial_of
    from se_agent.problem.dataset import problem

    try:
        made = problem(row)
        original = initial_of(made, run).text
        if static:
            return Checked(id=row.id)
        found = preflight(run, made)
        if not mutants:
            return Checked(id=row.id, notes=found.notes)
        strong = strength.asked(run, made, screen, count=mutants, seconds=found.seconds)
    except (ProblemError, SandboxError) as err:
        return Checked(id=row.id, reason=str(err))
    told = strength.row(strong, made, original)
    return Checked(id=row.id, notes=found.notes, strong=strong, mutants=told)


def _line(checked: Checked) -> str:
    from se_agent.report.words.phrases import one_line

    name = f"{one_line(checked.id):<32}"
    if checked.reason:
        return one_line(f"{name} cannot start: {checked.reason}", 200)
    counts: Sequence[object] = "----"
    if checked.strong is not None:
        counts = (len(checked.strong.tried), *strength.counts(checked.strong).values())
    notes = "-" if checked.notes is None else len(checked.notes)
    return " ".join([name, *(f"{count:>7}" for count in counts), f"{notes:>5}"])


def _totals(done: list[Checked]) -> list[str]:
    from se_agent.report.words.phrases import one_line

    strong = [each.strong for each in done if each.strong is not None]
    lost = sum(bool(each.reason) for each in done)
    ends = counted(len(done), "row") + (f", {lost} of them cannot start" if lost else "")
    if doubtful := [each.id for each in done if each.strong and each.strong.doubtful]:
        apart = f"inputs tell too few mutants apart in {len(doubtful)}: {', '.join(doubtful)}"
        ends = f"{ends}; {one_line(apart, 300)}"
    noted = sum(bool(each.notes) for each in done)
    told = [ends, f"notes on {counted(noted, 'row')}; --row ID shows them"] if noted else [ends]
    caught = sum(strength.counts(each)["caught"] for each in strong)
    missed = sum(strength.counts(each)["missed"] for each in strong)
    if not caught + missed:
        return told
    share = f"{caught} of {caught + missed} ({caught / (caught + missed):.0%})"
    return [*told, f"{share} caught by the tests; --row ID shows those that they miss"]
