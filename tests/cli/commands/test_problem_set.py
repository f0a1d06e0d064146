"""`grid` of a problem set: rows that run, rows that cannot, and going on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.calls import call, two_lines
from tests.cli.folders import GENERATOR, INITIAL

QUICK = (
    "measure.self_test_blocks=1",
    "measure.fast_seconds=0.002",
    "measure.slow_seconds=0.01",
    "judge.pairs=2",
    "judge.max_blocks=3",
    "judge.counterexample_seconds=0.5",
    "budget.evaluations=1",
)
ROW = {
    "kind": "function",
    "entry_point": "pairs",
    "statement": "Count the pairs.",
    "slow": {"code": INITIAL},
    "tests": [{"args": "([1, 1], 2)", "expected": "4"}],
    "input_generator": GENERATOR,
}


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    inputs = [{"expr": "generate(rng, 120)", "seed": n, "level": 1} for n in range(2)]
    listed = [
        ROW | {"id": "works", "perf_inputs": inputs},
        ROW | {"id": "no-inputs", "perf_inputs": [], "input_generator": ""},
        ROW | {"id": "broken", "perf_inputs": inputs, "slow": {"code": "pairs = None"}},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in listed), encoding="utf-8")
    return path


def test_every_row_has_its_own_end_and_json_has_them_all(rows: Path) -> None:
    settings = [word for setting in QUICK for word in ("--set", setting)]
    called = call("grid", rows.name, "--json", *settings)
    assert called.code == 0, called.err
    found = json.loads(called.out)
    statuses = {row["id"]: row["status"] for row in found["cells"]}
    assert statuses.pop("base/works-s0") in {"proven", "not_proven"}
    assert statuses == {"base/no-inputs-s0": "not_measurable", "base/broken-s0": "failed"}
    assert found["arms"]["base"]["overall"]["gain"]["count"] == 2
    assert "   1 of 3     base/works-s0" in called.err
    assert "3 cells: 1 failed, 1 not measurable, 1 " in called.err
    assert re.search(r"^gain over 2: .* harmonic mean", called.err, re.MULTILINE)
    assert Path("results/.gitignore").read_text(encoding="utf-8") == "*\n"
    assert "def pairs(" in Path("results/rows/base/works-s0/best.py").read_text(
        encoding="utf-8"
    )
    again = call("grid", rows.name, "--json", *settings)
    assert json.loads(again.out)["cells"] == found["cells"]


def test_run_does_the_same_by_the_ids_of_the_rows(rows: Path) -> None:
    settings = [word for setting in QUICK for word in ("--set", setting)]
    Path("run.toml").write_text('seed = 7\nname = "mine"\nproblem = "tide_table"\n')
    called = call("run", "run.toml", "--problem-set", rows.name, "--json", *settings)
    assert called.code == 0, called.err
    found = json.loads(called.out)
    statuses = {row["id"]: row["status"] for row in found["rows"]}
    assert statuses.pop("works") in {"proven", "not_proven"}
    assert statuses == {"no-inputs": "not_measurable", "broken": "failed"}
    assert found["problem_set"] == "rows.jsonl"
    assert found["overall"]["gain"]["count"] == 2
    assert found["memory"].keys()
    assert Path("results/rows/base/works-s7/run.db").is_file()
    same = call("grid", rows.name, "--json", "--set", "grid.seeds=[7]", *settings)
    assert [cell["status"] for cell in json.loads(same.out)["cells"]] == [
        row["status"] for row in found["rows"]
    ]
    assert "0 to run" in same.err


def test_rows_that_failed_are_run_again_by_the_same_command(rows: Path) -> None:
    words = ["run", "--problem-set", rows.name]
    words += [word for setting in QUICK for word in ("--set", setting)]
    told = call(*words).out
    assert "rows that failed or were interrupted are run again by the same command" in told
    assert "--retry" not in told
    assert "1 to run" in call(*words).out


@pytest.mark.parametrize("key", ["problems = ['tide_table']", "arms.a = { lag = 2 }"])
def test_a_run_file_with_a_grid_has_no_rows(rows: Path, key: str) -> None:
    Path("run.toml").write_text(f"[grid]\n{key}\n")
    error, hint = two_lines(call("run", "run.toml", "--problem-set", rows.name))
    assert "a problem set is a grid of its own" in error
    assert "problems = [" in hint


def test_a_problem_is_no_run_file(rows: Path) -> None:
    error, _ = two_lines(call("run", "tide_table", "--problem-set", rows.name))
    assert error.startswith("tide_table: no run file: ")


def test_run_shows_the_plan_of_a_set(rows: Path) -> None:
    called = call("run", "--problem-set", rows.name, "--dry-run")
    assert "3 cells: 1 arm x 3 problems x 1 seed; 2 to run" in called.out
    assert not Path("results").exists()


def test_a_row_with_notes_shows_how_many(rows: Path) -> None:
    row = json.loads(rows.read_text(encoding="utf-8").splitlines()[0])
    wrong = row | {"tests": [{"args": "[1, 2, 3]", "expected": "0"}]}
    rows.write_text(json.dumps(wrong) + "\n", encoding="utf-8")
    settings = [word for setting in QUICK for word in ("--set", setting)]
    called = call("grid", rows.name, *settings)
    (line,) = (line for line in called.out.splitlines() if "1 of 1     base/works" in line)
    shown = call("show", "results/rows/base/works-s0", "--all").out
    noted = len(re.findall(r"^note  .*", shown, re.MULTILINE))
    assert noted >= 2
    assert line.endswith(f" {noted} notes")
    assert "notes on a cell:\n  se-agent show results/rows/CELL\n" in called.out


def test_a_file_that_is_not_there() -> None:
    error, _ = two_lines(call("grid", "none.jsonl"))
    assert error == "none.jsonl: cannot be read: No such file or directory"


def test_a_name_that_is_not_registered_is_told_before_the_first_row(rows: Path) -> None:
    called = call("grid", rows.name, "--set", "policy=foo")
    assert (two_lines(called)[0], called.out) == ("unknown policy 'foo'", "")
    assert not Path("results").exists()
