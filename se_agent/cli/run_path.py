"""Find the run folder that a person means: a path, a name under `results/`, or `last`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from se_agent.errors import JournalError, did_you_mean
from se_agent.wording import command

RESULTS = Path("results")
LAST = "last"


def run_folder(text: str, results: Path = RESULTS) -> Path:
    """Return the folder of a run.

    Args:
        text: Path of the folder or of its `run.db`, a name below `results`, or `last`: the
            newest run, which may be a cell of a grid or a row of a problem set.
        results: Where runs lie.

    Raises:
        JournalError: There is no such run.
    """
    given = Path(text)
    if given.name == "run.db" and given.is_file():
        return given.parent
    for folder in (given, results / text):
        if (folder / "run.db").is_file():
            return folder
    if text == LAST and (newest := max(_all_runs(results), key=_begun, default=None)):
        return newest
    runs = run_folders(results)
    for folder in (given, results / text):
        if folder.is_dir():
            raise _damaged(folder, runs)
    names = [folder.name for folder in runs]
    raise JournalError(
        f"no run {text!r} in {results}/", hint=did_you_mean(text, names) or _elsewhere(runs)
    )


def place_of(text: str, results: Path = RESULTS) -> str:
    """Return the path of a run or of a folder of runs.

    Args:
        text: A path, a name below `results`, or `last`: the newest run.
        results: Where runs lie.

    Raises:
        JournalError: `last` is meant, and there is no run.
    """
    below = results / text
    if Path(text).exists():
        return text
    if below.exists():
        return str(below)
    return str(run_folder(text, results)) if text == LAST else text


def _damaged(folder: Path, runs: list[Path]) -> JournalError:
    """Return the error of a folder without a journal; the problem of a run may be there."""
    from se_agent.grid.cell_log import read_log  # a command that finds its run needs none
    from se_agent.grid.cells_without_run import failed_grid

    if failed := failed_grid(folder):
        return failed
    if failure := read_log(folder).failure:
        return JournalError(
            f"{folder}: this cell of a grid failed before it had a run: {failure}",
            hint=f"`{command('grid', 'FILE', '--retry')}` runs it again",
        )
    hint = _elsewhere(runs)
    if (folder / "problem.json").is_file():
        hint = "restore it from a copy of the run folder"
    elif run_folders(folder):
        hint = f"`{command('ls', '--results', folder)}` lists the runs in it"
    elif arms := sorted({path.parent.parent for path in folder.glob("*/*/run.db")}):
        several = len(arms) > 1
        told = command("compare", folder) if several else command("ls", "--results", arms[0])
        which = "arms" if several else "an arm"
        hint = f"it has {which} of runs: `{told}`, or give one of them, FOLDER/ARM/RUN; or last"
    return JournalError(f"{folder}: not a run folder: it has no run.db", hint=hint)


def run_folders(results: Path) -> list[Path]:
    """Return the folders that hold a journal, by name."""
    if not results.is_dir():
        return []
    return sorted(path for path in results.iterdir() if (path / "run.db").is_file())


def _all_runs(results: Path) -> Iterator[Path]:
    """Yield the folders of runs, those of sets and of the arms of grids among them."""
    for depth in ("*", "*/*", "*/*/*"):
        yield from (path.parent for path in results.glob(f"{depth}/run.db"))


def _begun(folder: Path) -> float:
    """Return when a run was started: its problem is written once, before anything else."""
    first = folder / "problem.json"
    return (first if first.exists() else folder / "run.db").stat().st_mtime


def _elsewhere(runs: list[Path]) -> str:
    return "`se-agent ls` lists the runs" if runs else "start one: `se-agent run PROBLEM`"
