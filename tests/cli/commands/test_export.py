"""`export`: files for other tools, without secrets."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import TABLES, names_of
from tests.analysis.arms import run_in
from tests.cli.calls import COMMAND, ENV, call, two_lines


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs."""
    home = tmp_path_factory.mktemp("export") / "results"
    for seed in range(2):
        run_in(home, f"run-{seed}", seed=seed)
    return home


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_each_table_is_a_file_with_all_rows(kind: str, home: Path, tmp_path: Path) -> None:
    called = call("export", home / "run-0", "--format", kind, "--to", tmp_path / "out")
    assert called.code == 0, called
    assert "6 files written" in called.out
    for table in TABLES:
        path = tmp_path / "out" / f"{table}.{kind}"
        assert path.exists() == (table != "runs")
        if path.exists():
            assert rows_of(path) == len(RecordedRun(home / "run-0").rows(table))


def rows_of(path: Path) -> int:
    if path.suffix == ".parquet":
        found = pd.read_parquet(path)
        assert tuple(found) == names_of(path.stem)
        return len(found)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        assert all(tuple(row) == names_of(path.stem) for row in rows)
        return len(rows)
    reader = csv.DictReader(io.StringIO(text))
    assert tuple(reader.fieldnames or ()) == names_of(path.stem)
    return len(list(reader))


@pytest.mark.tier("runs")
def test_of_several_runs_there_is_a_row_for_each(home: Path, tmp_path: Path) -> None:
    call("export", home, "--table", "runs", "--table", "steps", "--to", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs.csv", "steps.csv"]
    with (tmp_path / "runs.csv").open(encoding="utf-8") as file:
        assert [row["run"] for row in csv.DictReader(file)] == ["run-0", "run-1"]


@pytest.mark.tier("runs")
def test_last_is_the_newest_run(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.parent)
    called = call("export", "last", "--table", "steps", "--to", tmp_path / "out")
    assert called.code == 0, called
    assert "\nrun-1," in (tmp_path / "out" / "steps.csv").read_text(encoding="utf-8")


@pytest.mark.tier("runs")
def test_secrets_of_this_machine_are_taken_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "qRt5Zx81Lm90Zx81wYp3"
    run = run_in(tmp_path, "run", problem=f"numbers {secret}")
    monkeypatch.setenv("SOME_API_KEY", secret)
    call("export", tmp_path, "--to", tmp_path / "out")
    text = (tmp_path / "out" / "runs.csv").read_text(encoding="utf-8")
    assert run.name in text
    assert secret not in text


@pytest.mark.tier("runs")
def test_a_run_that_is_damaged_is_named(home: Path, tmp_path: Path) -> None:
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.db").write_bytes(b"no journal" * 100)
    out = call("export", home, tmp_path / "torn", "--to", tmp_path / "out").out
    assert f"left out: {tmp_path / 'torn'}: " in out


@pytest.mark.tier("runs")
def test_a_torn_tail_is_told_once_in_a_line_of_ours(home: Path, tmp_path: Path) -> None:
    run = shutil.copytree(home / "run-0", tmp_path / "torn")
    with closing(sqlite3.connect(run / "run.db")) as db, db:
        db.execute("DROP TRIGGER no_update")
        db.execute("UPDATE events SET body = '{' WHERE id = (SELECT MAX(id) FROM events)")
    done = subprocess.run(
        [*COMMAND, "export", str(run), "--to", str(tmp_path / "out")],
        check=True,
        env=ENV,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    told = [line for line in done.stdout.splitlines() if "cannot be read" in line]
    assert len(told) == 1
    assert told[0].startswith(f"note: {run}: event ")


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (["--format", "json"], "no format 'json'", "did you mean 'jsonl'?"),
        (["--table", "step"], "no table 'step'", "did you mean 'steps'?"),
        (["--to", "results/run-0/run.db"], "cannot be written", "--to FOLDER"),
        (
            ["--format", "mlflow", "--table", "steps"],
            "mlflow takes whole runs, not tables",
            "--format csv",
        ),
    ],
)
def test_what_cannot_be_exported_is_said_in_two_lines(
    words: list[str], error: str, hint: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.parent)
    said, next_step = two_lines(call("export", "run-0", *words))
    assert error in said
    assert hint in next_step


@pytest.mark.parametrize(
    ("kind", "module", "extra"),
    [
        ("parquet", "pyarrow", "analysis"),
        ("mlflow", "mlflow", "mlflow"),
        ("wandb", "wandb", "wandb"),
    ],
)
def test_a_format_whose_extra_is_missing_names_it(
    kind: str, module: str, extra: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    said, next_step = two_lines(call("export", home / "run-0", "--format", kind))
    assert said == f"the format {kind} needs {module}, which is not installed here"
    assert next_step == f"pip install 'se-agent[{extra}]'"
