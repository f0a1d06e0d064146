"""`run` and `resume`: what is printed, what is saved, how they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import COMMAND, ENV, Called, exit_code, process, started, two_lines
from tests.finished import finished

WORLD = (sys.executable, "-m", "tests.cli.world")
KEYS = [
    "run",
    "problem",
    "seed",
    "settings",
    "status",
    "verdict",
    "best_solution_id",
    "gain",
    "gain_low",
    "gain_high",
    "score",
    "evaluations",
    "cpu_seconds",
    "budget_end",
]


def broken_off(tmp_path: Path, number: int, *words: str, after: str = "generation 2") -> Called:
    """Start a slow run, send a signal when a line says `after`, and wait for the end."""
    command = [*WORLD, str(tmp_path), "slow", *words]
    running = started(command)
    stream = running.stderr if "json" in words else running.stdout
    assert stream is not None
    seen = ""
    while after not in seen:
        line = stream.readline()
        assert line, seen
        seen += line
    os.kill(running.pid, number)
    out, err = running.communicate(timeout=60)
    return (
        Called(exit_code(running), out, err)
        if stream is running.stdout
        else Called(exit_code(running), out, seen + err)
    )


@pytest.mark.tier("runs")
def test_a_run_tells_its_steps_and_ends_with_what_is_proven(tmp_path: Path) -> None:
    called = process([*WORLD, tmp_path, "timed"], tmp_path)
    assert called.code == 0
    assert called.err == ""
    assert "self-test of the clock, block 6 of 6" in called.out
    assert "fresh blocks of" in called.out
    assert "What was learned" in called.out
    assert str(tmp_path / "run" / "best.py") in called.out
    assert (tmp_path / "run" / "best.py").read_text(encoding="utf-8").startswith("x = ")
    assert called.out.endswith(f"\n  se-agent report {tmp_path / 'run'} --open\n")


@pytest.mark.tier("runs")
def test_json_is_the_only_line_on_standard_output(tmp_path: Path) -> None:
    called = process([*WORLD, tmp_path, "timed", "json"], tmp_path)
    (line,) = called.out.splitlines()
    row = json.loads(line)
    assert list(row) == [*KEYS, "objective", "et", "mp", "mi", "memory"]
    assert row["status"] == "proven"
    assert 1 < row["gain_low"] <= row["gain"] <= row["gain_high"]
    assert row["score"] is None
    assert "What was learned" in called.err


@pytest.mark.tier("runs")
def test_a_scored_run_has_scores_instead_of_gains(tmp_path: Path) -> None:
    row = json.loads(process([*WORLD, tmp_path, "json"], tmp_path).out)
    assert list(row) == [*KEYS, "score_initial", "direction", "memory"]
    assert row["gain"] is row["gain_low"] is row["gain_high"] is None
    assert row["score"] > row["score_initial"] == 0
    assert row["direction"] == "maximize"


@pytest.mark.tier("runs")
def test_a_budget_that_ends_before_a_generation_is_code_3(tmp_path: Path) -> None:
    called = process([*WORLD, tmp_path, "poor", "timed", "json"], tmp_path)
    assert called.code == 3
    row = json.loads(called.out)
    assert (row["budget_end"], row["status"]) == ("wall_seconds", "not_tried")


@pytest.mark.tier("runs")
def test_a_budget_that_leaves_no_room_for_a_candidate_says_which_would(tmp_path: Path) -> None:
    said = process([*WORLD, tmp_path, "poor", "timed"], tmp_path).out
    assert "nothing was tried: what comes before the search left it nothing" in said
    assert "not proven" not in said
    before, enough, option = said.splitlines()[-3:]
    assert re.match(r"budget.wall_seconds = 21.9\d: the check and the self-test took", before)
    assert re.fullmatch(r"enough for about \d .*:", enough)
    assert re.fullmatch(r"  --set budget.wall_seconds=\d+", option)
    shown = process([*COMMAND, "show", tmp_path / "run"], tmp_path)
    assert shown.out.splitlines()[-3:] == [before, enough, option]


@pytest.mark.tier("runs")
def test_a_budget_that_is_too_small_for_anything_is_two_lines(tmp_path: Path) -> None:
    called = process([*WORLD, tmp_path, "broke"], tmp_path)
    assert called.code == 2
    error, hint = called.err.splitlines()
    assert error.startswith("error: budget.wall_seconds = 5: too small, 10 s of it are kept")
    assert hint == "hint:  --set budget.wall_seconds=20 is the least that makes sense"
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.tier("runs"))]
)
def test_an_interrupted_run_is_saved_and_can_be_resumed(tmp_path: Path, number: int) -> None:
    called = broken_off(tmp_path, number)
    assert called.code == 130
    folder = tmp_path / "run"
    last = called.out.splitlines()[-2:]
    assert last == ["interrupted; saved. Resume with:", f"  se-agent resume {folder}"]
    *before, _, _ = called.out.splitlines()
    assert any(line.startswith("stopping: what was measured is saved; ") for line in before)
    best = (folder / "best.py").read_text(encoding="utf-8")
    assert best.startswith("# se_agent: not confirmed; ")
    assert re.fullmatch(r"best so far: score \d+ so far: .*/best.py", before[-1])
    assert called.err == ""
    resumed = process([*WORLD, folder, "resume", "json"], tmp_path)
    assert resumed.code == 0
    row = json.loads(resumed.out)
    assert (row["status"], row["evaluations"]) == ("proven", 30)
    assert "generation 1:" not in resumed.err


@pytest.mark.tier("runs")
def test_an_interrupted_run_prints_its_row(tmp_path: Path) -> None:
    called = broken_off(tmp_path, signal.SIGINT, "json", "timed")
    assert called.code == 130
    row = json.loads(called.out.splitlines()[-1])
    assert (row["status"], row["budget_end"]) == ("interrupted", "")
    assert row["run"] == str(tmp_path / "run")
    assert "Traceback" not in called.err


@pytest.mark.tier("runs")
def test_a_run_that_breaks_is_failed_and_can_be_resumed(tmp_path: Path) -> None:
    called = process([*WORLD, tmp_path, "broken", "json"], tmp_path)
    assert called.code == 2
    assert called.err.splitlines()[-2:] == ["error: the fork server died", "hint:  try again"]
    row = json.loads(called.out)
    assert (row["status"], row["problem"]) == ("failed", "numbers")
    resumed = json.loads(process([*WORLD, tmp_path / "run", "resume", "json"], tmp_path).out)
    assert (resumed["status"], resumed["evaluations"]) == ("proven", 30)


@pytest.mark.tier("runs")
def test_a_run_that_has_ended_is_shown_again(tmp_path: Path) -> None:
    process([*WORLD, tmp_path], tmp_path)
    again = process([*WORLD, tmp_path / "run", "resume"], tmp_path)
    assert again.code == 0
    assert "proven: score 0 -> " in again.out


@pytest.mark.tier("runs")
def test_a_name_that_is_taken_is_two_lines(tmp_path: Path) -> None:
    finished(tmp_path, timed=False)
    called = process([*WORLD, tmp_path], tmp_path)
    assert called.code == 2
    error, hint = called.err.splitlines()
    assert error == f"error: {tmp_path / 'run'}: there is a run of this name already"
    assert hint.startswith(f"hint:  `se-agent resume {tmp_path / 'run'}`")


@pytest.mark.tier("runs")
def test_a_reader_that_goes_away_does_not_end_a_run(tmp_path: Path) -> None:
    line = f"{sys.executable} -m tests.cli.world {tmp_path} timed | head -n 2"
    done = subprocess.run(
        ["bash", "-c", line], env=ENV, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert (tmp_path / "run" / "best.py").is_file()


@pytest.mark.tier("runs")
def test_a_full_disk_is_two_lines_and_everything_until_then_is_saved(tmp_path: Path) -> None:
    blocks = 150  # of 1,024 bytes, for any one file
    line = f"ulimit -f {blocks}; exec {sys.executable} -m tests.cli.world {tmp_path} timed"
    called = process(["bash", "-c", line], tmp_path)
    error, hint = two_lines(called)
    assert "the disk is full or fails; everything up to the last event is saved" in error
    assert hint == f"make room, then `se-agent resume {tmp_path / 'run'}`"
    assert "generation 1" in called.out
    resumed = process([*WORLD, tmp_path / "run", "resume", "timed", "json"], tmp_path)
    assert json.loads(resumed.out)["evaluations"] == 30
