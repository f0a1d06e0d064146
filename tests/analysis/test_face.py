"""What `import se_agent` offers: runs are started, opened and compared in a line each."""

from __future__ import annotations

import json
import pickle
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import se_agent
from se_agent.analysis import plots
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.recorded_runs import RecordedRuns
from se_agent.errors import ConfigError, JournalError
from tests.cli.folders import problem_folder
from tests.house import python

QUICK: dict[str, Any] = {
    "measure.self_test_blocks": 2,
    "measure.fast_seconds": 0.002,
    "measure.slow_seconds": 0.01,
    "judge.pairs": 3,
    "judge.counterexample_seconds": 0.3,
    "budget.evaluations": 1,
}


@pytest.mark.tier("runs")
def test_what_is_opened_is_a_run_or_several(two_arms: Path) -> None:
    one = se_agent.open(two_arms / "first" / "numbers-0")
    assert isinstance(one, RecordedRun)
    assert one.result.seed == 0
    assert isinstance(se_agent.open(two_arms / "first" / "numbers-0" / "run.db"), RecordedRun)
    several = se_agent.open(two_arms)
    assert isinstance(several, RecordedRuns)
    assert [run.name for run in several] == [
        "first/numbers-0",
        "first/numbers-1",
        "random/numbers-0",
        "random/numbers-1",
    ]
    with pytest.raises(ConfigError, match="no such folder"):
        se_agent.open(two_arms / "none")


@pytest.mark.tier("runs")
def test_tables_of_several_runs_stand_below_each_other(two_arms: Path) -> None:
    runs = se_agent.open(two_arms)
    assert isinstance(runs, RecordedRuns)
    summary = runs.frame()
    assert summary.run.tolist() == [run.name for run in runs]
    assert json.loads(summary.settings[2])["policy"] == "random"
    steps = runs.frame("steps")
    assert steps.run.unique().tolist() == summary.run.tolist()
    assert len(steps) == sum(len(run.rows("steps")) for run in runs)
    assert "<table>" in runs._repr_html_()
    assert str(runs).splitlines()[0].startswith("first/numbers-0: numbers, seed 0: ")
    row = runs["random/numbers-1"].rows("steps")[0]
    again = pickle.loads(pickle.dumps(row))
    assert (again, again.slot) == (row, row[1])
    assert runs["random/numbers-1"].result.seed == 1
    with pytest.raises(ConfigError, match="one of several runs"):
        runs["random/numbers-1"].frame("runs")


@pytest.mark.tier("runs")
def test_arms_are_compared_in_a_line(two_arms: Path) -> None:
    found = se_agent.compare(two_arms, base="first")
    assert found.base.name == "first"
    frame = found.frame()
    overall = frame[(frame.measure == "gain") & (frame.problem == "")]
    assert overall.arm.tolist() == ["random"]
    again = se_agent.compare(f"a={two_arms / 'first'}", f"b={two_arms / 'random'}")
    assert [again.base.name, *(arm.name for arm in again.arms)] == ["a", "b"]


@pytest.mark.parametrize(
    "text", ['{"arms": {"random": {}, "first": {}}}', '{"arms": {"away": {}}}']
)
def test_the_first_arm_of_a_grid_is_the_base_if_runs_of_it_are_there(
    two_arms: Path, tmp_path: Path, text: str
) -> None:
    grid = tmp_path / "grid"
    shutil.copytree(two_arms, grid)
    (grid / "grid.json").write_text(text)
    expected = "random" if "random" in text else "first"
    assert se_agent.compare(grid).base.name == expected
    assert se_agent.compare(grid, base="first").base.name == "first"
    runs = se_agent.open(grid)
    assert isinstance(runs, RecordedRuns)
    assert runs.compare().base.name == expected


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("cells", "note"),
    [("9", ["4 of 9 cells of the grid have ended; `se-agent grid f.toml` goes on"]), ("4", [])],
)
def test_cells_that_are_missing_are_told(
    two_arms: Path, tmp_path: Path, cells: str, note: list[str]
) -> None:
    grid = shutil.copytree(two_arms, tmp_path / "grid")
    shutil.copytree(grid / "first", grid / "no_arm_of_it")
    told = f'{{"arms": {{"first": {{}}, "random": {{}}}}, "cells": {cells}, "file": "f.toml"}}'
    (grid / "grid.json").write_text(told)
    found = [each for each in se_agent.compare(grid).notes if "cells of the grid" in each]
    assert [each.partition(", `--retry`")[0] for each in found] == note


def test_a_damaged_run_is_named_and_the_others_are_read(two_arms: Path, tmp_path: Path) -> None:
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.db").write_bytes(b"no journal" * 100)
    runs = se_agent.open(two_arms / "first", tmp_path / "torn")
    assert isinstance(runs, RecordedRuns)
    assert [left.folder.name for left in runs.left_out] == ["torn"]
    assert len(runs.frame("runs")) == 2
    assert len(runs.frame("steps").run.unique()) == 2
    assert len(plots.progress(runs).data) == 2


@pytest.mark.tier("runs")
def test_a_run_is_started_and_comes_back_as_an_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = se_agent.run(problem_folder(tmp_path), seed=4, **QUICK)
    assert (run.result.seed, run.result.evaluations > 0) == (4, True)
    assert run.folder.parent.name == "results"
    assert len(run.steps()) > 0


def test_a_table_of_settings_may_be_a_mapping(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^setting budget.evaluation: unknown key") as caught:
        se_agent.run(problem_folder(tmp_path), budget={"evaluation": 3})
    assert "did you mean 'budget.evaluations'" in caught.value.hint


def test_the_face_loads_nothing_until_it_is_used() -> None:
    script = "import se_agent, sys; print(*sys.modules)"
    loaded = set(python(script).stdout.split())
    assert {"numpy", "pandas", "pydantic", "se_agent.analysis"} & loaded == set()


@pytest.mark.tier("runs")
def test_without_pandas_the_extra_is_named(two_arms: Path) -> None:
    script = (
        "import sys; sys.modules['pandas'] = None\n"
        "import se_agent\n"
        f"run = se_agent.open({str(two_arms / 'first' / 'numbers-0')!r})\n"
        "print(len(run.rows('steps')))\n"
        "try:\n    run.steps()\n"
        "except Exception as err:\n    print(type(err).__name__, err.hint)\n"
    )
    out = python(script).stdout
    assert "ConfigError pip install 'se-agent[analysis]'" in out
    assert int(out.splitlines()[0]) > 0


def test_no_place_is_refused() -> None:
    with pytest.raises(ConfigError, match="no place of runs was given"):
        se_agent.open()


@pytest.mark.tier("runs")
def test_a_place_that_is_given_twice_counts_once(two_arms: Path) -> None:
    twice = RecordedRuns([two_arms, two_arms / ".." / two_arms.name])
    assert len(twice) == len(RecordedRuns([two_arms]))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("tail", [True, False])
def test_tables_are_read_up_to_a_torn_tail(two_arms: Path, tmp_path: Path, tail: bool) -> None:
    (source, *_) = sorted(two_arms.glob("*/*/run.db"))
    (tmp_path / "torn").mkdir()
    copy = tmp_path / "torn" / "run.db"
    with closing(sqlite3.connect(source)) as db, closing(sqlite3.connect(copy)) as to:
        db.backup(to)
    last = "SELECT MAX(id) FROM events" if tail else "9"
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute(f"UPDATE events SET body = '{{' WHERE id = ({last})")
    run = RecordedRun(tmp_path / "torn")
    if tail:
        with pytest.warns(UserWarning, match="cannot be read, and is left out"):
            assert len(run.steps()) == len(RecordedRun(source.parent).steps())
    else:
        with pytest.raises(JournalError, match="event 9"):
            run.steps()
