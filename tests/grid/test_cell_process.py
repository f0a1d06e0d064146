"""Processes of cells that end otherwise than by their own word."""

from __future__ import annotations

import sqlite3
import stat
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.grid.cell_log import read_log
from se_agent.grid.cell_process import begin_process
from se_agent.grid.cell_run import CellResult
from se_agent.grid.grid_file import load_grid
from tests.finished import unfinished
from tests.grid.grids import scored_problem, written_grid


def ended(home: Path, program: str) -> CellResult:
    """Begin the only cell of a grid with this shell script for a Python, and wait."""
    grid = load_grid(written_grid(home, 'problems = ["widths"]\nseeds = 1'))
    (cell,) = grid.cells()
    script = home / "python"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="ascii")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    running = begin_process(
        grid.record(cell), grid="g", cell=cell.name, jobs=1, beside=1, python=str(script)
    )
    while (found := running.poll()) is None:
        time.sleep(0.02)
    return found


@pytest.fixture(autouse=True)
def _problem(tmp_path: Path) -> None:
    scored_problem(tmp_path)


def test_a_process_that_breaks_is_a_failed_cell_with_its_last_words(tmp_path: Path) -> None:
    found = ended(tmp_path, "echo first >&2; echo no memory >&2; exit 7")
    assert (found.status, found.reason) == (
        "failed",
        "its process ended with exit code 7: no memory",
    )


def test_a_process_that_is_killed_is_begun_again_but_not_for_ever(tmp_path: Path) -> None:
    found = [ended(tmp_path, "kill -9 $$") for _ in range(3)]
    assert [each.status for each in found] == ["interrupted", "interrupted", "failed"]
    assert found[0].reason == "its process was killed by signal 9"
    assert found[2].reason == "its process was killed by signal 9, 3 times in a row"
    log = read_log(tmp_path / "results" / "trial" / "base" / "widths-s0")
    assert len(log.attempts) == 3


def test_a_process_that_says_nothing_is_told_so(tmp_path: Path) -> None:
    assert ended(tmp_path, "exit 1").reason.endswith("exit code 1: in silence")


@pytest.mark.tier("runs")
def test_a_journal_that_cannot_be_read_fails_its_cell_alone(tmp_path: Path) -> None:
    torn = unfinished(tmp_path / "other", 20) / "run.db"
    with closing(sqlite3.connect(torn)) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE events SET body = '{' WHERE id = 9")
    folder = tmp_path / "results" / "trial" / "base" / "widths-s0"
    spoil = f"cp {torn} run.db; sed -i s/running/ended/ cell.json"
    found = ended(tmp_path, f"cd {folder}; {spoil}; exit 0")
    assert found.status == "failed"
    assert "event 9" in found.reason


@pytest.mark.tier("runs")
def test_modules_of_the_current_folder_are_not_taken_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("random", "statistics", "se_agent"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the user's own')\n")
    monkeypatch.chdir(tmp_path)
    found = ended(tmp_path, f'exec {sys.executable} "$@"')
    assert "invalid literal for int()" in found.reason  # the operator of these tests was asked
