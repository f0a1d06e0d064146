"""Cells that no comparison has: each is named, with why."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.grid.cell_log import read_log
from se_agent.grid.cells_without_run import failed_grid, notes_on_cells
from se_agent.grid.grid_file import load_grid
from tests.cli.calls import call, two_lines
from tests.grid.grids import BeginHere, number_grid
from tests.grid.test_grid_run import ran
from tests.problem.test_dataset import row, written

ARMS = 'seeds = 2\narms.plain = {}\narms.random = { policy = "random" }'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid of twelve cells: four of a bad problem, and two that were not run."""
    folder = tmp_path_factory.mktemp("grid")
    grid = number_grid(folder, ARMS, "p", "bad\x1b[31m", "q", bad="bad\x1b[31m")
    with pytest.raises(KeyboardInterrupt, match="Ctrl-C"):
        ran(grid, BeginHere(folder / "log", stop_after=10))
    return grid.home


@pytest.mark.tier("runs")
def test_cells_that_failed_and_cells_that_were_not_run_are_counted_and_named(
    home: Path,
) -> None:
    failed, missing = notes_on_cells(home)
    assert failed.startswith("4 cells failed, left out: plain/bad_")
    assert failed.count(": no good)") == 4
    goes_on = f"`se-agent grid {home.parent.parent / 'trial.toml'}` goes on"
    cells = "plain/q-s1, random/q-s1"
    assert missing == f"2 cells not run yet, left out ({goes_on}): {cells}"


@pytest.mark.tier("runs")
def test_a_comparison_of_the_grid_says_so(home: Path) -> None:
    called = call("compare", home)
    assert called.code == 0
    assert "note: 4 cells failed, left out: plain/bad_" in called.out
    assert " goes on): plain/q-s1, random/q-s1" in called.out
    assert "\x1b" not in called.out
    assert "4 cells failed" in call("compare", home, "--json").out
    assert "4 cells failed" in call("compare", home, "--markdown").out


@pytest.mark.tier("runs")
def test_the_page_of_the_grid_says_so(home: Path, tmp_path: Path) -> None:
    assert call("report", home, "--output", tmp_path / "r.html").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "4 cells failed, left out: plain/bad_" in page
    assert "2 cells not run yet" in page


@pytest.mark.parametrize("command", ["compare", "report", "show"])
def test_of_a_grid_that_failed_the_reason_is_told(tmp_path: Path, command: str) -> None:
    grid = number_grid(tmp_path, "seeds = 3", "bad", bad="bad")
    assert ran(grid, BeginHere(tmp_path / "log")).is_in_vain
    error, hint = two_lines(call(command, grid.home))
    cell = "base/bad-s0 (bad: no good)"
    assert error == f"{grid.home}: 3 of 3 cells failed, and none has a result: {cell}"
    assert (
        hint
        == f"`se-agent grid {tmp_path / 'trial.toml'} --retry` runs those again that failed"
    )


def test_of_rows_that_cannot_be_measured_the_reason_is_told(tmp_path: Path) -> None:
    short = row(id="short", slow={"code": "x = 1"}, perf_inputs=[{"expr": "[1]"}])
    path = written(tmp_path / "set.jsonl", short)
    grid = load_grid(path, [f"results={tmp_path}"])
    found = ran(grid, BeginHere(tmp_path / "log"))
    assert (found.has_results, found.is_in_vain) == (False, False)
    error, _ = two_lines(call("compare", grid.home))
    assert error.startswith(
        f"{grid.home}: 1 of 1 cell cannot be run, and none has a result: base/short-s0 ("
    )


def test_what_fails_after_the_end_of_a_run_takes_no_result_away(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "p")
    ran(grid, BeginHere(tmp_path / "log"))
    folder = grid.home / "base" / "p-s0"
    read_log(folder).begun(1, 1).ended("failed", 1.0, "the disk is full").keep(folder)
    assert failed_grid(grid.home) is None


def test_a_grid_with_a_result_is_not_in_vain(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "bad", "p", bad="bad")
    found = ran(grid, BeginHere(tmp_path / "log"))
    assert found.counts == {"failed": 1, "proven": 1}
    assert not found.is_in_vain
    assert failed_grid(grid.home) is None


def test_many_of_them_are_counted(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 9\narms.plain = {}", "p")
    with pytest.raises(KeyboardInterrupt, match="Ctrl-C"):
        ran(grid, BeginHere(tmp_path / "log", stop_after=0))
    (missing,) = notes_on_cells(grid.home)
    assert "9 cells not run yet, left out (`se-agent grid " in missing
    assert " goes on): plain/p-s0, " in missing
    assert " and 1 more" in missing


def test_of_a_folder_that_is_no_grid_nothing_is_said(tmp_path: Path) -> None:
    assert list(notes_on_cells(tmp_path)) == []
